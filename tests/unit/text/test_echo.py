"""A turn's own words keep their place, and nothing quoted, pasted or recalled is among them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.text.echo import memory_tool, own_words


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_own_words_are_as_long_as_the_text_and_never_new(text):
    own = own_words(text)

    assert len(own) == len(text)
    assert all(ours in (theirs, " ") for ours, theirs in zip(own, text, strict=True))


@pytest.mark.parametrize(
    "foreign",
    [
        "<memory as_of='x'>\nm:1234abcd I like tea\n</memory>",
        "<context>I like tea</context>",
        "```\nI like tea\n```",
        "> I like tea",
        "Assistant: I like tea",
        "Example 2: I like tea",
        "e.g. I like tea",
        "see m:1234abcd I like tea",
        'My boss said "I like tea"',
        "\u201cI like tea\u201d",
        "You told me I like tea.",
        "Your memory says I like tea.",
        "The page says I like tea.",
        "According to the file I like tea.",
        "Forget that I like tea.",
        "Please search for I like tea.",
        "| I like tea |",
        "Rewrite this bio: I like tea.",
        "ERROR 14:02 I like tea",
        "2026-03-01 14:02:11 I like tea",
        "Please translate: I like tea.",
    ],
)
def test_what_is_not_the_speaker_s_own_is_blanked(foreign):
    own = own_words(f"I live in Porto.\n{foreign}\nI own a boat.")

    assert "tea" not in own
    assert own.startswith("I live in Porto.")
    assert own.endswith("I own a boat.")


@pytest.mark.parametrize(
    "text",
    [
        "I like tea. It's my favourite drink, and my sister's too.",
        'My dog is called "Rex" and my cat is called "Tom".',
        "I don't eat meat; I can't stand it.",
        "Remember that I like tea.",
        "I said it already: I like tea.",
    ],
)
def test_what_is_the_speaker_s_own_stays(text):
    assert own_words(text) == text


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("memory_search", "anything", True),
        ("mcp.memory.recall", "anything", True),
        ("search", '{"rendered": "", "trace_id": "t"}', True),
        ("search", "<memory as_of='x'>", True),
        ("ci", "The build took 12 minutes.", False),
        ("remembrance_day_calendar", "11 November", False),
    ],
)
def test_an_answer_of_memory_is_known_by_its_tool_or_its_shape(name, text, expected):
    assert memory_tool(name, text) is expected


def test_a_block_that_never_ends_takes_all_that_follows():
    assert own_words("I own a boat. <memory>I like tea\nI like coffee").rstrip() == "I own a boat."
