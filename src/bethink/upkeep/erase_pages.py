"""Erase pages: what is one user's goes page by page, each whole by itself, with a receipt for each and for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bethink.domain.record import Record
from bethink.domain.session import Turn
from bethink.errors import DeadlineExceeded, StoreError
from bethink.formation.desk import Desk
from bethink.operations.records import Operation, Receipt
from bethink.ports.traces import TraceStore
from bethink.upkeep.clear_traces import clear_traces
from bethink.upkeep.erase import bar

GOES_ON = "what is the user's and was not reached: repeat the call to go on"
LATER = "old pages, which are cut when the whole is done"
PAGE = 200
"""Records and turns erased at a time."""


@dataclass(slots=True)
class Erasing:
    """An erase of a user's under way: whose, with how many seconds for each step, and what was done so far."""

    desk: Desk
    traces: TraceStore
    user: str
    seconds: float
    removed: Counter[str] = field(default_factory=Counter)
    problems: dict[str, None] = field(default_factory=dict)
    beyond: dict[str, None] = field(default_factory=dict)

    def erase(self, ids: Sequence[str], records: Sequence[Record] = (), kept: Sequence[Turn] = ()) -> bool:
        """Erase a page, with the traces of others that name it or ask with its words, and write its receipt.

        Where those traces cannot be cleared the page stays, since they could not be told afterwards; whether it went.

        Args:
            ids: the records and turns, with all that derives from them.
            records: those of them that may not come back out of turns that stay.
            kept: the turns that stay.
        """
        desk, seconds = self.desk, self.seconds
        lost = desk.store.lost(desk.tenant, ids, deadline=seconds)
        cleared, why = clear_traces(self.traces, desk.tenant, ids, lost, seconds)
        self.removed["traces"] += cleared
        if why:
            self.problems |= {f"traces that name what is the user's ({why})": None, GOES_ON: None}
            return False
        if records:
            with desk.store.write(desk.tenant, deadline=seconds) as work:
                bar(work, records, kept)
        erased = desk.store.erase(desk.tenant, ids, desk.clock.now(), deadline=seconds, more=True)
        self.removed.update(erased.rows)
        self.beyond |= dict.fromkeys(erased.remains[1:])
        with desk.store.write(desk.tenant, deadline=seconds) as work:
            page = replace(self.receipt("erase", ids, Counter(erased.rows)), remains=(LATER,))
            work.receipts.add(page, self.user)
        return True

    def clear(self, session: str | None = None) -> None:
        """Remove the traces of the user's own recalls, or of those in one session."""
        tenant, seconds = self.desk.tenant, self.seconds
        try:
            gone = self.traces.forget_user(tenant, self.user, session=session, deadline=seconds)
            self.removed["traces"] += gone
        except (StoreError, DeadlineExceeded) as error:
            self.problems |= {f"traces of the user's recalls ({error.code})": None}

    def finished(self, operation: Operation, ids: Sequence[str], stays: Sequence[str]) -> Receipt:
        """Cut old pages, and give the receipt of the whole, in its place in the chain."""
        desk = self.desk
        if not desk.store.run_due_jobs(deadline=self.seconds):
            self.problems |= {"old pages of the file: `bethink repair` finishes it": None}
        remains = (*self.problems, *self.beyond, *stays)
        whole = replace(self.receipt(operation, ids, self.removed), remains=remains, complete=not self.problems)
        with desk.store.write(desk.tenant) as work:
            return work.receipts.add(whole, self.user)

    def receipt(self, operation: Operation, ids: Sequence[str], removed: Counter[str]) -> Receipt:
        """A receipt before it has its place."""
        counted = {kind: count for kind, count in sorted(removed.items()) if count}
        at = self.desk.clock.now()
        return Receipt(operation, tuple(ids), (), (), counted, complete=False, remains=(), at=at, digest="")
