"""What an operator sees of a trace comes back from its packed form as it was, number by number."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.domain.trace import Cut, Trace
from bethink.errors import StoreCorrupt
from bethink.store.failures import decoding
from bethink.store.trace_pack import pack, unpack
from bethink.testing.fakes import ManualClock
from tests.store.trace_things import trace

PACKED = ("arms", "pool", "cuts", "passed_over", "stages_ms")
IDS = st.text("abc-0189é", min_size=1, max_size=6)
BILLIONTHS = st.integers(-(2**31) + 1, 2**31 - 1).map(lambda whole: whole / 10**9)
ANY = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def traces(draw: st.DrawFn, numbers: st.SearchStrategy[float]) -> Trace:
    """Traces whose arms and cuts name what is in the pool and what is not."""
    ids = draw(st.lists(IDS, unique=True, max_size=8))
    anyone, maybe = st.sampled_from([*ids, "outside", "also outside"]), st.none() | numbers
    pool = [
        {
            "id": id_,
            "type": draw(st.sampled_from(["turn", "fact"])),
            **{name: draw(numbers) for name in ("score", "match", "text")},
            "cosine": draw(maybe),
            "matched": draw(st.integers(0, 40)),
            "parts": draw(st.dictionaries(st.sampled_from(["match", "scope", "penalty"]), numbers)),
        }
        for id_ in ids
    ]
    hits = st.tuples(anyone, st.integers(1, 200), numbers).map(list)
    arms = [{"arm": arm, "hits": draw(st.lists(hits, max_size=6)), "matched": 7, "ms": 0.25} for arm in ("dense", "x")]
    arms[1]["degraded"] = "out of time"
    cuts = draw(st.lists(st.builds(Cut, st.sampled_from(["gate", "count"]), anyone, IDS, maybe, maybe), max_size=8))
    more = {"passed_over": draw(st.integers(0, 300)), "stages_ms": {"form": draw(ANY)}}
    return trace(ManualClock(), arms=tuple(arms), pool=tuple(pool), cuts=tuple(cuts), **more)


@given(st.booleans().flatmap(lambda any_: traces(ANY if any_ else BILLIONTHS)))
def test_what_is_packed_is_unpacked_as_it_was(whole: Trace):
    assert unpack(pack(whole)) == {name: getattr(whole, name) for name in PACKED}


def numbers_of(whole: Trace) -> int:
    """Bytes of the column of numbers."""
    raw = zlib.decompress(pack(whole))
    return len(raw) - 4 - int.from_bytes(raw[:4], "little")


@pytest.mark.parametrize(
    ("number", "width"),
    [(0.123456789, 4), (-2.147483647, 4), (0.1234567891, 8), (2.147483648, 8), (-2.147483648, 8), (1e300, 8)],
)
def test_numbers_are_billionths_in_four_bytes_and_where_one_is_none_all_are_whole_floats(number, width):
    whole = trace(ManualClock(), pool=(), arms=(), cuts=(Cut("gate", "r1", "low", number, None),))

    assert unpack(pack(whole))["cuts"] == whole.cuts
    assert numbers_of(whole) == 2 * width


def test_a_recalls_trace_packs_into_a_few_bytes_a_number():
    row = {"type": "turn", "score": 0.5, "match": 0.25, "text": 0.25, "cosine": None, "matched": 1, "parts": {}}
    pool: tuple[dict[str, Any], ...] = tuple({"id": f"r{at}", **row} for at in range(64))

    assert numbers_of(trace(ManualClock(), pool=pool, arms=(), cuts=())) == 4 * 4 * 64


@given(st.binary(max_size=40), st.integers(0, 10**6))
def test_damage_is_told_as_damage(junk, cut):
    whole = zlib.decompress(pack(trace(ManualClock())))
    for raw in (junk, whole[: cut % len(whole)]):
        with pytest.raises(StoreCorrupt), decoding():
            unpack(zlib.compress(raw))
