"""Draft: the content a request amounts to, once its scope, grounds and flags are known."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bethink.domain.record import TEMPORARY, Content, Origin
from bethink.domain.scope import Scope
from bethink.domain.session import Turn
from bethink.domain.source import Evidence, SourceKind
from bethink.domain.time import earliest
from bethink.domain.types import Portability, type_rule
from bethink.formation.desk import Desk
from bethink.formation.entities import implied, subject_of
from bethink.formation.evidence import Grounds
from bethink.formation.proposal import RETRACT
from bethink.formation.typed import typed_session
from bethink.operations.remember import RememberRequest
from bethink.text.template import Phrase, belief_text, phrased, turn_text


@dataclass(frozen=True, slots=True)
class Draft:
    """What is about to be decided: the content, who supports it, and the turn of the user's that goes with it."""

    content: Content
    support: str
    turn: Turn | None = None

    @property
    def texts(self) -> list[Phrase]:
        """What the encoder reads: the statement, and the user's turn where there is one."""
        texts = [phrased(belief_text(self.content.subject, self.content.text), self.content.text)]
        if self.turn is not None:
            said = turn_text(self.turn.speaker, self.turn.text, self.turn.said_at)
            texts.append(phrased(said, self.turn.text))
        return texts


def drafted(request: RememberRequest, desk: Desk, scope: Scope, grounds: Grounds, flags: frozenset[str]) -> Draft:
    """Turn a checked request into content.

    What was quoted from a turn speaks for the time the turn was said, unless the request names its own. An expiry also
    bounds the time the statement is valid for, so that nothing which later extends its standing outlives it.
    """
    turn = _typed_turn(request, desk, scope) if grounds.typed else None
    source = grounds.source
    if turn is not None:
        source = replace(source, evidence=Evidence(turn.text, turn.id, 0, len(turn.text)))
    event_at = request.event_at or (grounds.said_at if request.valid_from is None else None)
    content = Content(
        text=request.content,
        type=request.type,
        scope=scope,
        source=source,
        subject=_subject(request, scope),
        attribute=request.attribute,
        polarity=request.polarity,
        channel=desk.caller.channel,
        sensitivity=request.sensitivity,
        portability=_carries(request, local=grounds.local),
        origin=Origin(desk.caller.project, request.session or desk.caller.session),
        valid_from=request.valid_from,
        valid_until=earliest(request.valid_until, request.expires_at),
        event_at=event_at,
        review_at=request.review_at,
        flags=flags | (frozenset({TEMPORARY}) if request.temporary else frozenset()),
        tags=request.tags,
        file_path=request.file_path,
        metadata=request.metadata,
    )
    return Draft(content, grounds.support, turn)


def _subject(request: RememberRequest, scope: Scope) -> str | None:
    """What it is about; an attribute without a subject is one of whoever or whatever owns the statement."""
    subject = subject_of(request.subject, request.mentions)
    if subject is not None or not request.attribute:
        return subject
    return next((owner.names[0] for owner in implied(scope, request.type)), None)


def _typed_turn(request: RememberRequest, desk: Desk, scope: Scope) -> Turn | None:
    """The user's words as a turn, for the session of what this user typed; a retraction's words are no utterance."""
    if request.polarity == RETRACT:
        return None
    at = desk.clock.now()
    turn_id = desk.ids.new(at)
    return Turn(
        id=turn_id,
        session=typed_session(desk.caller, scope, at).id,
        seq=0,
        role="user",
        speaker=desk.caller.principal.user,
        text=request.content,
        said_at=at,
        message_id=turn_id,
        source=SourceKind.USER_STATEMENT,
        sensitivity=request.sensitivity,
        portability=_carries(request),
    )


def _carries(request: RememberRequest, *, local: bool = False) -> Portability:
    """How far it carries: as far as its type does, or less far where the request says so.

    What was read in something that stays where it was said, as a mail does, carries as context at most.
    """
    ceiling = min(type_rule(request.type).portability, Portability.CONTEXTUAL if local else Portability.PORTABLE)
    return ceiling if request.portability is None else min(ceiling, request.portability)
