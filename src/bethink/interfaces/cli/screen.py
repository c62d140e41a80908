"""What a person sees. Text of memories is untrusted: nothing in it may move a cursor, hide or colour what is shown."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from bethink.errors import OutputFailed

_SEQUENCE = re.compile(
    "\x1b(?:"
    r"\[[0-?]*[ -/]*[@-~]"  # a control sequence: colours, cursor
    "|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?"  # an operating system command: titles, links, clipboard
    "|[PX^_][^\x1b]*(?:\x1b\\\\)?"  # device control and other strings
    r"|[ -/]*[0-~])?"
)
_INDENT = "    "
_STEERING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that reorder what is shown."""


class Report(Protocol):
    """Told how much is done, and of how much where that was not known before."""

    def __call__(self, done: int, total: int | None = None, /) -> None:
        """Move the bar."""
        ...


def clean(text: str) -> str:
    """The text as it may be printed: line breaks and tabs stay, escape sequences and other controls go."""
    bare = _SEQUENCE.sub("", text.replace("\r\n", "\n"))
    return "".join(c for c in bare if c in "\n\t" or not _steers(c))


def one_line(text: str, width: int = 0) -> str:
    """The text cleaned, on one line, cut to `width` characters with a mark where it is longer; 0 cuts nothing."""
    line = " ".join(clean(text).split())
    return line if not width or len(line) <= width else line[: width - 1] + "…"


def say(text: str = "") -> None:
    """Print data."""
    put(clean(text) + "\n")


def put(text: str) -> None:
    """Write to standard output as it is.

    Raises:
        OutputFailed: there is no room for it; a reader who left is no error of ours.
    """
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritten(error) from error


def unwritten(error: OSError) -> OutputFailed:
    """What to say of an answer that could not be written."""
    return OutputFailed(f"The answer could not be written: {error.strerror}.")


def remark(text: str) -> None:
    """Print what is no data: notices, counts, errors."""
    sys.stderr.write(clean(text) + "\n")


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]], room: int | None = None) -> None:
    """Print rows under their heads, in aligned columns.

    Args:
        heads: the names of the columns.
        rows: the cells.
        room: cells of a line, in which a row that is too long goes on in further lines, indented; the terminal's unless
            given. Where nobody looks each row is one line, so that a program may read it.
    """
    table = [list(heads), *([one_line(cell) for cell in row] for row in rows)]
    widths = [max(_cells(row[at]) for row in table) for at in range(len(heads))]
    folds = _folds(widths, _room() if room is None else room)
    for row in table:
        for number, fold in enumerate(folds):
            padded = (row[at] + " " * (widths[at] - _cells(row[at])) for at in fold)
            line = "  ".join(padded).rstrip()
            if line or not number:
                say(_INDENT * bool(number) + line)


def pairs(rows: Sequence[tuple[str, object]]) -> None:
    """Print names with their values, leaving out those that have none."""
    shown = [(name, one_line(str(value))) for name, value in rows if value not in {None, "", ()}]
    width = max((len(name) for name, _ in shown), default=0)
    for name, value in shown:
        say(f"{name:<{width}}  {value}")


@contextmanager
def progress(label: str, total: int | None, *, quiet: bool) -> Iterator[Report]:
    """A bar on standard error, taken away at the end; nothing when quiet or when nobody looks.

    Args:
        label: what is being done.
        total: how much there is; None when that is not known.
        quiet: show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total=None: None
        return
    # Rich is slow to load and shows nothing but bars, so it loads with the first bar.
    from rich.console import Console  # noqa: PLC0415 - the reason stands above
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415 - the reason stands above

    bar = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()]
    with Progress(*bar, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(one_line(label, 60).replace("[", "\\["), total=total)
        yield lambda done, total=None: shown.update(task, completed=done, total=total)


def bars(*, quiet: bool) -> Callable[[str, int | None], AbstractContextManager[Report]]:
    """How a measurement opens its bars."""

    def bar(label: str, total: int | None) -> AbstractContextManager[Report]:
        return progress(label, total, quiet=quiet)

    return bar


def _folds(widths: Sequence[int], room: int) -> list[list[int]]:
    """Which columns stand in which line of a row; each takes as many as there is room for, and 0 is room for all."""
    folds: list[list[int]] = [[]]
    for at, width in enumerate(widths):
        used = sum(widths[one] + 2 for one in folds[-1]) + len(_INDENT) * (len(folds) > 1)
        if room and folds[-1] and used + width > room:
            folds.append([])
        folds[-1].append(at)
    return folds


def _room() -> int:
    """The cells of a line of the terminal, 0 where standard output is none."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 0


def _steers(character: str) -> bool:
    """Whether a character is a control, reorders text or is an invisible tag."""
    return (
        unicodedata.category(character) in {"Cc", "Cs"}
        or character in _STEERING
        or "\U000e0000" <= character <= "\U000e007f"
    )


def _cells(text: str) -> int:
    """How many cells of a terminal the text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    joined = sum(unicodedata.category(c) in {"Mn", "Me"} for c in text)
    return len(text) + wide - joined
