"""Episodes: what happened, in the order it was said, and never more than the limit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from tests.behaviour.requirements import requirement
from tests.unit.recall.house import CALLER, START, House

from bethink.domain.session import Turn
from bethink.errors import InvalidInput
from bethink.operations.episodes import EpisodesRequest
from bethink.recall.episodes import StoreEpisodes, episodes


def said(seq: int, text: str, session: str = "s1", speaker: str = "Ann") -> Turn:
    at = START + timedelta(hours=seq)
    return Turn(f"{session}-{seq}", session, seq, "user", speaker, text, at, f"m{seq}", key=seq + 1)


HOUSE = House([], turns=tuple(said(seq, text) for seq, text in enumerate(["tea", "the cello", "bread", "more tea"])))


def ask(**change: object):
    return episodes(EpisodesRequest(**change), HOUSE.reader())


def seqs(result) -> list[int]:
    return [turn.seq for turn in result.turns]


@requirement("A43")
def test_a_session_comes_back_in_order_and_from_where_the_reader_left_off():
    assert seqs(ask(session="s1")) == [0, 1, 2, 3]
    page = ask(session="s1", limit=2)
    assert (seqs(page), page.more) == ([0, 1], True)
    rest = ask(session="s1", limit=2, after_seq=1)
    assert (seqs(rest), rest.more) == ([2, 3], False)


def test_a_window_is_half_open():
    window = {"since": START + timedelta(hours=1), "until": START + timedelta(hours=3)}

    assert seqs(ask(**window)) == [1, 2]


@requirement("A43")
def test_repeated_words_are_not_deduplicated_and_the_text_keeps_turns_with_one_of_them():
    assert seqs(ask(session="s1", text="where is the tea?")) == [0, 3]
    assert seqs(ask(session="s1", text="ann")) == [0, 1, 2, 3]


def test_an_empty_answer_says_whether_there_was_anything():
    assert ask(session="s1", text="weather").empty_reason == "no_match"
    assert ask(session="unheard of").empty_reason == "no_turns"
    nobody = replace(HOUSE, caller=replace(CALLER, read_scopes=()))
    assert episodes(EpisodesRequest(session="s2"), nobody.reader()).empty_reason == "no_scope"


def test_the_port_answers_as_the_function():
    request = EpisodesRequest(session="s1")

    assert StoreEpisodes(HOUSE.reader()).search(request) == episodes(request, HOUSE.reader())


@pytest.mark.parametrize(
    "change",
    [
        {"limit": 0},
        {"limit": 1_001},
        {"since": START, "until": START},
        {"since": datetime(2026, 1, 1)},  # noqa: DTZ001 - naive on purpose
        {"text": "?!"},
        {"text": "nul \x00"},
        {"since": datetime(2026, 1, 2, tzinfo=UTC), "until": datetime(2026, 1, 1, tzinfo=UTC)},
    ],
)
def test_what_cannot_be_used_is_refused(change):
    with pytest.raises(InvalidInput):
        ask(session="s1", **change)
