"""Declared roots: which files become records, for whom, and as who may write there."""

from __future__ import annotations

from bethink.domain.scope import Caller, Principal, Scope, check_writable, readable_scopes
from bethink.errors import InvalidInput, NotFound
from bethink.formation.access import writable_scope
from bethink.formation.desk import Desk
from bethink.operations.files import AddFilesRequest, FileRoot, FileRoots
from bethink.ports.files import FileReader

PATTERNS = ("agents", "markdown")


def add_files(request: AddFilesRequest, desk: Desk, files: FileReader) -> FileRoot:
    """Declare a root; one that is declared already for the same owner comes back as it is.

    Raises:
        InvalidInput: no such file or folder, or an unknown pattern.
        AccessDenied: the caller may not write the target.
    """
    if request.pattern not in PATTERNS:
        raise InvalidInput(f"pattern {str(request.pattern)[:40]!r} is none of {', '.join(PATTERNS)}.")
    caller, path = desk.caller, files.root(request.path)
    target = request.target or ("project" if caller.project is not None else "personal")
    with desk.store.write(desk.tenant) as work:
        scope = writable_scope(caller, target, work.grants.of(caller))
        known = next((root for root in work.roots.roots() if (root.path, root.scope) == (path, scope.key)), None)
        if known is not None:
            return known
        root = FileRoot(
            id=desk.ids.new(work.recorded_at),
            path=path,
            scope=scope.key,
            pattern=request.pattern,
            user=caller.principal.user,
            agent=caller.principal.agent,
            target=target,
            project=caller.project,
            task=caller.task,
        )
        work.roots.add_root(root, work.recorded_at)
        work.event("files.added", root.id, {"scope": root.scope, "pattern": root.pattern})
        return root


def list_roots(desk: Desk) -> FileRoots:
    """The declared roots whose owner the caller reads."""
    with desk.store.snapshot(desk.tenant) as snapshot:
        scopes = {scope.key for scope in readable_scopes(desk.caller, snapshot.grants.of(desk.caller))}
        return FileRoots(tuple(root for root in snapshot.roots.roots() if root.scope in scopes))


def named_root(desk: Desk, files: FileReader, given: str) -> FileRoot:
    """The one root the caller may read that has this id or path, however the path is written.

    Raises:
        NotFound: there is none; another's and an absent one answer alike.
    """
    known = list_roots(desk).roots
    found = [root for root in known if given in {root.id, root.path}]
    if given and not found:
        place = files.place(given)
        found = [root for root in known if root.path == place]
    if len(found) != 1:
        raise NotFound(f"There is no declared root {given[:200]!r}.")
    return found[0]


def remove_files(given: str, desk: Desk, files: FileReader) -> FileRoot:
    """Follow a root no more; its records stay as they are.

    Raises:
        NotFound: no such root of the caller's.
        AccessDenied: the caller may read its records and not write them.
    """
    root = named_root(desk, files, given)
    with desk.store.write(desk.tenant) as work:
        check_writable(desk.caller, Scope.parse(root.scope), work.grants.of(desk.caller))
        work.roots.drop_root(root.id)
        work.event("files.removed", root.id, {"scope": root.scope})
    return root


def writer_of(root: FileRoot, desk: Desk) -> Caller:
    """Who writes a root's records: whoever declared it, vouching for the file as a document."""
    principal = Principal(desk.tenant, root.user, root.agent)
    return Caller(principal, project=root.project, task=root.task, surface="files", voice="user")
