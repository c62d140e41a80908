"""Entities, rejections, files and skills from the command line."""

from __future__ import annotations

import pytest


def test_entities_are_listed_merged_and_told_about(bethink_cli):
    for name in ("A. Keller", "Ada Keller"):
        bethink_cli("remember", f"{name} paints", "--subject", name)
    listed = bethink_cli("entities", "list", "--json").json
    merged = bethink_cli("entities", "merge", "A. Keller", "Ada Keller", "--json").json
    none = bethink_cli("entities", "profile", "Ada Keller")
    made = bethink_cli("entities", "profile", "Ada Keller", "--refresh")
    shown = bethink_cli("entities", "list", "A. Keller")

    assert {card["name"] for card in listed["entities"]} == {"A. Keller", "Ada Keller"}
    assert (merged["outcome"], merged["entity"]["aliases"], merged["records"]) == ("merged", ["A. Keller"], 1)
    assert (none.code, made.code) == (1, 0)
    assert made.out.startswith("Ada Keller, also called A. Keller:\n- ")
    assert "yes" in shown.out
    assert bethink_cli("entities", "confirm", "Ada Keller", "--json").json["provisional"] is False
    assert bethink_cli("entities", "merge", "Nobody", "Ada Keller").code == 3


def test_a_record_is_rejected_for_one_reason(bethink_cli):
    ids = [bethink_cli("remember", f"Rosa plants {what}", "--json").json["id"] for what in ("plums", "pears", "figs")]
    untrue = bethink_cli("reject", ids[0], "--untrue", "--json").json
    changed = bethink_cli("reject", ids[1], "--now", "Rosa plants apples", "--json").json
    doubted = bethink_cli("reject", ids[2])

    assert (untrue["outcome"], untrue["record_status"]) == ("retired", "archived")
    assert (changed["outcome"], changed["superseded"]) == ("superseded", [ids[1]])
    assert doubted.out.startswith("flagged m:")
    both = bethink_cli("reject", ids[2], "--untrue", "--changed")
    assert (both.code, "untrue and changed" in both.err) == (2, True)


def test_a_folder_of_notes_is_added_scanned_and_removed(bethink_cli, tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "AGENTS.md").write_text("# Rule\nShip on Fridays.\n")
    (notes / "big.md").write_text("not for agents")
    added = bethink_cli("files", "add", str(notes), "--json").json
    listed = bethink_cli("files", "list", "--json").json
    (notes / "AGENTS.md").write_text("# Rule\nShip on Mondays.\n")
    scanned = bethink_cli("files", "scan", str(notes))
    recalled = bethink_cli("recall", "When to ship?", "--json").json

    assert len(added["scans"][0]["created"]) == 1
    assert [root["path"] for root in listed["roots"]] == [str(notes)]
    assert scanned.code == 0
    assert [line.split() for line in scanned.out.splitlines() if "superseded" in line] == [["superseded", "1"]]
    assert [item["text"].split()[-1] for item in recalled["items"]] == ["Mondays."]
    assert bethink_cli("files", "remove", str(notes)).code == 0
    assert bethink_cli("files", "list", "--json").json["roots"] == []
    assert bethink_cli("files", "add", str(tmp_path / "none")).code == 2


def test_a_skill_is_registered_loaded_and_removed(bethink_cli, tmp_path):
    text = tmp_path / "SHIP.md"
    text.write_text("Run the tests.")
    words = ("skills", "register", "ship", str(text), "--description", "How to ship.", "--tool", "shell")
    made = bethink_cli(*words, "--json").json
    listed = bethink_cli("skills", "list", "--json").json
    loaded = bethink_cli("skills", "load", "ship")

    assert (made["version"], made["tool_names"]) == (1, ["shell"])
    assert listed["skills"] == [{"id": "ship", "description": "How to ship.", "scope": "user:local"}]
    assert loaded.out.endswith("Run the tests.\n")
    assert bethink_cli("skills", "remove", "ship").out == "removed ship\n"
    assert bethink_cli("skills", "remove", "ship").code == 3


@pytest.mark.parametrize("words", [("entities", "list", "--limit", "0"), ("files", "scan", "nowhere")])
def test_what_cannot_be_meant_says_why(bethink_cli, words):
    shown = bethink_cli(*words)

    assert shown.code in {2, 3}
    assert "Error: " in shown.err


def test_terms_are_related_walked_and_taken_back(bethink_cli):
    for name in ("web", "api"):
        assert bethink_cli("associations", "register", name, "--alias", f"the {name}").code == 0
    made = bethink_cli("associations", "relate", "the web", "calls", "api", "--json").json
    walk = bethink_cli("associations", "traverse", "api")
    listed = bethink_cli("associations", "list", "--json").json

    assert (made["outcome"], made["relation"]["predicate"]) == ("created", "calls")
    assert "web - calls - api" in walk.out
    assert [term["aliases"] for term in listed["terms"]] == [["the api"], ["the web"]]
    assert bethink_cli("associations", "retract", made["relation"]["id"]).out.startswith("removed  1 relations\n")
    assert bethink_cli("associations", "remove", "the web", "--json").json["removed"] == {"names": 2, "terms": 1}
    assert bethink_cli("associations", "traverse", "web").code == 3


def test_a_document_is_added_searched_and_forgotten(bethink_cli, tmp_path):
    page = tmp_path / "studio.md"
    page.write_text("# Studio\n" + "Heat the kiln slowly to cone six. " * 30, "utf-8")
    added = bethink_cli("documents", "add", str(page))
    again = bethink_cli("documents", "add", str(page), "--json").json
    found = bethink_cli("documents", "search", "How slowly is the kiln heated?", "--json").json
    shown = bethink_cli("documents", "search", "How slowly is the kiln heated?")

    assert (added.code, "Studio" in added.out, again["unchanged"]) == (0, True, 1)
    assert (found["passages"][0]["source"], found["passages"][0]["line"]) == (str(page), 1)
    assert shown.out == found["rendered"] + "\n"
    assert bethink_cli("documents", "list", "--json").json["documents"][0]["title"] == "Studio"
    assert bethink_cli("documents", "search", "zebra").out == "No passage answers that.\n"
    gone = bethink_cli("documents", "forget", str(page), "--json").json
    assert (gone["operation"], gone["removed"]["documents"], gone["complete"]) == ("erase", 1, True)
    assert bethink_cli("documents", "forget", str(page)).code == 3
    assert bethink_cli("documents", "search", "kiln").out == "There is no document to search.\n"


def test_a_document_that_holds_a_secret_is_refused_by_name(bethink_cli, tmp_path):
    page = tmp_path / "keys.md"
    page.write_text("# Keys\nAKIAIOSFODNN7EXAMPLE\n", "utf-8")
    done = bethink_cli("documents", "add", str(page))

    assert done.code == 1
    assert f"{page}: it holds secrets" in done.out
    assert "AKIA" not in done.out
