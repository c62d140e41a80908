"""A house per test, as the behaviour tests have it."""

from __future__ import annotations

from tests.behaviour.conftest import house, maya

__all__ = ["house", "maya"]
