"""The repository speaks of the product alone, and silences no check without a reason."""

from __future__ import annotations

import io
import re
import tokenize

import pytest

from tests.shape.source import PACKAGE, ROOT, place, python_files, repository_files, text_of

HOMES = ("work", "root", "home", "tmp", "var/tmp", "Users", "private", "mnt", "opt")
MACHINE_PATH = re.compile(r"(?<![\w.)\]}>~*/-])/(" + "|".join(HOMES) + r")/[A-Za-z]")
"""An absolute path into somebody's machine; a path below another folder is none."""

REGISTRIES = (
    ("pypi", "org"),
    ("pythonhosted", "org"),
    ("npmjs", "org"),
    ("npmjs", "com"),
    ("yarnpkg", "com"),
    ("crates", "io"),
    ("rubygems", "org"),
    ("anaconda", "org"),
    ("proxy.golang", "org"),
)
REGISTRY = re.compile("|".join(rf"{name}\.{domain}" for name, domain in REGISTRIES))

LEFTOVER = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "HA" + "CK", "XX" + "X")) + r")\b")

SILENCER = re.compile(r"#\s*(?:ruff:\s*)?noqa|#\s*type:\s*ignore|#\s*mypy:\s|#\s*pylint:|#\s*pragma:")
REASONED = re.compile(
    r"#\s*(?:ruff:\s*)?(?:noqa:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|type:\s*ignore\[[\w, -]+\])"
    r"\s*(?:[-#:]+\s*)?(?P<reason>[^#]*)"
)


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    """Where a pattern occurs, over every text of the repository."""
    return [
        f"{place(path)}:{number}"
        for path in repository_files()
        if (text := text_of(path)) is not None
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


def comments(source: str) -> list[tuple[int, str]]:
    """The comments of a Python text, with their lines."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]


def unreasoned(comment: str) -> bool:
    """Whether a comment silences a check without a code and a reason of at least three words."""
    if not SILENCER.search(comment):
        return False
    found = REASONED.search(comment)
    return found is None or len(found["reason"].split()) < 3


def test_no_text_holds_a_path_of_a_machine():
    assert lines_with(MACHINE_PATH) == []


def test_no_text_names_a_registry():
    assert lines_with(REGISTRY) == []


def test_nothing_is_left_to_do():
    assert lines_with(LEFTOVER) == []


def test_a_silenced_check_has_a_code_and_a_reason():
    files = python_files(PACKAGE, ROOT / "tests", ROOT / "scripts")

    assert [f"{place(p)}:{n}" for p in files for n, c in comments(p.read_text("utf-8")) if unreasoned(c)] == []


def test_the_walk_sees_the_repository():
    seen = {place(path) for path in repository_files()}

    assert {"pyproject.toml", ".ci/run", "src/bethink/errors.py", "tests/shape/test_repository.py"} <= seen
    assert not any(name.startswith((".git/", ".venv/")) or "__pycache__" in name for name in seen)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see /" + "home/ann/notes", True),
        ('open("/' + 'tmp/store.db")', True),
        ("docs/" + "tmp/x", False),
        ("https://example.org/" + "home/a", False),
        ("../" + "work/x", False),
    ],
)
def test_a_machine_path_is_told_from_a_path(line, expected):
    assert bool(MACHINE_PATH.search(line)) is expected


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("# no" + "qa", True),
        ("# no" + "qa: BLE001", True),
        ("# no" + "qa: BLE001 - edge", True),
        ("# no" + "qa: BLE001 - the edge answers with a report", False),
        ("# no" + "qa: S105, S106  # a name, not a secret", False),
        ("# type: " + "ignore", True),
        ("# type: " + "ignore[arg-type]", True),
        ("# type: " + "ignore[arg-type]  # the driver's stub is too narrow", False),
        ("# an ordinary remark", False),
    ],
)
def test_a_reason_is_told_from_none(comment, expected):
    assert unreasoned(comment) is expected
