"""Copying a whole store into another database."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CopyResult:
    """What a copy came to. `tables` are rows per table, counted on both sides and found equal.

    `resumed` says that an earlier run had begun it, `source` and `target` name the engines.
    """

    tables: dict[str, int]
    tenants: int
    resumed: bool
    source: str
    target: str
