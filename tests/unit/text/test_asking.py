"""A text asks when the last thing it says is a question, in any script and behind any closing mark."""

from __future__ import annotations

import pytest

from bethink.text.asking import asks


@pytest.mark.parametrize(
    "text",
    [
        "Do you play?",
        "I moved. And you? ",
        '"Do you play?"',
        "Is it this one?\n\n(shares image: a photo of a dog)",
        "Really?*",
        "\u4f60\u597d\u5417\uff1f",
        "\u0643\u064a\u0641 \u062d\u0627\u0644\u0643\u061f",
    ],
)
def test_a_question_at_the_end_asks(text):
    assert asks(text)


@pytest.mark.parametrize("text", ["", "?" + "x", "Do you? I do.", "Yes!", "(a?)", "He asked why (who knows?)", "a) b"])
def test_anything_else_does_not(text):
    assert not asks(text)


def test_a_long_text_costs_no_more_than_its_end():
    assert asks("(" * 100_000 + " so?")
    assert not asks("(" * 100_000)
