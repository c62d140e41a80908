"""The demo, as a newcomer runs it, with the network out of reach."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from tests.behaviour.requirements import requirement

UNPLUGGED = """
import socket, sys
class NoNetwork(socket.socket):
    def __init__(self, family=socket.AF_INET, *rest, **named):
        if family != socket.AF_UNIX:
            raise AssertionError("the demo opened a network socket")
        super().__init__(family, *rest, **named)
socket.socket = NoNetwork
from bethink.interfaces.cli import main
sys.argv = ["bethink", "demo"]
main()
"""

LINES = [
    "19 turns of 3 sessions imported; importing again stored 0",
    "remembered 'Maya lives in Lisbon' with its evidence",
    "remembered 'Maya is allergic to almonds' with its evidence",
    "remembered 'Keep your answers short' with its evidence",
    "remembered 'We decided to use SQLite for Maré' with its evidence",
    "a question is answered from evidence: Where does Maya live?",
    "corrected: 'Maya lives in Porto'",
    "the corrected fact answers now: Where does Maya live?",
    "the old fact is gone from live recall",
    "and is found as of 1 April 2026: Where does Maya live?",
    "a question memory cannot answer gets nothing, with the reason",
    "why the old fact was not recalled",
    "the trace holds the exact bytes the model would have seen",
]


def unshared() -> list[str]:
    """The prefix that runs a command without any network, where the system allows it."""
    tool = shutil.which("unshare")
    probe = [tool, "--net", "--map-root-user", "true"] if tool else ["false"]
    return (
        [str(tool), "--net", "--map-root-user"]
        if subprocess.run(probe, check=False, capture_output=True).returncode == 0
        else []
    )


@pytest.fixture(scope="module")
def shown(tmp_path_factory) -> str:
    """What the demo prints."""
    home = tmp_path_factory.mktemp("home")
    environment = {"BETHINK_HOME": str(home), "PYTHONPATH": ":".join(sys.path), "PATH": "", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [*unshared(), sys.executable, "-c", UNPLUGGED], env=environment, capture_output=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr.decode()[-2_000:]) == (0, "")
    return done.stdout.decode()


@requirement("E94", "B1")
def test_every_line_of_the_demo_holds_without_a_network(shown):
    assert re.findall(r"^(?:ok|NO) +(.*)$", shown, re.MULTILINE) == LINES
    assert not re.search(r"^NO", shown, re.MULTILINE)


def test_the_demo_shows_the_current_fact_and_keeps_the_old_one_for_the_past(shown):
    before, after, past = re.findall(r"<memory .*?</memory>", shown, re.DOTALL)

    assert "Maya lives in Lisbon (imported, high)" in before
    assert "Maya lives in Porto (imported, high)" in after
    assert "Lisbon" not in after
    assert "Maya lives in Lisbon (imported, high; superseded)" in past
    assert "Porto" not in past


def test_the_demo_proves_its_block_with_a_hash(shown):
    assert re.search(r"trace [0-9a-f-]{36}  sha256 [0-9a-f]{64}  verified", shown)
    assert "(below_floor)" in shown
