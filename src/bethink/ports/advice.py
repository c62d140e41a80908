"""What may be asked of a model, when a host hands one in. Without one, rules decide; no read asks it.

An adviser's text is untrusted like any: it is bounded, screened, and may say nothing that its sources do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


class ProfileWriter(Protocol):
    """Writes what is known of an entity as one text."""

    def write(self, name: str, statements: Sequence[str]) -> str:
        """A profile of at most 2,000 characters, made of these statements alone."""
        ...


@dataclass(frozen=True, slots=True)
class Advisers:
    """The models a host hands in, None where rules decide."""

    profiles: ProfileWriter | None = None
