"""A session derived anew gives what is new, keeps away what was rejected or erased, and says so beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bethink.domain.record import Status
from bethink.errors import ModelError, NotFound, SessionBusy
from bethink.operations.extraction import Suggestion
from tests.behaviour.house import House, beliefs, record
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, Script, log, played, read, talk
from tests.databases import rows_of

PORTO = Suggestion("The user lives in Porto.", "I live in Porto", attribute="city")
CATS = Suggestion("The user has two cats.", LIVES)
TABLES = (
    "record version entry status_event usage support lineage entity event extraction tombstone vector tenant posting"
)


def everything(house: House) -> dict[str, list[tuple[object, ...]]]:
    """Every row of what a reading could touch."""
    store = house.opened[0]._parts.store
    return {name: sorted(map(repr, rows_of(store, f"select * from {name}"))) for name in TABLES.split()}


def formed(house: House, *suggestions: Suggestion) -> Script:
    """A session about Porto and cats, read by a script that suggests this."""
    script = Script(list(suggestions))
    played(house, script)
    talk(house, LIVES, "It rained all day in the mountains.")
    read(house)
    house.clock.advance(hours=1)
    return script


def fact(house: House, word: str) -> str:
    """The belief of the session that says a word."""
    cards = house.bind().written("talk").records
    return next(card.id for card in cards if word in card.text and card.type == "fact")


def anew(house: House, script: Script, *suggestions: Suggestion, **fields):
    """The session derived anew by a reader that suggests this."""
    script.suggestions = list(suggestions)
    return house.bind().rederive("talk", **fields)


@requirement("A165", "A176")
@pytest.mark.parametrize("erased", [False, True], ids=["kept", "erased"])
@pytest.mark.parametrize("reason", ["untrue", "changed"])
def test_what_was_rejected_stays_away_with_its_reason_when_its_session_is_derived_anew(house, reason, erased):
    script = formed(house, PORTO, CATS)
    maya = house.bind()
    cats = fact(house, "cats")
    maya.reject(cats, reason=reason)
    if erased:
        maya.forget(cats, mode="erase")
    house.clock.advance(hours=1)
    result = anew(house, script, PORTO, CATS)

    assert (result.outcome, result.beliefs) == ("nothing_new", ())
    assert [(item.reason, item.record) for item in result.replayed] == ([] if erased else [(reason, cats)])
    found = [record(maya, item).content for item in beliefs(maya, "Does the user have cats?")]
    assert not any("cats" in content.text for content in found if content.type == "fact")
    assert dict(result.dropped) == ({"known": 1, "erased": 1} if erased else {"known": 2})


@requirement("A165", "A176")
@pytest.mark.parametrize("erased", [False, True], ids=["kept", "erased"])
def test_a_rejection_is_replayed_against_the_same_statement_of_an_older_session(house, erased):
    said = "I have two cats, or so they say."
    talk(house, said, session="old")
    script = formed(house, CATS)
    maya, cats = house.bind(), fact(house, "cats")
    maya.reject(cats, reason="untrue")
    if erased:
        maya.forget(cats, mode="erase", with_sources=True)
    script.suggestions = [replace(CATS, content="The user has two cats!", quote=said)]
    result = maya.rederive("old")

    assert [(item.reason, item.record) for item in result.replayed] == [("untrue", None if erased else cats)]
    assert (result.beliefs, dict(result.dropped)) == ((), {"rejected_before": 1})


@requirement("A163", "A165")
def test_a_doubt_is_replayed_as_a_doubt(house):
    script = formed(house, PORTO)
    maya = house.bind()
    porto = fact(house, "Porto")
    maya.reject(porto)
    result = anew(house, script, PORTO, CATS)

    assert [(item.reason, item.record) for item in result.replayed] == [("unspecified", porto)]
    assert "review" in record(maya, porto).content.flags
    assert [record(maya, item.id).content.text for item in result.beliefs] == ["The user has two cats."]


@requirement("A176")
@pytest.mark.parametrize(
    "again",
    [
        PORTO,
        replace(PORTO, content="The user resides in Porto."),
        replace(PORTO, content="The user's home is Porto.", attribute=None),
        replace(PORTO, content="The user lives in Porto now.", quote=LIVES, attribute="home_town"),
    ],
)
def test_what_was_erased_is_not_read_again_out_of_the_turn_that_stays_in_whatever_words(house, again):
    script = formed(house, PORTO)
    maya = house.bind()
    porto = fact(house, "Porto")
    receipt = maya.forget(porto, mode="erase")
    result = anew(house, script, again)

    assert receipt.sources
    assert (result.beliefs, dict(result.dropped)) == ((), {"erased": 1})
    rain = Suggestion("It rained in the mountains.", "It rained all day in the mountains.", subject="weather")
    assert len(anew(house, script, rain).beliefs) == 1


def test_a_reader_that_forms_more_adds_it_and_what_it_does_not_form_stays_and_is_named(house):
    script = formed(house, PORTO)
    maya = house.bind()
    porto = fact(house, "Porto")
    result = anew(house, script, CATS)

    (new,) = result.beliefs
    assert (result.outcome, new.outcome, result.not_formed) == ("rederived", "created", (porto,))
    assert record(maya, porto).status is Status.ACTIVE
    again = anew(house, script, PORTO, CATS)
    assert (again.outcome, set(again.known), again.not_formed) == ("nothing_new", {porto, new.id}, ())
    assert record(maya, porto).usage.evidence_count == 1
    assert log(maya, "session.rederived")[0]["beliefs"] == [new.id]


def test_a_dry_run_says_what_will_change_and_changes_nothing(house):
    script = formed(house, PORTO)
    maya = house.bind()
    maya.reject(fact(house, "Porto"), reason="untrue")
    before, shown = everything(house), maya.recall("Does the user have cats?").rendered
    told = [anew(house, script, PORTO, CATS, dry_run=True) for _ in range(2)]
    unchanged = everything(house) == before
    done = anew(house, script, PORTO, CATS)

    def plain(result):
        beliefs = tuple((item.outcome, item.status, item.source) for item in result.beliefs)
        return replace(result, beliefs=beliefs, dry_run=False, summary_id=None)

    assert unchanged
    assert house.bind().recall("Does the user have cats?").rendered != shown
    assert (told[0].dry_run, plain(told[0])) == (True, plain(told[1]))
    assert (done.dry_run, plain(done)) == (False, plain(told[0]))
    assert len(done.beliefs) == 1
    assert house.opened[0].check().findings == ()


def test_a_session_that_could_not_be_read_is_left_as_it_was(house):
    script = formed(house, PORTO)
    before = everything(house)
    script.failing = ModelError("The model is away.")
    dry = anew(house, script, dry_run=True)
    unchanged = everything(house) == before
    done = anew(house, script)
    script.failing = None

    assert (dry.outcome, done.outcome, done.problem) == ("extraction_failed", "extraction_failed", "model_error")
    assert unchanged
    assert len(anew(house, script, PORTO, CATS).beliefs) == 1


def test_a_session_is_derived_anew_by_one_reader_at_a_time_and_only_by_who_may_use_it(house):
    script = formed(house, PORTO)
    maya = house.bind()
    with pytest.raises(NotFound):
        house.bind("noor").rederive("talk")
    with pytest.raises(NotFound):
        maya.rederive("nothing")
    with maya.session("talk") as session:
        session.turn("One more thing happened today.")
    maya.extract_brief("talk")
    with pytest.raises(SessionBusy):
        anew(house, script, PORTO)
    assert maya.rederive("talk", dry_run=True).outcome == "nothing_new"


def test_a_session_without_turns_gives_nothing(house, maya):
    maya.session("empty")

    assert maya.rederive("empty").outcome == "nothing_new"
