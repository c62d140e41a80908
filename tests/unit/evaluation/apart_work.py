"""What processes do in the tests of `bench_apart`; apart from these, so that a process loads little."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

from bethink.errors import InvalidInput
from bethink.evaluation.bench_apart import together


def add(one: int, other: int) -> int:
    """The sum."""
    return one + other


def hold(pipe: str) -> None:
    """Open a passing folder, tell of it and of this process, and stay."""
    with tempfile.TemporaryDirectory() as folder:
        Path(pipe).write_text(f"{os.getpid()} {folder}")
        signal.pause()


def fail(pipe: str) -> None:
    """Wait until the other one stays, and fail with what it told."""
    raise InvalidInput(Path(pipe).read_text())


def either(pipe: str, first: str) -> None:
    """One that stays and one that fails, beside each other."""
    (hold if first == "hold" else fail)(pipe)


def deep(pipe: str) -> None:
    """Both, as children of this process."""
    together(either, [(pipe, "hold"), (pipe, "fail")])


def vanish() -> None:
    """End at once, as for lack of memory."""
    os.kill(os.getpid(), signal.SIGKILL)
