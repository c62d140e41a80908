"""Labelled pairs: a denial, another name or number, a hypothetical, a question or another speaker never entails."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement

from bethink.text.entailment import entails

LINES = [
    line
    for line in (Path(__file__).parents[2] / "fixtures" / "entailment_pairs.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
BASES = [[cell.strip() for cell in line.split("|")] for line in LINES if line[0] not in "+-"]
KINDS = ("changed", "denied", "hypothetical", "asked", "another speaker")


def listed(sign: str) -> list[tuple[str, str]]:
    """The pairs that begin with a sign."""
    cells = [[cell.strip() for cell in line[1:].split("|")] for line in LINES if line[0] == sign]
    return [(said, claim) for said, claim in cells]


FOLLOWS = [(base[0], base[1]) for base in BASES] + listed("+")
REFUSED = [
    (kind, *pair)
    for said, claim, changed, denied, hypothetical, asked, other in BASES
    for kind, pair in zip(
        KINDS, [(said, changed), (denied, claim), (hypothetical, claim), (asked, claim), (other, claim)], strict=True
    )
] + [("listed", said, claim) for said, claim in listed("-")]


def test_there_are_two_hundred_pairs_and_no_two_alike():
    pairs = [*FOLLOWS, *((said, claim) for _, said, claim in REFUSED)]

    assert len(pairs) == len(set(pairs)) >= 200


@requirement("E75")
@pytest.mark.parametrize(("kind", "said", "claim"), REFUSED)
def test_no_pair_is_upgraded_falsely(kind, said, claim):
    assert not entails(said, claim, ("user", "maya")), kind


@pytest.mark.parametrize(("said", "claim"), FOLLOWS)
def test_a_plain_pair_follows(said, claim):
    assert entails(said, claim, ("user", "maya"))


@pytest.mark.parametrize(("one", "other"), list(pairwise(BASES)))
def test_a_claim_never_follows_from_another_statement(one, other):
    assert not entails(one[0], other[1], "user")
    assert not entails(f"{one[0]} {other[3]}", other[1], "user")
