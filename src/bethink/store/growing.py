"""Arrays that grow while others read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ROOM = 256


class Growing:
    """An array whose published views never change: rows are added behind them, a change copies first.

    Rows may have a shape of their own (`width`). One writer at a time; any number of readers of `view`.
    """

    __slots__ = ("_room", "view")

    def __init__(self, dtype: Any, width: tuple[int, ...] = ()) -> None:
        self._room: NDArray[Any] = np.empty((_ROOM, *width), dtype=dtype)
        self.view: NDArray[Any] = self._room[:0]

    def add(self, rows: ArrayLike) -> None:
        """Append rows, doubling the room when it is full."""
        new = np.asarray(rows, dtype=self._room.dtype)
        size = len(self.view) + len(new)
        if size > len(self._room):
            self._move(max(size + size // 8, 2 * len(self._room) if size < 65_536 else size + size // 8))
        self._room[len(self.view) : size] = new
        self.view = self._room[:size]

    def put(self, at: NDArray[np.int64], values: Sequence[int] | NDArray[Any]) -> None:
        """Change rows of a copy; of two values for one row the later stands."""
        if len(at):
            self._move(len(self._room))
            self._room[at] = values
            self.view = self._room[: len(self.view)]

    def _move(self, room: int) -> None:
        """Continue in a larger or equal block; the old one stays as its readers see it."""
        moved = np.empty((room, *self._room.shape[1:]), dtype=self._room.dtype)
        moved[: len(self.view)] = self.view
        self._room = moved
