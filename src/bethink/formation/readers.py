"""The readers of a memory: who suggests beliefs from a session, and who reviews what was suggested."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.ports.models import Extractor, Reviewer


@dataclass(frozen=True, slots=True)
class Readers:
    """Who reads sessions that ended."""

    extractor: Extractor
    reviewer: Reviewer
