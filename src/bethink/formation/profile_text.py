"""The words of a profile: an adviser's where the host hands one in and they hold, else the rule's."""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.entity import Entity
from bethink.domain.record import Record
from bethink.errors import AdviserError, InvalidInput
from bethink.formation.compose import PROFILE_LIMIT, composed, invented
from bethink.formation.desk import Desk
from bethink.operations.common import Notice
from bethink.text.door import check_text
from bethink.text.screen import screen
from bethink.text.secrets import redact_secrets


def worded(desk: Desk, entity: Entity, sources: Sequence[Record]) -> tuple[str, tuple[Notice, ...]]:
    """The text of a profile, and what to say of it. No transaction is open meanwhile.

    Args:
        desk: whose adviser, if any.
        entity: whom or what the profile is about.
        sources: in the order in which they count.
    """
    by_rule = composed(entity, sources)
    if desk.advisers.profiles is None:
        return by_rule, ()
    statements = [record.content.text for record in sources]
    try:
        written = check_text(desk.advisers.profiles.write(entity.name, statements), "profile", PROFILE_LIMIT)
    except (InvalidInput, AdviserError) as error:
        return by_rule, (_refused(error.message),)
    text = redact_secrets(written).text
    if numbers := invented(text, [entity.name, *entity.aliases, *statements]):
        return by_rule, (_refused(f"It says {', '.join(numbers[:3])}, which no source says."),)
    if screen(text):
        return by_rule, (_refused("It reads like orders from outside."),)
    return text, ()


def _refused(why: str) -> Notice:
    """Why the adviser's words were not taken."""
    return Notice("profile_by_rule", f"The adviser's profile was not taken: {why} The statements are listed instead.")
