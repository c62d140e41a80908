"""Bounded: a call of something of the host's, which may not hold a recall up and may not break it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Bounded(Generic[T]):
    """Calls on threads of its own, each waited for so long and no longer.

    A call that is late is left to end by itself; two may be under way at once, and others wait for their turn.
    """

    def __init__(self, name: str) -> None:
        self._threads = ThreadPoolExecutor(2, thread_name_prefix=f"bethink-{name}")

    def call(self, seconds: float, function: Callable[..., T], *given: Any) -> tuple[T | None, str]:
        """What it returned, or None and why: it was late, or the name of what it raised."""
        called = self._threads.submit(function, *given)
        try:
            failed = called.exception(seconds)
        except LateError:
            return None, "out of time"
        return (None, type(failed).__name__) if failed is not None else (called.result(), "")
