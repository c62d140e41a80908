"""Asking a host's model inside a bound of time: what is late, fails or says nothing costs its time and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from typing import TypeVar

T = TypeVar("T")


class Asking:
    """Two threads for the calls of models. A call that is late is left to end by itself."""

    def __init__(self) -> None:
        """No thread is made before the first call."""
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="bethink-model")

    def within(self, seconds: float, call: Callable[[], T]) -> tuple[T | None, str]:
        """What a call says, or why it says nothing: ``out of time``, or the name of what it raised."""
        called = self._threads.submit(call)
        try:
            failed = called.exception(seconds)
        except LateError:
            return None, "out of time"
        return (None, type(failed).__name__) if failed is not None else (called.result(), "")
