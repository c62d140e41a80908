"""The store these tests write to."""

from tests.unit.desks import world

__all__ = ["world"]
