"""Which analyser made the words of the index.

One value in the store, so that no process searches by terms that are not there: who opens the store under another
analyser rebuilds the words, who cannot write says that its answers fall short.
"""

from __future__ import annotations

from bethink.store.database import Connection

_NAME, _BUILD = "analyser", "words"

SEVERAL = "several"
"""The value once a process wrote terms of its own beside those of another analyser."""


def made_by(connection: Connection) -> str:
    """The analyser that made the words, empty before the first opening."""
    row = connection.row("read_meta", name=_NAME)
    return str(row[0]) if row else ""


def set_made_by(connection: Connection, analyser: str) -> None:
    """Note who made the words, in the caller's transaction."""
    connection.post("put_meta", name=_NAME, value=analyser)


def add_words(connection: Connection, analyser: str) -> None:
    """Before a transaction's first words: those that another analyser made are several analysers' from here on."""
    if made_by(connection) != analyser:
        set_made_by(connection, SEVERAL)


def build(connection: Connection) -> str:
    """Which build of the words this is: another value once all of them were derived anew."""
    row = connection.row("read_meta", name=_BUILD)
    return str(row[0]) if row else "0"


def count_build(connection: Connection) -> None:
    """Note that the words are derived anew, in the caller's transaction."""
    connection.post("put_meta", name=_BUILD, value=str(int(build(connection)) + 1))


def outdated(connection: Connection, analyser: str) -> str:
    """Why the words do not answer to the terms of `analyser`; empty when they do."""
    if made_by(connection) == analyser:
        return ""
    return "the index of words was made by another analyser; opening the store where it can be written rebuilds it"
