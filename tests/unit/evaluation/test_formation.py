"""The workload of formation: nothing stored that should not be, every correction done, precision beside recall."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bethink.evaluation.formation_corpus import Spoken, workload
from bethink.evaluation.formation_playing import READERS, Tally, measured

WHOLE = workload()


@pytest.fixture(scope="module")
def tallies() -> dict[str, Tally]:
    return {name: measured(WHOLE, name) for name in READERS}


def test_the_workload_is_sixty_sessions_with_repeats_corrections_and_traps():
    labels = {label.name for spoken in WHOLE for label in spoken.labels}
    replaced = [label.replaces for spoken in WHOLE for label in spoken.labels if label.replaces]
    said = {spoken.id: "\n".join(line.text for line in spoken.lines) for spoken in WHOLE}

    assert (len(WHOLE), len({spoken.id for spoken in WHOLE})) == (60, 60)
    assert len(labels) == sum(len(spoken.labels) for spoken in WHOLE) >= 90
    assert len(replaced) >= 15
    assert set(replaced) <= labels
    assert sum(len(spoken.again) for spoken in WHOLE) >= 5
    assert sum(len(spoken.traps) for spoken in WHOLE) >= 25
    assert [label.name for spoken in WHOLE for label in spoken.labels if label.quote not in said[spoken.id]] == []
    assert [trap.quote for spoken in WHOLE for trap in spoken.traps if trap.quote not in said[spoken.id]] == []


@pytest.mark.parametrize("reader", READERS)
def test_nothing_is_stored_that_should_not_be_and_nothing_unrelated_ends(tallies, reader):
    tally = tallies[reader]

    assert (tally.junk, tally.unfounded, tally.invalidated) == (0, 0, 0)
    assert tally.precision == 1.0


@pytest.mark.parametrize("reader", READERS)
def test_every_correction_supersedes_and_every_session_has_one_summary(tallies, reader):
    tally = tallies[reader]

    assert tally.superseded == tally.corrections >= 15
    assert tally.summaries == tally.sessions == 60


@pytest.mark.parametrize(("reader", "least"), [("rules", 0.60), ("scripted", 0.95)])
def test_enough_of_what_was_worth_keeping_is_formed(tallies, reader, least):
    assert tallies[reader].recall >= least
    assert READERS[reader].failures(tallies[reader]) == ()


def test_a_reading_that_repeats_itself_gives_the_same_integers(tallies):
    assert measured(WHOLE, "rules") == tallies["rules"]


def test_what_does_not_hold_is_said_in_words(tallies):
    worse = replace(tallies["rules"], junk=1, unfounded=2, superseded=0, invalidated=3, summaries=59, formed=1)

    assert len(READERS["rules"].failures(worse)) == 6


def test_an_unlabelled_belief_counts_as_junk():
    spoken: Spoken = WHOLE[0]
    bare = replace(spoken, labels=spoken.labels[1:])

    assert measured((bare,), "rules").junk == 1
