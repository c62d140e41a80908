"""Files: what a declared root holds becomes records, and the records follow it.

read → split by heading → compare with what is known, and then for each section: remember, supersede, or leave alone.
What is gone is archived with the time. What a person forgot, erased or rejected stays away. Every section that was
looked at is stamped, whatever was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from bethink.domain.record import LIVE, Status, StatusSpan, content_digest
from bethink.domain.source import SourceKind
from bethink.errors import AccessDenied, InvalidInput
from bethink.formation.desk import Desk
from bethink.formation.explicit import remember
from bethink.formation.outdate import outdate
from bethink.formation.revise import revise
from bethink.operations.files import FileRoot, FilesScanned, ScanResult
from bethink.operations.remember import RememberRequest
from bethink.operations.revise import ReviseRequest
from bethink.operations.upkeep import PassReport
from bethink.ports.files import FileReader, FileText, FolderRead
from bethink.ports.roots import FileSection, KnownSection
from bethink.text.secrets import redact_secrets
from bethink.text.sections import Section, sections
from bethink.upkeep.roots import list_roots, named_root, writer_of

RECENT = timedelta(hours=20)
"""What was scanned since so long is left to the next daily pass, which never comes at quite the same time."""

REVISION = 16
"""Hex digits of a section's hash that name its revision."""

_NEW = frozenset({"created", "superseded", "conflict", "superseded_on_arrival"})


@dataclass
class _Scan:
    """A scan under way: what it found, and the sections to be stamped."""

    root: FileRoot
    desk: Desk
    created: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    unchanged: int = 0
    held_back: int = 0
    seen: set[tuple[str, str]] = field(default_factory=set)


def scan_files(desk: Desk, files: FileReader, given: str | None = None) -> FilesScanned:
    """Scan a declared root of the caller's, or all of them.

    Raises:
        NotFound: no such root.
        AccessDenied: whoever declared it may no longer write there; nothing was changed.
        StoreError, DeadlineExceeded: a write did not happen; sections before stay, and the next scan goes on.
    """
    roots = list_roots(desk).roots if given is None else (named_root(desk, files, given),)
    return FilesScanned(tuple(scan_root(root, desk, files) for root in roots))


def run_files(desk: Desk, files: FileReader) -> PassReport:
    """Scan every declared root of the tenant that was not scanned lately.

    A root whose declarer may no longer write is passed over, and counted as denied.

    Raises:
        StoreError, DeadlineExceeded: a write did not happen; the next pass goes on.
    """
    with desk.store.snapshot(desk.tenant) as snapshot:
        roots = snapshot.roots.roots()
    done = {"created": 0, "superseded": 0, "archived": 0, "denied": 0}
    due = [root for root in roots if root.scanned_at is None or root.scanned_at + RECENT <= desk.clock.now()]
    for root in due:
        try:
            result = scan_root(root, desk, files)
        except AccessDenied:
            done["denied"] += 1
            continue
        for name in ("created", "superseded", "archived"):
            done[name] += len(getattr(result, name))
    return PassReport(len(due), done)


def scan_root(root: FileRoot, desk: Desk, files: FileReader) -> ScanResult:
    """Bring the records of one root up to its files; see `ScanResult`.

    Raises:
        AccessDenied: whoever declared it may no longer write there.
    """
    writer = replace(desk, caller=writer_of(root, desk))
    found = files.read(root.path, root.pattern)
    with desk.store.snapshot(desk.tenant) as snapshot:
        known = snapshot.roots.sections(root.id)
    latest = {(one.of.path, one.of.section): one for one in known}
    scan = _Scan(root, writer)
    for file in found.files:
        _file(scan, file, latest)
    archived = _finish(scan, found, known, latest)
    return ScanResult(
        root=root,
        files=len(found.files),
        created=tuple(scan.created),
        superseded=tuple(scan.superseded),
        archived=archived,
        unchanged=scan.unchanged,
        held_back=scan.held_back,
        passed_over=found.passed_over,
        present=found.present,
    )


def _file(scan: _Scan, file: FileText, latest: dict[tuple[str, str], KnownSection]) -> None:
    """One file: nothing where its bytes are those of the last scan, else section by section."""
    mine = [one for (path, _), one in latest.items() if path == file.path and not one.missing]
    if mine and all(one.of.file_sha256 == file.sha256 for one in mine):
        scan.seen |= {(one.of.path, one.of.section) for one in mine}
        scan.unchanged += sum(one.status in LIVE for one in mine)
        scan.held_back += sum(one.status not in LIVE for one in mine)
        return
    for section in sections(file.text):
        scan.seen.add((file.path, section.key))
        _section(scan, file, section, latest.get((file.path, section.key)))


def _section(scan: _Scan, file: FileText, section: Section, known: KnownSection | None) -> None:
    """One section: remembered, put in the place of what it was, or left alone."""
    text = redact_secrets(section.text).text
    digest = content_digest(text)
    same = known is not None and known.digest == digest
    if known is not None and same and known.status in LIVE:
        scan.unchanged += 1
        _put(scan, file, section, known.of.record)
    elif known is not None and same and not known.missing:
        scan.held_back += 1
        _put(scan, file, section, known.of.record)
    elif _erased(scan.desk, digest):
        scan.held_back += 1
    elif known is not None and known.status in LIVE and _replaced(scan, file, section, known):
        return
    else:
        _remembered(scan, file, section)


def _replaced(scan: _Scan, file: FileText, section: Section, known: KnownSection) -> bool:
    """Put the new words in the place of the old; False where the old may not be superseded and was archived instead."""
    revision = content_digest(section.text)[:REVISION]
    request = ReviseRequest(
        known.of.record,
        "supersede",
        section.text,
        source=SourceKind.DOCUMENT,
        source_ref=_ref(scan.root, file, section),
        source_revision=revision,
    )
    try:
        done = revise(request, scan.desk)
    except InvalidInput:
        _archive(scan.desk, [known.of.record])
        return False
    if done.outcome == "rejected":
        _archive(scan.desk, [known.of.record])
        scan.held_back += 1
        return True
    scan.superseded.append(known.of.record)
    if done.id != known.of.record:
        scan.created.append(done.id)
        _put(scan, file, section, done.id)
    return True


def _remembered(scan: _Scan, file: FileText, section: Section) -> None:
    """Remember a section that is new, in the voice of the file."""
    request = RememberRequest(
        content=section.text,
        type="resource",
        subject=file.path[-200:],
        target=scan.root.target,
        source=SourceKind.DOCUMENT,
        source_ref=_ref(scan.root, file, section),
        source_revision=content_digest(section.text)[:REVISION],
        file_path=file.path,
    )
    done = remember(request, scan.desk)
    if done.outcome == "rejected":
        scan.held_back += 1
    elif done.outcome in _NEW:
        scan.created.append(done.id)
        _put(scan, file, section, done.id)
    else:
        scan.unchanged += 1  # these words are known from elsewhere, and are not the file's to take away


def _ref(root: FileRoot, file: FileText, section: Section) -> str:
    """What a section's record names as its source."""
    return f"file:{root.id}/{file.path[-500:]}#{section.key[:200]}"


def _put(scan: _Scan, file: FileText, section: Section, record: str) -> None:
    """Note which record a section is, and that it was looked at."""
    with scan.desk.store.write(scan.desk.tenant) as work:
        place = FileSection(record, scan.root.id, file.path, section.key, file.sha256)
        work.roots.put_section(place, work.recorded_at)


def _erased(desk: Desk, digest: str) -> bool:
    """Whether these words were erased before: a file does not bring them back."""
    with desk.store.snapshot(desk.tenant) as snapshot:
        return snapshot.is_erased(digest)


def _archive(desk: Desk, ids: Sequence[str]) -> None:
    """Take what a file no longer says out of every read, with the time."""
    with desk.store.write(desk.tenant) as work:
        for item in ids:
            at = work.recorded_at
            work.records.set_status(item, StatusSpan(Status.ARCHIVED, at, ends_at=at, reason="file_missing"))
            work.event("memory.archived", item, {"reason": "file_missing"})
        outdate(work, ids)


def _finish(
    scan: _Scan, found: FolderRead, known: Iterable[KnownSection], latest: dict[tuple[str, str], KnownSection]
) -> tuple[str, ...]:
    """Archive what is gone, stamp all that was looked at, and note the scan; ids of what was archived."""
    unread = {one.path for one in found.passed_over}
    cut = not found.present or any(one.why == "too_many" for one in found.passed_over)
    gone = [
        one
        for place, one in latest.items()
        if not cut and place not in scan.seen and one.of.path not in unread and not one.missing
    ]
    archived = [one.of.record for one in gone if one.status in LIVE]
    _archive(scan.desk, archived)
    missing = {one.of.record for one in gone}
    with scan.desk.store.write(scan.desk.tenant) as work:
        for one in known:
            if not one.missing:
                work.roots.stamp(one.of.record, work.recorded_at, missing=one.of.record in missing)
        work.roots.scanned(scan.root.id, work.recorded_at)
    return tuple(archived)
