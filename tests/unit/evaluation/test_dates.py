"""Times as the data sets write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bethink.errors import InvalidInput
from bethink.evaluation.dates import read_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1:56 pm on 8 May, 2023", (2023, 5, 8, 13, 56)),
        ("12:05 am on 1 January, 2024", (2024, 1, 1, 0, 5)),
        ("12:05 pm on 1 January, 2024", (2024, 1, 1, 12, 5)),
        ("01:56:04 AM on Monday 08 May, 2023", (2023, 5, 8, 1, 56, 4)),
        ("March-15-2024", (2024, 3, 15)),
        ("2023/05/20 (Sat) 02:21", (2023, 5, 20, 2, 21)),
        ("2023-05-20T02:21:00+02:00", (2023, 5, 20, 0, 21)),
        ("2023-05-20", (2023, 5, 20)),
    ],
)
def test_every_form_is_read_as_utc(text, expected):
    assert read_date(text) == datetime(*expected, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["", "yesterday", "25:00 pm on 8 May, 2023", "8 Maj 2023", "Marz-15-2024", "May-32-2024"]
)
def test_what_is_no_date_is_refused(text):
    with pytest.raises(InvalidInput, match="no date"):
        read_date(text)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59", "9999-12-31T23:59:59-12:00"])
def test_a_date_at_the_ends_of_the_calendar_is_refused_for_nothing_could_follow_it(text):
    with pytest.raises(InvalidInput, match="no date"):
        read_date(text)
