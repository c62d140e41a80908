"""What memory gives to a prompt, from the command line."""

from __future__ import annotations

import bethink

TEA = ("remember", "I drink my tea without sugar", "--type", "preference")


def test_a_snapshot_is_taken_once_and_shown_again_byte_for_byte_here_and_in_python(bethink_cli, home):
    bethink_cli(*TEA)
    taken = bethink_cli("snapshot", "monday", "--goal", "Make tea", "--json").json
    bethink_cli("remember", "I like rye bread", "--type", "preference")
    again = bethink_cli("snapshot", "monday", "--size", "child", "--json").json
    with bethink.open() as memory:
        there = memory.bind("local", "cli").snapshot(session="monday")

    assert "tea without sugar" in taken["rendered"]
    assert (taken["taken"], again["taken"]) == (True, False)
    assert again["rendered"] == taken["rendered"] == there.rendered
    assert again["sha256"] == there.sha256
    assert taken["rendered"] in bethink_cli("snapshot", "monday").out


def test_what_changed_since_is_shown_with_its_corrections(bethink_cli):
    about = ("--type", "preference", "--subject", "me", "--attribute", "tea")
    bethink_cli("remember", "I drink black tea", *about)
    nothing = bethink_cli("snapshot", "monday").out
    before = bethink_cli("delta", "monday").out
    bethink_cli("remember", "I drink green tea", *about)
    told = bethink_cli("delta", "monday", "--json").json
    shown = bethink_cli("delta", "monday").out

    assert "black tea" in nothing
    assert "Nothing else changed." in before
    assert [item["text"].endswith("I drink green tea") for item in told["changes"]["items"]] == [True]
    assert told["corrections"][0]["text"] in shown
    assert "green tea" in shown
    assert bethink_cli("delta", "tuesday").code == 3


def test_whether_a_turn_needs_memory_is_said_with_the_reason(bethink_cli):
    bethink_cli(*TEA)
    ordinary = bethink_cli("gaps", "What is the capital of France?")
    needing = bethink_cli("gaps", "How do I like my tea?", "--draft", "No idea.")
    told = bethink_cli("gaps", "How do I like my tea?", "--json").json

    assert ordinary.out == "memory is not needed: no gaps\n"
    assert needing.out.startswith("memory is needed: admitted\n")
    assert "tea without sugar" in needing.out
    assert (told["needed"], told["gaps"][0]["kind"], told["policy"]) == (True, "preference", "gaps@1")
    assert [one["verdict"] for one in told["weighed"]][:1] == ["helpful"]
