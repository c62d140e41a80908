"""A date means that whole day; a time means itself and names its zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.errors import InvalidInput
from bethink.interfaces.when import end, moment, start

DAY = timedelta(days=1)


@given(st.dates(max_value=datetime(9999, 12, 30, tzinfo=UTC).date()))
def test_a_date_is_its_whole_day(date):
    midnight = datetime(date.year, date.month, date.day, tzinfo=UTC)

    assert start(date.isoformat(), "x") == midnight
    assert end(date.isoformat(), "x") == midnight + DAY
    assert moment(date.isoformat(), "x") == midnight + DAY - timedelta(microseconds=1)


def test_the_last_day_of_the_calendar_ends_with_its_last_instant():
    last = datetime.max.replace(tzinfo=UTC)

    assert start("9999-12-31", "x") == datetime(9999, 12, 31, tzinfo=UTC)
    assert end("9999-12-31", "x") == last
    assert moment("9999-12-31", "x") == last - timedelta(microseconds=1)


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_time_is_itself(instant):
    assert {read(instant.isoformat(), "x") for read in (start, end, moment)} == {instant}


@requirement("P74")
@pytest.mark.parametrize("read", [start, end, moment])
@pytest.mark.parametrize("text", ["", "yesterday", "2026-13-01", "2026-03-01T10:00:00", "9999-12-31T23:59:59-10:00"])
def test_what_cannot_be_read_is_refused_by_name(read, text):
    with pytest.raises(InvalidInput, match="since"):
        read(text, "since")


def test_nothing_is_nothing():
    assert [read(None, "x") for read in (start, end, moment)] == [None, None, None]
