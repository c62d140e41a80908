"""The command line: every operation, for people and, with ``--json``, for programs.

Data goes to standard output and everything else to standard error. Exit codes: 0 done, 1 failed or found something,
2 what was asked cannot be meant, 3 not found, 4 not allowed.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

import bethink
from bethink.errors import BethinkError, InvalidInput, OutputFailed
from bethink.interfaces.cli.command import fail
from bethink.interfaces.cli.lazy import Catalogue, lazy_group
from bethink.interfaces.cli.screen import say, unwritten

_HERE = "bethink.interfaces.cli"

COMMANDS: Catalogue = {
    "demo": (f"{_HERE}.showing", "Show the whole of it on a conversation that comes with the package."),
    "import": (f"{_HERE}.transcripts", "Read chat transcripts into memory as episodes."),
    "remember": (f"{_HERE}.records", "Store one statement, checked against its evidence."),
    "recall": (f"{_HERE}.recalling", "Answer a question with a block, its explanations and a trace."),
    "episodes": (f"{_HERE}.recalling", "List what was said, by session or time, in order."),
    "recall-episodes": (
        f"{_HERE}.recalling",
        "Render what was said in a session or at a time as a block, in order, with a trace.",
    ),
    "snapshot": (f"{_HERE}.moments", "Freeze what a session's prompt keeps of memory, or show what was frozen."),
    "delta": (f"{_HERE}.moments", "Show what changed since a session's snapshot was taken, to place beside the turn."),
    "gaps": (
        f"{_HERE}.moments",
        "Say whether a turn needs memory, by what its draft lacks, and what memory has for that.",
    ),
    "get": (f"{_HERE}.records", "Show one record or turn, with its history when asked."),
    "chain": (f"{_HERE}.chains", "Show what replaced a record, and what it replaced."),
    "revise": (f"{_HERE}.records", "Confirm a record, replace it, end it, or merge another into it."),
    "reject": (f"{_HERE}.rejecting", "Say that a record is wrong, and how; it stays away when it is derived again."),
    "associations": (f"{_HERE}.associations", "Declare what is connected, and walk it."),
    "skills": (f"{_HERE}.skills", "Register procedures, and load one."),
    "files": (f"{_HERE}.files", "Let files become records that follow them."),
    "documents": (f"{_HERE}.documents", "Keep whole documents, and search their passages."),
    "forget": (f"{_HERE}.records", "Hide a record, bring it back, or erase it, with a receipt."),
    "export": (f"{_HERE}.users", "Write all that is one user's as lines of JSON."),
    "erase-user": (f"{_HERE}.users", "Erase all that is one user's, with a receipt."),
    "erase-session": (f"{_HERE}.users", "Erase one session of a user's and what explains it, with a receipt."),
    "receipts": (f"{_HERE}.receipts", "See what was forgotten and erased, and make a backup forget it."),
    "used": (f"{_HERE}.feedback", "Note which items of a recall were used, and which were not."),
    "entities": (f"{_HERE}.entities", "Say what records are about, and which names are one."),
    "why": (f"{_HERE}.recalling", "Say which step of a recall lost a record, or that none did."),
    "trace": (f"{_HERE}.recalling", "Show a recall as it was stored, and verify the hash of its block."),
    "view": (f"{_HERE}.viewing", "Show what a turn or a session was given of memory, for its user to see."),
    "written": (f"{_HERE}.written", "List what a session left in memory, for its user to see."),
    "reads": (f"{_HERE}.reading", "List what was searched for, as events, with what matched and its sources."),
    "quarantine": (f"{_HERE}.quarantining", "See what the screen held back; let it go or turn it down."),
    "extract": (f"{_HERE}.extracting", "Read a session for beliefs now, as a worker does when it has ended."),
    "rederive": (f"{_HERE}.extracting", "Derive a session anew, with what was rejected and erased kept away."),
    "worker": (f"{_HERE}.working", "Do what waits: read sessions that ended, expire, embed and more."),
    "jobs": (f"{_HERE}.working", "List the work that waits, runs or died; let what died be tried anew."),
    "check": (f"{_HERE}.upkeep", "Compare the store with its own rules; changes nothing."),
    "repair": (f"{_HERE}.upkeep", "Rebuild what derives from the records, which are never dropped."),
    "copy": (f"{_HERE}.copying", "Copy a whole store into another database, SQLite or PostgreSQL."),
    "bench": (f"{_HERE}.showing", "Measure each stage at several sizes, on generated corpora."),
    "eval": (f"{_HERE}.evaluating", "Measure how good recall is, on data sets and on scenarios."),
    "grant": (f"{_HERE}.grants", "Say which agent may read or write which scope."),
    "taxonomy": (f"{_HERE}.taxonomy", "Keep the tree of topics, and file records under it."),
    "mcp": (f"{_HERE}.serving", "Serve memory to a model over standard input and output."),
    "version": (f"{_HERE}.serving", "Print the version."),
}

GROUPS = frozenset(
    {
        "associations",
        "documents",
        "entities",
        "eval",
        "files",
        "grant",
        "quarantine",
        "receipts",
        "skills",
        "taxonomy",
    }
)
"""Those that hold further commands."""

app = typer.Typer(
    name="bethink",
    cls=lazy_group(COMMANDS),
    rich_markup_mode=None,  # plain help: loading Rich for it would double the start-up time
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:  # noqa: FBT001 - the value of a flag
    """Print the version and end, where it was asked for."""
    if asked:
        say(f"bethink {bethink.__version__}")
        raise typer.Exit


@app.callback()
def group(
    *,
    _asked: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Long-term memory for AI agents: evidence in, a small citable block out, every recall on record."""


def main() -> None:
    """What the `bethink` command runs."""
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()  # who closed one wants none of it
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter shows its code
    sys.exit(_written(run(sys.argv[1:])))


def _written(code: int) -> int:
    """The exit code, once what was answered is written; another one where it cannot be."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # else the interpreter tries again, and complains
        if not isinstance(error, BrokenPipeError):
            fail("", unwritten(error), as_json=False)
        return code or OutputFailed.exit_code
    return code


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    Args:
        args: what follows the program's name.
    """
    as_json, name = "--json" in args, _named(args)
    try:
        return int(app(list(args) or ["--help"], prog_name="bethink", standalone_mode=False) or 0)
    except typer.TyperException as error:
        remedy = f"See `bethink {name} --help`." if name else "See `bethink --help`."
        fail(name, InvalidInput(error.format_message(), remedy=remedy), as_json=as_json)
        return InvalidInput.exit_code
    except typer.Abort:
        return 1
    except Exception as error:  # noqa: BLE001 - the outermost edge: a program that asked for JSON gets an answer
        with contextlib.suppress(OSError):
            traceback.print_exc()
        remedy = "This is a defect of bethink: please report it with the lines above."
        fail(name, BethinkError(f"{type(error).__name__}: {error}", remedy=remedy), as_json=as_json)
        return BethinkError.exit_code


def _named(args: Sequence[str]) -> str:
    """The command that a command line names, empty when it names none."""
    words = [word for word in args if not word.startswith("-")][:2]
    if not words or words[0] not in COMMANDS:
        return ""
    return " ".join(words) if words[0] in GROUPS else words[0]
