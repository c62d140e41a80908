"""Cutting a stream of bytes into JSON values without holding more than one of them.

The structural characters of JSON are ASCII and no byte of a longer UTF-8 character looks like one, so the cut is
made on bytes; only a whole value is decoded. A value that is broken costs itself, not its neighbours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

ITEM_LIMIT = 16 * 2**20
"""Bytes of the longest value that is read."""

_BLANK = b" \t\r\n"
_OUTSIDE = re.compile(rb'["\[\]{},]')
_INSIDE = re.compile(rb'["\\]')


class Unreadable(Exception):
    """A value that cannot be read; the message says why."""


def parse(data: bytes) -> Any:
    """One JSON value.

    Raises:
        Unreadable: not UTF-8, not JSON, nested too deeply, NaN or an infinity, or an object with one key twice.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        msg = f"not UTF-8 at byte {error.start}"
        raise Unreadable(msg) from None
    except json.JSONDecodeError as error:
        msg = f"not JSON: {error.msg} (character {error.pos})"
        raise Unreadable(msg) from None
    except RecursionError:
        msg = "nested too deeply"
        raise Unreadable(msg) from None
    except ValueError:  # a number of thousands of digits
        msg = "holds a number too long to read"
        raise Unreadable(msg) from None


def lines(chunks: Iterable[bytes]) -> Iterator[bytes | Unreadable]:
    """The lines, blank ones included, without their ends; one that is too long is replaced by why."""
    kept = bytearray()
    size = 0
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            size += len(piece)
            yield _too_long() if size > ITEM_LIMIT else bytes(kept + piece)
            kept.clear()
            size = 0
        size += len(rest)
        if size <= ITEM_LIMIT:
            kept += rest
        else:
            kept.clear()
    if size:
        yield _too_long() if size > ITEM_LIMIT else bytes(kept)


def elements(chunks: Iterable[bytes]) -> Iterator[bytes | Unreadable]:
    """The elements of one top-level array; damage at its end is yielded last, as why it is damage."""
    scanner = _ArrayScanner()
    for chunk in chunks:
        yield from scanner.feed(chunk)
    yield from scanner.end()


class _ArrayScanner:
    """Where the array is being read: how deep, inside a string or not, and the element gathered so far."""

    def __init__(self) -> None:
        self._depth = 0
        self._inside = False
        self._escaped = False
        self._closed = False
        self._piece = bytearray()
        self._size = 0
        self._any = False

    def feed(self, chunk: bytes) -> Iterator[bytes | Unreadable]:
        """The elements this chunk completes."""
        start = at = 0
        while not self._closed:
            if self._escaped and at < len(chunk):
                self._escaped = False
                at += 1
            found = (_INSIDE if self._inside else _OUTSIDE).search(chunk, at)
            if found is None:
                break
            at = found.end()
            if self._ends(found.group()):
                self._gather(chunk[start : at - 1])
                yield from self._element(last=self._depth == 0)
                start = at
            elif self._depth == 1 and not self._any and found.group() == b"[":
                self._any = True
                start = at
        if self._closed:
            self._size += len(chunk[start:].strip(_BLANK))
        else:
            self._gather(chunk[start:])

    def end(self) -> Iterator[Unreadable]:
        """What is wrong when the stream ends here."""
        if self._closed and self._size:
            yield Unreadable("text after the end of the list")
        elif not self._closed:
            inside = "inside an item" if self._piece.strip(_BLANK) else "before its list is closed"
            yield Unreadable(f"the file ends {inside}")

    def _ends(self, mark: bytes) -> bool:
        """Follow one structural character; whether it ends an element of the array."""
        if self._inside:
            self._escaped = mark == b"\\"
            self._inside = mark != b'"'
            return False
        if mark == b'"':
            self._inside = True
        elif mark in b"[{":
            self._depth += 1
        elif mark in b"]}":
            self._depth -= 1
            return self._depth == 0
        else:
            return self._depth == 1
        return False

    def _gather(self, part: bytes) -> None:
        """Keep a part of the current element, or only its size once it is too long."""
        self._size += len(part)
        if self._size > ITEM_LIMIT:
            self._piece.clear()
        else:
            self._piece += part

    def _element(self, *, last: bool) -> Iterator[bytes | Unreadable]:
        """The element gathered, and a fresh start; an empty list and a trailing comma hold none."""
        if self._size > ITEM_LIMIT:
            yield _too_long()
        elif piece := bytes(self._piece).strip(_BLANK):
            yield piece
        elif not last:
            yield Unreadable("nothing between two commas")
        self._piece.clear()
        self._size = 0
        self._closed = last


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless one of its keys stands twice: which of the two was meant is nobody's to guess."""
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # add returns None on purpose
        msg = f"an object holds the key {twice[:40]!r} twice"
        raise Unreadable(msg)
    return made


def _refuse(name: str) -> Any:
    """NaN and the infinities are no JSON."""
    msg = f"{name} is no JSON"
    raise Unreadable(msg)


def _too_long() -> Unreadable:
    return Unreadable(f"longer than {ITEM_LIMIT // 2**20} MB")
