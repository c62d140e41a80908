"""`receipts`: what was forgotten and erased, in a chain. A receipt holds ids, kinds, counts and times, never words."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from bethink.domain.time import iso
from bethink.operations.records import Receipt

_BESIDE = ("previous", "digest")
"""What of a receipt is no part of its body."""


@dataclass(frozen=True, slots=True)
class ReceiptsResult:
    """A page of a tenant's receipts, the first of them first; `next` is what to ask for `after`, None at the end."""

    receipts: tuple[Receipt, ...]
    next: int | None = None


@dataclass(frozen=True, slots=True)
class HonouredResult:
    """What of the receipts of another store was still here and is erased now, in rows by kind; `remains` as ever."""

    receipts: int
    removed: dict[str, int]
    complete: bool
    remains: tuple[str, ...] = ()


def receipt_body(receipt: Receipt) -> str:
    """What was done, as the canonical JSON that a digest is taken of."""
    told = {name: value for name, value in asdict(receipt).items() if name not in _BESIDE}
    plain = {name: iso(value) if isinstance(value, datetime) else value for name, value in told.items()}
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def chained(previous: str, body: str) -> str:
    """SHA-256 in hex of the digest of the receipt before, a line break and the body of this one."""
    return hashlib.sha256(f"{previous}\n{body}".encode()).hexdigest()


def receipt_digest(receipt: Receipt) -> str:
    """The digest a receipt has to carry: over the one before it and its own body."""
    return chained(receipt.previous, receipt_body(receipt))


def sealed(receipt: Receipt) -> Receipt:
    """The receipt with its digest."""
    return replace(receipt, digest=receipt_digest(receipt))


def read_receipt(body: str, previous: str, digest: str) -> Receipt:
    """A receipt from what is stored of it.

    Raises:
        ValueError, TypeError: the body is none.
    """
    told: dict[str, Any] = json.loads(body)
    at = datetime.fromisoformat(told.pop("at"))
    told |= {name: tuple(map(str, told.pop(name))) for name in ("ids", "derived", "sources", "remains")}
    return Receipt(**told, at=at, previous=previous, digest=digest)
