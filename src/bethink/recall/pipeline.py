"""The recipe of a read: form, fence, search, fuse, rank, gate, collapse, ration, make safe, fit, render, trace.

Every step but the arms is a pure function over values. The query is embedded before the snapshot opens, so no model
runs inside a transaction; the snapshot is closed before anything is screened and rendered. Items are screened one by
one as they are tried for the block, for the screen is the dearest step.
"""

from __future__ import annotations

from bethink.operations.recall import RecallRequest
from bethink.recall.account import Account
from bethink.recall.arms import embed, reserve, search, timeout
from bethink.recall.budget import fit, seat, shortlist
from bethink.recall.check import checked
from bethink.recall.collapse import cap, current, demote, merge, spendable
from bethink.recall.conclude import conclude
from bethink.recall.escalate import escalated
from bethink.recall.filter import frame, rank_context
from bethink.recall.forming.aliases import in_play
from bethink.recall.forming.rewrite import rewritten
from bethink.recall.fuse import fuse
from bethink.recall.gate import gate, gate_context
from bethink.recall.mismatch import Found, mismatch
from bethink.recall.quota import ration, suspects, unread
from bethink.recall.reader import Reader, RecallOutcome, Stopwatch
from bethink.recall.render import block
from bethink.recall.safety import label, screened
from bethink.recall.spans import timed


def recall(request: RecallRequest, reader: Reader) -> RecallOutcome:
    """Answer one request: the result, and the trace to store beside it.

    Raises:
        InvalidInput: the request asks nothing, or holds what cannot be used.
        StoreError: the store cannot be read. An arm that fails alone is reported in the answer instead.
        DeadlineExceeded: not even the reserve was enough to check what the arms found against the truth.
    """
    watch = Stopwatch(reader.clock)
    with watch("form"):
        request = checked(request)
        query = rewritten(reader.form(request), request, reader)
    with watch("embed"):
        embedded = embed(query, reader)
    with reader.open(reserve(timeout(request, reader.settings))) as snapshot:
        with watch("fence"):
            asked = timed(in_play(frame(request, query, reader, snapshot), snapshot), snapshot)
        findings = search(asked, embedded, reader, snapshot, watch)
        with watch("fuse"):
            fused = fuse(asked.profile.fusion, findings, asked.query, reader.mix)
        with watch("rank"):
            ranked = asked.ranker.rank(fused, rank_context(asked))
        with watch("gate"):
            gated = gate(ranked, gate_context(asked, reader.calibration))
            asked = escalated(asked, gated)
        with watch("collapse"):
            spent = snapshot.records.spent(asked.fence, spendable(gated.admitted, asked))
            standing = current(gated.admitted, spent)
            merged = merge(standing.kept, asked.caller.project, history=request.include_superseded)
            capped = cap(merged.kept, asked.profile.per_subject)
            read = snapshot.records.bodies(asked.fence, suspects(capped.kept))
            rationed = ration(capped.kept, read, asked, reader.language)
            tried, beyond = shortlist(rationed.kept, asked)
            bodies = read | snapshot.records.bodies(asked.fence, unread(tried, read))
            kept = demote(tried, bodies)
    short_ids = label(kept)
    with watch("safety"):
        show = screened(bodies, asked.fence.ceiling, watch)
    with watch("fit"):
        fitted = fit(seat(kept, asked), show, short_ids, asked, asked.policy)
    with watch("render"):
        lines = [one.line for one in fitted.placed]
        rendered = block(lines, asked.instant, asked.policy, asked.order)
        told = mismatch(Found(ranked, kept, bodies, fitted.placed), asked, reader.language)
    cuts = (*gated.cuts, *standing.cuts, *merged.cuts, *capped.cuts, *rationed.cuts, *beyond, *fitted.cuts)
    account = Account(asked, findings, ranked, gated, cuts, fitted, short_ids, rendered, asked.policy, told)
    return conclude(account, reader, watch)
