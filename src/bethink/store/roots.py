"""Declared roots of a tenant, and the sections of their files."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from bethink.domain.record import Status
from bethink.domain.scope import Target
from bethink.domain.time import FOREVER, from_micros, to_micros
from bethink.operations.files import FilePattern, FileRoot
from bethink.ports.roots import FileSection, KnownSection
from bethink.store.context import Reading, Writing
from bethink.store.database import Row


class Roots:
    """The `RootWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def roots(self) -> tuple[FileRoot, ...]:
        """Every declared root, by path and id."""
        rows = self._on.rows("list_roots", tenant=self._tenant)
        return tuple(_root(row) for row in rows)

    def sections(self, root_id: str) -> tuple[KnownSection, ...]:
        """Every section that a root's files ever had, by path and section, the latest record of each last."""
        rows = self._on.rows("sections_of_root", tenant=self._tenant, root_id=root_id, forever=FOREVER)
        return tuple(
            KnownSection(FileSection(*row[:5]), Status(row[5]), row[6], missing=row[7] is not None) for row in rows
        )

    def add_root(self, root: FileRoot, at: datetime) -> None:
        """Declare a root."""
        self._on.post(
            "add_root",
            tenant=self._tenant,
            id=root.id,
            path=root.path,
            scope=root.scope,
            target=root.target,
            pattern=root.pattern,
            user_id=root.user,
            agent_id=root.agent,
            project=root.project,
            task=root.task,
            at=to_micros(at),
        )

    def drop_root(self, root_id: str) -> bool:
        """Follow a root no more; whether there was one. Its records stay."""
        self._on.post("drop_sections", tenant=self._tenant, id=root_id)
        return bool(self._on.run("drop_root", tenant=self._tenant, id=root_id))

    def scanned(self, root_id: str, at: datetime) -> None:
        """A root was scanned."""
        self._on.post("root_scanned", tenant=self._tenant, id=root_id, at=to_micros(at))

    def put_section(self, section: FileSection, at: datetime) -> None:
        """A record is a section of a file, looked at now."""
        self._on.post(
            "put_section",
            tenant=self._tenant,
            record_id=section.record,
            root_id=section.root,
            path=section.path,
            section=section.section,
            file_sha256=section.file_sha256,
            at=to_micros(at),
        )

    def stamp(self, record_id: str, at: datetime, *, missing: bool = False) -> None:
        """A section was looked at, and is gone where it is missing."""
        self._on.post("stamp_section", tenant=self._tenant, record_id=record_id, at=to_micros(at), missing=int(missing))


def _root(row: Row) -> FileRoot:
    """A declared root from its row."""
    item, path, scope, pattern, user, agent, target, project, task, scanned_at = row
    return FileRoot(
        id=item,
        path=path,
        scope=scope,
        pattern=cast("FilePattern", pattern),
        user=user,
        agent=agent,
        target=cast("Target", target),
        project=project,
        task=task,
        scanned_at=None if scanned_at is None else from_micros(scanned_at),
    )
