"""What a caller writes and reads with: the parts of an open store, bound to who asks."""

from __future__ import annotations

from bethink.domain.scope import Caller
from bethink.errors import InvalidInput
from bethink.formation.desk import Desk
from bethink.memory.parts import Parts
from bethink.ports.files import FileReader
from bethink.ports.models import Readers
from bethink.recall.reader import Reader


def desk_of(parts: Parts, caller: Caller) -> Desk:
    """What writing needs."""
    return Desk(
        store=parts.store,
        caller=caller,
        clock=parts.clock,
        ids=parts.ids,
        embedder=parts.embedder,
        space=parts.space,
        settings=parts.settings,
        advisers=parts.advisers,
        calibration=parts.calibration,
    )


def reader_of(parts: Parts, caller: Caller) -> Reader:
    """What reading needs."""
    tenant = caller.principal.tenant
    return Reader(
        open=lambda seconds: parts.store.snapshot(tenant, deadline=seconds, may_lag=True),
        caller=caller,
        clock=parts.clock,
        ids=parts.ids,
        settings=parts.settings.recall,
        embedder=parts.embedder,
        space=parts.space,
        dense_off=parts.dense_off,
        calibration=parts.calibration,
        language=parts.settings.language,
        former=parts.steps.former,
        ranker=parts.steps.ranker,
        classifier=parts.steps.classifier,
        reranker=parts.steps.reranker,
        asking=parts.asking,
        rewrites=parts.rewrites,
        provider=parts.nominations,
    )


def readers_of(parts: Parts) -> Readers:
    """What reads sessions that ended.

    Raises:
        InvalidInput: nobody does here.
    """
    if parts.readers is None:
        msg = f"Extractor {parts.settings.formation.extractor!r} reads no sessions by itself."
        raise InvalidInput(msg, remedy="Set `formation.extractor` to rules or model.")
    return parts.readers


def files_of(parts: Parts) -> FileReader:
    """What reads files.

    Raises:
        InvalidInput: nothing does here.
    """
    if parts.files is None:
        raise InvalidInput("This memory reads no files.", remedy="Open it with files=, a FileReader.")
    return parts.files
