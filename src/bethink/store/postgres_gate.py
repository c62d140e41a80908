"""Which PostgreSQL servers can keep the promises."""

from __future__ import annotations

from bethink.errors import StoreUnsafe

LEAST = {15: 14, 16: 10, 17: 6}
"""The least release of each major version: older ones show, in the planner's statistics, values that row-level security
hides."""


def check_server(version: int) -> None:
    """Pass when a server of this version keeps tenants apart; `version` is major * 10,000 + minor.

    Raises:
        StoreUnsafe: it does not.
    """
    major, minor = divmod(version, 10_000)
    if major < min(LEAST) or minor < LEAST.get(major, 0):
        least = f"{major}.{LEAST[major]}" if major in LEAST else f"{min(LEAST)}.{LEAST[min(LEAST)]}"
        raise StoreUnsafe(
            f"PostgreSQL {major}.{minor} can show one tenant values of another's rows.",
            remedy=f"Upgrade the server to {least} or newer.",
        )
