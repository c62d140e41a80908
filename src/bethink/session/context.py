"""Context: a prompt put together from its parts, by one order and one order of giving way. No store, no clock, no cuts.

The prefix is what a session's requests have in common and a model's cache can keep: it never yields, and of memory it
takes the snapshot alone. The body is what differs. Where it is too long, whole parts give way, passages of documents
first, then memory that was recalled for the turn, then results of tools and history from its oldest on. Corrections,
the user's words and what the host keeps beside them never do: where those do not fit, nothing is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bethink.domain.trace import rendered_hash
from bethink.errors import InvalidInput
from bethink.operations.context import BODY, PREFIX, BodyKind, Context, ContextRequest, Part, Yielded
from bethink.operations.moments import DeltaResult
from bethink.operations.recall import RecallResult
from bethink.text.tokens import estimate_tokens

YIELDING: tuple[BodyKind, ...] = ("knowledge", "changes", "recall", "tool_result", "history")
"""The kinds that give way, the first first; no other does."""

NEWEST_FIRST = frozenset({"knowledge", "changes", "recall"})
"""Of these the last part gives way first, being the weakest; of the others the first, being the oldest."""

HISTORY_TOKENS = 8_000
"""What is kept of the history's newest turns whatever happens."""

CORRECTIONS = ("<memory-corrections>", "</memory-corrections>")
"""What stands around lines of correction."""

_BLOCK = re.compile(r"<memory[ >]")


def assemble(request: ContextRequest) -> Context:
    """Put a prompt together, leaving out what has to give way.

    Raises:
        InvalidInput: an unknown kind, no window, a recalled block in the prefix, or parts that never give way and do
            not fit: the message says by how much.
    """
    prefix = _prefix(request)
    body = [part for kind in BODY for part in request.parts if part.kind == kind]
    left = _budget(request) - estimate_tokens(prefix) - sum(map(_tokens, body))
    gone: dict[int, Yielded] = {}
    for at in _in_turn(body):
        if left >= 0:
            break
        gone[at] = Yielded(body[at], _tokens(body[at]))
        left += gone[at].tokens
    if left < 0:
        msg = f"What never gives way is {-left} tokens too long for the window."
        raise InvalidInput(msg, remedy="Shorten instructions, summary or message, or use a model with a larger window.")
    kept = tuple(part for at, part in enumerate(body) if at not in gone)
    return Context(
        prefix=prefix,
        prefix_sha256=rendered_hash(prefix),
        body=kept,
        tokens=estimate_tokens(prefix) + sum(map(_tokens, kept)),
        room=left,
        yielded=tuple(gone.values()),
    )


def room_for(kind: BodyKind, request: ContextRequest) -> int:
    """How many tokens a part of this kind may have without having to give way: what outlives it is counted.

    Ask a recall with this as its budget, and its block stays.
    """
    before = YIELDING[: YIELDING.index(kind)] if kind in YIELDING else YIELDING
    staying = (part for part in request.parts if part.kind in BODY and part.kind not in before)
    return max(0, _budget(request) - estimate_tokens(_prefix(request)) - sum(map(_tokens, staying)))


def turn_parts(recalled: RecallResult | None = None, delta: DeltaResult | None = None) -> tuple[Part, ...]:
    """The parts that memory adds to a turn: what was recalled, what changed, and corrections, where there are any."""
    told = []
    if recalled is not None and recalled.rendered:
        told.append(Part("recall", recalled.rendered))
    if delta is not None and delta.changes is not None and delta.changes.rendered:
        told.append(Part("changes", delta.changes.rendered))
    if delta is not None and delta.corrections:
        opening, closing = CORRECTIONS
        told.append(Part("corrections", "\n".join((opening, *(one.text for one in delta.corrections), closing))))
    return tuple(told)


def _prefix(request: ContextRequest) -> str:
    """The prefix, its parts in order.

    Raises:
        InvalidInput: an unknown kind, or a recalled block in a part that is no snapshot.
    """
    known = {*PREFIX, *BODY}
    for part in request.parts:
        if part.kind not in known:
            raise InvalidInput(f"Part {str(part.kind)[:40]!r} is none of {', '.join((*PREFIX, *BODY))}.")
        if part.kind in PREFIX and part.kind != "snapshot" and _BLOCK.search(part.text):
            msg = f"A block of memory stands in the prefix as {part.kind}."
            raise InvalidInput(msg, remedy="Pass a session's snapshot as snapshot, and what is recalled as recall.")
    policy = (Part("policy", request.policy),) if request.policy else ()
    told = [part for kind in PREFIX for part in (*policy, *request.parts) if part.kind == kind and part.text]
    return "\n\n".join(part.text.strip("\n") for part in told)


def _budget(request: ContextRequest) -> int:
    """Tokens of the window that are not for the answer.

    Raises:
        InvalidInput: a size is negative.
    """
    if request.window_tokens < 1 or request.output_tokens < 0:
        raise InvalidInput("A window has at least one token, and an answer none at least.")
    return request.window_tokens - request.output_tokens


def _in_turn(body: Sequence[Part]) -> Iterator[int]:
    """The places of the parts that give way, the first first; the newest turns of history, as long as kept, never."""
    for kind in YIELDING:
        places = [at for at, part in enumerate(body) if part.kind == kind]
        if kind == "history":
            places = places[: _older(body, places)]
        yield from reversed(places) if kind in NEWEST_FIRST else places


def _older(body: Sequence[Part], places: Sequence[int]) -> int:
    """How many of the turns are older than those that are kept whatever happens."""
    kept = 0
    for older, at in zip(range(len(places), 0, -1), reversed(places), strict=True):
        kept += _tokens(body[at])
        if kept > HISTORY_TOKENS:
            return older
    return 0


def _tokens(part: Part) -> int:
    """Tokens of a part of the body."""
    return estimate_tokens(part.text)
