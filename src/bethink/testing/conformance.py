"""The promises of the `Store` port as checks that any store can be put to.

A store of your own conforms when every check passes on a new, empty store::

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_my_store(check, tmp_path):
        clock = ManualClock()

        def opened():
            return MyStore(tmp_path, clock)

        check(Trial(opened(), clock, opened))

A check raises `NotConforming`, an `AssertionError`, that says which promise was broken. No test library is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import numpy as np

from bethink.domain.entity import Entity
from bethink.domain.record import Status
from bethink.domain.scope import Caller, Grant, Principal, Sensitivity
from bethink.domain.session import Session
from bethink.errors import BethinkError, EmbeddingMismatch, InvalidInput
from bethink.operations.receipts import receipt_digest
from bethink.operations.records import Receipt
from bethink.testing.trial import (
    ANN,
    BOB,
    DEADLINE,
    OTHER,
    SPACE,
    NotConforming,
    Trial,
    axis,
    require,
    words,
)

__all__ = ["CHECKS", "Check", "NotConforming", "Trial"]

Check = Callable[[Trial], None]
_CANARY = np.eye(4, dtype=np.float32)[:2]


class _Undone(Exception):
    """A check takes a write back."""


def a_new_store_is_empty_and_sound(trial: Trial) -> None:
    """Nothing is there, nothing is wrong, and nobody has written."""
    with trial.store.snapshot(trial.tenant) as snapshot:
        require((snapshot.position, snapshot.latest), (0, None), "a tenant nobody wrote to stands at 0")
    require(trial.store.check().findings, (), "a new store keeps its own rules")
    require(trial.store.read_only, False, "a store that was just made can be written")


def a_write_moves_the_position_and_recorded_time_never_runs_back(trial: Trial) -> None:
    """Positions grow; a clock set back moves recorded time on by the least there is."""
    first = trial.remember("one")
    before = trial.position()
    trial.clock.set(trial.clock.now() - timedelta(days=30))
    second = trial.remember("two")
    require(trial.position() > before > 0, True, "each write moves the position")
    require(second.recorded_at > first.recorded_at, True, "recorded time never runs backwards")


def a_write_is_all_or_nothing(trial: Trial) -> None:
    """What an exception ended was never there: no record, no entity, no position."""
    with suppress(_Undone), trial.work() as work:
        work.records.add(trial.new("one", "gone"), work.recorded_at)
        work.entities.add(Entity("e1", "person", "Ann", ANN), work.recorded_at)
        raise _Undone
    require((trial.position(), trial.texts(["gone"])), (0, []), "a write that failed leaves nothing")
    with trial.work() as work:
        require(work.entities.resolve([ANN.key], "ann"), (), "a write that failed leaves nothing")


def a_snapshot_stays_as_it_was(trial: Trial) -> None:
    """Whatever is written meanwhile, a snapshot sees one position."""
    kept = trial.remember("one")
    with trial.store.snapshot(trial.tenant) as snapshot:
        trial.set_status(kept.id, Status.DELETED)
        later = trial.remember("two")
        seen = [record.content.text for record in snapshot.records.get(trial.fence(), [kept.id, later.id])]
        require(seen, ["one"], "a snapshot sees one position")
    require(trial.texts([kept.id, later.id]), ["two"], "the next snapshot sees the next")


def what_one_opening_wrote_the_other_reads(trial: Trial) -> None:
    """An acknowledged write is in the next read, in whatever process."""
    other = trial.open_again()
    try:
        kept = trial.remember("one")
        require(replace(trial, store=other).texts([kept.id]), ["one"], "another opening sees a committed write")
    finally:
        other.close()


def no_tenant_sees_another(trial: Trial) -> None:
    """Records, turns, sessions, grants, answers and tombstones are a tenant's own; ids may repeat."""
    other = trial.as_tenant(OTHER)
    mine = trial.remember("mine", "same-id")
    theirs = other.remember("theirs", "same-id")
    (turn,) = other.say("hello")
    with other.work() as work:
        work.grants.put(Grant("ann", "aide", ANN, read=True, write=True, granted_at=work.recorded_at))
        work.idempotency.put("ann/aide", "k", "hash", "{}", None)
        work.tombstone("digest")
    require(trial.texts(["same-id"]), ["mine"], "a tenant reads its own record")
    require(other.texts(["same-id"]), ["theirs"], "a tenant reads its own record")
    require(trial.found("their"), [], "a search stays inside its tenant")
    with trial.store.snapshot(trial.tenant) as snapshot:
        fence = trial.fence(scopes=(ANN, BOB))
        require(snapshot.turns.get(fence, [turn.id]), (), "a foreign turn answers like none")
        require(snapshot.sessions.get("talk", [ANN.key]), None, "a foreign session answers like none")
        require(snapshot.grants.all(), (), "grants are a tenant's own")
    with trial.work() as work:
        require(work.idempotency.get("ann/aide", "k"), None, "answers are a tenant's own")
        require(work.is_erased("digest"), False, "tombstones are a tenant's own")
    trial.store.erase(OTHER, ["same-id"], trial.clock.now(), deadline=DEADLINE)
    require(trial.texts(["same-id"]), ["mine"], "an erase stays inside its tenant")
    require((mine.id, other.texts(["same-id"])), (theirs.id, []), "an erase reaches its own")


def the_fence_decides_what_is_read(trial: Trial) -> None:
    """Scope, ceiling, channel, type, status and both times narrow a read."""
    kept = trial.remember("one", subject="Ann", attribute="home", valid_from=trial.clock.now())
    hidden = (
        {"scopes": (BOB,)},
        {"scopes": ()},
        {"channel": "mail"},
        {"types": frozenset({"preference"})},
        {"statuses": frozenset({Status.EXPIRED})},
        {"instant": trial.clock.now() - timedelta(days=1)},
        {"known_at": trial.clock.now() - timedelta(days=1)},
    )
    for narrower in hidden:
        require(trial.texts([kept.id], **narrower), [], f"a fence with {sorted(narrower)} lets nothing through")
    require(trial.texts([kept.id]), ["one"], "what the fence admits is read")
    secret = trial.remember("two", sensitivity=Sensitivity.SECRET)
    require(trial.texts([secret.id]), [], "what lies above the ceiling is not read")
    require(trial.texts([secret.id], ceiling=Sensitivity.SECRET), ["two"], "what lies below it is")


def a_new_version_replaces_the_old_and_the_past_keeps_it(trial: Trial) -> None:
    """The live read has the new words; a read as it was known has the old."""
    kept = trial.remember("Ann lives in Lyon", subject="Ann")
    then = trial.clock.now()
    with trial.work() as work:
        work.records.add_version(kept.id, words("Ann lives in Nice", subject="Ann"), work.recorded_at)
    require(trial.texts([kept.id]), ["Ann lives in Nice"], "the live version is read")
    require(trial.texts([kept.id], known_at=then), ["Ann lives in Lyon"], "what was known then is kept")
    require((trial.found("lyon"), len(trial.found("nice"))), ([], 1), "the index follows the version")


def a_status_is_read_from_its_instant_on(trial: Trial) -> None:
    """A record that was hidden is hidden now and was not before."""
    kept = trial.remember("one")
    then = trial.clock.now()
    trial.set_status(kept.id, Status.DELETED)
    require(trial.texts([kept.id]), [], "what is hidden is not read")
    require(trial.texts([kept.id], known_at=then), ["one"], "and was read before")
    trial.set_status(kept.id, Status.ACTIVE)
    require(trial.texts([kept.id]), ["one"], "what was brought back is read")


def turns_are_kept_once_and_in_order(trial: Trial) -> None:
    """A message id that a session holds is not stored again; seqs count from 0."""
    first = trial.say("one", "two")
    again = trial.say("two", "three")
    require([turn.seq for turn in (*first, *again)], [0, 1, 2], "turns are numbered in order")
    with trial.store.snapshot(trial.tenant) as snapshot:
        read = snapshot.turns.of_session(trial.fence(), "talk", limit=9)
        require([turn.text for turn in read], ["one", "two", "three"], "a session is read in order")
        later = snapshot.turns.of_session(trial.fence(), "talk", limit=9, after=1)
        require([turn.text for turn in later], ["three"], "and from any place on")
        require(snapshot.turns.of_session(trial.fence(scopes=(BOB,)), "talk", limit=9), (), "inside its scope")


def one_session_id_in_two_scopes_is_two_sessions(trial: Trial) -> None:
    """Neither tells of the other."""
    trial.say("mine")
    trial.say("theirs", "too", scope=BOB)
    with trial.store.snapshot(trial.tenant) as snapshot:
        places = snapshot.sessions.next_seq(ANN.key, "talk"), snapshot.sessions.next_seq(BOB.key, "talk")
        require(places, (1, 2), "each scope counts its own turns")
        found = snapshot.sessions.get("talk", [BOB.key])
        require(found.scope if found else None, BOB, "a session is found in its scope")
    with trial.work() as work:
        at = work.recorded_at
        work.sessions.put(Session("talk", ANN, "ann", "aide", None, None, at, at))
        closed = work.sessions.get("talk", [ANN.key])
        require(closed.closed_at if closed else None, at, "a session is closed by putting it again")


def grants_are_given_and_taken_back(trial: Trial) -> None:
    """A grant that was revoked is not in force, and is known to have been decided."""
    grant = Grant("ann", "aide", BOB, read=True, write=False, granted_at=trial.clock.now())
    with trial.work() as work:
        work.grants.put(grant)
    caller = Caller(Principal(trial.tenant, "ann", "aide"))
    with trial.work() as work:
        require(work.grants.of(caller), (grant,), "a grant names its user and agent")
        require(work.grants.revoke("ann", "aide", BOB.key), True, "a grant in force can be taken back")
        require(work.grants.revoke("ann", "aide", BOB.key), False, "once")
        require(work.grants.decided("ann", "aide", BOB.key), True, "and is remembered as decided")
    with trial.store.snapshot(trial.tenant) as snapshot:
        require(snapshot.grants.all(), (), "what was taken back is not in force")


def an_answer_is_kept_for_its_principal_and_key(trial: Trial) -> None:
    """A repeated request finds its answer; another's key does not."""
    with trial.work() as work:
        work.idempotency.put("ann/aide", "k", "hash", '{"id":1}', None)
    with trial.work() as work:
        require(work.idempotency.get("ann/aide", "k"), ("hash", '{"id":1}'), "an answer is kept")
        require(work.idempotency.get("bob/aide", "k"), None, "for its principal alone")


def an_entity_answers_to_its_names(trial: Trial) -> None:
    """By its folded name and aliases, inside the scopes asked."""
    with trial.work() as work:
        work.entities.add(Entity("e1", "person", "Ann Smith", ANN, ("ÄNN",)), work.recorded_at)
        found = [entity.id for entity in work.entities.resolve([ANN.key], "änn")]
        require(found, ["e1"], "an entity answers to an alias")
        require(work.entities.resolve([BOB.key], "änn"), (), "inside its scope")


def words_are_found_inside_the_fence(trial: Trial) -> None:
    """The lexical arm finds every match the fence admits, and only those."""
    mine, theirs = trial.remember("tea at noon"), trial.remember("tea at dusk", scope=BOB)
    (turn,) = trial.say("more tea please")
    require(sorted(trial.found("tea")), [mine.key, turn.key], "every match inside the fence")
    require(trial.found("tea", scopes=(BOB,)), [theirs.key], "and none outside it")


def vectors_are_found_and_belong_to_a_space(trial: Trial) -> None:
    """What was written waits for its vector; the nearest comes first; a wrong vector is refused with its batch."""
    vectors, now = trial.store.vectors, trial.clock.now()
    vectors.register(SPACE, _CANARY, now)
    first, second = trial.remember("one"), trial.remember("two")
    waiting = [(tenant, key) for tenant, key, _ in vectors.pending(SPACE.space_id, 9)]
    require(waiting, [(trial.tenant, first.key), (trial.tenant, second.key)], "what was written waits, oldest first")
    good = (trial.tenant, first.key, axis(0))
    for bad in (np.ones(3, np.float32), np.full(4, np.nan, np.float32)):
        refused = _refused(partial(vectors.put, SPACE.space_id, [good, (trial.tenant, second.key, bad)]))
        require(isinstance(refused, InvalidInput), True, "a vector that is none is refused")
    require(vectors.pending_count(SPACE.space_id), 2, "with its whole batch")
    vectors.put(SPACE.space_id, [good, (trial.tenant, second.key, axis(1))])
    require(trial.near(axis(1))[:1], [second.key], "the nearest comes first")
    require(trial.near(axis(1), scopes=(BOB,)), [], "inside the fence")
    refused = _refused(partial(vectors.put, "no-space", [good]))
    require(isinstance(refused, EmbeddingMismatch), True, "a space that is not there is refused")
    require(vectors.active(), SPACE, "the first space is the active one")


def an_erase_leaves_nothing_and_says_so(trial: Trial) -> None:
    """No read finds an erased record or turn, at any time known, and its words are remembered as erased."""
    trial.store.vectors.register(SPACE, _CANARY, trial.clock.now())
    kept, gone = trial.remember("tea at noon"), trial.remember("tea at dusk")
    (turn,) = trial.say("tea again")
    then = trial.clock.now()
    trial.store.vectors.put(SPACE.space_id, [(trial.tenant, gone.key, axis(0))])
    erased = trial.store.erase(trial.tenant, [gone.id, turn.id, "no-such-id"], trial.clock.now(), deadline=DEADLINE)
    require((erased.rows.get("records"), erased.rows.get("turns")), (1, 1), "an erase counts what went")
    require(erased.complete, True, "and says when nothing within reach is left")
    require(trial.texts([kept.id, gone.id], known_at=then), ["tea at noon"], "what was erased never was")
    require(trial.found("tea"), [kept.key], "no index finds it")
    require(trial.near(axis(0)), [], "no vector is left")
    again = trial.store.erase(trial.tenant, [gone.id], trial.clock.now(), deadline=DEADLINE)
    require(dict(again.rows), {}, "erasing again removes nothing")


def check_and_repair_keep_every_record(trial: Trial) -> None:
    """A used store keeps its own rules; a repair changes no answer."""
    trial.store.vectors.register(SPACE, _CANARY, trial.clock.now())
    kept = trial.remember("tea at noon", subject="Ann", attribute="drink")
    trial.say("more tea")
    before = trial.found("tea")
    require(trial.store.check().findings, (), "a used store keeps its own rules")
    require(trial.store.repair().left, (), "a repair leaves nothing broken")
    require((trial.found("tea"), trial.texts([kept.id])), (before, ["tea at noon"]), "and changes no answer")


def receipts_form_a_chain_of_their_tenant(trial: Trial) -> None:
    """Each receipt carries the digest of the one before; another tenant's chain is another."""
    done = Receipt("erase", ("r1",), (), (), {"records": 1}, complete=True, remains=(), at=trial.clock.now(), digest="")
    with trial.work() as work:
        chain = [work.receipts.add(done, "ann") for _ in range(2)]
    with trial.as_tenant(OTHER).work() as work:
        theirs = work.receipts.add(done, "ann")
    require([one.number for one in chain], [1, 2], "receipts are numbered from one")
    require([one.previous for one in chain], ["", chain[0].digest], "a receipt carries the digest of the one before")
    require([receipt_digest(one) for one in chain], [one.digest for one in chain], "a digest is that of its receipt")
    require((theirs.number, theirs.owner == chain[0].owner), (1, False), "a chain and its marks are a tenant's own")
    with trial.store.snapshot(trial.tenant) as snapshot:
        require(snapshot.receipts.after(1, 10), (chain[1],), "receipts are read as they were given")


def what_is_a_user_s_is_found_and_forgotten(trial: Trial) -> None:
    """A user's scopes, entries and sessions, and nothing of another's."""
    mine = trial.remember("mine")
    (turn,) = trial.say("hello")
    theirs = trial.remember("theirs", scope=BOB)
    with trial.store.snapshot(trial.tenant) as snapshot:
        require(snapshot.owned.scopes("ann"), (ANN,), "a user's own scope is the user's")
        entries = snapshot.owned.entries(ANN, 0, 10)
        require([entry.id for entry in entries], [mine.id, turn.id], "a user's entries come in order")
        require(snapshot.owned.entries(ANN, entries[0].key, 10), entries[1:], "a page begins behind its key")
        require([one.id for one in snapshot.owned.sessions(ANN, "", 10)], ["talk"], "a user's sessions are found")
    trial.store.erase(trial.tenant, [mine.id, turn.id], trial.clock.now(), deadline=DEADLINE)
    with trial.work() as work:
        work.owned.forget("ann", (ANN,))
    with trial.store.snapshot(trial.tenant) as snapshot:
        require(snapshot.owned.scopes("ann"), (), "nothing of a forgotten user is left")
    require(trial.texts([theirs.id], scopes=(BOB,)), ["theirs"], "another user is left alone")


def a_closed_store_says_so(trial: Trial) -> None:
    """Closing twice is harmless; using a closed store is a typed error."""
    trial.remember("one")
    trial.store.close()
    trial.store.close()
    require(isinstance(_refused(trial.position), BethinkError), True, "a closed store is a typed error")


def _refused(call: Callable[[], object]) -> BethinkError | None:
    """The error of ours that a call ends with, None when it goes through."""
    try:
        call()
    except BethinkError as error:
        return error
    return None


CHECKS: Final[tuple[Check, ...]] = (
    a_new_store_is_empty_and_sound,
    a_write_moves_the_position_and_recorded_time_never_runs_back,
    a_write_is_all_or_nothing,
    a_snapshot_stays_as_it_was,
    what_one_opening_wrote_the_other_reads,
    no_tenant_sees_another,
    the_fence_decides_what_is_read,
    a_new_version_replaces_the_old_and_the_past_keeps_it,
    a_status_is_read_from_its_instant_on,
    turns_are_kept_once_and_in_order,
    one_session_id_in_two_scopes_is_two_sessions,
    grants_are_given_and_taken_back,
    an_answer_is_kept_for_its_principal_and_key,
    an_entity_answers_to_its_names,
    words_are_found_inside_the_fence,
    vectors_are_found_and_belong_to_a_space,
    an_erase_leaves_nothing_and_says_so,
    receipts_form_a_chain_of_their_tenant,
    what_is_a_user_s_is_found_and_forgotten,
    check_and_repair_keep_every_record,
    a_closed_store_says_so,
)
"""Every check, each for a new store of its own."""
