"""How far the passes of a tenant's upkeep have looked."""

from __future__ import annotations

from bethink.store.context import Reading, Writing


class Marks:
    """The `MarkWrites` port."""

    def __init__(self, context: Reading | Writing) -> None:
        self._on = context.connection
        self._tenant = context.tenant

    def get(self, name: str) -> int:
        """The position up to which the pass with this name has looked, 0 before its first."""
        row = self._on.row("read_mark", tenant=self._tenant, pass_name=name)
        return row[0] if row else 0

    def put(self, name: str, position: int) -> None:
        """The pass with this name has looked so far."""
        self._on.post("set_mark", tenant=self._tenant, position=position, pass_name=name)
