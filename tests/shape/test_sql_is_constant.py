"""SQL lives in .sql files and is never built from parts: what varies is bound."""

from __future__ import annotations

import ast
import re

import pytest

from tests.shape.source import PACKAGE, place, python_files, tree

CALLS = {"execute", "executemany", "executescript", "run", "query", "script"}
JOINING = {"format", "format_map", "join", "substitute", "safe_substitute"}

STATEMENT = re.compile(
    r"\bSELECT\b.*\bFROM\b|\bINSERT\s+(OR\s+\w+\s+)?INTO\b|\bUPDATE\s+\w+\s+SET\b|\bDELETE\s+FROM\b"
    r"|\b(CREATE|ALTER|DROP)\s+(UNIQUE\s+|VIRTUAL\s+|TEMP\s+)?(TABLE|INDEX|TRIGGER|VIEW)\b",
    re.DOTALL,
)
OPENING = re.compile(
    r"\s*(select\s.+\sfrom\s|insert\s+(or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s"
    r"|(create|alter|drop)\s+(unique\s+|virtual\s+|temp\s+)?(table|index|trigger|view)\s)",
    re.IGNORECASE | re.DOTALL,
)


def ways(value: ast.expr, names: dict[str, ast.expr]) -> list[ast.expr]:
    """What an expression may stand for: the branches of a choice, the text behind a local name."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            return [*ways(body, names), *ways(orelse, names)]
        case ast.NamedExpr(value=inner):
            return ways(inner, names)
        case ast.Name(id=name) if name in names:
            return ways(names[name], {key: item for key, item in names.items() if key != name})
        case _:
            return [value]


def built(value: ast.expr) -> bool:
    """Whether a text is put together at run time; exchanging one written text for another is not."""
    match value:
        case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(value=inner, attr="replace"), args=args):
            return built(inner) or not all(isinstance(arg, ast.Constant) for arg in args)
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in JOINING
        case _:
            return False


def built_statements(module: ast.AST) -> list[int]:
    """Lines of calls that send a statement made at run time."""
    names = {
        target.id: node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CALLS
        and node.args
        and any(map(built, ways(node.args[0], names)))
    ]


def statements(module: ast.AST) -> list[int]:
    """Lines of texts that are SQL; docstrings may speak of it."""
    spoken = {
        id(node.body[0].value)
        for node in ast.walk(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in spoken
        and (STATEMENT.search(node.value) or OPENING.match(node.value))
    ]


def test_no_statement_is_built_from_parts():
    found = [f"{place(path)}:{line}" for path in python_files(PACKAGE) for line in built_statements(tree(path))]

    assert found == []


def test_no_statement_stands_in_python():
    found = [f"{place(path)}:{line}" for path in python_files(PACKAGE) for line in statements(tree(path))]

    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "db.execute(f'x {y}')",
        "db.execute('x ' + y)",
        "db.executemany('x %s' % y, rows)",
        "db.run('x {}'.format(y))",
        "db.run(' and '.join(parts), z)",
        "sql = base\nsql = f'{base} x'\ndb.execute(sql)",
        "db.execute(a if b else f'x {y}')",
        "db.execute(text.replace('/*table*/', table))",
    ],
)
def test_every_way_to_build_one_is_seen(source):
    assert built_statements(ast.parse(source)) != []


@pytest.mark.parametrize(
    "source",
    [
        "db.execute(queries['get'], (a + b,))",
        "db.execute(script.replace('/*clustered*/', 'without rowid'))",
        "db.run(statement if wide else narrow, f'{key}')",
    ],
)
def test_a_constant_statement_passes(source):
    assert built_statements(ast.parse(source)) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'select a from b where c = ?'", [1]),
        ("f'DELETE FROM {table}'", [1]),
        ("'x; UPDATE a SET b = 1'", [1]),
        ("'Select one from the list'", [1]),
        ("'Nothing was selected; choose from these.'", []),
        ("'Update the setting, then run it again'", []),
    ],
)
def test_sql_is_told_from_prose(source, expected):
    assert statements(ast.parse(f"x = {source}")) == expected
