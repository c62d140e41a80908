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

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
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
        InvalidInput: a conversation without a turn, or a date that cannot be read.
    """
    conversations, cases, left_out = [], [], 0
    for scope, sample in found:
        one = _conversation(scope, sample)
        conversations.append(one)
        for number, question in enumerate(sample.get("qa", ())):
            case = _case(f"{scope}#{number}", question, one)
            left_out += case is None
            if case is not None:
                cases.append(case)
    return Dataset("", "", tuple(conversations), tuple(cases), left_out, "")


def _conversation(scope: str, sample: dict[str, Any]) -> Conversation:
    """One conversation as its importer will name its turns and sessions."""
    talk = sample["conversation"]
    numbers = sorted(int(match[1]) for key in talk if (match := _SESSION.fullmatch(key)) and talk[key])
    sessions = {
        str(turn["dia_id"]): f"{scope}:S{number}"
        for number in numbers
        for turn in talk[f"session_{number}"]
        if turn.get("text") or turn.get("blip_caption")
    }
    if not sessions:
        raise InvalidInput(f"The conversation {scope[:40]!r} has no turn.")
    end = max(read_date(str(talk[f"session_{number}_date_time"])) for number in numbers)
    document = {"sample_id": scope, "conversation": talk}
    return Conversation(scope, sessions, end, document=document, format="locomo")


def _case(name: str, question: dict[str, Any], told: Conversation) -> Case | None:
    """One question, None when none of its evidence is a turn."""
    named = [f"D{int(day)}:{int(turn)}" for item in question.get("evidence", ()) for day, turn in _TURN.findall(item)]
    evidence = frozenset(item for item in named if item in told.sessions)
    if not evidence:
        return None
    category = CATEGORIES.get(question.get("category", 0), "other")
    return Case(
        id=name,
        scope=told.scope,
        question=str(question["question"]),
        category=category,
        evidence=evidence,
        sessions=frozenset(told.sessions[item] for item in evidence),
        answerable=category != "adversarial",
    )
