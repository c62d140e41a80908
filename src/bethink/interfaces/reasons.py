"""Why an answer is empty, in words: results carry a code that programs compare."""

from __future__ import annotations

_EPISODES = {"no_turns": "There are no such turns.", "no_match": "No turn holds one of these words."}
"""Those that only a list of episodes can have."""


def why_empty(code: str | None) -> str:
    """The sentence of an empty answer's code, with the code."""
    # The reasons stand beside what finds them; by now that is loaded, and at the start it would load the whole recall.
    from bethink.recall.explain import EMPTY_REASONS  # noqa: PLC0415 - the reason stands above

    words = EMPTY_REASONS | _EPISODES
    return f"{words[code]} ({code})" if code in words else str(code)
