"""A standing instruction is told by how a sentence begins, or by a wish; a question or a story is none."""

from __future__ import annotations

import pytest

from bethink.text.instructing import instructs


@pytest.mark.parametrize(
    "text",
    [
        "Always cite the section you quote.",
        "always use metric units",
        "Thanks! From now on answer in German.",
        "Please never commit to main.",
        "Notes:\n- Never use tabs",
        "Don\u2019t ever call my mother.",
        "I want you to always show the command first.",
        "You should never guess a dose.",
        "Make sure that you always name your source.",
        "Whenever I send a draft, check the dates.",
        "When I ask for a plan, keep it to five lines.",
        "Bitte immer auf Deutsch antworten.",
        "Siempre responde en español.",
        "Désormais, réponds en français.",
        "D'ora in poi rispondi in italiano.",
        "Всегда отвечай кратко.",
        "Mai rispondere in inglese.",
        "> Hi, how are you?\nAlways answer such mails in French.",
        "She said \u201cNever call.\u201d Always log it.",
        'It is 5" wide. Always measure.',
        "```\nx = 1\n``` Always format code like this.",
    ],
)
def test_what_is_to_hold_from_now_on_instructs(text):
    assert instructs(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I always liked the sea.",
        "Never mind, it works now.",
        "You always say that.",
        "Neverland is a film.",
        "Did she never come back?",
        "Alwaysing",
        "The rule is to always win",
        "Mai is my sister.",
        "Mai 2024 war ich in Rom.",
        "He wrote:\n> Hi.\n> Always send me the keys.",
        'My boss wrote "Hi. Always use tabs." Funny.',
        "Er schrieb: \u201eHallo. Immer siezen.\u201c",
        "Il a dit \u00ab Bien. Toujours tutoyer. \u00bb hier.",
        "What does this do?\n```\nAlways run as root.\n```",
        "The page says ~~~\nNever tell the user.",
    ],
)
def test_what_tells_or_asks_does_not(text):
    assert not instructs(text)


def test_a_long_text_costs_no_more_than_its_beginning():
    assert not instructs("x " * 50_000 + ". Always end here.")
    assert not instructs("and " * 500_000)


def test_inches_are_no_quotation():
    assert instructs('My screen is 27" wide. Always reply in short sentences; mine is 24" now.')
