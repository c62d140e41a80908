"""The lexical arm is BM25F over every match inside the fence, and nothing outside moves it."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bethink.domain.fence import Fence
from bethink.domain.query import FieldWeights, Query
from bethink.domain.record import LIVE, Status, StatusSpan
from bethink.domain.scope import Sensitivity
from bethink.ports.search import Matches
from bethink.store.bm25f import SHORT
from bethink.store.card import IndexCard
from bethink.store.postings import numbers, packed, terms_of, unpack
from bethink.text.analyse import analyse
from tests.store.search.places import TENANT
from tests.store.search.strategies import DAYS
from tests.store.search.world import ANN, BOB, World

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ALL = Fence(TENANT, (ANN,), Sensitivity.NORMAL, LIVE, NOW)
WORDS = ["boat", "sail", "rope", "storm", "harbour", "deploy.yml"]
texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


def asked(*terms: str, identifiers: tuple[str, ...] = ()) -> Query:
    return Query(" ".join(terms), tuple(analyse(term)[0] for term in terms), frozenset(identifiers))


def found(world: World, query: Query, fence: Fence = ALL, weights: FieldWeights | None = None) -> Matches:
    return world.search().lexical(fence, query, weights or FieldWeights())


def scores(matches: Matches) -> dict[int, float]:
    return dict(zip(matches.keys.tolist(), matches.scores.tolist(), strict=True))


def naive(world: World, query: Query, fence: Fence, weights: FieldWeights) -> dict[int, float]:
    """The formula of `store/bm25f.py` in plain Python, scope by scope."""
    answer: dict[int, float] = {}
    for scope in fence.scopes:
        keys = [k for k, e in world.entries.items() if e.scope == scope and fence.admits(e)]
        fields = {
            key: {
                "content": analyse(world.said[key].card.content),
                "subject": analyse(world.said[key].card.subject),
                "aliases": [term for alias in world.said[key].card.aliases for term in analyse(alias)],
                "speaker": analyse(world.said[key].card.speaker),
                "date": analyse(world.said[key].card.date),
            }
            for key in keys
        }
        holds = {term: [k for k in keys if any(term in words for words in fields[k].values())] for term in query.terms}
        matched = {key for held in holds.values() for key in held}
        if not matched:
            continue
        mean = sum(max(len(fields[key]["content"]), SHORT) for key in matched) / len(matched)
        idf = {t: math.log(1 + sum(map(len, holds.values())) / max(len(held), 0.5)) for t, held in holds.items()}
        for key in keys:
            beside = [other for other in keys if adjacent(world, key, other)]
            answers = any(answered(world, key, other) for other in beside)
            total = 0.0
            touched = False
            for term in query.terms:
                amounts = {name: fields[key][name].count(term) for name in fields[key]}
                amounts["content"] /= norm(fields, key, weights, mean)
                touched |= any(amounts.values())
                amounts["content"] *= weights.answered if answers else 1
                tf = sum(getattr(weights, name) * amount for name, amount in amounts.items())
                for other in beside if weights.neighbours else ():
                    said = fields[other]["content"].count(term) / norm(fields, other, weights, mean)
                    tf += (weights.replies if answered(world, other, key) else weights.neighbours) * said
                    touched |= said > 0
                total += idf[term] * tf / (weights.k1 + tf) if tf else 0.0
            if touched:
                answer[key] = total / sum(idf.values())
    return answer


def norm(fields: dict[int, dict[str, list[str]]], key: int, weights: FieldWeights, mean: float) -> float:
    return 1 - weights.b + weights.b * max(len(fields[key]["content"]), SHORT) / mean


def answered(world: World, one: int, other: int) -> bool:
    """Whether a turn asks and the other, right behind it and somebody else's, answers."""
    mine, theirs = world.said[one], world.said[other]
    return mine.card.asks and theirs.seq == mine.seq + 1 and mine.card.speaker != theirs.card.speaker


def adjacent(world: World, one: int, other: int) -> bool:
    mine, theirs = world.said[one], world.said[other]
    both = world.entries[one].type == world.entries[other].type == "turn"
    return both and mine.session == theirs.session and abs(mine.seq - theirs.seq) == 1


@given(data=st.data())
@settings(deadline=None, max_examples=60)
def test_scores_are_those_of_the_formula(new_world, data: st.DataObject):
    world = new_world()
    last = {"s": -1, "t": -1}
    for _ in range(data.draw(st.integers(0, 14))):
        session = data.draw(st.sampled_from(["s", "t"]))
        last[session] += data.draw(st.sampled_from([1, 1, 1, 2]))
        world.say(
            data.draw(texts) + data.draw(st.sampled_from(["", "", " sea" * 60])),
            DAYS[0],
            asks=data.draw(st.booleans()),
            scope=data.draw(st.sampled_from([ANN, ANN, BOB])),
            session=session,
            seq=last[session],
            type=data.draw(st.sampled_from(["turn", "turn", "fact"])),
            sensitivity=data.draw(st.sampled_from([Sensitivity.NORMAL, Sensitivity.NORMAL, Sensitivity.SECRET])),
            subject=data.draw(st.sampled_from(["", "", "boat"])),
            aliases=data.draw(st.sampled_from([(), ("rope", "sail boat")])),
            speaker=data.draw(st.sampled_from(["", "storm"])),
            date=data.draw(st.sampled_from(["", "harbour"])),
        )
    query = asked(*data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True)))
    weights = data.draw(st.sampled_from([FieldWeights(), FieldWeights(neighbours=0.0), FieldWeights(b=0.3, k1=2.0)]))
    fence = replace(ALL, scopes=data.draw(st.sampled_from([(ANN,), (ANN, BOB)])))

    got = found(world, query, fence, weights)
    want = naive(world, query, fence, weights)

    assert scores(got).keys() == want.keys()
    assert all(abs(score - want[key]) < 2e-9 for key, score in scores(got).items())
    assert got.total == len(want)
    assert got.keys.tolist() == sorted(want)


def test_what_is_outside_the_fence_never_moves_a_score(new_world):
    world = new_world()
    for seq, text in enumerate(["boat sail", "boat boat rope", "storm", "sail in the storm"]):
        world.say(text, DAYS[0], seq=seq)
    query = asked("boat", "storm", "sail")
    before = scores(found(world, query))

    world.say("boat boat boat sail", DAYS[0], seq=4, sensitivity=Sensitivity.SECRET)
    world.say("storm storm", DAYS[0], scope=BOB, seq=5)
    world.say("boat", DAYS[0], session="t", channel="phone", status=Status.PROPOSED)

    assert scores(found(world, query)) == before


def test_an_unreadable_scope_never_moves_the_scores_of_a_readable_one_and_a_readable_one_keeps_its_own(new_world):
    world = new_world()
    mine = [world.say(text, DAYS[0], session=str(n)) for n, text in enumerate(["boat sail", "boat", "rope"])]
    alone = scores(found(world, asked("boat", "sail")))
    theirs = [world.say("boat boat", DAYS[0], scope=BOB, session=str(n)) for n in range(20)]

    assert scores(found(world, asked("boat", "sail"))) == alone
    both = scores(found(world, asked("boat", "sail"), replace(ALL, scopes=(ANN, BOB))))
    assert {key: both[key] for key in mine[:2]} == alone
    assert set(theirs) <= both.keys()


def test_a_neighbour_lends_its_words_only_inside_the_fence_and_its_session(new_world):
    world = new_world()
    spoken = world.say("storm", DAYS[0], seq=1)
    before, after = world.say("hello", DAYS[0], seq=0), world.say("goodbye", DAYS[0], seq=2)
    world.say("hello", DAYS[0], session="t", seq=2)
    got = found(world, asked("storm"))

    assert got.keys[got.best(3)].tolist() == [spoken, before, after]
    assert got.matched.tolist() == [1, 0, 0]
    assert got.coverage.tolist() == [1.0, 0.0, 0.0]
    world.set_status(spoken, StatusSpan(Status.DELETED, DAYS[1]))
    assert found(world, asked("storm")).total == 0


def test_an_answered_question_lends_its_answer_seven_tenths_of_its_words_and_keeps_as_much(new_world):
    """One term, so idf cancels out and a score is tf / (1.2 + tf); all are short, so the norm is 1."""
    world = new_world()
    asks = world.say("storm", DAYS[0], seq=1, speaker="ann", asks=True)
    before, reply = (world.say("hello", DAYS[0], seq=seq, speaker="bob") for seq in (0, 2))

    assert scores(found(world, asked("storm"))) == pytest.approx(
        {asks: 0.7 / 1.9, before: 0.35 / 1.55, reply: 0.7 / 1.9}, abs=1e-9
    )


def test_a_question_without_an_answer_is_a_turn_like_any(new_world):
    """Its speaker goes on, nobody does, or who may not be heard does."""
    world = new_world()
    goes_on = world.say("storm", DAYS[0], seq=0, speaker="ann", asks=True)
    herself = world.say("hello", DAYS[0], seq=1, speaker="ann")
    last = world.say("storm", DAYS[0], session="t", seq=0, speaker="ann", asks=True)
    hidden = world.say("storm", DAYS[0], session="u", seq=0, speaker="ann", asks=True)
    world.say("hello", DAYS[0], session="u", seq=1, speaker="bob", sensitivity=Sensitivity.SECRET)

    whole, lent = pytest.approx(1 / 2.2, abs=1e-9), pytest.approx(0.35 / 1.55, abs=1e-9)
    assert scores(found(world, asked("storm"))) == {goes_on: whole, herself: lent, last: whole, hidden: whole}


def test_up_to_fifty_words_length_is_no_matter_and_beyond_it_is(new_world):
    """Lengths 1, 50 and 100 count as 50, 50 and 100, on average 200 / 3: norms 0.8125 (twice) and 1.375."""
    world = new_world()
    short, middle, long = (
        world.say("storm" + " sea" * more, DAYS[0], session=name) for name, more in (("a", 0), ("b", 49), ("c", 99))
    )

    want = {short: 1 / 0.8125, middle: 1 / 0.8125, long: 1 / 1.375}
    assert scores(found(world, asked("storm"))) == pytest.approx(
        {key: tf / (1.2 + tf) for key, tf in want.items()}, abs=1e-9
    )


def test_coverage_counts_the_terms_an_entry_holds_itself(new_world):
    world = new_world()
    key = world.say("the boat in the harbour", DAYS[0], speaker="Rope")
    got = found(world, asked("boat", "rope", "storm", "sail"))

    assert (got.keys.tolist(), got.matched.tolist(), got.coverage.tolist()) == ([key], [2], [0.5])


def test_a_name_an_entry_bears_is_matched_and_not_said(new_world):
    world = new_world()
    speaks = world.say("the boat", DAYS[0], speaker="Rope", session="a")
    names_itself = world.say("a rope at sail", DAYS[0], subject="rope", session="b", type="fact")
    mentions = world.say("a rope", DAYS[0], session="c", speaker="Storm", date="harbour")
    beside = world.say("hello", DAYS[0], session="c", seq=1)
    got = found(world, asked("rope", "sail", "harbour"))

    counts = dict(zip(got.keys.tolist(), zip(got.matched.tolist(), got.said.tolist(), strict=True), strict=True))
    assert counts == {speaks: (1, 0), names_itself: (2, 1), mentions: (2, 2), beside: (0, 1)}


def test_an_identifier_a_subject_and_an_alias_are_distinctive_and_plain_words_are_not(new_world):
    world = new_world()
    plain = world.say("the boat and deploy.yml", DAYS[0], session="a")
    subject = world.say("it sails", DAYS[0], session="b", subject="boat", type="fact")
    alias = world.say("it floats", DAYS[0], session="c", aliases=("the boat",), type="fact")

    got = found(world, asked("boat"))
    assert dict(zip(got.keys.tolist(), got.distinctive.tolist(), strict=True)) == {
        plain: False,
        subject: True,
        alias: True,
    }
    named = found(world, asked("deploy.yml", identifiers=("deploy.yml",)))
    assert (named.keys.tolist(), named.distinctive.tolist()) == ([plain], [True])


def test_equal_scores_stand_in_key_order(new_world):
    world = new_world()
    keys = [world.say("boat", DAYS[0], session=str(n)) for n in range(9)]

    assert found(world, asked("boat")).keys.tolist() == keys


def test_a_query_without_terms_matches_nothing_and_reads_nothing(new_world):
    world = new_world()
    world.say("boat", DAYS[0])
    for query in (Query("", ()), Query("what is the", (), function_words_only=True)):
        got = found(world, query)
        assert (len(got.keys), got.total) == (0, 0)
    assert found(world, asked("boat"), replace(ALL, scopes=())).total == 0
    assert found(world, asked("boat"), replace(ALL, tenant="other")).total == 0


def test_two_runs_give_identical_arrays(new_world):
    world = new_world()
    for seq in range(60):
        world.say(" ".join(WORDS[n % 6] for n in range(seq, seq + seq % 7)), DAYS[0], seq=seq)
    one = found(world, asked("boat", "storm", "rope"))
    world.index.forget_caches()
    two = found(world, asked("boat", "storm", "rope"))

    for name in ("keys", "scores", "coverage", "matched", "distinctive"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


def test_an_erased_entry_leaves_no_term_behind(new_world):
    world = new_world()
    key = world.say("a boat called deploy.yml", DAYS[0], speaker="Storm", subject="Rope")
    other = world.say("boat", DAYS[0], seq=9)
    assert set(found(world, asked("boat")).keys.tolist()) == {key, other}
    world.erase(key, DAYS[1])

    assert found(world, asked("boat")).keys.tolist() == [other]
    assert world.connection.do("select count(*) from posting where key = ?", (key,)) == [(0,)]
    assert world.connection.do("select count(*) from name_gram") == [(0,)]
    assert world.connection.do("select count(*) from name_entry") == [(0,)]


def test_packed_counts_come_back_and_saturate():
    card = IndexCard(1, "s", "boat " * 3 + "sail " * 2000, subject="boat", speaker="boat " * 20, date="sail")
    counts = np.array([terms_of(card, "english")["boat"], terms_of(card, "english")["sail"]])

    assert unpack(counts, "content").tolist() == [3, 1023]
    assert unpack(counts, "length").tolist() == [2003, 2003]
    assert unpack(counts, "subject").tolist() == [1, 0]
    assert unpack(counts, "speaker").tolist() == [15, 0]
    assert unpack(counts, "date").tolist() == [0, 1]
    assert unpack(np.array([packed("length", 10**9)]), "length").tolist() == [65_535]


@given(st.lists(st.integers(0, 2**62), max_size=30))
def test_lists_of_numbers_are_read_exactly(values: list[int]):
    assert numbers(",".join(map(str, values))).tolist() == values
