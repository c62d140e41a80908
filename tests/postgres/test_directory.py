"""Tenants on two databases, served as one memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import bethink
from bethink.directory import read_directory
from bethink.errors import BethinkError, InvalidInput, NotFound, StoreError
from tests.postgres.cluster import Cluster
from tests.postgres.template import AGENT


@pytest.fixture
def urls(postgres: Cluster) -> Iterator[dict[str, str]]:
    with postgres.lend() as one, postgres.lend() as two:
        yield {name: postgres.server.url(place, AGENT) for name, place in (("north", one), ("south", two))}


@pytest.fixture
def directory(urls: dict[str, str]) -> bethink.Directory:
    return bethink.Directory(urls, "north", {"acme": "south"})


def tenants_at(postgres: Cluster, url: str) -> set[str]:
    """The tenants a database holds, as an administrator sees them."""
    with psycopg.connect(url.replace(AGENT, "postgres", 1)) as on:
        return {row[0] for row in on.execute("select tenant from bethink.tenant")}


def test_each_tenant_is_kept_on_its_server_and_nowhere_else(directory, urls, postgres):
    with bethink.open_directory(directory, embedder=None) as memory:
        acme = memory.bind("maya", "aria", tenant="acme", voice="user")
        zeta = memory.bind("maya", "aria", tenant="zeta", voice="user")
        kept = acme.remember("The kiln is fired on Fridays")
        zeta.remember("The kiln stands idle on Fridays")

        assert "fired" in acme.recall("kiln Fridays").rendered
        assert "idle" in zeta.recall("kiln Fridays").rendered
        with pytest.raises(NotFound):
            zeta.get(kept.id)
        assert [grant.agent for grant in memory.grants(tenant="acme")] == ["aria"]

    assert tenants_at(postgres, urls["south"]) == {"acme"}
    assert tenants_at(postgres, urls["north"]) == {"zeta"}


def test_a_grant_is_given_and_taken_back_on_the_tenants_server(directory):
    with bethink.open_directory(directory, embedder=None) as memory:
        memory.grant("maya", "hugo", "user:maya", tenant="acme", write=True)
        assert memory.of("acme").grants(tenant="acme") == memory.grants(tenant="acme") != ()
        assert memory.of("zeta").grants(tenant="acme") == ()
        assert memory.revoke("maya", "hugo", "user:maya", tenant="acme")
        assert memory.grants(tenant="acme") == ()


def test_check_and_repair_run_over_every_server(directory):
    with bethink.open_directory(directory, embedder=None) as memory:
        memory.bind("maya", "aria", tenant="acme", voice="user").remember("The glaze is cobalt")
        told = memory.check()

        assert {name: (found.findings, found.counts["records"]) for name, found in told.items()} == {
            "north": ((), 0),
            "south": ((), 1),
        }
        assert {name: mended.left for name, mended in memory.repair().items()} == {"north": (), "south": ()}


def test_a_server_that_is_away_takes_only_its_own_tenants_with_it(directory, urls):
    lost = bethink.Directory({**urls, "south": "postgresql://nobody@/none?host=/nowhere"}, "north", {"acme": "south"})
    with bethink.open_directory(lost, embedder=None) as memory:
        zeta = memory.bind("maya", "aria", tenant="zeta", voice="user")
        assert zeta.remember("The wheel turns left").id
        with pytest.raises(StoreError):
            memory.bind("maya", "aria", tenant="acme")
        told = memory.check()
        assert isinstance(told["south"], BethinkError)
        assert told["north"].findings == ()


def test_a_store_is_opened_once_and_when_it_is_first_needed(directory, urls):
    opened = []
    served = bethink.ServedMemory(directory, lambda url: opened.append(url) or bethink.open(url, embedder=None))
    assert opened == []
    assert served.of("acme") is served.of("acme")
    assert opened == [urls["south"]]
    served.close()
    served.close()
    with pytest.raises(InvalidInput, match="closed"):
        served.of("zeta")


def test_a_file_says_where_tenants_live(tmp_path: Path):
    path = tmp_path / "directory.toml"
    path.write_text('default = "n"\n[servers]\nn = "postgresql://n/m"\ns = "postgresql://s/m"\n[tenants]\nacme = "s"\n')
    read = read_directory(path)

    assert (read.server_of("acme"), read.server_of("zeta")) == ("s", "n")
    assert "postgresql://" not in repr(read)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "default = 1\n[servers]\nn = 'postgresql://n/m'",
        "default = 'x'\n[servers]\nn = 'postgresql://n/m'",
        "default = 'n'\n[servers]\nn = 'postgresql://n/m'\n[tenants]\nacme = 's'",
        "default = 'n'\n[servers]\nn = 'postgresql://n/m'\ns = 'postgresql://n/m'",
        "default = 'n'\nother = 2\n[servers]\nn = 'postgresql://n/m'",
        "default = [",
    ],
)
def test_a_file_that_is_no_directory_is_refused(tmp_path: Path, text: str):
    path = tmp_path / "directory.toml"
    path.write_text(text)
    with pytest.raises(InvalidInput):
        read_directory(path)
