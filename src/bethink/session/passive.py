"""Recall in a session: a passive one shows no memory twice within five turns; any other is as it was asked."""

from __future__ import annotations

from dataclasses import replace

from bethink.operations.recall import RecallRequest
from bethink.recall.pipeline import recall
from bethink.recall.reader import Reader, RecallOutcome
from bethink.session.cooldown import Cooldown


def recall_in(request: RecallRequest, reader: Reader, cooldown: Cooldown) -> RecallOutcome:
    """Answer one request; what a passive one shows rests for the turns that follow.

    Raises:
        InvalidInput, StoreError, DeadlineExceeded: as `recall.pipeline.recall` says; nothing was shown then.
    """
    caller, session = reader.caller, request.session or reader.caller.session
    if request.profile != "passive" or session is None or not _is_turn(request.turn):
        return recall(request, reader)
    principal = caller.principal
    key = (principal.tenant, principal.user, principal.agent, session)
    turn, resting = cooldown.begin(key, request.turn)
    outcome = recall(replace(request, moment="passive"), replace(reader, resting=resting))
    cooldown.note(key, turn, [item.id for item in outcome.result.items])
    return outcome


def _is_turn(turn: object) -> bool:
    """Whether a turn can be counted; what cannot is refused by the recall itself."""
    return turn is None or (isinstance(turn, int) and not isinstance(turn, bool) and turn >= 0)
