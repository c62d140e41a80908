"""The head of a prompt stays the same, byte for byte, while everything around it changes."""

from __future__ import annotations

from bethink.domain.source import SourceKind
from bethink.operations.context import ContextRequest, Part
from bethink.session.context import assemble, turn_parts
from tests.behaviour.house import House, know
from tests.behaviour.requirements import requirement

TEA = {"type": "preference", "subject": "Maya", "attribute": "tea", "source": SourceKind.SYSTEM}
FIXED = (Part("instructions", "You are Aria."), Part("tools", '[{"name": "memory_search"}]'))
WINDOW = 20_000


@requirement("A4", "A5", "A27", "E8", "E86")
def test_fifty_turns_over_a_day_with_corrections_and_recalls_leave_one_prefix_and_an_erase_begins_another(house: House):
    maya = house.bind()
    maya.remember("Maya drinks black tea", **TEA)
    secret = know(maya, "Maya hides the key under the pot", type="user_attribute")
    hashes: list[tuple[int, str]] = []
    corrected = recalled = 0
    with maya.session("monday") as session:
        for turn in range(50):
            house.clock.advance(minutes=45)
            if turn == 40:
                maya.forget(secret, mode="erase")
            if turn % 10 == 5:
                maya.remember(f"Maya drinks tea number {turn}", **TEA)
            session.turn(f"What tea is left, now that {turn} cups are gone?")
            found, delta = session.recall("Which tea does Maya drink?", moment="in_turn"), session.delta()
            taken = session.snapshot("Make tea")
            parts = (*FIXED, Part("snapshot", taken.rendered), *turn_parts(found, delta), Part("user", "And now?"))
            made = assemble(ContextRequest(parts, WINDOW))
            hashes.append((taken.epoch, made.prefix_sha256))
            corrected += "corrections" in {part.kind for part in made.body}
            recalled += "recall" in {part.kind for part in made.body}
            assert taken.rendered in made.prefix
            assert made.prefix.count("<memory ") == 1

    assert sorted(set(hashes)) == [(epoch, hash_) for epoch, hash_ in dict.fromkeys(hashes)]
    assert [epoch for epoch, _ in dict.fromkeys(hashes)] == [1, 2]
    assert (hashes.count(hashes[0]), recalled) == (40, 50)
    assert corrected == 35 + 1 + 5


@requirement("A26", "A120")
def test_in_a_window_too_small_recall_goes_and_the_corrections_stay(house: House):
    maya = house.bind()
    maya.remember("Maya drinks black tea", **TEA)
    session = maya.session("monday")
    taken = session.snapshot()
    maya.remember("Maya drinks green tea", **TEA)
    found, delta = session.recall("Which tea does Maya drink?"), session.delta()
    parts = (Part("snapshot", taken.rendered), *turn_parts(found, delta), Part("user", "Tea?"))
    roomy = assemble(ContextRequest(parts, WINDOW, 0))
    tight = assemble(ContextRequest(parts, roomy.tokens - found.tokens - delta.changes.tokens, 0))

    assert [part.kind for part in roomy.body] == ["recall", "changes", "corrections", "user"]
    assert [part.kind for part in tight.body] == ["corrections", "user"]
    assert [one.part.kind for one in tight.yielded] == ["changes", "recall"]
    assert delta.corrections[0].text in tight.body[0].text
    assert tight.prefix_sha256 == roomy.prefix_sha256
