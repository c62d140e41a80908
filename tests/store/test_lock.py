"""Writers take turns in the order they came, and a dead one never stands in the way."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bethink.errors import StoreBusy
from bethink.store import lock as lock_module
from bethink.store.lock import FairLock

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from pathlib import Path
from bethink.store.lock import FairLock
with FairLock(Path(sys.argv[1])).hold(10):
    print("held", flush=True)
    sys.stdin.read()
"""


LEFT_BY_A_CHILD = """
import os, sys
from pathlib import Path
from bethink.store.lock import FairLock
with FairLock(Path(sys.argv[1])).hold(10):
    child = os.fork()
    if child:
        print("held" if os.waitpid(child, 0)[1] == 0 else "the child failed", flush=True)
        sys.stdin.read()
os._exit(0)
"""
OUTLIVED_BY_A_CHILD = """
import os, sys
from pathlib import Path
from bethink.store.lock import FairLock
with FairLock(Path(sys.argv[1])).hold(10):
    if os.fork():
        print("held", flush=True)
    sys.stdin.read()
    os._exit(0)
"""


@pytest.fixture
def lock(tmp_path):
    return FairLock(tmp_path / "m.lock")


@contextmanager
def holder(path: Path, script: str = HOLD) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the lock by now."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.stdin.close()
    process.stdout.close()
    process.wait(10)


def test_one_holds_and_the_next_waits_as_long_as_it_said(lock):
    with lock.hold(1), pytest.raises(StoreBusy, match=r"longer than 0\.1 s"), lock.hold(0.05):
        pass
    with lock.hold(0):
        pass


def test_who_gave_up_waiting_does_not_hold_up_those_behind(lock):
    with lock.hold(1):
        for _ in range(3):
            with pytest.raises(StoreBusy), lock.hold(0.01):
                pass
    with lock.hold(1):
        pass


def test_the_ticket_of_who_gave_up_is_free_at_once(lock):
    with lock.hold(1):
        with pytest.raises(StoreBusy), lock.hold(0.05):
            pass
        with lock._path.open("r+b") as file:
            tickets = [number for number in range(4) if taken(file.fileno(), number)]
    assert tickets == [0]


def taken(fd: int, number: int) -> bool:
    """Whether somebody holds a ticket."""
    try:
        lock_module._lock(fd, fcntl.F_WRLCK, lock_module._FIRST_TICKET + number, 1, wait=False)
    except BlockingIOError:
        return True
    return False


def test_waiters_are_served_in_the_order_they_came(lock):
    served: list[int] = []
    first = lock.hold(1)
    first.__enter__()

    def wait(number: int) -> None:
        with lock.hold(10):
            served.append(number)

    threads = []
    for number in range(8):
        thread = threading.Thread(target=wait, args=(number,))
        thread.start()
        threads.append(thread)
        wait_until_queued(lock, number + 2)
    first.__exit__(None, None, None)
    for thread in threads:
        thread.join(10)
    assert served == list(range(8))


def wait_until_queued(lock: FairLock, tickets: int) -> None:
    """Until so many tickets were drawn; the counter is the first number of the file."""
    while int.from_bytes(lock._path.read_bytes()[:8], sys.byteorder) < tickets:
        pass


def test_nobody_gets_in_twice_while_others_wait(lock):
    turns: list[int] = []

    def take(number: int) -> None:
        for _ in range(40):
            with lock.hold(30):
                turns.append(number)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(turns) == [number for number in range(3) for _ in range(40)]


def test_another_process_excludes_and_its_death_frees(lock, tmp_path):
    with holder(tmp_path / "m.lock") as process:
        with pytest.raises(StoreBusy), lock.hold(0.05):
            pass
        process.send_signal(signal.SIGKILL)
        with lock.hold(10):
            pass


def test_a_child_that_leaves_its_parent_s_block_frees_nothing(lock, tmp_path):
    with holder(tmp_path / "m.lock", LEFT_BY_A_CHILD), pytest.raises(StoreBusy), lock.hold(0.05):
        pass
    with lock.hold(10):
        pass


def test_a_child_that_outlives_its_parent_holds_nothing(lock, tmp_path):
    with holder(tmp_path / "m.lock", OUTLIVED_BY_A_CHILD) as process:
        process.send_signal(signal.SIGKILL)
        with lock.hold(10):
            pass


def test_a_damaged_or_deleted_lock_file_is_a_new_one(lock, tmp_path):
    with lock.hold(1):
        pass
    for damage in (b"", b"\xff" * 8, b"\x00", b"\xff" * 7 + b"\x7f", bytes(7) + b"\x80", b"\x7f" * 4096):
        (tmp_path / "m.lock").write_bytes(damage)
        with lock.hold(1):
            pass
    (tmp_path / "m.lock").unlink()
    with lock.hold(1):
        pass


def test_an_exception_inside_frees_the_lock(lock):
    with pytest.raises(KeyError), lock.hold(1):
        raise KeyError
    with lock.hold(0):
        pass
