"""A store that cannot be written here can be read. The asking process runs as nobody, for root may write anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import pytest

from bethink.store.index import SearchIndex
from bethink.store.sqlite_store import SqliteStore
from bethink.testing.fakes import CountingIds
from tests.behaviour.requirements import requirement
from tests.store.things import Things

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that others may enter; pytest's own may not."""
    made = Path(mkdtemp(prefix="bethink-"))
    made.chmod(0o755)
    yield made
    made.chmod(0o755)
    shutil.rmtree(made)


@pytest.fixture
def writer(folder, clock) -> Iterator[Things]:
    """The owner's store, which others may read."""
    store = SqliteStore(folder / "m.db", clock, CountingIds(), SearchIndex("english"))
    (folder / "m.db").chmod(0o644)
    things = Things(store, clock)
    things.say("one")
    yield things
    store.close()


class Nobody:
    """A running probe."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.probe", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        )

    def ask(self, *questions: str) -> list[str]:
        """The answers, in order."""
        answers = []
        for question in questions:
            self._process.stdin.write(question + "\n")
            self._process.stdin.flush()
            answers.append(self._process.stdout.readline().strip())
        return answers

    def end(self) -> None:
        """Let it go."""
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


@pytest.fixture
def nobody(folder) -> Iterator[Nobody]:
    probe = Nobody(folder / "m.db")
    yield probe
    probe.end()


def lock_up(folder: Path) -> None:
    """Make files and folder read-only."""
    for item in folder.iterdir():
        item.chmod(0o444)
    folder.chmod(0o555)


READING = ("open", "read", "write", "trace", "check")


@requirement("B4")
def test_a_closed_store_in_a_read_only_folder_is_read(folder, writer, nobody):
    writer.store.close()
    lock_up(folder)

    assert nobody.ask(*READING) == ["read_only", "one", "store_read_only", "failed", "0"]


def test_a_log_that_a_crash_left_in_a_read_only_folder_is_read(folder, writer, nobody):
    copy = folder / "copy"
    copy.mkdir(mode=0o755)
    subprocess.run(["cp", folder / "m.db", folder / "m.db-wal", copy], check=True)
    lock_up(copy)
    probe = Nobody(copy / "m.db")

    assert (copy / "m.db-wal").stat().st_size > 0
    assert probe.ask(*READING) == ["read_only", "one", "store_read_only", "failed", "0"]
    probe.end()
    copy.chmod(0o755)


def test_a_store_that_its_owner_writes_is_read_beside_it(folder, writer, nobody):
    (folder / "m.db-wal").chmod(0o644)
    (folder / "m.db-shm").chmod(0o644)

    assert nobody.ask("open", "read", "write") == ["read_only", "one", "store_read_only"]
    writer.say("two")
    assert nobody.ask("read") == ["one,two"]


def test_what_the_owner_writes_later_is_seen_in_a_read_only_folder(folder, writer, nobody):
    writer.store.close()
    assert nobody.ask("open", "read") == ["read_only", "one"]
    later = SqliteStore(folder / "m.db", writer.clock, CountingIds(), SearchIndex("english"))
    Things(later, writer.clock).say("two")
    later.close()

    assert nobody.ask("read", "close") == ["one,two", "closed"]


def test_where_no_store_can_be_made_the_error_says_so(folder, nobody):
    folder.chmod(0o555)

    assert nobody.ask("open") == ["store_read_only"]
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make a file that another owner's process may not write")
def test_a_read_only_file_in_a_writable_folder_is_read(folder, writer, nobody):
    writer.store.close()
    (folder / "m.db").chmod(0o444)
    os.chown(folder, 65534, 65534)

    assert nobody.ask("open", "read", "write") == ["read_only", "one", "store_read_only"]
