"""Pairs of records of a tenant, and who decides about them."""

from __future__ import annotations

from datetime import datetime

from bethink.domain.time import FOREVER, to_micros
from bethink.ports.pairs import Decided, FreshRecord, PairKind, RecordPair
from bethink.store.context import Reading, Writing


class Pairs:
    """The `PairWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def fresh(self, after: int, until: int, limit: int) -> tuple[FreshRecord, ...]:
        """Beliefs whose live version was written between two positions, in the order they were."""
        about = {"tenant": self._tenant, "after": after, "until": until, "limit": limit}
        return tuple(FreshRecord(*row) for row in self._on.rows("fresh_records", forever=FOREVER, **about))

    def place(self, record_id: str) -> tuple[str, str | None] | None:
        """The key of a record's owner and the project it was learned in, whoever may read it: for upkeep."""
        row = self._on.row("place_of_record", tenant=self._tenant, id=record_id)
        return None if row is None else (row[0], row[1])

    def waiting(self, kind: PairKind) -> int:
        """How many pairs nobody decided about yet."""
        row = self._on.row("count_waiting_pairs", tenant=self._tenant, kind=kind)
        return row[0] if row else 0

    def note(self, pair: RecordPair, at: datetime) -> bool:
        """Keep a pair to be decided about; whether it is a new one."""
        return bool(
            self._on.run("note_pair", kind=pair.kind, cosine=pair.cosine, at=to_micros(at), **self._place(pair))
        )

    def claim(self, kind: PairKind, at: datetime, until: datetime, limit: int) -> tuple[RecordPair, ...]:
        """Take pairs nobody decided about, oldest first; nobody else is given them before `until`.

        The writers of a tenant take turns, so that no two are given the same.
        """
        rows = self._on.rows("unclaimed_pairs", tenant=self._tenant, kind=kind, at=to_micros(at), limit=limit)
        pairs = tuple(RecordPair(*row) for row in rows)
        self._on.run_many("claim_pair", [{"until": to_micros(until), **self._place(pair)} for pair in pairs])
        return pairs

    def decide(self, pair: RecordPair, decision: Decided, by: str, at: datetime) -> None:
        """Write down what was decided, and by whom."""
        self._on.post("decide_pair", decision=decision, by=by, at=to_micros(at), **self._place(pair))

    def reopen(self, pair: RecordPair, at: datetime) -> None:
        """Let a pair that turned out to say the same be decided about as such."""
        self._on.post("reopen_pair", at=to_micros(at), **self._place(pair))

    def _place(self, pair: RecordPair) -> dict[str, str]:
        """A pair as its row names it."""
        return {"tenant": self._tenant, "first_id": pair.first, "second_id": pair.second}
