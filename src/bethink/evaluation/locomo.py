"""LoCoMo's own files: conversations with questions, imported through the importer of that format.

Evidence is written by hand there: ``D8:6; D9:17`` holds two turns and ``D30:05`` is turn 5. What names no turn of the
conversation is left out, and with it a question that names none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bethink.errors import InvalidInput
from bethink.evaluation.cases import Case, Conversation, Dataset
from bethink.evaluation.dates import read_date

CATEGORIES = {"1": "multi_hop", "2": "temporal", "3": "open_domain", "4": "single_hop", "5": "adversarial"}
_TURN = re.compile(r"D(\d+):(\d+)")
_SESSION = re.compile(r"session_(\d+)")


def conversations_in(files: Sequence[tuple[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The conversations of files, each with the name of its scope: its sample id, else its file's name."""
    for name, value in files:
        for found in value if isinstance(value, list) else [value]:
            if not isinstance(found, dict) or not isinstance(found.get("conversation"), dict):
                raise InvalidInput(f"{name} holds something that is no LoCoMo conversation.")
            yield str(found.get("sample_id") or name.removesuffix(".json")), found


def load_locomo(found: Iterator[tuple[str, dict[str, Any]]]) -> Dataset:
    """Conversations and cases.

    Raises:
        InvalidInput: a conversation without a turn or with two of one id, a date that cannot be read, or a field that
            is missing or of another kind.
    """
    conversations: list[Conversation] = []
    asked: list[Case | None] = []
    for scope, sample in found:
        try:
            one = _conversation(scope, sample)
            asked += [_case(f"{scope}#{number}", item, one) for number, item in enumerate(sample.get("qa") or ())]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidInput(f"{scope[:40]!r} is no LoCoMo conversation: {error!r}.") from error
        conversations.append(one)
    cases = tuple(case for case in asked if case is not None)
    return Dataset("", "", tuple(conversations), cases, len(asked) - len(cases), "")


def _conversation(scope: str, sample: dict[str, Any]) -> Conversation:
    """One conversation as its importer will name its turns and sessions."""
    talk = sample["conversation"]
    numbers = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)) and talk[key])
    turns = [
        (str(turn["dia_id"]), f"{scope}:S{number}")
        for number in numbers
        for turn in talk[f"session_{number}"]
        if (turn.get("text") or "").strip() or turn.get("blip_caption")
    ]
    sessions = dict(turns)
    if not sessions:
        raise InvalidInput(f"The conversation {scope[:40]!r} has no turn.")
    if len(sessions) < len(turns):
        raise InvalidInput(f"Two turns of {scope[:40]!r} have one id.")
    end = max(read_date(str(talk[f"session_{number}_date_time"])) for number in numbers)
    document = {"sample_id": scope, "conversation": talk}
    return Conversation(scope, sessions, end, document=document, format="locomo")


def _case(name: str, question: dict[str, Any], one: Conversation) -> Case | None:
    """One question, None when none of its evidence is a turn."""
    told = question.get("evidence") or ()
    items = [told] if isinstance(told, str) else told
    named = [f"D{int(day)}:{int(turn)}" for item in items for day, turn in _TURN.findall(item)]
    evidence = frozenset(item for item in named if item in one.sessions)
    if not evidence:
        return None
    category = CATEGORIES.get(str(question.get("category")), "other")
    return Case(
        id=name,
        scope=one.scope,
        question=str(question["question"]),
        category=category,
        evidence=evidence,
        sessions=frozenset(one.sessions[item] for item in evidence),
        answerable=category != "adversarial",
    )
