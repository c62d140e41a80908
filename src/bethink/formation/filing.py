"""Filing: a record under nodes of its tenant's taxonomy. It says where a record belongs and changes nothing it says."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.record import short_ids
from bethink.domain.taxonomy import check_paths, known_paths
from bethink.errors import InvalidInput
from bethink.formation.desk import Desk
from bethink.formation.named import named_record
from bethink.operations.taxonomy import FileRequest, FileResult
from bethink.ports.store import UnitOfWork


def known_nodes(work: UnitOfWork, paths: Sequence[str]) -> tuple[str, ...]:
    """The checked paths, when the taxonomy has them all.

    Raises:
        InvalidInput: it has not; nothing was stored.
    """
    return known_paths(work.taxonomy.nodes(), paths) if paths else ()


def file(request: FileRequest, desk: Desk) -> FileResult:
    """File a record under nodes, take it out of others, or both; doing it twice is harmless.

    Raises:
        InvalidInput: no such node, a turn, or nothing to do.
        NotFound: no such record, as far as the caller may know.
        AccessDenied: the caller may read it and not write it.
    """
    under, out_of = check_paths(request.under), check_paths(request.out_of)
    if not under and not out_of:
        raise InvalidInput("No node is named to file the record under.", remedy="Name paths, such as workflow.git.")
    with desk.store.write(desk.tenant) as work:
        _, record = named_record(work, desk, request.id)
        known_nodes(work, under)
        for path in under:
            work.taxonomy.file(record.id, path, "caller", work.recorded_at)
        gone = [path for path in out_of if work.taxonomy.withdraw(record.id, path)]
        work.event("memory.filed", record.id, {"under": list(under), "out_of": gone})
        filed = work.taxonomy.filed((record.id,)).get(record.id, ())
    return FileResult(record.id, short_ids([record.id])[record.id], filed)
