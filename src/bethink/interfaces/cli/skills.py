"""`skills register`, `skills list`, `skills load` and `skills remove`: procedures, apart from what is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from bethink.domain.scope import Target
from bethink.errors import InvalidInput, NotFound
from bethink.interfaces.cli.command import TARGET, Call, command
from bethink.interfaces.cli.screen import columns, pairs, say
from bethink.operations.skills import RegisterSkillRequest, Skill, SkillsResult


@dataclass(frozen=True, slots=True)
class RegisterOptions:
    """What `skills register` takes."""

    id: Annotated[str, typer.Argument(help="Its name.")]
    instructions: Annotated[Path, typer.Argument(help="The file that says what to do.")]
    description: Annotated[str, typer.Option(help="What it is for; all that is seen before it is loaded.")]
    tool: Annotated[list[str] | None, typer.Option(metavar="TOOL", help="A tool it expects; grants nothing.")] = None
    target: Annotated[Target, typer.Option(help=TARGET)] = "personal"


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `skills list` takes: nothing of its own."""


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What `skills load` takes."""

    id: Annotated[str, typer.Argument(help="A skill, by name.")]


@dataclass(frozen=True, slots=True)
class RemoveOptions:
    """What `skills remove` takes."""

    id: Annotated[str, typer.Argument(help="A skill, by name.")]
    target: Annotated[Target, typer.Option(help=TARGET)] = "personal"


@dataclass(frozen=True, slots=True)
class Removed:
    """The skill that is gone."""

    id: str


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Register procedures, and load one.", rich_markup_mode=None)
    command(group, "skills register", RegisterOptions)(register_one)
    command(group, "skills list", ListOptions)(list_all)
    command(group, "skills load", LoadOptions)(load)
    command(group, "skills remove", RemoveOptions)(remove)
    app.add_typer(group, name="skills")


def register_one(call: Call, options: RegisterOptions) -> None:
    """Register a skill from a file, or register it anew."""
    try:
        instructions = options.instructions.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{options.instructions} cannot be read as text: {error}.") from error
    tools = tuple(options.tool or ())
    request = RegisterSkillRequest(options.id, options.description, instructions, tools, options.target)
    skill = call.bound().register_skill(request)
    call.answer(skill, lambda: _show(skill))


def list_all(call: Call, _options: ListOptions) -> None:
    """List what each skill is for."""
    result: SkillsResult = call.bound().skills()
    rows = [(skill.id, skill.scope, skill.description) for skill in result.skills]
    call.answer(result, lambda: columns(("skill", "scope", "for"), rows))


def load(call: Call, options: LoadOptions) -> None:
    """Print a skill's instructions; the log notes that it was loaded."""
    skill = call.bound().load_skill(options.id)
    call.answer(skill, lambda: _show(skill, whole=True))


def remove(call: Call, options: RemoveOptions) -> None:
    """Remove a skill with its text."""
    if not call.bound().remove_skill(options.id, options.target):
        raise NotFound(f"There is no skill {options.id[:60]!r} to remove.")
    call.answer(Removed(options.id), lambda: say(f"removed {options.id}"))


def _show(skill: Skill, *, whole: bool = False) -> None:
    """A skill, with its instructions when asked."""
    pairs(
        [
            ("skill", f"{skill.id}, version {skill.version}"),
            ("for", skill.description),
            ("scope", skill.scope),
            ("expects", ", ".join(skill.tool_names)),
            ("sha256", skill.sha256),
        ]
    )
    if whole:
        say()
        say(skill.instructions)
