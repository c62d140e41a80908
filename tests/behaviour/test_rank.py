"""The score is a written sum, and every answer shows its terms."""

from __future__ import annotations

import hashlib
import math
from dataclasses import astuple, replace
from datetime import timedelta
from pathlib import Path

import pytest

from bethink.domain.calibration import CALIBRATIONS
from bethink.domain.hit import Weights
from bethink.domain.query import FieldWeights
from bethink.domain.source import AUTHORITY, CONFIDENCE, SourceKind
from bethink.domain.types import TYPES, Kind, Portability
from bethink.recall import collapse, fuse, gate, lean, lift, pool, quota, rank, repeats
from bethink.recall.profiles import PROFILES, STRICT, TASK, Profile
from bethink.settings import RecallSettings
from bethink.store import bm25f
from bethink.text.analyse import analyser_id
from bethink.text.language import language_named
from tests.behaviour.house import MARCH, ids, know
from tests.behaviour.requirements import requirement

GOLDEN = Path(__file__).parents[1] / "golden" / "policy.txt"
DAY = timedelta(days=1)


@requirement("A101", "A102", "A103", "A104", "A105")
def test_the_terms_of_a_score_are_those_worked_out_by_hand(house):
    there, here = house.bind(project="pottery"), house.bind(project="bakery")
    carried = know(there, "Prefers the blue kiln", type="preference", portability=Portability.PORTABLE)
    again = there.remember(
        "Prefers the blue kiln", type="preference", source=SourceKind.TOOL_RESULT, source_ref="oven:1"
    )
    guess = house.bind(project="bakery", voice="agent").remember("Perhaps the blue kiln leaks", type="fact")
    said = here.remember("The blue kiln is mine", type="fact")
    assert (again.id, again.outcome, guess.status) == (carried, "reinforced", "provisional")
    result = here.recall("blue kiln", as_of=MARCH + 20 * DAY, kinds=(Kind.SEMANTIC,))
    parts = {item.id: dict(item.explanation.parts) for item in result.items}
    match = {item.id: item.explanation.match for item in result.items}

    assert parts[carried] == pytest.approx(
        {
            "match": 0.40 * match[carried],
            "confidence": 0.20 * 0.99,  # 0.90 of a system, one more source, at most 0.99
            "reinforcement": 0.10 * math.log(3) / math.log(11) * math.exp(-20 / 180),  # two sources, 180 days
            "authority": 0.15 * 0.7,
            "scope": 0.10 * 0.8,
            "utility": 0.0,
        },
        abs=1e-6,
    )
    assert parts[guess.id] == pytest.approx(
        {
            "match": 0.40 * match[guess.id],
            "confidence": 0.20 * 0.60 * 0.4,  # an inference, provisional
            "reinforcement": 0.10 * math.log(2) / math.log(11) * math.exp(-20 / 30),
            "authority": 0.15 * 0.4,
            "scope": 0.10 * 1.0,
            "utility": 0.0,
        },
        abs=1e-6,
    )
    assert parts[said.id]["authority"] == pytest.approx(0.15 * 1.0)
    assert parts[said.id]["confidence"] == pytest.approx(0.20 * 0.95)
    for item in result.items:
        assert sum(item.explanation.parts.values()) == pytest.approx(item.score, abs=1e-9)


@requirement("A104")
def test_of_equal_matches_the_users_word_comes_before_the_affirmed_and_that_before_the_inferred(house):
    house.embedder = None
    user, agent = house.bind(), house.bind(voice="agent")
    inferred = agent.remember("uses the blue kiln", subject="one").id
    affirmed = know(user, "uses the blue kiln", subject="two")
    stated = user.remember("uses the blue kiln", subject="three").id
    result = user.recall("blue kiln", kinds=(Kind.SEMANTIC,))

    assert len({item.explanation.match for item in result.items}) == 1
    assert ids(result) == [stated, affirmed, inferred]


@requirement("A105")
def test_what_belongs_to_the_project_the_user_and_everyone_ranks_alike(house):
    house.embedder = None
    house.open().grant("maya", "aria", "project:pottery", write=True)
    here = house.bind(project="pottery")
    owned = [
        know(here, "uses the blue kiln", subject="one"),
        know(house.bind(), "uses the blue kiln", subject="two"),
        know(here, "uses the blue kiln", subject="three", target="project"),
    ]
    result = here.recall("blue kiln")

    assert {item.explanation.parts["scope"] for item in result.items} == {0.1}
    assert len({item.score for item in result.items}) == 1
    assert ids(result) == sorted(owned)


@requirement("E43")
def test_age_moves_an_episode_and_not_a_belief(maya, house, monkeypatch):
    weights = replace(TASK, freshness=0.2)
    monkeypatch.setitem(PROFILES, "task", replace(PROFILES["task"], weights=weights))
    event = know(maya, "The blue kiln burst", type="event", event_at=MARCH)
    fact = know(maya, "The blue kiln is insured", type="fact")

    def parts(days: int) -> dict[str, dict[str, float]]:
        result = maya.recall("blue kiln", as_of=MARCH + days * DAY)
        return {item.id: dict(item.explanation.parts) for item in result.items}

    fresh, month, years = parts(0), parts(30), parts(900)
    assert [round(found[event]["freshness"], 6) for found in (fresh, month, years)] == [0.2, 0.1, 0.1]
    assert all("freshness" not in found[fact] for found in (fresh, month, years))
    faded = [found[fact].pop("reinforcement") for found in (fresh, month, years)]
    assert faded == sorted(faded, reverse=True)
    assert fresh[fact] == month[fact] == years[fact]
    monkeypatch.undo()
    assert all("freshness" not in found for found in parts(30).values())


@requirement("E57")
def test_a_profile_can_leave_confidence_out(house, monkeypatch):
    house.embedder = None
    maya = house.bind()
    sure = know(maya, "uses the blue kiln", subject="one", source=SourceKind.SYSTEM)
    unsure = know(maya, "uses the blue kiln", subject="two", source=SourceKind.DOCUMENT)
    weighed = {item.id: item.score for item in maya.recall("blue kiln").items}
    monkeypatch.setitem(PROFILES, "task", replace(PROFILES["task"], weights=replace(TASK, confidence=0.0)))
    level = {item.id: item.score for item in maya.recall("blue kiln").items}

    assert weighed[sure] - weighed[unsure] == pytest.approx(0.20 * (0.90 - 0.80))
    assert level[sure] == level[unsure]


@requirement("A95", "A108")
def test_a_policy_is_these_rules_and_another_rule_is_another_policy():
    """A change here without a new version of the policy makes two answers of one policy incomparable."""
    assert policy() == GOLDEN.read_text("utf-8")


def seats(profile: Profile) -> tuple[object, ...]:
    """How many items a profile shows of what."""
    shares = profile.beliefs, profile.episodes, profile.event_beliefs, profile.event_episodes
    return (*shares, profile.per_subject, profile.max_items, profile.budget_tokens, profile.fusion)


def policy() -> str:
    """Every number and rule that the policy's name stands for, a line each."""
    constants = {
        "rank": (rank, "PROVISIONAL EVIDENCE_MAX CARRIED FLAGGED STALE NEAR_DUPLICATE FRESH_DAYS FRESH_FLOOR"),
        "pool": (pool, "POOL LOOKED_UP NEIGHBOUR"),
        "lean": (lean, "LOOKED_AT PRIOR MOST"),
        "fuse": (
            fuse,
            "K EXACT_SUBJECT OWNED ENTITY TYPE_ONLY RESEMBLING CHANGED RELATED OUTSIDE TEXT_WITHIN_EXACT",
        ),
        "lift": (lift, "NAMED IN_TIME SESSION ELSEWHERE REPEATED"),
        "gate": (gate, "MIN_MATCHED FEW"),
        "collapse": (collapse, "SIMILAR BEHIND"),
        "repeats": (repeats, "READ_ON"),
        "quota": (
            quota,
            "SHARE TOKENS CONCLUDED SAME ECHO RUN MANY TIMES DENSE LEAST CRAM CRAMMED COVERED WORDS FEWEST",
        ),
        "words": (bm25f, "SHORT"),
    }
    dropped = hashlib.sha256(" ".join(sorted(language_named("english").function_words)).encode()).hexdigest()
    words = f"words {analyser_id('english').partition(' ')[0]} without {dropped[:12]}"
    lines = [f"policy {rank.POLICY}", words, f"fields {astuple(FieldWeights())}"]
    for place, (module, names) in constants.items():
        for name in names.split():
            value = getattr(module, name)
            shown = {str(key): item for key, item in value.items()} if isinstance(value, dict) else value
            lines.append(f"{place}.{name} {shown}")
    lines += [f"mix {RecallSettings().dense_weight} {RecallSettings().dense_votes} depth {RecallSettings().depth}"]
    lines += [f"seats.{name} {seats(profile)}" for name, profile in PROFILES.items()]
    lines += [f"weights.{name} {astuple(profile.weights)}" for name, profile in PROFILES.items()]
    lines += [f"gate.{name} {astuple(profile.gate)}" for name, profile in PROFILES.items()]
    lines += [f"gate.unasked {astuple(STRICT)}"]
    lines += [f"space.{name} {astuple(scale)}" for name, scale in CALIBRATIONS.items()]
    lines += [f"type.{name} {rule.decay_days} {rule.floor}" for name, rule in sorted(TYPES.items())]
    lines += [f"source.{kind} {CONFIDENCE[kind]} {AUTHORITY[kind]}" for kind in SourceKind]
    assert Weights.__slots__ == ("match", "confidence", "reinforcement", "authority", "scope", "utility", "freshness")
    return "\n".join(lines) + "\n"
