"""The help and the tool list, byte for byte. To accept a change: ``python -m tests.interfaces.golden``."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path

import anyio
import typer
from mcp import Client

from bethink.interfaces import cli
from bethink.interfaces.mcp import build_server

FOLDER = Path(__file__).parents[1] / "golden"


def command_lines() -> list[list[str]]:
    """A line of arguments for the help of the program, of each command and of each command below a group."""
    found = [[]]
    program = typer.main.get_command(cli.app)
    for name in cli.COMMANDS:
        found.append([name])
        found += [[name, inner] for inner in getattr(program.get_command(None, name), "commands", {})]
    return found


def help_text() -> str:
    """Every help, one after another, at 80 columns."""
    shown = []
    for words in command_lines():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = cli.run([*words, "--help"])
        shown.append(f"$ bethink {' '.join([*words, '--help'])}\n{out.getvalue()}({code})\n")
    return "\n".join(shown)


async def tool_list() -> str:
    """The tools as a host sees them. Listing needs no memory behind the server."""
    async with Client(build_server(None, version="0", tools="all"), raise_exceptions=True) as client:  # type: ignore[arg-type]  # listing asks no memory
        tools = (await client.list_tools()).tools
    shown = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    return json.dumps(shown, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    (FOLDER / "help.txt").write_text(help_text(), "utf-8")
    (FOLDER / "tools.json").write_text(anyio.run(tool_list), "utf-8")
