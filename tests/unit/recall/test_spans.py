"""The times a question names: a table of how people say them, and what holds for any text at all."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.domain.query import TimeSpan
from bethink.recall.ordinals import Counted, sessions_span
from bethink.recall.spans import MAX_SPANS, named_times

NOW = datetime(2023, 10, 18, 14, 30, tzinfo=UTC)
"""A Wednesday."""

ABSOLUTE = {
    "What did we discuss on 8 May 2023?": "2023-05-08",
    "What did we discuss on May 8, 2023?": "2023-05-08",
    "What did we discuss on the 8th of May, 2023?": "2023-05-08",
    "what did we discuss on may 8th": "2023-05-08",
    "On Monday, 8 May 2023, what did we say?": "2023-05-08",
    "What was decided on 2023-05-08?": "2023-05-08",
    "What was decided on 2023/05/08?": "2023-05-08",
    "What was decided on 05/13/2023?": "2023-05-13",
    "What was decided on 13.05.2023?": "2023-05-13",
    "What was decided on Dec. 24?": "2022-12-24",
    "What was decided on 29 February?": "2020-02-29",
    "What was decided in May 2023?": "2023-05",
    "What was decided in the month of May?": "2023-05",
    "What was decided in October?": "2023-10",
    "What was decided in November?": "2022-11",
    "What was decided in May last year?": "2022-05",
    "What happened in 2021?": "2021",
}
RELATIVE = {
    "What did we do today?": "2023-10-18",
    "What did we say yesterday?": "2023-10-17",
    "What did we say the day before yesterday?": "2023-10-16",
    "What is on tomorrow?": "2023-10-19",
    "What did we say two days ago?": "2023-10-16",
    "What did we say 98 days ago?": "2023-07-12",
    "What did we say then and two days ago?": "2023-10-16",
    "What did we say last Tuesday?": "2023-10-17",
    "What did we say on Wednesday?": "2023-10-11",
    "What did we say Monday?": "2023-10-16",
    "What did we say last month?": "2023-09",
    "What did we say four months ago?": "2023-06",
    "What did we say last year?": "2022",
    "What did we say last December?": "2022-12",
    "What did we say last week?": ("2023-10-09", "2023-10-16"),
    "What did we say a couple of weeks ago?": ("2023-10-02", "2023-10-09"),
    "What did we say last weekend?": ("2023-10-14", "2023-10-16"),
    "What did we say the weekend of 6 May?": ("2023-05-06", "2023-05-08"),
    "What did we say the week of May 10th?": ("2023-05-08", "2023-05-15"),
    "What did we say the day after 8 May?": "2023-05-09",
    "What did we say two weeks before August 11, 2023?": "2023-07-28",
}
HOURS = {
    "What did we say this morning?": ("2023-10-18T00:00", "2023-10-18T12:00"),
    "What did we say last night?": ("2023-10-17T18:00", "2023-10-18T06:00"),
    "What did we say yesterday afternoon?": ("2023-10-17T12:00", "2023-10-17T18:00"),
    "What did we say on the evening of 8 May?": ("2023-05-08T17:00", "2023-05-09T00:00"),
    "What did we say yesterday at 3 pm?": ("2023-10-17T14:30", "2023-10-17T15:30"),
    "What did we say at 3pm on 8 May?": ("2023-05-08T14:30", "2023-05-08T15:30"),
    "What did we say on May 8 around 15:30?": ("2023-05-08T15:00", "2023-05-08T16:00"),
    "What did we say an hour ago?": ("2023-10-18T13:00", "2023-10-18T14:00"),
    "What did we say over the last 3 days?": ("2023-10-15T00:00", "2023-10-18T14:30:00.000001"),
    "What did we say this last week?": ("2023-10-11T00:00", "2023-10-18T14:30:00.000001"),
    "What did we say in the past month?": ("2023-09-18T00:00", "2023-10-18T14:30:00.000001"),
}
RANGES = {
    "between 8 May 2023 and 9 June 2023": ("2023-05-08", "2023-06-10"),
    "between May 8th and June 9th": ("2023-05-08", "2023-06-10"),
    "between May 8th and 12th": ("2023-05-08", "2023-05-13"),
    "between December 20 and January 5": ("2022-12-20", "2023-01-06"),
    "between December 20 and January 5, 2022": ("2021-12-20", "2022-01-06"),
    "from 3 to 5 May": ("2023-05-03", "2023-05-06"),
    "on May 3-5, 2022": ("2022-05-03", "2022-05-06"),
    "from March through May": ("2023-03-01", "2023-06-01"),
    "from 2021 to 2022": ("2021-01-01", "2023-01-01"),
    "between Monday and Tuesday": ("2023-10-16", "2023-10-18"),
    "from last Monday to yesterday": ("2023-10-16", "2023-10-18"),
    "before 8 May": ("0001-01-01", "2023-05-08"),
    "until 8 May": ("0001-01-01", "2023-05-09"),
    "after May 2023": ("2023-06-01", "9999-12-31T23:59:59.999999"),
    "since last week": ("2023-10-09", "9999-12-31T23:59:59.999999"),
    "from May onwards": ("2023-05-01", "9999-12-31T23:59:59.999999"),
}
NONE = """
    What was decided on 05/08/2023?|The May 8 Committee|What of the September 11 attacks?|May I ask about March Madness?
    Have you seen "Last Friday"?|Is it Friday the 13th?|What do I do every Friday?|Is it a Good Friday?
    What is it in 2023 dollars?|Which fix is in v2023?|Is ticket 2023-05-08-a closed?|Who came to the 4th of July party?
    What did we say more than two weeks ago?|What did we say a few days ago?|What about 31 February 2023?|On the 8th?
    between 3 and 5 apples|Who is April?|Did June march in?|the first half of the game|I may 8 times|24/7|page 2023
    What did I do on her first day?|The movie Last Year came out|2001: a film|Is it the last day of the trial?
    my last week at the job|recently|the other day|next to the last house|so may we meet|and may I ask
    What did we say half a year ago?|What did we say half an hour ago?|What did we say twenty five days ago?
    What did we say three or four days ago?|What did we say two to three weeks ago?|What did we say 3,5 weeks ago?
    What did we say a hundred and five days ago?|What changed in version 2025.3.4?|Which fix is in release 2023-05-08?
"""
COUNTED = {
    "What did we discuss in our third session?": (3, 3),
    "What did we discuss in our twenty-eighth session?": (28, 28),
    "What did we discuss in the 30th conversation?": (30, 30),
    "In session 6, what did Ann sign up for?": (6, 6),
    "What was said in session #12?": (12, 12),
    "What did we discuss over sessions 2 through 4?": (2, 4),
    "What did we discuss in sessions 2-4?": (2, 4),
    "What did we discuss in the second and third sessions?": (2, 3),
    "What was our last conversation?": (-1, -1),
    "What did we talk about last time?": (-1, -1),
    "What was said in the session before last?": (-2, -2),
    "What did we discuss two sessions ago?": (-2, -2),
    "What did we discuss in the last three sessions?": (-3, -1),
}
UNCOUNTED = """
    How was her last session?|Ann's third session|the third yoga session|yoga session 5|our last conversation about tea
    the last chat room|the last time Ann sang|a first session musician|session zero|the last discussion with Bob
"""


def rows(text: str) -> list[str]:
    return [row.strip() for line in text.splitlines() for row in line.split("|") if row.strip()]


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def window(told: str | tuple[str, str]) -> TimeSpan:
    """A day, month or year by its name, or two ends."""
    if isinstance(told, tuple):
        return TimeSpan(instant(told[0]), instant(told[1]))
    start = instant(told + "-01-01"[len(told) - 4 :] if len(told) < 10 else told)
    days = {4: 366, 7: 31, 10: 1}[len(told)]
    after = start + timedelta(days=days)
    return TimeSpan(start, after if len(told) == 10 else after.replace(day=1))


@pytest.mark.parametrize(("question", "told"), [*ABSOLUTE.items(), *RELATIVE.items(), *HOURS.items()])
def test_a_named_time_is_one_half_open_window(question, told):
    assert named_times(question, NOW).spans == (window(told),)


@pytest.mark.parametrize(("named", "told"), RANGES.items())
def test_a_range_goes_from_the_beginning_of_one_time_to_the_end_of_another_or_stays_open(named, told):
    assert named_times(f"What did we talk about {named}?", NOW).spans == (window(told),)
    assert named_times(f"What did we talk about {named}?", NOW).only


@pytest.mark.parametrize("question", rows(NONE))
def test_what_is_unclear_or_part_of_another_phrase_gives_no_window(question):
    assert named_times(question, NOW).spans == ()


@pytest.mark.parametrize(("question", "told"), COUNTED.items())
def test_sessions_are_counted_from_the_first_or_back_from_the_last(question, told):
    assert [one[1:] for one in named_times(question, NOW).counted] == [told]


@pytest.mark.parametrize("question", rows(UNCOUNTED))
def test_a_session_of_somebody_else_or_of_one_kind_is_not_counted(question):
    assert named_times(question, NOW).counted == ()


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("What did we talk about on 8 May?", True),
        ("Summarize our conversation from last week", True),
        ("Last week?", True),
        ("What did Ann bake on 8 May?", False),
        ("What did we say about the kiln yesterday?", False),
        ("What did we talk about?", False),
    ],
)
def test_a_question_is_about_a_time_alone_when_it_asks_for_nothing_else(question, only):
    assert named_times(question, NOW).only is only


def test_a_time_told_from_another_date_gives_no_window_of_its_own():
    assert named_times("What did she finish last Friday, on 23 January 2022?", NOW).spans == (window("2022-01-23"),)


def test_many_times_are_read_up_to_a_bound():
    question = " and ".join(f"on {day} May" for day in range(1, 20))
    assert len(named_times(question, NOW).spans) == MAX_SPANS


SAID = [TimeSpan(instant(f"2023-05-0{day}T10:00"), instant(f"2023-05-0{day}T11:00")) for day in (1, 2, 3)]


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [(1, 1, (1, 1)), (2, 3, (2, 3)), (-1, -1, (3, 3)), (-2, -2, (2, 2)), (-9, -1, (1, 3))],
)
def test_counted_sessions_span_from_their_first_word_to_just_after_their_last(first, last, days):
    begins, ends = (instant(f"2023-05-0{day}T{hour}:00") for day, hour in zip(days, (10, 11), strict=True))
    assert sessions_span(Counted(0, first, last), SAID) == (begins, ends + timedelta(microseconds=1))


@pytest.mark.parametrize(("first", "last"), [(4, 4), (3, 4), (-4, -4)])
def test_a_session_that_was_never_held_spans_nothing(first, last):
    assert sessions_span(Counted(0, first, last), SAID) is None
    assert sessions_span(Counted(0, first, last), ()) is None


WORDS = st.sampled_from(
    [
        *'between from to and before after since until on in the of a last next this past at - , . ? : " ago'.split(),
        *"May march 8 8th 31 2023 0 99 9999 2023-02-30 0001-01-01 13/13/2023 12-9 9:75 25pm 3 pm twenty-first".split(),
        *"day days week month years weekend morning night Friday yesterday tomorrow session sessions couple".split(),
        *"third one two time we talked #5 #\u00b2 \u00b2 12\u0663 Ann".split(),
    ]
)
INSTANTS = st.datetimes(timezones=st.just(UTC)) | st.sampled_from(
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), datetime(2024, 2, 29, tzinfo=UTC)]
)


@given(st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60), INSTANTS)
def test_any_text_gives_half_open_windows_in_utc_and_never_raises(question, at):
    times = named_times(question, at)

    assert all(span.start < span.end and span.start.tzinfo is span.end.tzinfo is UTC for span in times.spans)
    assert all(one.first * one.last > 0 and one.first <= one.last for one in times.counted)
    assert times.only <= bool(times.spans or times.counted)
    assert named_times(question, at) == times


@pytest.mark.parametrize(
    "part", ["last ", "May 8 to ", '"', "between 8 ", "the morning of ", "8-", "session ", "in the "]
)
def test_reading_takes_time_that_grows_with_the_length_and_no_faster(part):
    def seconds(length: int) -> float:
        text = (part * length)[:length]
        began = time.perf_counter()
        named_times(text, NOW)
        return time.perf_counter() - began

    assert seconds(16_000) < 2
