"""`entities list`, `entities merge`, `entities confirm` and `entities profile`: what records are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bethink.interfaces.cli.command import Call, command
from bethink.interfaces.cli.screen import columns, pairs, remark, say
from bethink.operations.entities import (
    EntitiesRequest,
    EntitiesResult,
    EntityCard,
    MergeEntitiesRequest,
    MergeEntitiesResult,
    ProfileRequest,
    ProfileResult,
)

_ENTITY = "An entity, by id, or by a name that it alone answers to."


@dataclass(frozen=True, slots=True)
class ListOptions:
    """What `entities list` takes."""

    name: Annotated[str | None, typer.Argument(help="Only those that answer exactly to this name.")] = None
    limit: Annotated[int, typer.Option(help="How many at most.")] = 50
    after: Annotated[str | None, typer.Option(help="Behind which place, as the last page said.")] = None


@dataclass(frozen=True, slots=True)
class MergeOptions:
    """What `entities merge` takes."""

    entity: Annotated[str, typer.Argument(help="The entity that gives way, by id or name.")]
    into: Annotated[str, typer.Argument(help="The one that stands for both, by id or name.")]


@dataclass(frozen=True, slots=True)
class ConfirmOptions:
    """What `entities confirm` takes."""

    entity: Annotated[str, typer.Argument(help=_ENTITY)]


@dataclass(frozen=True, slots=True)
class ProfileOptions:
    """What `entities profile` takes."""

    entity: Annotated[str, typer.Argument(help=_ENTITY)]
    refresh: Annotated[bool, typer.Option("--refresh", help="Make it anew where its sources changed.")] = False


def register(app: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(help="Say what records are about, and which names are one.", rich_markup_mode=None)
    command(group, "entities list", ListOptions)(list_entities)
    command(group, "entities merge", MergeOptions)(merge)
    command(group, "entities confirm", ConfirmOptions)(confirm)
    command(group, "entities profile", ProfileOptions)(profile)
    app.add_typer(group, name="entities")


def list_entities(call: Call, options: ListOptions) -> None:
    """List entities with their names and how many records speak of them."""
    result = call.bound().entities(EntitiesRequest(options.name, options.limit, options.after))
    call.answer(result, lambda: _show_list(result))
    if result.next is not None and not (call.common.quiet or call.common.as_json):
        remark(f"more: --after '{result.next}'")


def merge(call: Call, options: MergeOptions) -> None:
    """Let one entity stand for another too; every subject follows."""
    result = call.bound().merge_entities(MergeEntitiesRequest(options.entity, options.into))
    call.answer(result, lambda: _show_merged(result))


def confirm(call: Call, options: ConfirmOptions) -> None:
    """Vouch for an entity that a mention made."""
    result = call.bound().confirm_entity(options.entity)
    call.answer(result, lambda: _show_card(result))


def profile(call: Call, options: ProfileOptions) -> int:
    """Show the profile of an entity, made anew when asked.

    Ends with 1 when there is none.
    """
    result = call.bound().profile(ProfileRequest(options.entity, options.refresh))
    call.answer(result, lambda: _show_profile(result))
    call.tell(result.notices)
    return 0 if result.record is not None else 1


def _show_list(result: EntitiesResult) -> None:
    """One line for each."""
    rows = [
        (item.name, item.kind, str(item.mentions), "" if item.provisional else "yes", item.scope, item.id)
        for item in result.entities
    ]
    columns(("name", "kind", "records", "confirmed", "scope", "id"), rows)


def _show_card(card: EntityCard) -> None:
    """One entity."""
    pairs(
        [
            ("entity", card.id),
            ("name", card.name),
            ("also called", ", ".join(card.aliases)),
            ("kind", card.kind),
            ("scope", card.scope),
            ("records", card.mentions),
            ("confirmed", "no" if card.provisional else "yes"),
        ]
    )


def _show_merged(result: MergeEntitiesResult) -> None:
    """What followed, and what gave way."""
    say(f"{result.outcome} {result.merged} into {result.entity.id}")
    pairs(
        [
            ("name", result.entity.name),
            ("also called", ", ".join(result.entity.aliases)),
            ("subjects that followed", result.records),
            ("gave way", ", ".join(result.superseded)),
            ("in conflict", ", ".join(result.conflicts)),
            ("waiting for a vector", result.waiting),
        ]
    )


def _show_profile(result: ProfileResult) -> None:
    """The text, or that there is none."""
    if result.record is None:
        say(f"{result.entity.name} has no profile; --refresh makes one")
        return
    say(result.record.content.text)
    say()
    pairs([("profile", result.record.id), ("sources", len(result.record.content.parents)), ("made", result.outcome)])
