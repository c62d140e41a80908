"""Evidence: whose words support a statement, and what that makes it worth.

A quote counts when it stands word for word in a turn of the session, is long enough to mean something, and entails the
statement. What counts decides the source kind; what does not leaves the statement an inference of the agent, which is
provisional and says so. Words the user typed are their own evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from bethink.domain.fence import Fence
from bethink.domain.scope import Caller
from bethink.domain.session import ROLE_SOURCE, Turn, names_of
from bethink.domain.source import RANK, TURN_REF, UNTRUSTED, Evidence, Source, SourceKind, derived_kind
from bethink.domain.types import Portability
from bethink.operations.common import Notice
from bethink.operations.remember import RememberRequest
from bethink.ports.turns import TurnReads
from bethink.text.entailment import entails
from bethink.text.spans import Span, locate, long_enough

PAGE = 500
"""Turns read at a time while a quote is looked for."""

_PLAIN_WORD = re.compile(r"[A-Za-z0-9]{2,}")


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a statement stands on.

    `source` is its source; `support` names it for counting independence; `said_at` is when the quoted turn was said.
    `located` says whether a quote was found and holds. `typed` asks for the words to be recorded as the user's turn.
    `local` says that the quoted turn stays where it was said.
    """

    source: Source
    support: str
    said_at: datetime | None = None
    located: bool = False
    typed: bool = False
    local: bool = False
    notices: tuple[Notice, ...] = ()


def ground(request: RememberRequest, caller: Caller, turns: Iterable[Turn]) -> Grounds:
    """Find what a statement stands on.

    Args:
        request: the checked request.
        caller: whose voice it is, and which agent writes.
        turns: the turns of the session the quote should stand in; read only when there is a quote.
    """
    if request.evidence is None:
        if caller.voice == "user":
            return _voiced(request, caller, ())
        notice = Notice("evidence_missing", "No evidence was quoted, so this is kept as the agent's own inference.")
        return _inferred(request, caller, notice)
    found = find_quote(request.evidence, turns)
    local = found is not None and found[0].portability is Portability.LOCAL
    return replace(_judged(request, caller, found), local=local)


def _judged(request: RememberRequest, caller: Caller, found: tuple[Turn, Span] | None) -> Grounds:
    """What a statement with a quote stands on."""
    problem = _problem(request, caller, found)
    if problem is None and found is not None:
        return _quoted(request, caller, *found)
    notices = () if problem is None else (problem,)
    return _voiced(request, caller, notices) if caller.voice == "user" else _inferred(request, caller, *notices)


def telling_word(quote: str) -> str:
    """The longest plain word of a quote: an ASCII turn without it cannot hold the quote. Empty when there is none."""
    return max(_PLAIN_WORD.findall(quote), key=len, default="")


def turns_holding(turns: TurnReads, fence: Fence, session: str | None, quote: str | None) -> Iterator[Turn]:
    """The turns of a session that may hold a quote, page by page, as far as they are looked at."""
    after, word = -1, telling_word(quote or "")
    while session is not None and quote is not None:
        page = turns.of_session(fence, session, limit=PAGE, after=after, holding=word)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].seq


def find_quote(quote: str, turns: Iterable[Turn]) -> tuple[Turn, Span] | None:
    """The turn of the highest standing that holds the quote, the earliest of equals, and where."""
    best: tuple[Turn, Span] | None = None
    for turn in turns:
        if best is not None and RANK[standing_of(turn)] <= RANK[standing_of(best[0])]:
            continue
        span = locate(quote, turn.text)
        if span is not None:
            best = (turn, span)
            if RANK[standing_of(turn)] == max(RANK.values()):
                break
    return best


def standing_of(turn: Turn) -> SourceKind:
    """What a quote from a turn is worth: its role's kind, or the way the turn came in where that is worth less."""
    by_role = ROLE_SOURCE[turn.role]
    return derived_kind((by_role, turn.source)) if turn.source in UNTRUSTED else by_role


def _problem(request: RememberRequest, caller: Caller, found: tuple[Turn, Span] | None) -> Notice | None:
    """Why a quote does not count, None when it does."""
    kept = "so the statement is its own evidence." if _typed(request, caller) else "so this is kept without it."
    if found is None:
        return Notice("evidence_not_found", f"The quoted words stand in no turn of the session, {kept}")
    turn, quote = found[0], " ".join((request.evidence or "").split())  # a line break of the writer's ends no sentence
    if not long_enough(quote, turn.text):
        return Notice("evidence_too_short", f"The quote is too short to carry a claim, {kept}")
    verdict = entails(quote, request.content, names_of(turn, caller.principal.user))
    if not verdict.entailed:
        text = f"The quote does not say what the statement says ({verdict.reason}), {kept}"
        return Notice("evidence_not_entailing", text)
    return None


def _quoted(request: RememberRequest, caller: Caller, turn: Turn, span: Span) -> Grounds:
    """A quote that counts: its turn gives the source."""
    kind, notices = _named(request, caller, standing_of(turn))
    source = Source(
        kind=kind,
        ref=request.source_ref if request.source_ref and caller.voice == "user" else f"{TURN_REF}{turn.id}",
        creator=caller.principal.agent,
        revision=request.source_revision,
        evidence=Evidence(turn.text[span.start : span.end], turn.id, span.start, span.end),
        role=turn.role,
    )
    return Grounds(source, f"{TURN_REF}{turn.id}", turn.said_at, located=True, notices=notices)


def _voiced(request: RememberRequest, caller: Caller, notices: tuple[Notice, ...]) -> Grounds:
    """The user's own words, or what the host vouches for in the user's name."""
    kind = request.source or SourceKind.USER_STATEMENT
    typed = _typed(request, caller)
    ref = request.source_ref or (f"user:{caller.principal.user}" if typed else f"{kind}:{caller.principal.user}")
    source = Source(kind, ref, caller.principal.agent, request.source_revision, role="user" if typed else None)
    return Grounds(source, ref, located=typed, typed=typed, notices=notices)


def _typed(request: RememberRequest, caller: Caller) -> bool:
    """Whether the statement is in the user's own words."""
    return caller.voice == "user" and (request.source or SourceKind.USER_STATEMENT) is SourceKind.USER_STATEMENT


def _inferred(request: RememberRequest, caller: Caller, *notices: Notice) -> Grounds:
    """The agent's own conclusion: one agent is one source, whatever references it names."""
    agent = caller.principal.agent
    source = Source(SourceKind.AGENT_INFERENCE, request.source_ref or f"agent:{agent}", agent, request.source_revision)
    _, named = _named(request, caller, SourceKind.AGENT_INFERENCE)
    return Grounds(source, f"agent:{agent}", notices=(*notices, *named))


def _named(request: RememberRequest, caller: Caller, found: SourceKind) -> tuple[SourceKind, tuple[Notice, ...]]:
    """The kind after the request named one: a host may vouch for any, an agent may only lower what was found."""
    asked = request.source
    if asked is None or asked is found:
        return found, ()
    if caller.voice == "user" or RANK[asked] < RANK[found]:
        return asked, ()
    notice = Notice("source_not_raised", f"Source {asked} was asked for, but the evidence makes it {found}.")
    return found, (notice,)
