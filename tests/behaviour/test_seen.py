"""What comes into memory is reviewed, belongs to somebody, falls with its source, and is shown to its user."""

from __future__ import annotations

import pytest

from bethink.domain.record import Status
from bethink.domain.source import SourceKind
from bethink.domain.types import Portability
from bethink.errors import InvalidInput
from bethink.operations.extraction import Assessment, Suggestion
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import Shelf, beliefs, ids, know, record
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, Script, played, read, talk


@requirement("D21")
def test_only_what_a_reviewer_let_pass_becomes_a_record_and_it_belongs_to_who_was_read(house, maya):
    def ruling(cases):
        return tuple(
            Assessment(place, "reject" if "cats" in case.suggestion.content else "accept")
            for place, case in enumerate(cases)
        )

    script = Script(
        [Suggestion("The user lives in Porto.", LIVES), Suggestion("The user has two cats.", LIVES)], ruling=ruling
    )
    played(house, script)
    talk(house, LIVES)
    result = read(house)

    (kept,) = (record(house.bind(), item.id) for item in result.beliefs)
    assert (len(script.cases), dict(result.dropped)) == (2, {"rejected": 1})
    assert (kept.content.text, kept.content.scope.key) == ("The user lives in Porto.", "user:maya")
    assert kept.content.source.evidence.quote == LIVES
    assert beliefs(house.bind("noor"), "Where does the user live?") == []


@requirement("D21")
def test_a_record_falls_when_its_source_changes(house):
    shelf = Shelf({"AGENTS.md": "# Style\nIndent with tabs.\n\n# Tests\nRun them all.\n"})
    maya = house.open(files=shelf).bind("maya", "aria", voice="user")
    maya.add_files("notes")
    maya.scan_files()
    old = beliefs(maya, "How do we indent?")
    page = {"source": SourceKind.DOCUMENT, "source_ref": "https://kiln.example"}
    before = know(maya, "The kiln reaches 1200 degrees", source_revision="1", **page)
    house.clock.advance(hours=1)
    shelf.files["AGENTS.md"] = "# Style\nIndent with spaces.\n"
    maya.scan_files()
    know(maya, "The kiln reaches 1100 degrees", source_revision="2", **page)
    now = {record(maya, item).content.text for item in beliefs(maya, "How do we indent? Do we run tests?")}

    assert old
    assert any("spaces" in text for text in now)
    assert not any("tabs" in text or "Run them" in text for text in now)
    assert "stale" in record(maya, before).content.flags


@requirement("D24")
@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"type": "preference"}, True),
        ({"type": "constraint"}, True),
        ({"type": "procedure"}, True),
        ({"type": "fact"}, False),
        ({"type": "preference", "temporary": True}, False),
    ],
)
def test_an_agent_is_told_to_show_its_user_what_will_last(house, maya, fields, told):
    agent = house.bind(voice="agent", session="talk")
    said = agent.remember("Maya wants short answers", **fields)
    again = agent.remember("Maya wants short answers", **fields)
    own = maya.remember("Answer in French", **fields)

    assert ("lasting" in {notice.code for notice in said.notices}) is told
    assert "lasting" not in {notice.code for notice in (*again.notices, *own.notices)}
    (card,) = agent.written().records
    assert (card.id, card.lasting) == (said.id, told)


@requirement("D24")
def test_a_host_can_show_its_user_what_a_session_left(house, maya):
    talk(house, "I live in Porto now.", "I prefer short answers.")
    formed = [item.id for item in read(house).beliefs]
    house.clock.advance(minutes=1)
    agent = house.bind(voice="agent", session="talk")
    noted = agent.remember("Maya seems tired").id
    elsewhere = house.bind(voice="agent", session="other").remember("Maya likes tea").id
    listed = maya.written("talk")
    shown = [card.id for card in listed.records if card.type != "session_summary"]

    assert (shown[0], set(shown[1:]), elsewhere in shown) == (noted, set(formed), False)
    assert {card.text for card in listed.records if card.lasting} == {"The user prefers short answers."}
    pages, before = [], None
    while True:
        page = maya.written("talk", limit=1, before=before)
        pages += [card.id for card in page.records]
        before = page.next
        if before is None:
            break
    assert pages == [card.id for card in listed.records]


def test_what_was_taken_back_or_is_another_s_is_not_listed(house, maya):
    agent = house.bind(voice="agent", session="talk")
    gone, wrong, kept = (agent.remember(f"Maya likes {name}").id for name in ("tea", "jam", "rye"))
    house.bind("noor", voice="agent", session="talk").remember("Noor likes tea")
    maya.forget(gone)
    maya.reject(wrong, reason="untrue")

    assert {card.id: card.status for card in maya.written("talk").records} == {
        kept: Status.PROVISIONAL,
        wrong: Status.ARCHIVED,
    }
    with pytest.raises(InvalidInput, match="No session"):
        maya.written()
    with pytest.raises(InvalidInput):
        maya.written("talk", limit=0)


MAIL = TurnInput("I am allergic to peanuts. I prefer aisle seats.", local=True)
FLIGHT = TurnInput("Your flight to Oslo leaves on 3 March 2027.", role="participant", speaker="airline", local=True)


@requirement("A181")
def test_what_is_read_in_mail_carries_to_its_owner_s_other_accounts_and_chat_and_the_mail_does_not(house):
    work, home, chat = (house.bind(project=name) for name in ("mail-work", "mail-home", None))
    with work.session("thread") as thread:
        mails = thread.turns([MAIL, FLIGHT]).ids
    done = work.extract("thread")
    formed = [item.id for item in done.beliefs]
    kept = [record(work, item) for item in formed]

    assert record(work, done.summary_id).content.portability is Portability.LOCAL
    assert {item.content.portability for item in kept} == {Portability.CONTEXTUAL}
    assert {item.content.source.kind for item in kept} == {SourceKind.USER_STATEMENT}
    for elsewhere in (home, chat):
        found = ids(elsewhere.recall("Is the user allergic to peanuts? Which seats does the user prefer?"))
        assert set(formed) <= set(found)
        assert not set(mails) & set(
            ids(elsewhere.recall("peanuts aisle seats flight Oslo airline thread", max_items=20))
        )
        assert not any(item.type == "session_summary" for item in elsewhere.recall("peanuts aisle seats flight").items)
    assert set(mails) <= set(ids(work.recall("peanuts aisle seats flight Oslo airline", max_items=20)))
    assert ids(house.bind("noor").recall("peanuts aisle seats flight")) == []


@requirement("A181")
def test_an_agent_that_quotes_a_mail_writes_no_more_than_context(house):
    work = house.bind(project="mail-work")
    with work.session("thread") as thread:
        thread.turns([MAIL, FLIGHT])
    agent = house.bind(project="mail-work", voice="agent", session="thread")
    said = agent.remember("Maya prefers aisle seats", type="preference", evidence="I prefer aisle seats.")
    drawn = agent.remember("Maya likes to stretch", type="preference", evidence="I prefer aisle seats.")
    narrowed = agent.remember(
        "Maya is allergic to peanuts", evidence="I am allergic to peanuts.", portability=Portability.LOCAL
    )
    free = agent.remember("Maya likes tea", type="preference")

    carries = [record(work, item.id).content.portability for item in (said, drawn, narrowed, free)]
    assert carries == [Portability.CONTEXTUAL, Portability.CONTEXTUAL, Portability.LOCAL, Portability.PORTABLE]
