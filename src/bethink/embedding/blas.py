"""One BLAS thread while the encoder runs.

Its products are small: a second thread saves a query next to nothing on a quiet machine, and on a busy one the threads
spin waiting for each other (measured on two loaded cores: 20 ms a query with one thread, 110 to 260 with two). The cap
is the process's, so it is lifted as soon as the last running encoder is done. Where numpy brings no OpenBLAS nothing is
done.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np

_lock: Final = Lock()
# How many encoders run, and the thread count to give back after the last: process state, like the setting itself.
_running: Final[list[int]] = []


@contextmanager
def one_thread() -> Iterator[None]:
    """Run the block with one BLAS thread; nests, and may be entered by many threads at once."""
    with _lock:
        _running.append(_running[0] if _running else thread_count())
        _set_threads(1)
    try:
        yield
    finally:
        with _lock:
            before = _running.pop()
            if not _running:
                _set_threads(before)


def thread_count() -> int:
    """Threads BLAS may use now; 0 when numpy brings no OpenBLAS to ask."""
    return _controls()[0]()


def _set_threads(count: int) -> None:
    if count:
        _controls()[1](count)


@cache
def _controls() -> tuple[Callable[[], int], Callable[[int], object]]:
    """OpenBLAS's own getter and setter, in the library numpy loaded, under the names wheels and distributions use."""
    for library in _libraries():
        for name in ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads"):
            getter = getattr(library, name.format("get"), None)
            setter = getattr(library, name.format("set"), None)
            if getter is not None and setter is not None:
                return getter, setter
    return lambda: 0, lambda _: None


def _libraries() -> Iterator[ctypes.CDLL]:
    """The extension of numpy, through which a POSIX loader finds what it links; on Windows the library beside it."""
    if sys.platform == "win32":
        paths = [str(path) for path in Path(np.__file__).parent.with_name("numpy.libs").glob("*openblas*.dll")]
    else:
        spec = find_spec("numpy._core._multiarray_umath")
        paths = [spec.origin] if spec is not None and spec.origin is not None else []
    for path in paths:
        try:
            yield ctypes.CDLL(path)
        except OSError:  # built in some other way: there is nothing to hold back
            continue
