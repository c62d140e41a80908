"""The recipe of a read: form, fence, search, fuse, rank, gate, collapse, ration, make safe, fit, render, trace.

Every step but the arms is a pure function over values. The query is embedded before the snapshot opens, so no model
runs inside a transaction; the snapshot is closed before anything is screened and rendered. Items are screened one by
one as they are tried for the block, for the screen is the dearest step.
"""

from __future__ import annotations

from bethink.operations.recall import RecallRequest
from bethink.recall.account import Account
from bethink.recall.arms import embed, reserve, search, timeout
from bethink.recall.budget import fit, seat
from bethink.recall.check import checked
from bethink.recall.choose import choose
from bethink.recall.classify import classify
from bethink.recall.conclude import conclude
from bethink.recall.escalate import escalated
from bethink.recall.filter import frame
from bethink.recall.forming.aliases import in_play
from bethink.recall.forming.rewrite import rewritten
from bethink.recall.fuse import fuse
from bethink.recall.gate import gate, gate_context
from bethink.recall.lasting import placed
from bethink.recall.mismatch import Found, mismatch
from bethink.recall.narrow import about, ranked
from bethink.recall.outside import nominate, with_extra
from bethink.recall.profiled import beside, profiled
from bethink.recall.profiles import fusion_of
from bethink.recall.reader import Reader, RecallOutcome, Stopwatch
from bethink.recall.render import block
from bethink.recall.rerank import opened, reranked
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
    with watch("classify"):
        topics = classify(request, query, reader)
    with watch("embed"):
        embedded = embed(query, reader)
        nominated = nominate(query.text, reader, timeout(request, reader.settings))
    with reader.open(reserve(timeout(request, reader.settings))) as snapshot:
        with watch("fence"):
            asked = opened(about(frame(request, query, reader, snapshot), topics), reader)
            asked = with_extra(timed(in_play(asked, snapshot), snapshot), reader, nominated)
        findings = search(asked, embedded, reader, snapshot, watch)
        with watch("fuse"):
            fused = fuse(fusion_of(asked.profile, reader.settings), findings, asked.query, findings.mix)
            dense = (reader.mix.dense, findings.mix.dense)
        with watch("rank"):
            ranking = ranked(fused, asked, snapshot)
        with watch("gate"):
            gated = gate(ranking.ranked, gate_context(asked, reader.calibration, dense))
            asked = escalated(asked, gated)
        with watch("collapse"):
            chosen = choose(gated, asked, reader, snapshot)
            profiles = profiled(chosen.kept, asked, snapshot)
    with watch("rerank"):
        asked, kept, dropped = reranked(asked, chosen, reader, dense)
    short_ids = label(kept)
    with watch("safety"):
        show = screened({**chosen.bodies, **profiles.bodies}, asked.fence.ceiling, watch)
    with watch("fit"):
        seated = (placed if asked.request.moment == "snapshot" else seat)(kept, asked)
        fitted = fit(seated, show, short_ids, asked, asked.policy)
    with watch("render"):
        lines = [one.line for one in fitted.placed]
        rendered = block(lines, asked.instant, asked.policy, asked.order)
        found = Found(ranking.ranked, kept, chosen.bodies, fitted.placed)
        told, known = mismatch(found, asked, reader.language), beside(profiles, fitted.placed, show)
    cuts = (*ranking.cuts, *gated.cuts, *chosen.cuts, *dropped, *fitted.cuts)
    account = Account(asked, findings, ranking, gated, cuts, fitted, short_ids, rendered, told, known)
    return conclude(account, reader, watch)
