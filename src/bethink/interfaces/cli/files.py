"""`files add`, `files list`, `files scan` and `files remove`: files whose text becomes records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import typer

from bethink.domain.scope import Target
from bethink.domain.time import iso
from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, pairs, say
from bethink.operations.files import AddFilesRequest, FileRoot, FileRoots, FilesScanned, ScanResult


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What `files add` takes."""

    path: Annotated[str, typer.Argument(help="A file, or a folder of notes.")]
    target: Annotated[Target | None, typer.Option(help="Which scope owns the records; --project's when given.")] = None
    pattern: Annotated[
        Literal["agents", "markdown"], typer.Option(help="CLAUDE.md, AGENTS.md and memory folders, or all Markdown.")
    ] = "agents"
    no_scan: Annotated[bool, typer.Option("--no-scan", help="Only declare it.")] = False


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `files list` takes: nothing of its own."""


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What `files scan` takes."""

    root: Annotated[str | None, typer.Argument(help="A declared root, by path or id; all unless given.")] = None


@dataclass(frozen=True, slots=True)
class RemoveOptions:
    """What `files remove` takes."""

    root: Annotated[str, typer.Argument(help="A declared root, by path or id.")]


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Let files become records that follow them.", rich_markup_mode=None)
    command(group, "files add", AddOptions)(add)
    command(group, "files list", ListOptions)(list_files)
    command(group, "files scan", ScanOptions)(scan)
    command(group, "files remove", RemoveOptions)(remove)
    app.add_typer(group, name="files")


def add(call: Call, options: AddOptions) -> None:
    """Declare a file or folder, and read it; a worker reads it again every day."""
    bound = call.bound()
    root = bound.add_files(AddFilesRequest(options.path, options.target, options.pattern))
    result = FilesScanned(()) if options.no_scan else bound.scan_files(root.id)
    call.answer(result if result.scans else root, lambda: _show_scans(result) if result.scans else _show((root,)))


def list_files(call: Call, _options: ListOptions) -> None:
    """List the declared roots."""
    result: FileRoots = call.bound().file_roots()
    call.answer(result, lambda: _show(result.roots))


def scan(call: Call, options: ScanOptions) -> int:
    """Read declared roots again: what changed is superseded, what is gone is archived.

    Ends with 1 when a root cannot be seen or a file was passed over.
    """
    result = call.bound().scan_files(options.root)
    call.answer(result, lambda: _show_scans(result))
    return 1 if any(not one.present or one.passed_over for one in result.scans) else 0


def remove(call: Call, options: RemoveOptions) -> None:
    """Follow a root no more; its records stay."""
    root = call.bound().remove_files(options.root)
    call.answer(root, lambda: _show((root,)))


def _show(roots: tuple[FileRoot, ...]) -> None:
    """One line for each."""
    rows = [(r.path, r.scope, r.pattern, iso(r.scanned_at) if r.scanned_at else "never", r.id) for r in roots]
    columns(("path", "scope", "files", "scanned", "id"), rows)


def _show_scans(result: FilesScanned) -> None:
    """What became of each root."""
    for one in result.scans:
        _show_scan(one)


def _show_scan(one: ScanResult) -> None:
    """What became of a root."""
    say(one.root.path if one.present else f"{one.root.path}: cannot be seen; nothing was archived")
    pairs(
        [
            ("files", one.files),
            ("new", len(one.created)),
            ("superseded", len(one.superseded)),
            ("archived", len(one.archived)),
            ("unchanged", one.unchanged),
            ("held back", one.held_back or None),
            ("passed over", ", ".join(f"{item.path} ({item.why})" for item in one.passed_over)),
        ]
    )
