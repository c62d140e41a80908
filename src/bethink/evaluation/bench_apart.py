"""Work in processes of its own, none of which outlives the process that waits for it, whatever ends that.

A child holds one end of a pipe whose other end the parent holds. When the parent is interrupted it closes that end, and
when it is killed the system does. The child then ends as if it was told to by a signal: what it has open is closed, its
temporary folders are removed, and its own children have ended before that, by the same rule.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any

from bethink.errors import BethinkError

PATIENCE = 30.0
"""Seconds a child may take to end after it is told to; then it is killed, and what it had open stays as it is."""

_SPAWN = get_context("spawn")
_ENDING = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class _Child:
    """A process under way, where its answer comes from, and the end of the pipe that it lives by."""

    process: SpawnProcess
    answer: Connection
    life: Connection


def apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do it in a process of its own, which may start others; as `together`."""
    return together(work, [arguments])[0]


def together(work: Callable[..., Any], each: Sequence[Sequence[Any]]) -> list[Any]:
    """Do it once with each of the arguments, all at once, each in a process of its own; the answers in that order.

    However this ends, the processes have ended. With the first that fails the others do.

    Raises:
        BethinkError: a process was ended by something else; besides, whatever the work raises.
    """
    children: list[_Child] = []
    resource_tracker.ensure_running()  # the start of it lets signals through that are held below
    try:
        for arguments in each:
            held = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
            try:
                children.append(_started(work, tuple(arguments)))
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, held)
        return _answers(children)
    finally:
        _end(children)


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Let SIGTERM unwind what is under way inside, as an interruption does; only in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _started(work: Callable[..., Any], arguments: tuple[Any, ...]) -> _Child:
    """A process that does it."""
    answer, answering = _SPAWN.Pipe(duplex=False)
    lived_by, life = _SPAWN.Pipe(duplex=False)
    with answering, lived_by:
        process = _SPAWN.Process(target=_serve, args=(lived_by, answering, work, arguments))
        process.start()
    return _Child(process, answer, life)


def _answers(children: Sequence[_Child]) -> list[Any]:
    """What each answers, as they come."""
    waiting = {child.answer: number for number, child in enumerate(children)}
    told: dict[int, Any] = {}
    while waiting:
        for ready in wait(list(waiting)):
            number = waiting.pop(ready)  # type: ignore[call-overload]  # it is one of the connections waited for
            told[number] = _answer(children[number])
    return [told[number] for number in range(len(children))]


def _answer(child: _Child) -> Any:
    """What a child answers, or raise what it raised."""
    try:
        done, told = child.answer.recv()
    except EOFError:
        child.process.join(PATIENCE)
        msg = f"A process of the bench ended before it was done (exit code {child.process.exitcode})."
        raise BethinkError(msg, remedy="Look for what ended it, such as a lack of memory, and measure again.") from None
    if not done:
        raise told
    return told


def _end(children: Sequence[_Child]) -> None:
    """Tell them to end, and wait until they did."""
    for child in children:
        child.life.close()
    for child in children:
        child.process.join(PATIENCE)
        if child.process.is_alive():
            child.process.kill()
            child.process.join()
        child.answer.close()


def _serve(life: Connection, answering: Connection, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """As a child: do it and answer, while the parent lives. What interrupts the terminal is the parent's to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_watch, args=(life,), daemon=True).start()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    try:
        told = (True, work(*arguments))
    except Exception as error:  # noqa: BLE001 - the outermost edge of a process: whoever waits for it raises the error
        error.add_note(traceback.format_exc())
        told = (False, error)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    answering.send(told)


def _watch(life: Connection) -> None:
    """End this process once the other end of the pipe is closed: in order where it can, else at once."""
    with contextlib.suppress(EOFError, OSError):
        life.recv_bytes()
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    threading.Event().wait(PATIENCE)
    os._exit(1)


def _leave(number: int, _frame: FrameType | None) -> None:
    """Unwind, and be told no more."""
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)
