"""Whether a trace's question says what was erased, and whether a trace comes too late to be asked."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from bethink.domain.time import BEGINNING, to_micros
from bethink.ports.traces import UNDER_WAY, Lost
from bethink.store.database import Connection
from bethink.text.analyse import analyse

_ASKED = ("text", "objective", "rewritten")
_LISTED = ("open_questions", "subjects", "entities", "aliases")
_JOINT = "\x1f"


class Wording:
    """What no question may say any more: a lost word, or an erased text word for word."""

    def __init__(self, lost: Lost) -> None:
        self._terms = lost.terms
        self._language = lost.language
        runs = ((text, self._run(text)) for text in lost.texts)
        # A text without any word, such as a lone emoji, is looked for as it stands.
        self._runs = tuple((run or None, text.casefold().strip()) for text, run in runs)

    def said_by(self, query: Mapping[str, Any]) -> bool:
        """Whether the question of a trace says it, in what was asked, named or rewritten."""
        parts = [str(query.get(name) or "") for name in _ASKED]
        parts += [str(item) for name in _LISTED for item in query.get(name, ())]
        return any(self._says(part) for part in parts if part)

    def _says(self, text: str) -> bool:
        run = self._run(text)
        if not self._terms.isdisjoint(run.split(_JOINT)):
            return True
        folded = text.casefold()
        return any(wanted in run if wanted else raw in folded for wanted, raw in self._runs)

    def _run(self, text: str) -> str:
        """The terms in their order, each between two joints; empty without any."""
        terms = analyse(text, self._language)
        return f"{_JOINT}{_JOINT.join(terms)}{_JOINT}" if terms else ""


def bar_late(on: Connection, tenant: str, lost: Lost, now: datetime) -> None:
    """Remember that traces of recalls which read the store before this erase lose their words when they come.

    The words themselves cannot be remembered: that is what was erased. So such a trace is not asked what it says.
    """
    at, before = _barred(on, tenant)
    recent = to_micros(now - UNDER_WAY) <= at <= to_micros(now)
    value = f"{to_micros(now)} {max(before, lost.before) if recent else lost.before}"
    on.run("put_meta", name=_mark(tenant), value=value)


def is_late(on: Connection, tenant: str, position: int, created_at: int) -> bool:
    """Whether a trace's recall read the store at a position from before an erase, and came to its end around it."""
    at, before = _barred(on, tenant)
    return position < before and created_at <= at + UNDER_WAY // timedelta(microseconds=1)


def _barred(on: Connection, tenant: str) -> tuple[int, int]:
    """When the last erase was, and the position from which on a recall knew of it."""
    row = on.row("read_meta", name=_mark(tenant))
    if row is None:
        return BEGINNING, 0
    at, before = row[0].split()
    return int(at), int(before)


def _mark(tenant: str) -> str:
    """The name of a tenant's mark, which does not tell others whose it is."""
    return f"erased/{hashlib.sha256(tenant.encode()).hexdigest()[:32]}"
