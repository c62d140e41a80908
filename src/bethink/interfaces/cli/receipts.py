"""`receipts list` and `receipts apply`: what was forgotten and erased, and a backup that has to forget it too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bethink.domain.time import iso
from bethink.errors import InvalidInput
from bethink.interfaces.cli.command import TENANT, Call, command
from bethink.interfaces.cli.screen import columns, pairs, remark, say
from bethink.interfaces.codec import to_object
from bethink.operations.receipts import HonouredResult, ReceiptsResult, read_receipt
from bethink.operations.records import Receipt

LONGEST = 10_000_000
"""Characters of one line of a file of receipts."""


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `receipts list` takes."""

    after: Annotated[int, typer.Option(help="Only those behind this number.")] = 0
    limit: Annotated[int, typer.Option(help="At most so many.")] = 100
    out: Annotated[Path | None, typer.Option(help="Write them all to this file, a line of JSON each.")] = None


@dataclass(frozen=True, slots=True)
class ApplyOptions:
    """What `receipts apply` takes."""

    file: Annotated[Path, typer.Argument(help="Receipts that `receipts list --out` wrote.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="See what was forgotten and erased, and make a backup forget it.", rich_markup_mode=None)
    command(group, "receipts list", ListOptions, TENANT)(list_all)
    command(group, "receipts apply", ApplyOptions, TENANT)(apply)
    app.add_typer(group, name="receipts")


def list_all(call: Call, options: ListOptions) -> None:
    """List what was forgotten and erased, in order, in ids and counts and never in words.

    Each receipt carries the digest of the one before it. Keep the last digest somewhere else: a store that does not
    list it later has lost receipts. `bethink check` finds those that were altered or taken out.
    """
    memory = call.memory(any_space=True)  # opened first: a store that cannot be read costs nobody a file
    if options.out is not None:
        _write(options.out, _every(call))
        call.answer(ReceiptsResult(()), lambda: say(f"written to {options.out}"))
        return
    result = memory.receipts(options.after, options.limit, tenant=call.common.tenant)
    call.answer(result, lambda: _show(result))


def apply(call: Call, options: ApplyOptions) -> int:
    """Erase from this store what the receipts of another say was erased: for a backup, before it is served again.

    That is records, turns, documents, terms, relations and users. What was only hidden is shown again. Ends with 1 when
    something could not be removed yet.
    """
    result = call.memory(any_space=True).honour(_read(options.file), tenant=call.common.tenant)
    call.answer(result, lambda: _show_honoured(result))
    return 0 if result.complete else 1


def _every(call: Call) -> Iterator[Receipt]:
    """Every receipt, page by page."""
    after: int | None = 0
    while after is not None:
        page = call.memory(any_space=True).receipts(after, 500, tenant=call.common.tenant)
        yield from page.receipts
        after = page.next


def _write(path: Path, found: Iterator[Receipt]) -> None:
    """Write receipts, a line each.

    Raises:
        InvalidInput: the file cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8") as file:
            for receipt in found:
                file.write(json.dumps(to_object(receipt)) + "\n")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}.") from error


def _read(path: Path) -> Iterator[Receipt]:
    """Receipts from a file, one at a time.

    Raises:
        InvalidInput: the file cannot be read, or a line is no receipt.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST), ""), 1):
                yield _receipt(line, number)
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read.") from error


def _receipt(line: str, number: int) -> Receipt:
    """A receipt from a line.

    Raises:
        InvalidInput: it is none.
    """
    try:
        told = json.loads(line)
        previous, digest = str(told.pop("previous")), str(told.pop("digest"))
        return read_receipt(json.dumps(told), previous, digest)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InvalidInput(
            f"Line {number} is no receipt.", remedy="Pass a file that `receipts list --out` wrote."
        ) from error


def _show(result: ReceiptsResult) -> None:
    """A page of receipts."""
    if not result.receipts:
        remark("Nothing was forgotten.")
        return
    rows = [
        (str(one.number), iso(one.at), one.operation, str(len(one.ids) + len(one.derived)), _state(one), one.digest)
        for one in result.receipts
    ]
    columns(("number", "when", "what", "ids", "", "digest"), rows)


def _state(receipt: Receipt) -> str:
    """Whether all was done."""
    return "complete" if receipt.complete else "not complete"


def _show_honoured(result: HonouredResult) -> None:
    """What was still here."""
    say(f"{result.receipts} receipts named something that was still here")
    removed = ", ".join(f"{count} {what}" for what, count in result.removed.items())
    pairs([("removed", removed), ("remains", "; ".join(result.remains))])
