"""An export as lines of JSON: a manifest, a line for each thing, and an end with the hash of all before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

from bethink.domain.entity import Entity
from bethink.domain.session import Session, Turn
from bethink.interfaces.codec import to_object
from bethink.operations.associations import Relation, Term
from bethink.operations.users import ExportedDocument, ExportedRecord, ExportEnd, ExportItem, ExportManifest

_LINES: dict[type, str] = {
    ExportManifest: "manifest",
    Session: "session",
    Entity: "entity",
    Term: "term",
    Relation: "relation",
    ExportedDocument: "document",
    Turn: "turn",
    ExportedRecord: "record",
    ExportEnd: "end",
}


def lines(items: Iterable[ExportItem]) -> Iterator[str]:
    """Each item as a line of ASCII that says under `line` what it is; the end names the SHA-256 of all lines before."""
    seen = hashlib.sha256()
    for item in items:
        told = {"line": _LINES[type(item)], **to_object(item)}
        if isinstance(item, ExportEnd):
            told["sha256"] = seen.hexdigest()
        line = json.dumps(told, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n"
        seen.update(line.encode())
        yield line
