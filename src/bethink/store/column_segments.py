"""Sealed segments of a scope's columns: what was written of it between two positions, as one blob.

A segment holds what `read_delta` gives for the positions behind `previous` up to its own, and follows the one whose
position that is: the segments of a scope are a chain from the beginning, and what is newer is read from the tables. So
no status, retirement or version that comes later touches a segment; it lies in the next one. Erasing does: each segment
that knew of what is gone is made anew from the tables, and holds nothing of it any more.
"""

from __future__ import annotations

from collections.abc import Sequence

from bethink.store.column_delta import encode, read_delta
from bethink.store.database import Connection

SEALED = 8_192
"""Entries of a segment: some 0.3 MB, and made in less time than a page of an import takes."""


def read_sealed(connection: Connection, place: tuple[str, str]) -> list[tuple[int, bytes]]:
    """Position and blob of the segments of a (tenant, scope), as far as they follow one another from the beginning."""
    found: list[tuple[int, bytes]] = []
    for position, previous, blob in connection.rows("read_column_segments", tenant=place[0], scope=place[1]):
        if previous != (found[-1][0] if found else -1):
            break
        found.append((position, blob))
    return found


def seal_columns(connection: Connection, place: tuple[str, str], moved: int | None = None) -> int:
    """Seal what was written of a (tenant, scope) and lies in no segment; how many segments came of it.

    The tables have to hold all that took a position before now, as a tenant's own writer sees them. `moved` is how far
    that writer moved the counter: a write makes no more segments than it could fill, and one, so that none takes long
    where much is to be sealed. Without it all is.
    """
    about = {"tenant": place[0], "scope": place[1]}
    made = 0
    while moved is None or made <= moved // SEALED:
        last = _last(connection, place)
        end = connection.row("find_column_end", last=last, before=SEALED - 1, **about)
        if end is None:
            break
        _put(connection, place, last, end[0])
        made += 1
    return made


def reseal_columns(connection: Connection, place: tuple[str, str], positions: Sequence[int]) -> int:
    """Make the segments of a (tenant, scope) anew that hold any of the positions; how many.

    Those at the end that hold nothing then go.
    """
    about = {"tenant": place[0], "scope": place[1]}
    chain = connection.rows("list_column_segments", **about)
    wrong = [
        (position, previous) for position, previous, _ in chain if any(previous < at <= position for at in positions)
    ]
    for position, previous in wrong:
        _put(connection, place, previous, position)
    for position, _, rows in reversed(connection.rows("list_column_segments", **about) if wrong else []):
        if rows:
            break
        connection.run("delete_column_segment", position=position, **about)
    return len(wrong)


def flaws_of_columns(connection: Connection, place: tuple[str, str]) -> list[int]:
    """The positions of those segments of a (tenant, scope) that are not what the tables give, or follow no other."""
    wrong, last = [], -1
    for position, previous, blob in connection.rows("read_column_segments", tenant=place[0], scope=place[1]):
        if previous != last or blob != encode(read_delta(connection, place, previous, position)):
            wrong.append(position)
        last = position
    return wrong


def _last(connection: Connection, place: tuple[str, str]) -> int:
    """The position up to which a (tenant, scope) is sealed, -1 at the beginning."""
    row = connection.row("last_column_segment", tenant=place[0], scope=place[1])
    return -1 if row is None else int(row[0])


def _put(connection: Connection, place: tuple[str, str], previous: int, position: int) -> None:
    """Store the segment between two positions."""
    delta = read_delta(connection, place, previous, position)
    connection.run(
        "put_column_segment",
        tenant=place[0],
        scope=place[1],
        position=position,
        previous=previous,
        rows=delta.rows,
        body=encode(delta),
    )
