"""Normalised rows: ``docs.jsonl`` and a file of queries, one JSON object a line.

Docs are ``{scope, id, session, speaker, date, seq, body}``, queries ``{scope, id, query, gold, cat}``. A speaker called
user or assistant has that role, any other is a participant.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from bethink.domain.session import Role
from bethink.errors import InvalidInput, NotFound
from bethink.evaluation.cases import Case, Conversation, Dataset, Utterance
from bethink.evaluation.dates import read_date

DOCS, QUERIES = "docs.jsonl", "queries.jsonl"


def load_rows(folder: Path, queries: str = QUERIES, traps: frozenset[str] = frozenset()) -> Dataset:
    """The conversations and cases of a folder.

    Args:
        folder: where both files lie.
        queries: the name of the file of queries.
        traps: categories whose evidence is a trap.

    Raises:
        NotFound: a file is missing.
        InvalidInput: a row lacks a field or holds one that cannot be used.
    """
    spoken: dict[str, list[tuple[int, Utterance]]] = {}
    for place, row in _lines(folder / DOCS):
        spoken.setdefault(_text(row, "scope", place), []).append((_number(row, place), _utterance(row, place)))
    conversations = tuple(
        conversation(scope, [turn for _, turn in sorted(turns, key=lambda item: item[0])])
        for scope, turns in spoken.items()
    )
    sessions = {one.scope: one.sessions for one in conversations}
    cases, left_out = [], 0
    for place, row in _lines(folder / queries):
        evidence = frozenset(_names(row, place))
        scope, category = _text(row, "scope", place), _text(row, "cat", place)
        if scope not in sessions:
            raise InvalidInput(f"{place}: asks of scope {scope[:40]!r}, of which {DOCS} holds no turn.")
        left_out += not evidence
        if evidence:
            cases.append(
                Case(
                    id=_text(row, "id", place),
                    scope=scope,
                    question=_text(row, "query", place),
                    category=category,
                    evidence=evidence,
                    sessions=frozenset(sessions[scope].get(item, f"no session of {item}") for item in evidence),
                    answerable=category not in traps,
                )
            )
    return Dataset("", "", conversations, tuple(cases), left_out, "")


def conversation(scope: str, turns: Sequence[Utterance]) -> Conversation:
    """A conversation of these turns, which are in the order they were said.

    Raises:
        InvalidInput: there is no turn, or two have one id.
    """
    if not turns:
        raise InvalidInput(f"The conversation {scope[:40]!r} has no turn.")
    sessions = {turn.id: turn.session for turn in turns}
    if len(sessions) < len(turns):
        raise InvalidInput(f"Two turns of {scope[:40]!r} have one id.")
    return Conversation(scope, sessions, max(turn.said_at for turn in turns), tuple(turns))


def _utterance(row: dict[str, Any], place: str) -> Utterance:
    """One row of the docs."""
    speaker, date = _text(row, "speaker", place), _text(row, "date", place)
    return Utterance(
        id=_text(row, "id", place),
        session=_text(row, "session", place),
        speaker=speaker,
        text=_text(row, "body", place),
        said_at=read_date(date),
        time_text=date,
        role=cast("Role", speaker) if speaker in {"user", "assistant"} else "participant",
    )


def _text(row: dict[str, Any], name: str, place: str) -> str:
    """A field that must be a text."""
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{place}: has no {name}.")
    return value


def _number(row: dict[str, Any], place: str) -> int:
    """Where a turn stands in its conversation; rows without it stand as they are listed."""
    value = row.get("seq", 0)
    if not isinstance(value, int):
        raise InvalidInput(f"{place}: its seq is no whole number.")
    return value


def _names(row: dict[str, Any], place: str) -> list[str]:
    """The ids of the evidence, none where there is none."""
    value = row.get("gold", [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput(f"{place}: its gold is no list of ids.")
    return value


def _lines(path: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    """The objects of a file of JSON lines, each with its place."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _parsed(line, f"{path.name} line {number}")
    except FileNotFoundError as error:
        raise NotFound(f"There is no {path.name} in {path.parent}.", remedy="Give --data the right folder.") from error
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path.name} cannot be read as JSON lines: {error}.") from error


def _parsed(line: str, place: str) -> tuple[str, dict[str, Any]]:
    """The object of a line, with its place."""
    try:
        row = json.loads(line.strip())
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{place}: cannot be read as JSON: {error}.") from error
    if not isinstance(row, dict):
        raise InvalidInput(f"{place}: is no JSON object.")
    return place, row
