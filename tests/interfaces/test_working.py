"""`worker` and `jobs`: what is due is done, what died is shown and tried anew."""

from __future__ import annotations

from datetime import UTC, datetime

import bethink
from bethink.domain.job import NewJob
from bethink.ports.jobs import Lease

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def test_a_worker_does_what_is_due_and_ends_when_asked_to(bethink_cli):
    bethink_cli("remember", "The kiln is in the shed.")

    first = bethink_cli("worker", "--once", "--json")

    assert (first.code, first.json["retried"], first.json["dead"]) == (0, 0, 0)
    assert first.json["done"] >= 1
    assert bethink_cli("worker", "--once", "--json").json["done"] == 0
    assert "done 0" in bethink_cli("worker", "--once").out


def test_jobs_show_what_died_and_let_it_be_tried_anew(bethink_cli):
    bethink_cli("remember", "The kiln is in the shed.")
    with bethink.open(embedder=None, any_space=True) as memory:
        queue = memory._parts.store.jobs
        queue.put("default", [NewJob("odd", "expire", LONG_AGO)])
        (job,) = queue.claim("default", ["expire"], Lease("me", LONG_AGO, LONG_AGO), 1)
        queue.bury(job, "store_busy")

    assert [(job["id"], job["problem"]) for job in bethink_cli("jobs", "--state", "dead", "--json").json["jobs"]] == [
        ("odd", "store_busy")
    ]
    assert "odd" in bethink_cli("jobs").out
    assert bethink_cli("jobs", "--retry", "odd", "--json").json["retried"] == "odd"
    assert bethink_cli("jobs", "--retry", "odd").code == 3
    assert bethink_cli("jobs", "--state", "dead").out == "no jobs\n"


def test_a_session_is_read_from_the_command_line(bethink_cli):
    with (
        bethink.open(embedder="hash") as memory,
        memory.bind(voice="user").session("talk") as talk,
    ):
        talk.turn("I am allergic to peanuts.")

    read = bethink_cli("extract", "talk", "--json").json

    assert (read["outcome"], read["turns"], len(read["beliefs"])) == ("stored", 1, 1)
    assert "nothing to store" in bethink_cli("extract", "talk").out
    assert bethink_cli("extract", "nowhere").code == 3
