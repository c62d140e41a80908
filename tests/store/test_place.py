"""Where a store may lie and what it takes for one."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from bethink.errors import StoreCorrupt, StoreError, StoreForeign, StoreUnsafe
from bethink.store.place import NETWORK, check_engine, check_mount
from bethink.store.sqlite import TRACES, TRUTH, SqliteFile
from tests.behaviour.requirements import requirement
from tests.store.things import Things

LOCAL = "/dev/vda / ext4 rw 0 0\n"


@pytest.mark.parametrize("version", ["3.51.3", "3.54.1", "4.0.0", "3.50.7", "3.50.8", "3.44.6", "3.51.10"])
def test_an_engine_with_the_fix_is_used(version):
    check_engine(version)


@pytest.mark.parametrize("version", ["3.51.2", "3.51.0", "3.50.6", "3.44.5", "3.45.9", "3.40.1", "3.9.2"])
def test_an_engine_that_can_corrupt_a_shared_file_is_refused(version):
    with pytest.raises(StoreUnsafe, match=version):
        check_engine(version)


@pytest.mark.parametrize("kind", sorted(NETWORK))
def test_a_network_file_system_is_refused_by_its_kind(kind):
    mounts = f"{LOCAL}server:/x /data {kind} rw 0 0\n"

    with pytest.raises(StoreUnsafe, match="network"):
        check_mount(Path("/data/ann/m.db"), mounts)
    check_mount(Path("/database/m.db"), mounts)


def test_the_nearest_and_the_last_mount_decides():
    under = f"{LOCAL}server:/x /data nfs4 rw 0 0\n/dev/vdb /data/ann ext4 rw 0 0\n"
    over = f"{LOCAL}/dev/vdb /data ext4 rw 0 0\nserver:/x /data nfs rw 0 0\n"
    blank = f"{LOCAL}server:/x /my\\040disk nfs rw 0 0\n"

    check_mount(Path("/data/ann/m.db"), under)
    for path, mounts in (("/data/bob/m.db", under), ("/data/m.db", over), ("/my disk/m.db", blank)):
        with pytest.raises(StoreUnsafe):
            check_mount(Path(path), mounts)


def test_a_host_s_share_is_refused_and_a_sandbox_s_own_disk_is_not():
    share = f"{LOCAL}C:\\134 /host/c 9p rw,trans=fd 0 0\n"
    check_mount(Path("/data/m.db"), "none / 9p rw,trans=fd 0 0\n")

    with pytest.raises(StoreUnsafe):
        check_mount(Path("/host/c/m.db"), share)


@requirement("E11")
def test_a_store_is_one_file_that_only_its_owner_may_read(store, path):
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert {item.name for item in path.parent.iterdir()} <= {f"memory.db{end}" for end in ("", "-wal", "-shm", ".lock")}
    assert all(item.stat().st_mode & 0o077 == 0 for item in path.parent.iterdir())
    store.close()
    assert {item.name for item in path.parent.iterdir()} == {"memory.db", "memory.db.lock"}


def foreign_database(path: Path) -> None:
    apsw.Connection(str(path)).execute("create table mine (x)")


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"SQLite format 3\x00"),
        lambda path: path.write_text("my shopping list\n" * 100, "utf-8"),
        lambda path: path.write_bytes(b"\x00" * 8192),
        lambda path: path.mkdir(),
        foreign_database,
    ],
    ids=["empty", "header only", "text", "zeros", "folder", "another program's database"],
)
def test_what_is_no_store_is_refused_and_left_alone(tmp_path, clock, make):
    path = tmp_path / "m.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None

    with pytest.raises(StoreForeign, match=r"m\.db"):
        SqliteFile(path, TRUTH, clock)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert {item.name for item in tmp_path.iterdir()} == {"m.db"}


def test_traces_are_not_taken_for_the_truth(tmp_path, clock):
    SqliteFile(tmp_path / "m.db", TRACES, clock).close()

    with pytest.raises(StoreForeign, match="another program"):
        SqliteFile(tmp_path / "m.db", TRUTH, clock)


@pytest.mark.parametrize("keep", [100, 4096, 0.5, -1])
def test_a_store_that_was_cut_short_is_refused(store, things, path, clock, keep):
    things.say(*[f"words {number} " * 40 for number in range(60)])
    store.close()
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data)) if isinstance(keep, float) else keep])

    with pytest.raises(StoreForeign, match="cut short"):
        SqliteFile(path, TRUTH, clock)


def test_damage_inside_is_an_error_and_never_an_empty_answer(store, things, path, clock):
    (said, *_) = things.say(*[f"words {number} " * 40 for number in range(60)])
    store.close()
    data = bytearray(path.read_bytes())
    data[8192:] = b"\x5a" * (len(data) - 8192)
    path.write_bytes(data)

    def read():
        again = Things(type(store)(path, clock, None, store.index), clock)
        with again.store.snapshot(again.tenant) as snapshot:
            snapshot.turns.get(again.fence(), [said.id])

    with pytest.raises(StoreError) as told:
        read()
    assert isinstance(told.value, StoreCorrupt | StoreForeign)


def test_a_path_with_odd_letters_is_a_path(tmp_path, clock):
    path = tmp_path / "my % memory?immutable=1#ü" / "m&x=1.db"
    SqliteFile(path, TRUTH, clock).close()

    assert path.is_file()
    SqliteFile(path, TRUTH, clock).close()
