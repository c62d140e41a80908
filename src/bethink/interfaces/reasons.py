"""Why an answer is empty, in words: results carry a code that programs compare."""

from __future__ import annotations


def why_empty(code: str | None) -> str:
    """The sentence of an empty answer's code, with the code."""
    # The reasons stand beside what finds them; by now that is loaded, and at the start it would load the whole recall.
    from bethink.recall.explain import EMPTY_REASONS  # noqa: PLC0415 - the reason stands above

    return f"{EMPTY_REASONS[code]} ({code})" if code in EMPTY_REASONS else str(code)
