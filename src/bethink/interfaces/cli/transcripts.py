"""`import`: transcripts in, with what was counted out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from bethink.errors import BethinkError
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, pairs, progress, remark, say
from bethink.operations.importing import BATCH, FORMATS, ImportRequest, ImportResult

FormatName = Literal[FORMATS]  # type: ignore[valid-type]  # the choices are the table's, not a copy of it


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What `import` takes."""

    files: Annotated[list[Path], typer.Argument(help="Transcripts: .json, .jsonl or an export's .zip.")]
    format: Annotated[FormatName | None, typer.Option(help="The format; told from the file unless given.")] = None
    self_name: Annotated[str | None, typer.Option("--self", help="The speaker who is the user.")] = None
    timezone: Annotated[str, typer.Option(help="The zone of times that name none.")] = "UTC"
    session_prefix: Annotated[str | None, typer.Option(help="Put before the ids of the sessions.")] = None
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what it would do; store nothing.")] = False
    no_embed: Annotated[bool, typer.Option("--no-embed", help="Leave the vectors to the next import or repair.")] = (
        False
    )
    batch: Annotated[int, typer.Option(help="Turns per transaction.")] = BATCH


@dataclass(frozen=True, slots=True)
class FileImported:
    """One file: its result, or the error that kept it out."""

    path: Path
    result: ImportResult | None = None
    error: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """All files together."""

    files: tuple[FileImported, ...]
    sessions: int
    turns: int
    repeated: int
    skipped: int
    bad_count: int
    zone_assumed: int
    embedded: int = 0
    split: int = 0
    nodes: int = 0
    embedding_pending: int = 0
    dry_run: bool = field(default=False)


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "import", ImportOptions)(import_files)


def import_files(call: Call, options: ImportOptions) -> int:
    """Read chat transcripts into memory as episodes.

    Formats: openai and anthropic message lists, chatgpt and claude data exports, claude-code session logs, locomo.
    Lines that cannot be read are counted and passed over. Running it again stores nothing twice and goes on where an
    interrupted run stopped. It ends with 1 when a file could not be read at all.
    """
    take = _caught if len(options.files) > 1 else _one
    files = tuple(take(call, options, path) for path in options.files)
    total = _embed(call, options, _total(files, dry_run=options.dry_run))
    call.answer(total, lambda: _show(total))
    if not call.common.quiet:
        _tell(total)
    return 0 if all(item.result is not None and _read_any(item.result) for item in files) else 1


def _one(call: Call, options: ImportOptions, path: Path) -> FileImported:
    """Import one file."""
    with progress(f"import {path.name}", None, quiet=call.common.quiet) as report:
        request = ImportRequest(
            path,
            format=options.format,
            self_name=options.self_name,
            timezone=options.timezone,
            session_prefix=options.session_prefix,
            dry_run=options.dry_run,
            batch=options.batch,
            progress=report,
        )
        return FileImported(path, call.bound().import_transcript(request))


def _caught(call: Call, options: ImportOptions, path: Path) -> FileImported:
    """Import one file of several; its error does not keep the others out."""
    try:
        return _one(call, options, path)
    except BethinkError as error:
        told = {"code": error.code, "message": error.message, "remedy": error.advice}
        return FileImported(path, error=told)


def _embed(call: Call, options: ImportOptions, total: Imported) -> Imported:
    """Embed what waits, when there is anything and it was not put off."""
    memory = call.memory()
    waiting = memory.pending
    if options.dry_run or options.no_embed or not waiting:
        return replace(total, embedding_pending=waiting)
    with progress("embed", waiting, quiet=call.common.quiet) as report:
        done = memory.embed_pending(report)
    return replace(total, embedded=done.embedded, split=done.split, nodes=done.nodes, embedding_pending=memory.pending)


def _total(files: tuple[FileImported, ...], *, dry_run: bool) -> Imported:
    """The sums over the files."""
    results = [item.result for item in files if item.result is not None]
    return Imported(
        files,
        sessions=sum(result.sessions for result in results),
        turns=sum(result.turns for result in results),
        repeated=sum(result.repeated for result in results),
        skipped=sum(result.skipped for result in results),
        bad_count=sum(result.bad_count for result in results),
        zone_assumed=sum(result.zone_assumed for result in results),
        dry_run=dry_run,
    )


def _read_any(result: ImportResult) -> bool:
    """Whether anything in the file could be read; a file that holds nothing bad is read, however little it holds."""
    return bool(result.turns or result.repeated or not result.bad_count)


def _show(total: Imported) -> None:
    """What was counted."""
    rows = [
        (str(item.path), result.format, str(result.sessions), str(result.turns), str(result.repeated))
        for item in total.files
        if (result := item.result) is not None
    ]
    if rows:
        columns(("file", "format", "sessions", "would store" if total.dry_run else "stored", "known before"), rows)
    pairs(
        [
            ("skipped (nobody's words)", total.skipped or None),
            ("could not be read", total.bad_count or None),
            ("zone assumed", total.zone_assumed or None),
            ("embedded", total.embedded or None),
            ("split for the model", f"{total.split} into {total.nodes} nodes" if total.split else None),
            ("waiting for a vector", total.embedding_pending or None),
        ]
    )
    if total.dry_run:
        say("Dry run: nothing was stored.")


def _tell(total: Imported) -> None:
    """What could not be read, and what was assumed, beside the data."""
    for item in total.files:
        if item.error is not None:
            remark(f"Error: {item.error['message']} {item.error['remedy']}")
        if item.result is None:
            continue
        for bad in item.result.bad:
            remark(f"{item.path.name}: {bad.place}: {bad.reason}")
        if item.result.bad_count > len(item.result.bad):
            remark(f"{item.path.name}: and {item.result.bad_count - len(item.result.bad)} more")
        for notice in item.result.notices:
            remark(f"note: {notice.text}")
