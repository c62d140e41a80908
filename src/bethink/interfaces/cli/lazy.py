"""Commands that load when they are used: the list of them costs a table, not the modules behind it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperGroup

Catalogue = Mapping[str, tuple[str, str]]
"""By command: the module that registers it, and what it does in one line."""


def lazy_group(catalogue: Catalogue) -> type[TyperGroup]:
    """A group of the commands of a catalogue. Each module has a ``register(app)`` that adds its commands."""

    class LazyGroup(TyperGroup):
        """Looks commands up in the catalogue."""

        def list_commands(self, ctx: Any) -> list[str]:
            """The commands in the order of the catalogue."""
            del ctx
            return list(catalogue)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            """The command, its module loaded now; None when there is no such command."""
            del ctx
            if cmd_name not in catalogue:
                return None
            loaded = typer.Typer(rich_markup_mode=None)
            importlib.import_module(catalogue[cmd_name][0]).register(loaded)
            return typer.main.get_group(loaded).commands[cmd_name]

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            """The command that is named; a slip is answered with the names that are like it."""
            self.commands = dict.fromkeys(catalogue, self)  # of which the names alone are looked at there
            return super().resolve_command(ctx, args)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            """The list of commands in the help."""
            del ctx
            with formatter.section("Commands"):
                formatter.write_dl([(name, line) for name, (_, line) in catalogue.items()])

    return LazyGroup
