"""Split a long text into pieces that each fit, at the best place there is."""

from __future__ import annotations

from collections.abc import Iterator


def split(text: str, limit: int) -> Iterator[str]:
    """Pieces of at most `limit` characters, in order; no visible character is lost.

    A piece ends at the last paragraph, line, sentence or blank of its second half, in this order of preference, else at
    the limit. White space between two pieces is dropped.
    """
    rest = text
    while len(rest) > limit:
        cuts = (rest.rfind(mark, limit // 2, limit) + len(mark) for mark in ("\n\n", "\n", ". ", " "))
        end = next((cut for cut in cuts if cut > limit // 2), limit)
        if piece := rest[:end].strip():
            yield piece
        rest = rest[end:].lstrip()
    if rest:
        yield rest
