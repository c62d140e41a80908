"""Screening stored texts anew, once for a new version's rules instead of at every recall."""

from __future__ import annotations

from bethink.store.database import Database
from bethink.text.screen import clean_under, rules_id
from bethink.text.template import belief_text

_PAGE = 200
"""Texts screened between two transactions: a writer waits for their notes alone, not for the screen."""


def screen_anew(database: Database, tenant: str) -> int:
    """Screen a tenant's texts that other rules than today's found clean; how many.

    A recall believes what is kept beside a text under the rules of today alone, so nothing unsafe is shown meanwhile.

    Raises:
        StoreBusy, StoreReadOnly, StoreFull, DeadlineExceeded: the pages before stay done.
    """
    rules, done, after = rules_id(), 0, -1
    while rules:
        about = {"tenant": tenant, "rules": rules, "after": after, "limit": _PAGE}
        with database.reading(tenant=tenant) as on:
            rows = on.rows("list_clean_under_others", **about)
        if not rows:
            break
        said = [(key, place, belief_text(subject, text)) for key, subject, text, place in rows]
        notes = [(place, {"tenant": tenant, "key": key, "screened": clean_under(text)}) for key, place, text in said]
        with database.writing(tenant=tenant) as on:
            for place in ("turn", "version"):
                on.run_many(f"put_screened_{place}", [note for table, note in notes if table == place])
        done, after = done + len(rows), rows[-1][0]
    return done
