"""What works by itself, and what one account sees of another: the same walls as for whoever asks."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bethink.errors import AccessDenied, NotFound
from bethink.operations.extraction import Suggestion
from bethink.operations.remember import Mention
from bethink.ports.advice import Advisers, PairVerdict
from tests.behaviour.house import House, Shelf, counted, know
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import Script, talk

OWNERS = {"maya": "tulip", "noor": "heliotrope"}


@dataclass
class Watching:
    """Writes profiles and judges pairs, and keeps what each question showed it."""

    name: str = "watching"
    shown: list[str] = field(default_factory=list)

    def write(self, _name, statements):
        self.shown.append(" ".join(statements))
        return statements[0]

    def review(self, pairs):
        self.shown += [f"{pair.a.text} {pair.b.text}" for pair in pairs]
        return [PairVerdict("distinct", "they differ") for _ in pairs]

    label = review


def vault(house: House, user: str, word: str) -> None:
    """Several near statements about one vault, and a session in which its owner speaks of it."""
    memory = house.bind(user)
    for about in ("opens with", "opens only with", "has opened with", "will open with", "always opens with"):
        know(memory, f"The vault {about} the word {word}", subject="Vault", mentions=(Mention("Vault"),))
    know(memory, f"The word is {word}", subject="Vault", attribute="word")
    talk(house, f"I open the vault with the word {word}.", session="talk", user=user)


@requirement("P61")
def test_no_model_that_works_for_one_user_is_shown_anything_of_another(house):
    watching, script = Watching(), Script()
    house.open(advisers=Advisers(profiles=watching, pairs=watching, tensions=watching), readers=script.readers)
    for user, word in OWNERS.items():
        vault(house, user, word)
    for user, word in OWNERS.items():
        script.suggestions = [
            Suggestion(
                f"The user opens the vault with the word {word}.",
                f"I open the vault with the word {word}.",
                subject="Vault",
                attribute="word",
            )
        ]
        house.bind(user).extract("talk")
        house.bind(user).profile("Vault", refresh=True)
    house.clock.advance(days=8)
    house.opened[0].run_jobs()
    shown = [*watching.shown]
    shown += [" ".join(part.text for part in (*one.before, *one.unread)) for one in script.transcripts]
    shown += [" ".join((one.passage.text, *(kept.content.text for kept in one.known))) for one in script.cases]

    assert all(one.known for one in script.cases)
    for word in OWNERS.values():
        assert sum(word in text for text in shown) >= 3
    assert [text for text in shown if all(word in text for word in OWNERS.values())] == []


@requirement("P59")
def test_what_is_listed_watched_and_granted_in_one_account_is_nothing_in_another(house):
    memory = house.open(files=Shelf({"notes.md": "# Vault\nheliotrope"}))
    north, south = (house.bind(tenant=tenant) for tenant in ("north", "south"))
    memory.grant("maya", "guest", "user:maya", write=True, tenant="north")
    memory.put_node("vault", tenant="north")
    north.add_files("notes")
    with north.session("talk") as session:
        session.turn("The vault opens with heliotrope")
    kept = know(north, "The vault opens with the word heliotrope")
    trace = north.recall("vault").trace_id
    north.forget(know(north, "The vault was shut by heliotrope"))
    rows = counted(north, "record"), counted(north, "turn")

    listed = {
        tenant: (
            any(grant.agent == "guest" for grant in memory.grants(tenant=tenant)),
            len(memory.nodes(tenant=tenant)),
            len(memory.receipts(tenant=tenant).receipts),
            len(memory.jobs(tenant=tenant).jobs) > 0,
            sum("heliotrope" in repr(item) for item in memory.export("maya", tenant=tenant)) > 0,
            len(house.bind(tenant=tenant).file_roots().roots),
            len(house.bind(tenant=tenant).reads().reads),
        )
        for tenant in ("north", "south")
    }
    assert listed == {"north": (True, 1, 1, True, True, 1, 1), "south": (False, 0, 0, False, False, 0, 0)}
    assert south.scan_files().scans == ()
    assert not memory.revoke("maya", "guest", "user:maya", tenant="south")
    with pytest.raises(NotFound):
        memory.remove_node("vault", tenant="south")
    with pytest.raises(NotFound):
        south.trace(trace)
    served = house.open(owner=False)
    guests = {tenant: served.bind("maya", "guest", tenant=tenant) for tenant in ("north", "south")}
    assert kept in [item.id for item in guests["north"].recall("vault").items]
    with pytest.raises(AccessDenied):
        guests["south"].remember("The vault is open")
    memory.erase_user("maya", tenant="south")
    assert (counted(north, "record"), counted(north, "turn")) == rows
