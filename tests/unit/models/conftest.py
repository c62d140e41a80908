"""Every test here asks the model library."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _loop(own_loop: None) -> None:
    """See `own_loop`."""
