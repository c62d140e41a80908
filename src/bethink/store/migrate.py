"""Migrations: ordered, checksummed, each applied with its ledger row in one transaction.

A migration is ``NNNN_name.sql`` for both databases or ``NNNN_name.sqlite.sql`` for one. The ledger lies in the table
``meta``, so a store tells by itself what it went through.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from bethink.errors import StoreCorrupt, StoreNewer
from bethink.store.database import Connection

SQL = resources.files("bethink.store") / "sql"
LEDGER = "migration/"
MARKS = {
    "sqlite": (
        (r"/\*clustered(?: by key)?\*/", "without rowid"),
        (r"/\*unique\*/", "unique"),
        (r" /\*(?:in months|holding packed)\*/", ""),
    ),
    "postgres": (
        (r" /\*clustered\*/", ""),
        (r"/\*clustered by key\*/", "partition by range (key)"),
        (r"/\*unique\*/ ", ""),
        (r"/\*in months\*/", "partition by range (id)"),
        (r"/\*holding packed\*/", "include (packed)"),
        (r"(?m)^(    \w+ text)\b", r'\1 collate "C"'),
    ),
}
"""What each dialect makes of the marks in a shared migration.

PostgreSQL compares text by its bytes, as SQLite does. A partitioned table holds no unique index without the key it is
parted by: there the writers of a tenant, who take turns, see to it.
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its name without ``.sql``, its text, and the SHA-256 of the text."""

    name: str
    text: str

    @property
    def checksum(self) -> str:
        """SHA-256 of the text in hex."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def number(self) -> int:
        """The schema version this step belongs to."""
        return int(self.name[:4])


def migrations(folder: Traversable, dialect: str = "sqlite") -> tuple[Migration, ...]:
    """A dialect's migrations of a folder in order: by number, the shared text before the dialect's, then by name."""
    found = []
    for item in folder.iterdir():
        stem, _, suffix = item.name.removesuffix(".sql").partition(".")
        if item.name.endswith(".sql") and suffix in {"", dialect}:
            text = item.read_text("utf-8")
            for mark, words in MARKS[dialect]:
                text = re.sub(mark, words, text)
            found.append((stem[:4], suffix, Migration(item.name.removesuffix(".sql"), text)))
    return tuple(step for _, _, step in sorted(found, key=lambda entry: (entry[0], entry[1], entry[2].name)))


def missing(connection: Connection, steps: tuple[Migration, ...]) -> tuple[Migration, ...]:
    """The steps the store still needs, in order.

    Raises:
        StoreNewer: the store went through steps this version does not know.
        StoreCorrupt: a step was applied with another text, or out of order.
    """
    applied = {name.removeprefix(LEDGER): value for name, value in connection.rows("list_meta", prefix=LEDGER)}
    known = {step.name: step.checksum for step in steps}
    newer = sorted(set(applied) - set(known))
    if newer:
        raise StoreNewer(f"The store has migration {newer[-1]}, which this version does not know.")
    changed = [name for name, checksum in applied.items() if known[name] != checksum]
    if changed:
        raise StoreCorrupt(f"Migration {changed[0]} was applied with another text than this version's.")
    if set(applied) != {step.name for step in steps[: len(applied)]}:
        raise StoreCorrupt("The store's migrations were applied out of order.")
    return steps[len(applied) :]


def apply(connection: Connection, step: Migration) -> None:
    """Run one step and write its ledger row, in the caller's transaction."""
    connection.script(step.text)
    connection.run("put_meta", name=LEDGER + step.name, value=step.checksum)
