"""A tree of topics from the command line: kept, filed under, recalled by."""

from __future__ import annotations


def test_a_tree_is_grown_filed_under_recalled_by_and_cut_from_the_command_line(bethink_cli):
    empty = bethink_cli("taxonomy", "list")
    bethink_cli("taxonomy", "add", "workflow")
    named = bethink_cli("taxonomy", "add", "workflow.git", "--name", "Git and friends", "--json").json
    filed = bethink_cli("remember", "Rosa rebases first", "--node", "workflow.git", "--json").json
    other = bethink_cli("remember", "Rosa plants plums", "--json").json
    moved = bethink_cli("taxonomy", "file", other["short_id"], "--under", "workflow")
    back = bethink_cli("taxonomy", "file", other["id"], "--out-of", "workflow", "--json").json
    found = bethink_cli("recall", "What does Rosa do?", "--node", "workflow", "--json").json
    gone = bethink_cli("taxonomy", "remove", "workflow", "--json").json
    shown = bethink_cli("taxonomy", "list", "--json").json

    assert empty.out == "no nodes\n"
    assert (named["path"], named["name"]) == ("workflow.git", "Git and friends")
    assert moved.out == f"{other['short_id']} is filed under workflow\n"
    assert back["taxonomy"] == []
    assert {item["type"] for item in found["items"]} == {"fact"}
    assert [item["id"] for item in found["items"]] == [filed["id"]]
    assert found["topics"] == ["workflow"]
    assert ([node["path"] for node in gone["nodes"]], gone["filings"]) == (["workflow", "workflow.git"], 1)
    assert shown["nodes"] == []


def test_a_node_that_there_is_not_says_which_there_are(bethink_cli):
    bethink_cli("taxonomy", "add", "workflow")
    shown = bethink_cli("recall", "What does Rosa do?", "--node", "cooking")
    orphan = bethink_cli("taxonomy", "add", "cooking.soup")
    absent = bethink_cli("taxonomy", "remove", "cooking")

    assert (shown.code, orphan.code, absent.code) == (2, 2, 3)
    assert "Nodes are workflow." in shown.err
