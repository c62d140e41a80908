"""Times are read exactly or not at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidInput
from bethink.importing.times import read_time, zone

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    "value",
    [
        1714564800,
        1714564800.0,
        1714564800_000,
        1714564800_000_000,
        1714564800_000_000_000,
        "1714564800",
        "1714564800.0",
        "2024-05-01T12:00:00Z",
        "2024-05-01T14:00:00+02:00",
        "2024-05-01 12:00:00 UTC",
        " 2024-05-01T12:00:00.000Z ",
    ],
)
def test_a_time_with_its_zone_is_read_whatever_zone_would_be_assumed(value):
    found = read_time(value, BERLIN)

    assert (found.at, found.zone_assumed) == (NOON, False)


@pytest.mark.parametrize(
    "value", ["2024-05-01T14:00:00", "2:00 pm on 1 May, 2024", "2:00 PM on 1 may 2024", "02:00 p.m. on 1 May, 2024"]
)
def test_a_time_without_a_zone_takes_the_assumed_one_and_says_so(value):
    found = read_time(value, BERLIN)

    assert (found.at, found.zone_assumed, found.text) == (NOON, True, value)


@pytest.mark.parametrize(("spoken", "hour"), [("12:05 am", 0), ("12:05 pm", 12), ("1:05 am", 1), ("11:05 pm", 23)])
def test_midnight_and_noon_are_told_apart(spoken, hour):
    assert read_time(f"{spoken} on 8 May, 2023", UTC).at == datetime(2023, 5, 8, hour, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        None, True, [], {}, "", " ", "yesterday", "13:00 pm on 8 May, 2023", "0:10 am on 8 May, 2023",
        "1:56 pm on 31 June, 2023", "1:56 pm on 8 Mai, 2023", "1:61 pm on 8 May, 2023", "05/06/2024", "20240501",
        "2024-13-01", "9999-12-31T23:59:59-10:00", "0001-01-01T00:00:00+10:00", "1024-05-01T00:00:00Z",
        0, -1, -1e12, float("nan"), float("inf"), 1e300, 10**30, 9e12 * 1e8, "9" * 40, "2024-05-01T12:00\0Z",
        "x" * 5_000, "2024-05-01T12:00:00\ud800",
    ],
)  # fmt: skip
def test_what_is_no_certain_time_is_none(value):
    assert read_time(value, UTC) is None


@given(st.datetimes(datetime(1970, 1, 2), datetime(9999, 12, 30)), st.integers(-14 * 60, 14 * 60))  # noqa: DTZ001 - zones are added below
def test_an_iso_text_is_read_back_exactly(moment, minutes):
    aware = moment.replace(tzinfo=UTC) + timedelta(0)
    shown = (aware + timedelta(minutes=minutes)).isoformat() if minutes == 0 else aware.isoformat()

    assert read_time(shown, BERLIN).at == aware


@given(st.integers(1, 4_000_000_000), st.integers(0, 999_999))
def test_seconds_and_smaller_units_name_the_same_instant(seconds, micros):
    expected = datetime.fromtimestamp(seconds, UTC)

    assert read_time(seconds, UTC).at == expected
    if seconds > 10**8:
        assert read_time(seconds * 1_000_000 + micros, UTC).at == expected + timedelta(microseconds=micros)


@given(st.text(max_size=40) | st.floats() | st.integers())
def test_no_value_breaks_the_reader(value):
    found = read_time(value, UTC)

    assert found is None or found.at.utcoffset() == timedelta(0)


@pytest.mark.parametrize("name", ["Mars/Olympus", "", "../etc/passwd", "/etc/localtime", "America", "x\0y"])
def test_an_unknown_zone_is_refused(name):
    with pytest.raises(InvalidInput, match="no time zone"):
        zone(name)
