"""What row-level security costs: the statements of a recall, each timed with the wall and without it.

Usage: ``PYTHONPATH=src python -m tests.postgres.wall_cost [RECORDS]``. It fills a store of so many records (10,000
unless told), asks it questions, and runs every reading statement they made in turns as `bethink_app` and as a role that
no policy binds, with the values and the settings of the recall. It prints the median times in milliseconds and their
ratio.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from bethink.evaluation.bench_ground import Ground, fill
from bethink.evaluation.corpus import Corpus
from bethink.store.postgres import NOBODY, PostgresDatabase
from bethink.store.postgres_connection import PostgresConnection, _texts
from tests.postgres import cluster
from tests.postgres.cluster import Cluster

TURNS = 60
"""How often each statement runs on either side."""
QUESTIONS = 12
APP = "bethink_app"
Asked = dict[str, list[Mapping[str, Any]]]


def recorded(ground: Ground, questions: list[str]) -> Asked:
    """The reading statements of recalls by name, each with the values it was given; caches are empty at first."""
    names = {text: name for name, text in _texts().items()}
    seen: Asked = defaultdict(list)
    send = PostgresConnection._send

    def noted(self: PostgresConnection, statements: list[Any]) -> Any:
        for text, values in statements:
            reads = text.lstrip().startswith((b"select", b"with"))
            if reads and b"from " in text and "tenant" in values and b"trace" not in text:
                seen[names[text]].append(dict(values))
        return send(self, statements)

    PostgresConnection._send = noted
    try:
        with ground.open() as memory:
            for question in questions:
                ground.bind(memory, 0).recall(question)
    finally:
        PostgresConnection._send = send
    return seen


def timed(databases: Mapping[str, PostgresDatabase], tenant: str, asked: Asked) -> dict[str, tuple[float, float]]:
    """By statement the median milliseconds with the wall and without it, round trip included.

    `databases` are by role and have connections of their own, since a connection plans anew for another role.
    """
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(TURNS):
        for role, database in databases.items():
            with database.reading(tenant=tenant) as on:
                for name, given in asked.items():
                    for values in given[:QUESTIONS]:
                        started = time.perf_counter()
                        on.rows(name, **values)
                        spent[name, role].append((time.perf_counter() - started) * 1e3)
    return {
        name: (statistics.median(spent[name, APP]), statistics.median(spent[name, NOBODY]))
        for name in asked
        if spent[name, APP]
    }


def measure(records: int) -> None:
    """Fill, ask, time, print."""
    folder = cluster.make_folder()
    run = Cluster(folder, os.getpid())
    try:
        with run.lend() as name, tempfile.TemporaryDirectory() as home:
            ground = Ground(run.server.url(name), home, "walled", 1)
            texts = list(Corpus(11).texts(records))
            fill(ground, texts)
            asked = recorded(ground, Corpus(11).questions(texts, QUESTIONS))
            with ground.open() as walled, ground.open() as bare:
                databases = {APP: walled._parts.store.database, NOBODY: bare._parts.store.database}
                databases[NOBODY]._role = NOBODY
                found = timed(databases, ground.tenant, asked)
    finally:
        cluster.stop(folder)
    say = sys.stdout.write
    say(f"{'statement':24}{'with':>8}{'without':>9}{'ratio':>7}{'a recall':>10}\n")
    both = [0.0, 0.0]
    for name, (walled, bare) in sorted(found.items()):
        often = len(asked[name]) / QUESTIONS
        both = [both[0] + often * walled, both[1] + often * bare]
        say(f"{name:24}{walled:8.3f}{bare:9.3f}{walled / bare:7.2f}{often:10.1f}\n")
    say(f"{'all of a recall':24}{both[0]:8.3f}{both[1]:9.3f}{both[0] / both[1]:7.2f}\n")


if __name__ == "__main__":
    measure(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
