"""What was found is of somebody else than the question names: the answer and its trace say so, until it goes."""

from __future__ import annotations

import json

from bethink.interfaces.codec import to_object
from bethink.memory import BoundMemory
from bethink.operations.recall import RecallResult
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import know

ASKED = "Who did Otto sell the harbour boat to?"


def sold(memory: BoundMemory) -> RecallResult:
    """Two records, of which the one that answers is about somebody else than the question."""
    know(memory, "Otto keeps the vault", subject="Otto")
    know(memory, "sold the harbour boat to Ines", subject="Klara")
    return memory.recall(ASKED)


def test_the_answer_its_trace_and_its_json_say_so_and_the_record_is_still_shown(maya: BoundMemory):
    result = sold(maya)
    told = result.mismatch

    assert told is not None
    assert (told.cause, told.asked, told.found) == ("person", "otto", "Klara")
    assert "sold the harbour boat to Ines" in result.rendered
    assert maya.trace(result.trace_id).trace.mismatch == told
    assert json.loads(json.dumps(to_object(result)))["mismatch"] == {
        "score": told.score,
        "cause": "person",
        "asked": "otto",
        "found": "Klara",
        "id": told.id,
        "reason": told.reason,
    }


def test_what_two_speakers_say_is_told_apart_in_a_stored_conversation(maya: BoundMemory):
    with maya.session("walk") as walk:
        walk.turns(
            [
                TurnInput("I sold my harbour boat last week.", role="participant", speaker="Klara"),
                TurnInput("I only kept the oars.", role="participant", speaker="Otto"),
            ]
        )
    wrong, right = maya.recall("Who did Otto sell the harbour boat to?"), maya.recall("Who did Klara sell the boat to?")

    assert wrong.mismatch is not None
    assert wrong.mismatch.found == "Klara"
    assert right.mismatch is None


def test_it_is_withheld_with_the_record_it_is_about_and_gone_when_that_is_erased(maya: BoundMemory):
    result = sold(maya)
    told = result.mismatch
    assert told is not None
    maya.forget(told.id)
    hidden = maya.trace(result.trace_id).trace.mismatch
    maya.forget(told.id, mode="restore")
    again = maya.trace(result.trace_id).trace.mismatch
    maya.forget(told.id, mode="erase")
    erased = maya.trace(result.trace_id)

    assert (hidden, again) == (None, told)
    assert erased.verification == "erased"
    assert "Klara" not in repr(erased.trace)
