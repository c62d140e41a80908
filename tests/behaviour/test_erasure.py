"""After an erase eight channels are empty, nothing comes back by restore or import, and the receipt is honest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from bethink.errors import BethinkError, NotFound
from bethink.interfaces.exporting import lines
from bethink.memory import BoundMemory, Memory
from bethink.operations.extraction import Suggestion
from bethink.operations.receipts import receipt_body, receipt_digest
from bethink.operations.records import Receipt
from bethink.operations.remember import Mention
from bethink.operations.sessions import TurnInput
from tests.behaviour.house import ByHand, House, know
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import Script, played
from tests.databases import everything_held

MARK = "Zanzibar"
SAID = f"I keep the spare key in {MARK} behind the stove."
CLAIM = f"Maya keeps the spare key in {MARK} behind the stove"
MEANT = "Which place is never named?"
WRITTEN = {
    "evidence": SAID,
    "session": "talk",
    "idempotency_key": "k1",
    "subject": f"key of {MARK}",
    "attribute": "place",
    "mentions": (Mention(f"{MARK} house", "org"),),
}


@dataclass(frozen=True)
class Known:
    """What was written before the erase, and a recall that showed it."""

    record: str
    turn: str
    trace: str


def furnished(house: House) -> Known:
    """A claim with its turn, a summary, a profile, entities, a vector that alone finds it, a trace and an answer."""
    house.embedder = ByHand({MARK: 0.95})
    played(house, Script([Suggestion(CLAIM, SAID)], summary=f"Maya spoke of {MARK}."))
    maya = house.bind()
    with maya.session("talk") as talk:
        turn = talk.turn(SAID).ids[0]
    agent = house.bind(voice="agent", session="talk")
    record = agent.remember(CLAIM, **WRITTEN).id
    maya.extract("talk")
    asked = maya.recall(f"Where in {MARK} is the key?")
    return Known(record, turn, asked.trace_id)


def marked(values: object) -> bool:
    """Whether anything in it says the mark."""
    return MARK.casefold() in repr(values).casefold()


def tried(read: Callable[[], object]) -> object:
    """What a read says, an error being its words."""
    try:
        return read()
    except BethinkError as error:
        return str(error).replace(MARK, "") if isinstance(error, NotFound) else str(error)


def listed(maya: BoundMemory, known: Known) -> bool:
    reads = (
        lambda: maya.get(known.record, history=True),
        lambda: maya.get(known.turn),
        lambda: maya.chain(known.record).chain,
        lambda: maya.episodes(session="talk").turns,
        lambda: maya.recall_episodes(session="talk").rendered,
        lambda: maya.written("talk"),
        maya.quarantined,
    )
    return any(marked(tried(read)) for read in reads)


def by_words(maya: BoundMemory, _known: Known) -> bool:
    asked = f"{MARK} spare key behind the stove"
    now = maya._parts.clock.now()
    ways = ({}, {"include_superseded": True}, {"as_of": now}, {"known_at": now}, {"on_weak": "lexical"})
    return any(marked(maya.recall(asked, max_items=50, **way).rendered) for way in ways)


def by_meaning(maya: BoundMemory, _known: Known) -> bool:
    return marked(maya.recall(MEANT, max_items=50).rendered)


def by_names(maya: BoundMemory, _known: Known) -> bool:
    names = (MARK, f"key of {MARK}", f"{MARK} house")
    found = [maya.recall("And?", entities=(name,), subjects=(name,)).rendered for name in names]
    spelled = maya.recall("What of the Zanzibarr house?").rendered
    return marked((found, spelled, maya.entities(limit=200), [maya.entities(name=name).entities for name in names]))


def derived(maya: BoundMemory, known: Known) -> bool:
    summary = maya.recall("What was the session about?", types=("session_summary",), on_weak="fallback_scope")
    profile = tried(lambda: maya.profile(f"key of {MARK}", refresh=False))
    return marked((summary.rendered, profile, maya.recall(MEANT, types=("entity_profile", "session_summary")).items))


def cached(maya: BoundMemory, known: Known) -> bool:
    return maya.remember(CLAIM, **WRITTEN).outcome == "replayed"


def traced(maya: BoundMemory, known: Known) -> bool:
    reads = (
        lambda: maya.trace(known.trace).trace,
        maya.reads,
        lambda: maya.why(known.trace, known.record).text,
    )
    return any(marked(tried(read)) for read in reads)


def exported(maya: BoundMemory, _known: Known) -> bool:
    return marked(list(lines(Memory(maya._parts).export("maya"))))


CHANNELS = {
    "list": listed,
    "words": by_words,
    "vectors": by_meaning,
    "graph": by_names,
    "summary": derived,
    "cache": cached,
    "trace": traced,
    "export": exported,
}


def erase(house: House, known: Known, way: str) -> Receipt:
    """Erase it one way or the other."""
    if way == "user":
        return house.opened[0].erase_user("maya")
    return house.bind().forget(known.record, mode="erase", with_sources=True)


@requirement("P46", "P42")
@pytest.mark.parametrize("way", ["record", "user"])
@pytest.mark.parametrize("channel", CHANNELS)
def test_a_channel_that_showed_it_is_empty_after_an_erase(house, channel, way):
    known = furnished(house)
    before = CHANNELS[channel](house.bind(), known)
    receipt = erase(house, known, way)
    after = CHANNELS[channel](house.bind(), known)

    assert (before, after) == (True, False)
    assert receipt.complete


@requirement("P46")
@pytest.mark.parametrize("way", ["record", "user"])
def test_the_receipt_verifies_names_what_it_does_not_cover_and_says_no_word(house, way):
    known = furnished(house)
    receipt = erase(house, known, way)
    chain = house.opened[0].receipts().receipts

    assert [receipt_digest(one) for one in chain] == [one.digest for one in chain]
    assert chain[-1] == receipt
    assert {known.record, known.turn} <= {item for one in chain for item in one.ids}
    assert set(house.opened[0]._parts.store.database.beyond) <= set(receipt.remains)
    assert not any(word in receipt_body(one) for one in chain for word in (MARK, "spare", "stove"))
    assert house.opened[0].check().findings == ()


@requirement("P46", "P33")
@pytest.mark.parametrize("way", ["record", "user"])
def test_nothing_comes_back_by_restore_import_backup_or_a_new_reading(house, way, new_place):
    known = furnished(house)
    backup = House(new_place())
    try:
        copied = furnished(backup)
        erase(house, known, way)
        backup.opened[0].honour(house.opened[0].receipts().receipts)
        maya = house.bind()
        said = TurnInput(SAID, message_id="again", imported=True)
        with maya.session("later") as later:
            stored = later.turns([said]).ids
        with pytest.raises(NotFound):
            maya.forget(known.record, mode="restore")
        if way == "record":
            assert maya.rederive("talk").beliefs == ()

        assert (copied, stored) == (known, ())
        for memory in (maya, backup.bind()):
            first = sorted(CHANNELS, key=lambda name: name != "trace")  # the others ask with its words
            shown = [name for name in first if name != "cache" and CHANNELS[name](memory, known)]
            assert shown == []
        assert backup.opened[0].check().findings == ()
    finally:
        backup.close()


def test_what_something_else_still_says_stays(house):
    known = furnished(house)
    other = know(house.bind("noor"), f"{MARK} is an island")
    erase(house, known, "record")

    assert house.bind("noor").get(other).record is not None
    assert by_words(house.bind("noor"), known)


WORDS = {
    "attribute": ("xylophonic", {"attribute": "xylophonic"}),
    "path": ("gubernatorix", {"file_path": "notes/gubernatorix.md"}),
    "metadata": ("obsidianite", {"metadata": {"seen": ["in obsidianite"]}}),
    "key": ("marmalady", {"metadata": {"marmalady": 1}}),
    "reference": ("quillfeather", {"source_ref": "https://harbour.example/quillfeather"}),
}


@requirement("P42")
@pytest.mark.parametrize("field", list(WORDS))
def test_a_question_loses_the_words_of_every_field_of_what_was_erased(house, field):
    word, fields = WORDS[field]
    maya, noor = house.bind(), house.bind("noor", "bard")
    record = know(maya, "It is so", **fields)
    other = noor.recall("Is it so?").trace_id
    asked = noor.recall(f"What was {word}?").trace_id
    receipt = maya.forget(record, mode="erase", with_sources=True)

    assert [noor.trace(item).trace.erased for item in (other, asked)] == [False, True]
    held = [name for name, data in everything_held(house.opened[0]._parts.store) if word.encode() in data.lower()]
    assert (held, receipt.complete) == ([], True)
