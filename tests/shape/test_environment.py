"""Only the settings read the environment."""

from __future__ import annotations

import ast

import pytest

from tests.shape.source import PACKAGE, place, python_files, tree

READER = "src/bethink/settings.py"
NAMES = {"environ", "environb", "getenv", "getenvb", "putenv"}


def reads(node: ast.AST) -> bool:
    """Whether a node reads the environment: through `os`, or by an option that names a variable."""
    match node:
        case ast.Attribute(value=ast.Name(id="os"), attr=name):
            return name in NAMES
        case ast.ImportFrom(module="os", names=names):
            return any(alias.name in NAMES for alias in names)
        case ast.keyword(arg="envvar"):
            return True
        case _:
            return False


def test_only_the_settings_read_the_environment():
    readers = {place(path) for path in python_files(PACKAGE) if any(map(reads, ast.walk(tree(path))))}

    assert readers == {READER}


@pytest.mark.parametrize(
    "source", ["os.environ['A']", "os.getenv('A')", "from os import environ", "Option(envvar='BETHINK_X')"]
)
def test_every_way_to_read_it_is_seen(source):
    assert any(map(reads, ast.walk(ast.parse(source))))
