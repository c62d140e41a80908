"""A transcript file as a stream of JSON values: an array item by item, JSON lines line by line, a zip file by file.

Nothing is unpacked to disk. What cannot be read is yielded as a `BadItem` in its place, and reading goes on.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from bethink.errors import InvalidInput, UnknownFormat
from bethink.importing.scan import ITEM_LIMIT, Unreadable, elements, lines, parse
from bethink.operations.importing import BadItem

CHUNK = 2**18
MEMBER_LIMIT = 10_000
"""Most files a zip may hold."""
UNPACKED_LIMIT = 4 * 2**30
"""Most bytes the files read from one zip may unpack to."""
RATIO_LIMIT = 200
"""How many times its packed size a file of a zip may unpack to."""

_BLANK = b" \t\r\n"
_LINES = {".jsonl", ".ndjson"}


@dataclass(frozen=True, slots=True)
class Item:
    """One JSON value of a file: where it stands, its size in bytes, and the zip member it comes from."""

    place: str
    value: Any
    size: int
    source: str = ""


def read_items(path: Path) -> Iterator[Item | BadItem]:
    """The values of a ``.json``, ``.jsonl``, ``.ndjson`` or ``.zip`` file, in order, one in memory at a time.

    Raises:
        InvalidInput: no such file, one that cannot be opened, or a zip beyond its bounds.
        UnknownFormat: a file that is no JSON at all.
    """
    suffix = path.suffix.lower()
    if suffix not in {".json", ".zip", *_LINES}:
        msg = f"{path.name} is no .json, .jsonl, .ndjson or .zip file."
        raise UnknownFormat(msg)
    try:
        with path.open("rb") as stream:
            if suffix == ".zip":
                yield from _zipped(stream, path.name)
            else:
                yield from _stream(stream, path.name, "", by_line=suffix in _LINES)
    except OSError as error:
        msg = f"{path.name} cannot be read: {error.strerror or error}."
        raise InvalidInput(msg, remedy="Name a file that exists and that you may read.") from error


def _stream(stream: IO[bytes], name: str, source: str, *, by_line: bool) -> Iterator[Item | BadItem]:
    """The values of one stream."""
    head = stream.read(CHUNK)
    while head and not head.strip(_BLANK) and (more := stream.read(CHUNK)):
        head = more
    if head[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        msg = f"{name} is UTF-16 text."
        raise UnknownFormat(msg, remedy="Save it as UTF-8.")
    head = head.removeprefix(b"\xef\xbb\xbf")
    first = head.lstrip(_BLANK)[:1]
    chunks = chain((head,), iter(lambda: stream.read(CHUNK), b""))
    if not first:
        msg = f"{name} is empty."
        raise UnknownFormat(msg, remedy="Name a file that holds a transcript.")
    prefix = f"{source} " if source else ""
    if by_line and first != b"[":
        yield from _values(lines(chunks), f"{prefix}line", source)
    elif first == b"[":
        yield from _values(elements(chunks), f"{prefix}item", source)
    elif first == b"{":
        yield from _objects(lines(chunks), prefix, source)
    else:
        msg = f"{name} does not begin as JSON."
        raise UnknownFormat(msg)


def _values(pieces: Iterable[bytes | Unreadable], noun: str, source: str, start: int = 1) -> Iterator[Item | BadItem]:
    """Each piece as a value, counted from `start`; blank ones are passed over."""
    for number, piece in enumerate(pieces, start):
        if isinstance(piece, Unreadable) or piece.strip(_BLANK):
            yield _value(piece, f"{noun} {number}", source)


def _value(piece: bytes | Unreadable, place: str, source: str) -> Item | BadItem:
    """One piece as a value, or why it is none."""
    if isinstance(piece, Unreadable):
        return BadItem(place, str(piece))
    try:
        return Item(place, parse(piece), len(piece), source)
    except Unreadable as error:
        return BadItem(place, str(error))


def _objects(pieces: Iterator[bytes | Unreadable], prefix: str, source: str) -> Iterator[Item | BadItem]:
    """A file that opens with an object: one value over many lines, or a value on each line."""
    noun = f"{prefix}line"
    held: list[bytes | Unreadable] = []
    for piece in pieces:
        held.append(piece)
        filled = [item for item in held if isinstance(item, Unreadable) or item.strip(_BLANK)]
        if filled and filled[-1] is piece and isinstance(_value(piece, noun, source), Item):
            yield from _values(chain(held, pieces), noun, source)
            return
        if len(filled) == 2:  # neither of the first two lines is a value
            break
    yield _whole(chain(held, pieces), f"{prefix}the file", source)


def _whole(pieces: Iterable[bytes | Unreadable], place: str, source: str) -> Item | BadItem:
    """All lines as one value."""
    text = bytearray()
    for piece in pieces:
        if isinstance(piece, Unreadable):
            return BadItem(place, str(piece))
        text += piece + b"\n"
        if len(text) > ITEM_LIMIT:
            return BadItem(place, f"one value longer than {ITEM_LIMIT // 2**20} MB")
    return _value(bytes(text), place, source)


def _zipped(stream: IO[bytes], name: str) -> Iterator[Item | BadItem]:
    """The values of the transcripts in a zip: its ``conversations*.json`` when it has any, else every JSON file."""
    try:
        with zipfile.ZipFile(stream) as archive:
            for member in _members(archive, name):
                label = "".join(c for c in member.filename if c.isprintable())[-80:]
                with archive.open(member) as file:
                    by_line = Path(member.filename).suffix.lower() in _LINES
                    try:
                        yield from _stream(file, label, label, by_line=by_line)
                    except UnknownFormat as error:
                        yield BadItem(label, error.message)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        msg = f"{name} is not a zip file that can be read: {error}."
        raise InvalidInput(
            msg, remedy="Download the export again, or unpack it and import the .json inside."
        ) from error


def _members(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    """The members to read.

    Raises:
        InvalidInput: too many members, or they unpack to too much.
        UnknownFormat: no JSON among them.
    """
    every = archive.infolist()
    found = [item for item in every if Path(item.filename).suffix.lower() in {".json", *_LINES}]
    exports = [item for item in found if Path(item.filename).name.lower().startswith("conversations")]
    chosen = sorted(exports or found, key=lambda item: item.filename)
    if not chosen:
        msg = f"{name} holds no .json or .jsonl file."
        raise UnknownFormat(msg)
    swollen = any(item.file_size > RATIO_LIMIT * max(item.compress_size, 1) + CHUNK for item in chosen)
    if len(every) > MEMBER_LIMIT or sum(item.file_size for item in chosen) > UNPACKED_LIMIT or swollen:
        msg = f"{name} unpacks to more than an export would."
        raise InvalidInput(msg, remedy="Unpack it yourself and import the .json inside.")
    return chosen
