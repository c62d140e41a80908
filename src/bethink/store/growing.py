"""Arrays that grow while others read them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ROOM = 256


class Growing:
    """An array whose published views never change: rows are added behind them, a change of theirs copies first.

    Rows may have a shape of their own (`width`). Numbers that are all alike, as some of a scope's columns are, take the
    memory of one. One writer at a time; any number of readers of what was published.
    """

    __slots__ = ("_alike", "_least", "_published", "_room", "view")

    def __init__(self, dtype: Any, width: tuple[int, ...] = ()) -> None:
        self._room: NDArray[Any] = np.empty((0, *width), dtype=dtype)
        self._alike = not width
        self._least = _ROOM
        self._published = 0
        self.view: NDArray[Any] = self._room[:0]

    def publish(self) -> NDArray[Any]:
        """The rows as they are now, for readers to keep."""
        self._published = len(self.view)
        return self.view

    def add(self, rows: ArrayLike) -> None:
        """Append rows."""
        new = np.asarray(rows)
        if not len(new):
            return
        size = len(self.view) + len(new)
        if self._alike:
            one = self.view[:1] if len(self.view) else new[:1].astype(self._room.dtype)
            if (new == one).all():
                self.view = np.broadcast_to(one, (size,))
                return
            self._spread()
        self.reserve(len(new))
        self._room[len(self.view) : size] = new
        self.view = self._room[:size]

    def reserve(self, rows: int) -> None:
        """Make room for so many more, and half as many again as there are then, where it is needed."""
        size = len(self.view) + rows
        if self._alike:
            self._least = max(self._least, size)
        elif size > len(self._room):
            self._move(size + size // 2)

    def put(self, at: NDArray[np.int64], values: NDArray[Any]) -> None:
        """Change rows; of two values for one row the later stands."""
        if not len(at):
            return
        if self._alike:
            if (values == self.view[0]).all():
                return
            self._spread()
        if at.min() < self._published:
            self._move(len(self._room))
        self._room[at] = values

    def _spread(self) -> None:
        """Give each row memory of its own, now that they are not all alike."""
        self._alike = False
        room = max(self._least, len(self.view))
        self._move(room + room // 2)

    def _move(self, room: int) -> None:
        """Continue in another block; the old one stays as its readers see it."""
        moved = np.empty((room, *self._room.shape[1:]), dtype=self._room.dtype)
        moved[: len(self.view)] = self.view
        self._room = moved
        self._published = 0
        self.view = moved[: len(self.view)]
