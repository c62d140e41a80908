"""Checking the search index against the truth, and building it anew from it.

The truth is what the caller passes as cards, one per entry that should be found by its words, and the stored vectors.
Nothing here can lose a record: what is wrong is dropped and derived again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bethink.operations.upkeep import Finding
from bethink.store.analyser import count_build
from bethink.store.card import IndexCard
from bethink.store.column_segments import flaws_of_columns, seal_columns
from bethink.store.database import Connection
from bethink.store.names import add_names, name_forms
from bethink.store.postings import numbers, posting_rows, terms_of
from bethink.store.segments import Place, encode, read_segment, read_vectors, seal
from bethink.text.trigrams import trigrams

_PAGE = 2_000
_LISTED = 5


def check_index(connection: Connection, tenant: str, cards: Iterable[IndexCard], language: str) -> list[Finding]:
    """Everything in a tenant's index that differs from what its cards and vectors give; empty when it is sound."""
    wanted = _Expected(language)
    for card in cards:
        wanted.take(card)
    scopes = {scope for (scope,) in connection.rows("list_posting_scopes", tenant=tenant)} | set(wanted.words)
    flaws: list[Finding] = []
    for scope in sorted(scopes):
        flaws += _check_words(connection, tenant, scope, wanted.words.get(scope, {}))
        flaws += _check_names(connection, tenant, scope, wanted.names.get(scope, {}))
    return flaws + _check_vectors(connection, tenant) + _check_columns(connection, tenant)


def rebuild_index(connection: Connection, tenant: str, cards: Iterable[IndexCard], language: str) -> dict[str, int]:
    """Derive a tenant's postings, names and segments anew, in the caller's transaction; how many rows of each."""
    connection.run("delete_segments", tenant=tenant)
    built = rebuild_words(connection, tenant, cards, language) | {"vectors": 0, "segments": 0}
    counted = {(space, scope): -rows for space, scope, rows in connection.rows("list_vector_states", tenant=tenant)}
    for space, scope, rows in connection.rows("count_vectors", tenant=tenant):
        counted[space, scope] = counted.get((space, scope), 0) + rows
        built["vectors"] += rows
    for (space, scope), change in counted.items():
        place = Place(tenant, space, scope)
        connection.run("put_vector_state", shape=1, rows=change, **place.where)
        built["segments"] += seal(connection, place)
    connection.run("delete_column_segments", tenant=tenant)
    scopes = [scope for (scope,) in connection.rows("list_entry_scopes", tenant=tenant)]
    built["columns"] = sum(seal_columns(connection, (tenant, scope)) for scope in scopes)
    return built


def rebuild_words(connection: Connection, tenant: str, cards: Iterable[IndexCard], language: str) -> dict[str, int]:
    """Derive a tenant's postings and names anew, in the caller's transaction; how many rows of each."""
    for query in ("delete_all_postings", "delete_all_name_grams", "delete_all_name_entries"):
        connection.run(query, tenant=tenant)
    count_build(connection)
    built = {"postings": 0, "names": 0}
    for card in cards:
        rows = list(posting_rows(tenant, [card], language))
        connection.run_many("insert_posting", rows)
        add_names(connection, tenant, card)
        built["postings"] += len(rows)
        built["names"] += len(name_forms(card))
    return built


class _Expected:
    """What cards should have left in the index: per scope and key a sum over its terms, per scope and name its keys."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.words: dict[str, dict[int, int]] = {}
        self.names: dict[str, dict[str, set[int]]] = {}

    def take(self, card: IndexCard) -> None:
        """Add one card."""
        terms = terms_of(card, self._language)
        packed = np.fromiter(terms.values(), np.int64, len(terms))
        marks = _marks(np.array([hash(term) for term in terms], dtype=np.int64), packed)
        self.words.setdefault(card.scope, {})[card.key] = int(marks.sum())
        for name in name_forms(card):
            self.names.setdefault(card.scope, {}).setdefault(name, set()).add(card.key)


def _marks(terms: NDArray[np.int64], packed: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number per posting such that the sum over an entry's postings tells any other set of them apart."""
    mixed = (terms ^ packed) * np.int64(0x9E3779B97F4A7C15 - 2**64)
    mixed ^= mixed >> 29
    return mixed * np.int64(0x4F2162926E40C299)


def _check_words(connection: Connection, tenant: str, scope: str, wanted: dict[int, int]) -> list[Finding]:
    """Compare the sums of a scope's entries."""
    found: dict[int, int] = {}
    after = ""
    while True:
        page = connection.rows("list_postings", tenant=tenant, scope=scope, after=after, limit=_PAGE)
        for term, listed, packed in page:
            marks = _marks(np.array([hash(term)], dtype=np.int64), numbers(packed))
            for key, mark in zip(numbers(listed).tolist(), marks.tolist(), strict=True):
                found[key] = (found.get(key, 0) + mark + 2**63) % 2**64 - 2**63
        if len(page) < _PAGE:
            break
        after = page[-1][0]
    wrong = sorted(key for key in wanted.keys() | found.keys() if wanted.get(key, 0) != found.get(key, 0))
    return (
        [Finding("postings", f"{scope}: the terms of {_some(wrong)} are not those of the text.", repairable=True)]
        if wrong
        else []
    )


def _check_names(connection: Connection, tenant: str, scope: str, wanted: dict[str, set[int]]) -> list[Finding]:
    """Compare who bears which name, and how many trigrams each name has."""
    found = {
        name: set(numbers(keys).tolist()) for name, keys in connection.rows("list_bearers", tenant=tenant, scope=scope)
    }
    wrong = sorted(set().union(*(wanted.get(n, set()) ^ found.get(n, set()) for n in wanted.keys() | found.keys())))
    flaws = (
        [Finding("names", f"{scope}: the names of {_some(wrong)} are not those of the card.", repairable=True)]
        if wrong
        else []
    )
    grams: dict[str, int] = dict(connection.rows("list_name_grams", tenant=tenant, scope=scope))
    odd = sum(len(trigrams(name)) != grams.pop(name, 0) for name in wanted) + len(grams)
    return (
        [*flaws, Finding("names", f"{scope}: {odd} names have other trigrams than theirs.", repairable=True)]
        if odd
        else flaws
    )


def _check_vectors(connection: Connection, tenant: str) -> list[Finding]:
    """Compare counts and segments with the stored vectors."""
    flaws: list[Finding] = []
    states = {(space, scope): rows for space, scope, rows in connection.rows("list_vector_states", tenant=tenant)}
    held = {(space, scope): rows for space, scope, rows in connection.rows("count_vectors", tenant=tenant)}
    for space, scope in sorted(states.keys() | held.keys()):
        place = Place(tenant, space, scope)
        counted, stored = states.get((space, scope), 0), held.get((space, scope), 0)
        if counted != stored:
            flaws.append(_flaw("vectors", f"{scope}: {stored} vectors, counted as {counted}."))
        seen: set[int] = set()
        for first_key, *_ in connection.rows("list_segments", **place.where):
            if not _segment_is_sound(connection, place, first_key, seen):
                flaws.append(_flaw("segments", f"{scope}: segment {first_key} is not what its vectors give."))
    return flaws


def _check_columns(connection: Connection, tenant: str) -> list[Finding]:
    """Compare the segments of columns with what the tables give."""
    flaws = []
    for (scope,) in connection.rows("list_column_scopes", tenant=tenant):
        wrong = flaws_of_columns(connection, (tenant, scope))
        if wrong:
            shown = ", ".join(map(str, wrong[:_LISTED]))
            flaws.append(_flaw("columns", f"{scope}: {len(wrong)} segments are not what was written ({shown})."))
    return flaws


def _segment_is_sound(connection: Connection, place: Place, first_key: int, seen: set[int]) -> bool:
    """Whether a segment holds its vectors' codes and no key of the segments seen before; `seen` gets its keys."""
    keys, codes = read_segment(connection, place, first_key)
    listed = keys.tolist()
    stored, vectors = read_vectors(connection.rows("read_vectors", keys=json.dumps(listed), **place.where))
    alone = seen.isdisjoint(listed)
    seen.update(listed)
    if not alone or not np.array_equal(stored, keys):
        return False
    fresh = encode(vectors)
    return (
        np.array_equal(fresh.planes, codes.planes)
        and np.array_equal(fresh.scales, codes.scales)
        and np.array_equal(fresh.bytes, codes.bytes)
    )


def _flaw(place: str, text: str) -> Finding:
    """A finding about derived state, which can always be built anew."""
    return Finding(place, text, repairable=True)


def _some(keys: list[int]) -> str:
    """A few keys and how many there are."""
    shown = ", ".join(map(str, keys[:_LISTED]))
    return f"entry {shown}" if len(keys) <= _LISTED else f"{len(keys)} entries ({shown}, ...)"
