"""Whatever a user can set, meet or call is in the documents, and the documents name nothing else."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer

import bethink
from bethink.interfaces import cli
from bethink.settings import leaves
from tests.shape.source import ROOT, place

README = ROOT / "README.md"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "changelog.d").rglob("*.md")),
]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]+)[^)]*\)")
FRAGMENT = re.compile(r"[a-z0-9-]+\.(added|changed|deprecated|removed|fixed|security)\.md")
NO_CALLS = {("docs/agents.md", "read")}
"""What looks like a call and is the name of an event."""
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def setting_rows() -> dict[str, list[str]]:
    """The table of docs/settings.md: default and environment variable by setting."""
    lines = (ROOT / "docs" / "settings.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line.startswith("| `")]
    return {row[0].strip("`"): row[1:3] for row in cells}


def commands(command: Any, typed: str = "") -> list[str]:
    """The names of every command of a group, as a user types them."""
    if not hasattr(command, "list_commands"):
        return [typed]
    context = typer.Context(command)
    inner = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return [
        line
        for name, item in inner.items()
        if item is not None and not item.hidden
        for line in commands(item, f"{typed} {name}".strip())
    ]


def test_every_setting_is_on_its_page_with_default_and_variable():
    expected = {
        name: [f"`{json.dumps(value)}`", f"`BETHINK_{name.upper().replace('.', '__')}`"]
        for name, value in leaves().items()
        if name != "home"
    }
    expected["home"] = ["the platform's data folder", "`BETHINK_HOME`"]

    assert setting_rows() == expected


def test_every_command_is_documented():
    documented = "\n".join(page.read_text("utf-8") for page in PAGES)
    known = commands(typer.main.get_command(cli.app))

    assert known
    assert [name for name in known if f"bethink {name}" not in documented] == []


def test_the_page_of_commands_has_them_all():
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")

    assert [name for name in commands(typer.main.get_command(cli.app)) if f"`bethink {name}`" not in page] == []


@pytest.mark.parametrize(("word", "facade"), [("memory", bethink.Memory), ("bound", bethink.BoundMemory)])
def test_the_documents_call_nothing_on_a_store_that_its_caller_has_or_the_other_way(word: str, facade: type):
    called = {
        (place(page), name)
        for page in [README, *sorted((ROOT / "docs").glob("*.md"))]
        for name in re.findall(rf"(?<![\w/.:]){word}\.([a-z_]+)(?=[(.`])", page.read_text("utf-8"))
    }

    assert len(called) > 5
    assert {(page, name) for page, name in called if not hasattr(facade, name)} <= NO_CALLS


def test_commands_are_found_below_groups():
    app, group = typer.Typer(), typer.Typer()
    app.add_typer(group, name="grant")
    group.command("add")(lambda: None)
    app.command("recall")(lambda: None)
    app.command("internal", hidden=True)(lambda: None)

    assert sorted(commands(typer.main.get_command(app))) == ["grant add", "recall"]


@pytest.mark.parametrize("folder", ["docs", "docs/decisions"])
def test_every_page_stands_in_the_index_of_its_folder(folder: str):
    index = ROOT / folder / "README.md"
    pages = {path.name for path in index.parent.glob("*.md")} - {index.name}

    assert pages
    assert sorted(pages - set(LINK.findall(index.read_text("utf-8")))) == []


def test_every_relative_link_leads_somewhere():
    broken = [
        f"{place(page)}: {target}"
        for page in PAGES
        for target in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]

    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_python_examples_parse(page: Path):
    for example in PYTHON.findall(page.read_text("utf-8")):
        ast.parse(example)


def test_the_readme_names_the_two_commands_of_a_newcomer():
    text = README.read_text("utf-8")

    assert "make demo" in text
    assert "make test" in text


def test_fragments_are_named_for_a_category():
    fragments = [path.name for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]

    assert [name for name in fragments if not FRAGMENT.fullmatch(name)] == []
