"""Episodes: what happened, in the order it was said. Scoped by session or time, ordered, never deduplicated."""

from __future__ import annotations

from dataclasses import dataclass

from bethink.domain.fence import Fence
from bethink.domain.record import LIVE, Status
from bethink.domain.scope import readable_scopes
from bethink.domain.session import Turn
from bethink.domain.time import utc
from bethink.domain.types import Kind
from bethink.errors import InvalidInput
from bethink.operations.episodes import EpisodesRequest, EpisodesResult
from bethink.ports.store import Snapshot
from bethink.recall.filter import present
from bethink.recall.query import QUERY_LIMIT
from bethink.recall.reader import Reader
from bethink.text.analyse import analyse, analyse_query
from bethink.text.door import check_text, check_whole

MAX_LIMIT = 1_000
MAX_READ = 16_384
"""Turns looked through for a text filter; past that the answer says there is more."""


def episodes(request: EpisodesRequest, reader: Reader) -> EpisodesResult:
    """The turns of a session or a time, in order; with a text, those holding one of its words.

    Raises:
        InvalidInput: a limit outside 1 to 1,000, a naive instant, an empty window, or a text without a word.
    """
    check_window(request)
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        return turns_found(request, episodes_fence(request, reader, snapshot), snapshot, reader.language)


def turns_found(request: EpisodesRequest, fence: Fence, snapshot: Snapshot, language: str) -> EpisodesResult:
    """The turns that a checked request asks for inside a fence, and why there are none.

    Raises:
        InvalidInput: a text without a word.
    """
    wanted = _words(request.text, language)
    turns = _read(request, fence, snapshot, MAX_READ if wanted else request.limit + 1)
    kept = [turn for turn in turns if not wanted or not wanted.isdisjoint(_terms(turn, language))]
    more = len(kept) > request.limit or (bool(wanted) and len(turns) >= MAX_READ)
    return EpisodesResult(tuple(kept[: request.limit]), more, _reason(fence, turns, kept))


@dataclass(frozen=True, slots=True)
class StoreEpisodes:
    """The default `EpisodeSearch`: the turns of one store as one caller may see them."""

    reader: Reader

    def search(self, request: EpisodesRequest) -> EpisodesResult:
        """See `episodes`."""
        return episodes(request, self.reader)


def _words(text: str, language: str) -> frozenset[str]:
    """The terms a turn must hold one of; none without a text. Function words count where there is nothing else."""
    if not text:
        return frozenset()
    clean = check_text(text, "text", QUERY_LIMIT)
    terms = analyse_query(clean, language).terms or analyse(clean, language)
    if not terms:
        raise InvalidInput("The text holds no word.", remedy="Name a word that the turns should hold.")
    return frozenset(terms)


def _terms(turn: Turn, language: str) -> list[str]:
    """What a turn is matched by: its speaker and its words."""
    return analyse(f"{turn.speaker} {turn.text}", language)


def episodes_fence(
    request: EpisodesRequest, reader: Reader, snapshot: Snapshot, statuses: frozenset[Status] = LIVE
) -> Fence:
    """The caller's turns of these statuses inside the window."""
    caller = reader.caller
    return Fence(
        tenant=caller.principal.tenant,
        scopes=readable_scopes(caller, snapshot.grants.of(caller)),
        ceiling=caller.ceiling,
        statuses=statuses,
        instant=present(reader.clock.now(), snapshot.latest),
        kinds=frozenset({Kind.EPISODIC}),
        channel=caller.channel,
        since=None if request.since is None else utc(request.since, "since"),
        until=None if request.until is None else utc(request.until, "until"),
        project=caller.project,
        isolate=reader.settings.project_policy == "isolate",
    )


def check_window(request: EpisodesRequest) -> None:
    """Pass when limit and window can be used."""
    check_whole(request.limit, "limit", 1, MAX_LIMIT)
    check_whole(request.after_seq, "after_seq", -1)
    if request.since is not None and request.until is not None:
        since, until = utc(request.since, "since"), utc(request.until, "until")
        if since >= until:
            raise InvalidInput("The window from since to until is empty.", remedy="Pass a since earlier than until.")


def _read(request: EpisodesRequest, fence: Fence, snapshot: Snapshot, limit: int) -> tuple[Turn, ...]:
    """The turns before the text filter."""
    if request.session is None:
        return snapshot.turns.between(fence, limit=limit)
    return snapshot.turns.of_session(fence, request.session, limit=limit, after=request.after_seq)


def _reason(fence: Fence, turns: tuple[Turn, ...], kept: list[Turn]) -> str | None:
    """Why nothing came back. Another's session and one that never was answer alike."""
    if kept:
        return None
    if not fence.scopes:
        return "no_scope"
    return "no_match" if turns else "no_turns"
