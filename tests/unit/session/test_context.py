from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.errors import InvalidInput
from bethink.operations.context import BODY, MEMORY_POLICY, PREFIX, ContextRequest, Part
from bethink.session.context import HISTORY_TOKENS, YIELDING, assemble, room_for
from bethink.text.tokens import estimate_tokens

GOLDEN = Path(__file__).parents[2] / "golden" / "memory_policy.txt"
BLOCK = '<memory as_of="2026-03-01T00:00:00Z" policy="task@3">\nm:1 one (user, high)\n</memory>'


def text(tokens: int) -> str:
    """A text of so many tokens."""
    return "abc " * tokens


def kinds(parts: tuple[Part, ...]) -> list[str]:
    return [part.kind for part in parts]


BODY_OF = {
    "summary": 50,
    "history": 100,
    "tool_result": 200,
    "working_state": 20,
    "knowledge": 300,
    "recall": 150,
    "changes": 80,
    "corrections": 40,
    "runtime": 10,
    "user": 60,
}


def full() -> tuple[Part, ...]:
    """One part of each kind of body."""
    return tuple(Part(kind, text(size)) for kind, size in BODY_OF.items())


def window(left: int) -> ContextRequest:
    """The full body in a window that leaves so many tokens to it."""
    return ContextRequest(full(), window_tokens=left + 100, output_tokens=100, policy="")


@requirement("E86", "A28")
def test_the_prefix_says_how_to_use_memory_in_fixed_words_beside_instructions_and_tools():
    said = ContextRequest(
        (Part("user", "Hello"), Part("tools", "memory_search(queries)"), Part("instructions", "You are helpful.")),
        10_000,
    )

    assert GOLDEN.read_text("utf-8") == MEMORY_POLICY
    assert assemble(said).prefix == f"You are helpful.\n\n{MEMORY_POLICY.strip()}\n\nmemory_search(queries)"
    assert "What the user says in this turn goes before it, and so does a line of corrections" in MEMORY_POLICY
    assert estimate_tokens(MEMORY_POLICY) < 250


@requirement("E86", "A5")
@pytest.mark.parametrize("kind", [kind for kind in PREFIX if kind != "snapshot"])
def test_no_recalled_block_gets_into_the_prefix_but_the_snapshot(kind):
    with pytest.raises(InvalidInput, match="block of memory"):
        assemble(ContextRequest((Part(kind, f"Rules.\n{BLOCK}"),), 10_000))
    assert BLOCK in assemble(ContextRequest((Part("snapshot", BLOCK),), 10_000)).prefix
    assert BLOCK not in assemble(ContextRequest((Part("recall", BLOCK),), 10_000)).prefix


@requirement("A19", "A168")
def test_the_parts_of_a_body_stand_in_one_order_with_memory_beside_the_user_s_turn():
    made = assemble(ContextRequest(tuple(reversed(full())), 100_000))

    assert kinds(made.body) == list(BODY)
    assert kinds(made.body)[-5:] == ["recall", "changes", "corrections", "runtime", "user"]
    assert made.yielded == ()


@requirement("A120")
def test_where_a_body_is_too_long_recall_gives_way_early_and_history_last():
    whole = sum(BODY_OF.values())
    gone = [kinds(tuple(one.part for one in assemble(window(whole - over)).yielded)) for over in (0, 1, 301, 381, 531)]

    assert gone == [
        [],
        ["knowledge"],
        ["knowledge", "changes"],
        ["knowledge", "changes", "recall"],
        ["knowledge", "changes", "recall", "tool_result"],
    ]
    assert YIELDING[-1] == "history"
    with pytest.raises(InvalidInput, match="1 tokens too long"):
        assemble(window(whole - 731))


@requirement("A26")
@given(st.integers(0, 1_100))
def test_no_shortage_takes_corrections_or_the_user_s_words_and_nothing_is_cut_in_silence(left):
    try:
        made = assemble(window(left))
    except InvalidInput:
        assert left < sum(BODY_OF.values()) - sum(BODY_OF[kind] for kind in YIELDING) + BODY_OF["history"]
        return
    gone = [one.part for one in made.yielded]

    assert {"corrections", "user", "runtime", "working_state", "summary"} <= set(kinds(made.body))
    assert sorted([*made.body, *gone], key=lambda part: part.kind) == sorted(full(), key=lambda part: part.kind)
    assert made.tokens + made.room == left
    assert made.room >= 0
    assert kinds(tuple(gone)) == list(YIELDING[: len(gone)])
    assert all(one.tokens == estimate_tokens(one.part.text) for one in made.yielded)


def test_the_weakest_passage_and_the_oldest_turn_go_first_and_the_newest_turns_stay():
    parts = [Part("knowledge", text(10) + name) for name in ("best", "weak")]
    parts += [Part("history", text(HISTORY_TOKENS // 2 - 10) + name) for name in ("oldest", "older", "newest")]
    need = sum(estimate_tokens(part.text) for part in parts)
    one = assemble(ContextRequest(tuple(parts), need - 1, 0, ""))
    most = assemble(ContextRequest(tuple(parts), need - 23, 0, ""))

    assert [gone.part.text[-4:] for gone in one.yielded] == ["weak"]
    assert [gone.part.text[-4:] for gone in most.yielded] == ["weak", "best", "dest"]
    with pytest.raises(InvalidInput):
        assemble(ContextRequest(tuple(parts), 4_000, 0, ""))


@requirement("A120")
@pytest.mark.parametrize("left", [500, 700, 900, 2_000])
def test_a_recall_that_is_asked_for_no_more_than_its_room_stays(left):
    others = tuple(part for part in full() if part.kind != "recall")
    request = ContextRequest(others, window_tokens=left, output_tokens=0, policy="")
    room = room_for("recall", request)
    made = assemble(ContextRequest((*others, Part("recall", text(room))), left, 0, ""))

    assert room == max(
        0, left - sum(size for kind, size in BODY_OF.items() if kind not in {"knowledge", "changes", "recall"})
    )
    assert "recall" in kinds(made.body)


def test_what_cannot_be_a_prompt_is_refused():
    for wrong in (ContextRequest((Part("poem", "x"),), 10), ContextRequest((), 0), ContextRequest((), 10, -1)):
        with pytest.raises(InvalidInput):
            assemble(wrong)
    with pytest.raises(InvalidInput, match="too long"):
        assemble(ContextRequest((Part("snapshot", text(90)),), 100, 20, ""))


@requirement("A4")
@given(st.lists(st.sampled_from(full()), max_size=6), st.integers(3_000, 20_000))
def test_the_prefix_is_the_same_whatever_the_body_and_the_window_are(body, size):
    fixed = (Part("instructions", "You are helpful."), Part("tools", "[]"), Part("snapshot", BLOCK))
    alone = assemble(ContextRequest(fixed, 50_000))
    made = assemble(ContextRequest((*body, *fixed), size, 100))

    assert (made.prefix, made.prefix_sha256) == (alone.prefix, alone.prefix_sha256)
