"""Repeats: of questions that are nearly alike the first in order speaks for all, and of nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import Doc, belief, turn
from tests.unit.recall.test_collapse import id_of, keys, ranked

from bethink.recall.collapse import Collapsed
from bethink.recall.repeats import once

ASKED = "Do you still know what the name of my dog is?"


def asked_once(*docs: Doc) -> Collapsed:
    return once(ranked(*docs), {doc.candidate.key: doc.body for doc in docs})


@requirement("P68")
def test_the_first_of_like_questions_stands_and_each_other_says_which_and_how_like():
    found = asked_once(turn(2, ASKED), turn(1, ASKED.replace("Do you", "Do you all")), turn(3, "What is for dinner?"))

    assert keys(found.kept) == [2, 3]
    assert [(cut.id, cut.stage, cut.reason) for cut in found.cuts] == [
        (id_of(1), "collapse", f"asks nearly what {id_of(2)} asks")
    ]
    assert found.cuts[0].value == round(11 / 12, 6)


def test_four_fifths_of_the_words_are_near_and_fewer_are_not():
    assert keys(asked_once(turn(1, "one two three four five?"), turn(2, "one two three four?")).kept) == [1]
    assert keys(asked_once(turn(1, "one two three four five six?"), turn(2, "one two three four?")).kept) == [1, 2]


def test_statements_beliefs_and_other_speakers_stand_beside_a_question_like_them():
    docs = (
        turn(1, ASKED, speaker="Ann"),
        turn(2, ASKED.replace("?", "."), speaker="Ann"),
        turn(3, ASKED, speaker="Bob"),
        belief(4, ASKED),
        belief(5, ASKED + " ?"),
    )

    assert asked_once(*docs) == Collapsed(ranked(*docs), ())


def test_what_says_something_before_it_asks_is_no_repeat():
    docs = [turn(at, f"The door code of the flat by the sea is {4711 + at} now. Can you keep that?") for at in (1, 2)]

    assert asked_once(*docs) == Collapsed(ranked(*docs), ())


def test_what_has_no_text_at_hand_stays():
    items = ranked(turn(1, ASKED), turn(2, ASKED))

    assert once(items, {}) == Collapsed(items, ())


@requirement("P68")
@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4), min_size=1, max_size=9))
def test_never_to_nothing_and_each_that_goes_has_one_that_stays(questions):
    docs = [turn(at, " ".join(words) + "?") for at, words in enumerate(questions, 1)]
    found = asked_once(*docs)
    kept = {item.candidate.id for item in found.kept}

    assert found.kept[0].candidate.key == 1
    assert len(found.kept) + len(found.cuts) == len(docs)
    assert all(cut.reason.split()[3] in kept and cut.id not in kept for cut in found.cuts)
