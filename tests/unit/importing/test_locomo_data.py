"""The development conversations are imported turn for turn, as their normalised form lists them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.unit.importing.sink import Kept

from bethink.importing.run import import_transcript
from bethink.operations.importing import ImportRequest

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("BETHINK_DATA" not in os.environ, reason="BETHINK_DATA names no development data"),
]


def rows():
    found = {}
    with (Path(os.environ["BETHINK_DATA"]) / "locomo" / "docs.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            key = (f"{row['scope']}:{row['session']}", row["id"])
            body = row["body"].replace("(shares image: ", "[shares image: ")
            found.setdefault(row["scope"], {})[key] = (row["speaker"], body, row["date"])
    return found


def words(text):
    """The words alone: the two forms differ in blanks and in the mark that closes a caption."""
    return text.rstrip(")]").split()


def test_every_turn_arrives_with_its_speaker_words_and_date():
    for scope, expected in rows().items():
        path = Path(os.environ["BETHINK_DATA"]) / "locomo" / f"{scope}.json"
        sink = Kept()
        result = import_transcript(ImportRequest(path), sink)
        got = {
            (session, message_id): (turn.speaker, turn.text, turn.time_text)
            for session, turns in sink.sessions.items()
            for message_id, turn in turns.items()
        }

        assert got.keys() == expected.keys()
        different = [
            key
            for key, (speaker, body, date) in expected.items()
            if got[key][0] != speaker or words(got[key][1]) != words(body) or got[key][2] != date
        ]
        assert different == []
        assert (result.bad_count, result.skipped, result.repeated) == (0, 0, 0)
        assert all(turn.said_at is not None for turn in sink.turns)
