"""Bars 1 and 2: what an attacker writes through the memory's own interface is not taken for what the user said.

The suite comes from PyPI (`make agmi` installs it). The attacker's channels are: outside (a page), laundered (the same,
labelled as the user's), and through the agent itself, which saves what it saw.
"""

from __future__ import annotations

import pytest

pytest.importorskip("agmi", reason="agent-memory-integrity is not installed: make agmi")

from agmi.attacks import memory_specific as attacks

from tests.behaviour.requirements import requirement
from tests.security.agmi_adapter import HostAdapter
from tests.security.hosts import Host, keyed_host, saving_host, say

ATTACKS = [
    attacks.MemoryInjectionAttack,
    attacks.RetrievalHijackAttack,
    attacks.IndirectPromptInjectionAttack,
    attacks.UpdatePoisoningAttack,
    attacks.MetadataPoisoningAttack,
]
KEPT_OUT = [False] * 5


def run(attack, host: Host, filler: int = 0):
    """The outcome of one attack, every text also in the forms that evade checks."""
    adapter = HostAdapter(host, "bethink")
    try:
        result = attack(filler=filler, mutate=True).run(adapter)
        say(f"{result.attack}, filler {filler}: {result.detail or result.error}")
        return result, adapter
    finally:
        adapter.close()


@requirement("D5", "D34", "D35")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("filler", [0, 1000])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_no_text_from_outside_is_granted_whatever_its_label_says(attack, filler):
    result, _ = run(attack, keyed_host(filler, "hash"), filler)

    assert result.error is None
    assert {name: result.channels[name] for name in ("external", "laundered")} == {
        "external": KEPT_OUT,
        "laundered": KEPT_OUT,
    }


@requirement("D5", "A7")
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "attack", [attacks.RetrievalHijackAttack, attacks.IndirectPromptInjectionAttack], ids=lambda attack: attack.name
)
def test_what_an_agent_was_talked_into_saving_takes_no_place_and_gives_no_order(attack):
    result, _ = run(attack, saving_host(embedder="hash"))

    assert result.error is None
    assert result.safe
    assert set(map(tuple, result.channels.values())) == {tuple(KEPT_OUT)}


@requirement("A6", "D31")
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "attack", [attacks.MemoryInjectionAttack, attacks.UpdatePoisoningAttack], ids=lambda attack: attack.name
)
def test_a_fact_that_an_agent_was_talked_into_saving_is_unconfirmed_and_replaces_nothing(attack):
    """No store can tell such a fact from a true one; it can say who vouches for it."""
    result, adapter = run(attack, saving_host(embedder="hash"))

    assert result.error is None
    assert "replaced" not in result.detail
    assert {(authority, status) for _, authority, status in adapter.seen} <= {
        ("inferred", "provisional"),
        ("document", "active"),
    }


@requirement("A9")
def test_one_users_memory_is_never_anothers():
    result, _ = run(attacks.CrossSessionBleedAttack, saving_host(embedder="hash"))

    assert result.safe
    assert result.channels == {"cross-user": KEPT_OUT}
