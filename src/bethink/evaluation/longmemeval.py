"""LongMemEval's own file: a list of questions, each with the sessions it is asked over, which become its own scope.

A turn is evidence where the file marks it (``has_answer``), a session where its id is an answer's. A question whose id
ends in ``_abs`` has no answer. A question without marked turns is left out at turn level by having none to find.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from bethink.domain.session import Role
from bethink.errors import InvalidInput
from bethink.evaluation.cases import Case, Conversation, Dataset, Utterance
from bethink.evaluation.dates import read_date
from bethink.evaluation.rows import conversation


def load_longmemeval(files: Sequence[tuple[str, Any]]) -> Dataset:
    """Conversations and cases, one of each for every question.

    Raises:
        InvalidInput: an entry lacks a field, or its lists differ in length.
    """
    conversations, cases, left_out = [], [], 0
    for name, entries in files:
        for number, entry in enumerate(entries if isinstance(entries, list) else [entries]):
            try:
                told = conversation(str(entry["question_id"]), tuple(_utterances(entry)))
                case = _case(entry, told)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise InvalidInput(f"{name} entry {number} is no LongMemEval question: {error!r}.") from error
            left_out += case is None
            if case is not None:
                conversations.append(told)
                cases.append(case)
    return Dataset("", "", tuple(conversations), tuple(cases), left_out, "")


def _utterances(entry: dict[str, Any]) -> Iterator[Utterance]:
    """The turns of the haystack, in time; a session that is listed twice stands once."""
    rows = zip(entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"], strict=True)
    once = {str(session): (read_date(date), str(date), turns) for session, date, turns in rows}
    for session, (said_at, date, turns) in sorted(once.items(), key=lambda item: (item[1][0], item[0])):
        for number, turn in enumerate(turns):
            if turn["content"].strip():
                role = cast("Role", turn["role"])
                yield Utterance(f"{session}:{number}", session, role, turn["content"], said_at, date, role)


def _case(entry: dict[str, Any], told: Conversation) -> Case | None:
    """The question, None when no session of the haystack answers it."""
    sessions = frozenset(map(str, entry["answer_session_ids"])) & frozenset(told.sessions.values())
    if not sessions:
        return None
    marked = frozenset(
        f"{session}:{number}"
        for session, turns in zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True)
        for number, turn in enumerate(turns)
        if turn.get("has_answer")
    )
    name = str(entry["question_id"])
    return Case(
        id=name,
        scope=told.scope,
        question=str(entry["question"]),
        category=str(entry["question_type"]),
        evidence=frozenset(marked & told.sessions.keys()),
        sessions=sessions,
        answerable=not name.endswith("_abs"),
        asked_at=read_date(str(entry["question_date"])),
    )
