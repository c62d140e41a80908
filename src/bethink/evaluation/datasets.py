"""Data sets by name: where their files lie, how they are read, and which conversations a split holds.

No data set comes with bethink; a path is given at every run.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from bethink.errors import InvalidInput, NotFound
from bethink.evaluation.cases import Dataset
from bethink.evaluation.digests import digest
from bethink.evaluation.locomo import conversations_in, load_locomo
from bethink.evaluation.longmemeval import load_longmemeval
from bethink.evaluation.rows import DOCS, QUERIES, load_rows

Split = Literal["dev", "test", "all"]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a data set: its folder's usual names, the scopes of its development split, its trap category.

    `dev` None says the set has no split of ours: only ``all`` can be asked for.
    """

    folders: tuple[str, ...]
    dev: frozenset[str] | None = None
    traps: frozenset[str] = frozenset()


_TRAPS = frozenset({"adversarial"})
"""Categories whose evidence is what somebody else said."""

KNOWN: Mapping[str, Known] = {
    "locomo": Known(
        ("locomo",),
        frozenset(f"conv-{number}" for number in (26, 30, 41, 42, 43, 44)),
        _TRAPS,
    ),
    "tmd": Known(("tmd",), frozenset({"26", "31", "41", "42", "43", "44", "45"})),
    "beam": Known(("beam-100k", "beam"), frozenset(f"100K-{number}" for number in range(1, 13))),
    "longmemeval": Known(("longmemeval",)),
    "rows": Known((), traps=_TRAPS),
}
"""Data sets by the name a user types; ``rows`` is any set in normalised rows."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of which data set. `scopes` names conversations, all of the split where empty."""

    name: str
    path: Path
    split: Split = "all"
    scopes: tuple[str, ...] = ()
    queries: str = QUERIES


def load(wanted: Wanted) -> Dataset:
    """Read a data set.

    Raises:
        NotFound: there is nothing at the path, or nothing of the split or the scopes there.
        InvalidInput: an unknown name or split, files that cannot be read as the set, or that hold something twice.
    """
    known = KNOWN.get(wanted.name)
    if known is None:
        raise InvalidInput(f"There is no data set {wanted.name[:40]!r}.", remedy=f"Name one of {', '.join(KNOWN)}.")
    if known.dev is None and wanted.split != "all":
        raise InvalidInput(f"{wanted.name} has no split {wanted.split!r}.", remedy="Leave --split out.")
    place = _place(wanted.path, known)
    whole = _read(wanted, place, known)
    _refuse_twins(whole, place)
    kept = _chosen(replace(whole, name=wanted.name, split=wanted.split), wanted, known)
    if not kept.cases:
        msg = f"{place} holds no question of the split {wanted.split!r}."
        raise NotFound(msg, remedy="Give --data the files of the split, or another --split or --scopes.")
    return kept


def _place(path: Path, known: Known) -> Path:
    """The file, or the folder with the set's files: the path itself, else the set's usual folder below it."""
    if not path.exists():
        msg = f"There is no data at {path}."
        raise NotFound(msg, remedy="Data sets do not come with bethink: give --data the path where yours lie.")
    below = (path / name for name in known.folders)
    return next((folder for folder in below if path.is_dir() and folder.is_dir()), path)


def _read(wanted: Wanted, place: Path, known: Known) -> Dataset:
    """The set in whichever form its files have."""
    if place.is_dir() and (place / DOCS).is_file():
        return load_rows(place, wanted.queries, known.traps)
    if wanted.name == "longmemeval":
        return load_longmemeval(_json_files(place))
    if wanted.name == "locomo":
        return load_locomo(conversations_in(_json_files(place)))
    msg = f"{place} holds no {DOCS} and {wanted.queries}."
    raise NotFound(msg, remedy="Normalised rows lie in these two files; see docs/measuring.md for their fields.")


def _json_files(place: Path) -> Sequence[tuple[str, Any]]:
    """The JSON files of a folder, or the one file, parsed, with their names."""
    paths = sorted(place.glob("*.json")) if place.is_dir() else [place]
    if not paths:
        raise NotFound(f"{place} holds no JSON file.", remedy="Give --data the data set's own files.")
    return [(path.name, _parsed(path)) for path in paths]


def _parsed(path: Path) -> Any:
    """A JSON file, parsed; a mark of its encoding may stand before it."""
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} cannot be read as JSON: {error}.") from error


def _refuse_twins(whole: Dataset, place: Path) -> None:
    """Refuse a conversation or a question that is there twice: one would be asked in the other's place.

    Raises:
        InvalidInput: there is one.
    """
    if twin := _twin(one.scope for one in whole.conversations):
        msg = f"{place} holds the conversation {twin[:40]!r} twice."
        raise InvalidInput(msg, remedy="Give --data one file where a folder holds several forms of the set.")
    if twin := _twin(f"{case.scope} {case.id}" for case in whole.cases):
        raise InvalidInput(f"{place} holds the question {twin[:80]!r} twice.", remedy="Give each an id of its own.")


def _twin(names: Iterable[str]) -> str | None:
    """The first name that stands there twice."""
    return next((name for name, count in Counter(names).items() if count > 1), None)


def _chosen(whole: Dataset, wanted: Wanted, known: Known) -> Dataset:
    """The conversations and cases of the split and the scopes named."""
    in_split: Mapping[str, Callable[[str], bool]] = {
        "all": lambda _scope: True,
        "dev": lambda scope: scope in (known.dev or ()),
        "test": lambda scope: scope not in (known.dev or ()),
    }
    if wanted.split not in in_split:
        raise InvalidInput(f"Split {wanted.split[:40]!r} is none of {', '.join(in_split)}.")
    inside = in_split[wanted.split]
    conversations = tuple(
        one for one in whole.conversations if inside(one.scope) and (not wanted.scopes or one.scope in wanted.scopes)
    )
    kept = {one.scope for one in conversations}
    if missing := set(wanted.scopes) - kept:
        raise NotFound(f"There is no conversation {', '.join(sorted(missing))[:200]} in that split.")
    cases = tuple(case for case in whole.cases if case.scope in kept)
    return replace(whole, conversations=conversations, cases=cases, digest=digest((*conversations, *cases)))
