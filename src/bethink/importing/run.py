"""The import: read, detect, settle, deliver. Running it again stores nothing twice, so it resumes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, Protocol

from bethink.errors import InvalidInput, UnknownFormat
from bethink.importing.detect import READERS, detect
from bethink.importing.read import read_items
from bethink.importing.settle import Rules, Settler
from bethink.importing.times import zone
from bethink.importing.transcript import Event, Skipped, TranscriptTurn, digest, usable_id
from bethink.operations.common import Notice
from bethink.operations.importing import FORMATS, BadItem, ImportRequest, ImportResult
from bethink.operations.sessions import SessionTurns, TurnInput, TurnsResult

BAD_LISTED = 20
"""How many bad items the result names; the rest are counted."""


NOTICES_LISTED = 20
"""How many different notices of the sink the result keeps."""


class Sink(Protocol):
    """Where an import goes."""

    def append(self, batch: Sequence[SessionTurns]) -> TurnsResult:
        """Open the sessions of these ids, or take them up again, and append turns; those they hold are repeats.

        For a dry run the same is worked out and nothing is stored.
        """
        ...


def import_transcript(request: ImportRequest, sink: Sink) -> ImportResult:
    """Import one file.

    Args:
        request: what to import and how.
        sink: what stores the turns, or for a dry run says what storing them would come to.

    Raises:
        InvalidInput: the file cannot be opened, or the request names an unknown zone.
        UnknownFormat: the file is no transcript that is known.
        BethinkError: what the sink raises; everything delivered before stays, and the next run goes on from there.
    """
    self_name = _self_name(request)
    settler = Settler(Rules(self_name, zone(request.timezone)))
    delivery = _Delivery(request, sink)
    path = _path(request)
    items = read_items(path)
    name, items = (request.format, items) if request.format else detect(items, path.name)
    for event in READERS[name](items):
        if isinstance(event, TranscriptTurn):
            delivery.take(event, settler.settle(event))
        else:
            delivery.note(event)
    delivery.flush()
    return replace(delivery.result, format=name, notices=_notices(settler, delivery, self_name))


def _path(request: ImportRequest) -> Path:
    """The file to read.

    Raises:
        InvalidInput: no path at all.
    """
    try:
        return Path(request.path)
    except TypeError:
        raise InvalidInput(f"path must be a path, not {type(request.path).__name__}.") from None


class _Waiting(NamedTuple):
    """A turn that waits for its batch: its session's id, its place in the file, and what is stored."""

    session: str
    place: str
    turn: TurnInput


class _Delivery:
    """Hands settled turns to the sink in batches, short sessions together, and counts."""

    def __init__(self, request: ImportRequest, sink: Sink) -> None:
        self.result = ImportResult("", 0, 0, 0, 0, (), 0, 0, 0, request.dry_run)
        self.notices: dict[Notice, None] = {}
        self._request = request
        self._sink = sink
        self._seen: set[str] = set()
        self._batch: list[_Waiting] = []
        self._done = 0

    def take(self, turn: TranscriptTurn, settled: TurnInput | BadItem) -> None:
        """Queue a turn, or note why it cannot be kept."""
        if isinstance(settled, BadItem):
            self.note(settled)
            return
        self._batch.append(_Waiting(turn.session.id, turn.place, settled))
        self.result = replace(self.result, zone_assumed=self.result.zone_assumed + settled.zone_assumed)
        if len(self._batch) >= self._request.batch:
            self.flush()

    def note(self, event: Event) -> None:
        """Count what is no turn."""
        if isinstance(event, Skipped):
            self.result = replace(self.result, skipped=self.result.skipped + 1)
        elif isinstance(event, BadItem):
            bad = (*self.result.bad, event)[:BAD_LISTED]
            self.result = replace(self.result, bad=bad, bad_count=self.result.bad_count + 1)

    def flush(self) -> None:
        """Deliver what is queued."""
        batch, self._batch = self._batch, []
        if not batch:
            return
        self._seen |= {one.session for one in batch}
        self.result = replace(self.result, sessions=len(self._seen))
        self._append([_dated(list(said)) for _, said in groupby(batch, attrgetter("session"))])
        self._done += len(batch)
        if self._request.progress is not None:
            self._request.progress(self._done)

    def _append(self, groups: list[list[_Waiting]]) -> None:
        """Append a batch of sessions; when one is refused, each alone, and of that one each turn alone."""
        try:
            self._count(self._sink.append([self._said(group) for group in groups]))
        except InvalidInput as error:
            smaller = groups if len(groups) > 1 else [[one] for one in groups[0]]
            if len(smaller) == 1:
                self.note(BadItem(smaller[0][0].place, error.message))
                return
            for group in smaller:
                self._append([group])

    def _said(self, group: list[_Waiting]) -> SessionTurns:
        """What of one session goes to the sink."""
        return SessionTurns(self._session_id(group[0].session), group[0].turn.said_at, [one.turn for one in group])

    def _count(self, stored: TurnsResult) -> None:
        """Add what a batch came to."""
        self.notices |= dict.fromkeys(stored.notices[: NOTICES_LISTED - len(self.notices)])
        self.result = replace(
            self.result,
            turns=self.result.turns + len(stored.ids),
            repeated=self.result.repeated + stored.repeated,
            embedding_pending=self.result.embedding_pending + stored.embedding_pending,
        )

    def _session_id(self, session: str) -> str:
        """A session's id under the request's prefix."""
        prefix = self._request.session_prefix
        whole = session if prefix is None else f"{prefix}:{session}"
        return usable_id(whole) or f"import:{digest(whole)}"


def _self_name(request: ImportRequest) -> str | None:
    """The request's `self_name`, after the request was found usable.

    Raises:
        InvalidInput: an unknown format, an empty batch, or a name without a letter.
    """
    if request.format is not None and request.format not in FORMATS:
        msg = f"Format {request.format[:40]!r} is none of {', '.join(FORMATS)}."
        raise UnknownFormat(msg)
    if request.batch < 1:
        msg = f"batch must be at least 1, not {request.batch}."
        raise InvalidInput(msg)
    name = None if request.self_name is None else request.self_name.strip()
    if name == "":
        msg = "self_name is blank."
        raise InvalidInput(msg, remedy="Name the speaker who is the user, as the transcript writes the name.")
    return name


def _dated(said: list[_Waiting]) -> list[_Waiting]:
    """Turns of a session, those before the first known time given that: a neighbour's is nearer than the import's."""
    first = next((one.turn.said_at for one in said if one.turn.said_at is not None), None)
    return [
        one if one.turn.said_at is not None else one._replace(turn=replace(one.turn, said_at=first)) for one in said
    ]


def _carry(count: int) -> str:
    """So many turns, as the beginning of what they carry."""
    return "1 turn carries" if count == 1 else f"{count} turns carry"


def _notices(settler: Settler, delivery: _Delivery, self_name: str | None) -> tuple[Notice, ...]:
    """What was assumed or adapted, with counts, and what the sink said."""
    tally, speakers = settler.tally, ", ".join(settler.speakers)
    stands = "the time of the turn before, of the session or of the import stands for it"
    found = {
        "time_missing": f"{_carry(tally['time_missing'])} no time; {stands}.",
        "time_unreadable": f"{_carry(tally['time_unreadable'])} a time that cannot be read; {stands}.",
    }
    said = [Notice(code, text) for code, text in found.items() if tally[code]]
    if tally["participant"] and not tally["user"]:
        who = (
            "Nobody is the user"
            if self_name is None
            else f"No speaker is called {self_name[:40]!r}, nobody is the user"
        )
        said.append(Notice("no_user", f"{who}; the speakers are {speakers}. Say which with --self NAME."))
    return (*said, *delivery.notices)
