"""Both stores pass the suite that bethink ships for stores of other makes, and the suite notices one that does not."""

from __future__ import annotations

import pytest

from bethink.testing import conformance
from bethink.testing.conformance import CHECKS, NotConforming, Trial


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_store_of_ours_conforms(store, clock, open_store, check):
    check(Trial(store, clock, open_store))


def test_every_check_is_in_the_suite():
    public = [
        item
        for name, item in vars(conformance).items()
        if callable(item) and getattr(item, "__module__", "") == conformance.__name__ and not name.startswith("_")
    ]

    assert set(CHECKS) == set(public)
    assert all(check.__doc__ for check in CHECKS)


class OneTenant:
    """A store that reads every tenant as the same."""

    def __init__(self, store):
        self._store = store

    def __getattr__(self, name):
        return getattr(self._store, name)

    def snapshot(self, _tenant, **options):
        return self._store.snapshot("acme", **options)


def test_a_store_that_mixes_tenants_does_not_conform(store, clock, open_store):
    with pytest.raises(NotConforming, match="a tenant reads its own record"):
        conformance.no_tenant_sees_another(Trial(OneTenant(store), clock, open_store))
