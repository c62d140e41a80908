"""`bethink eval formation`: needs nothing, and says precision and recall together."""

from __future__ import annotations


def test_the_command_prints_precision_and_recall_together(bethink_cli):
    told = bethink_cli("eval", "formation", "--reader", "rules", "--json")

    assert (told.code, told.json["held"]) == (0, True)
    assert told.json["readers"]["rules"]["precision"] == 1.0
    shown = bethink_cli("eval", "formation", "--reader", "rules").out
    assert "precision" in shown
    assert "recall" in shown
