"""Repeats: a question put again and again stands once, so that the turns which ask leave room for the one that answers.

What is most like a question is the same question, asked before. Turns of equal words are one already (`collapse`); of
those of one speaker that ask nearly the same, the first in order speaks for all. Only what does nothing but ask is left
out so: two statements that are nearly alike may say two things.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bethink.domain.hit import Body, Scored
from bethink.domain.trace import Cut
from bethink.recall.collapse import SIMILAR, Collapsed
from bethink.text.analyse import analyse
from bethink.text.asking import asks

READ_ON = 128
"""Of what was admitted so many are read at most where questions repeat: twice what a pool keeps by its text."""

_SAYING = re.compile(r"[.!\u2026]\s+\S|[\n\u3002\uff01]\s*\S")
"""The end of a sentence that does not ask, with more behind it."""


def once(kept: Sequence[Scored], bodies: Mapping[int, Body]) -> Collapsed:
    """Leave out each turn that asks nearly what a kept one of the same speaker asks; what has no text stays."""
    asking = [item for item in kept if _asks(item, bodies)]
    speakers = [item.candidate.subject_key for item in asking]
    if len(set(speakers)) == len(speakers):
        return Collapsed(tuple(kept), ())
    asked: dict[str, list[tuple[str, frozenset[str]]]] = {}
    cuts: dict[int, Cut] = {}
    for item in asking:
        candidate = item.candidate
        words = frozenset(analyse(bodies[candidate.key].text, "none"))
        before = asked.setdefault(candidate.subject_key, [])
        if again := _nearest(words, before):
            cuts[candidate.key] = Cut("collapse", candidate.id, f"asks nearly what {again[0]} asks", again[1], SIMILAR)
        else:
            before.append((candidate.id, words))
    return Collapsed(tuple(item for item in kept if item.candidate.key not in cuts), tuple(cuts.values()))


def _asks(item: Scored, bodies: Mapping[int, Body]) -> bool:
    """Whether it is a turn that asks and says nothing before."""
    body = bodies.get(item.candidate.key)
    if item.candidate.type != "turn" or body is None:
        return False
    return asks(body.text) and _SAYING.search(body.text) is None


def _nearest(words: frozenset[str], before: Sequence[tuple[str, frozenset[str]]]) -> tuple[str, float] | None:
    """The first of those before that shares enough of its words, with the share."""
    for id_, other in before:
        fewer, more = sorted((len(words), len(other)))
        if fewer < SIMILAR * more:
            continue
        shared = len(words & other)
        if shared and (share := shared / (fewer + more - shared)) >= SIMILAR:
            return id_, round(share, 6)
    return None
