"""What users of memories ran into when something was taken away: too much goes, or what was made of it stays behind."""

from __future__ import annotations

import pytest

from bethink.ports.advice import Advisers
from bethink.upkeep.promotion import run_promotion
from tests.behaviour.house import ByHand, Shelf, ids, know, live, record, texts
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import Glue, read, talk
from tests.databases import rows_of


@requirement("P26")
@pytest.mark.parametrize("way", ["reject", "stop", "erase"])
def test_one_false_fact_of_a_session_is_taken_away_and_every_other_stays(house, maya, way):
    said = ["allergic to peanuts", "allergic to latex", "allergic to wool", "allergic to dust", "allergic to bees"]
    talk(house, " ".join(f"I am {what}." for what in said))
    result = read(house)
    false, *true = [item.id for item in result.beliefs]
    before = {item: record(maya, item) for item in true}

    if way == "reject":
        maya.reject(false, reason="untrue")
    else:
        maya.forget(false, mode=way)
    house.clock.advance(hours=1)

    assert len(true) == 4
    assert {item: record(maya, item) for item in true} == before
    for item, what in zip((false, *true), said, strict=True):
        found = ids(maya.recall(f"Is the user {what}?", max_items=20))
        assert (item in found) is (item != false)
        assert false not in found
    assert maya.extract("talk", again=True).beliefs == ()
    if way == "erase":
        assert rows_of(maya._parts.store, f"select count(*) from version where record_id = '{false}'") == [(0,)]


@requirement("P28")
@pytest.mark.parametrize("cut", ["tail", "head", "all but the name"])
def test_what_was_taken_out_of_a_file_is_recalled_no_more_and_what_stays_is(house, cut):
    parts = {
        "head": "# Firing\nThe kiln takes gas.\n",
        "middle": "# Glazing\nThe celadon bucket is green.\n",
        "tail": "# Closing\nThe yard gate takes the brass key.\n",
    }
    shelf = Shelf({"guide.md": "".join(parts.values())})
    house.open(files=shelf)
    maya = house.bind()
    maya.add_files("notes")
    maya.scan_files()
    lost = set(parts) if cut == "all but the name" else {cut}
    shelf.files["guide.md"] = "".join(text for name, text in parts.items() if name not in lost)
    for _ in range(2):
        house.clock.advance(hours=1)
        maya.scan_files()

    words = {"head": "kiln gas", "middle": "celadon bucket green", "tail": "yard gate brass key"}
    for name, question in words.items():
        found = [text for text in texts(maya.recall(question)) if parts[name].splitlines()[1] in text]
        assert (found == []) is (name in lost)
    shelf.files["guide.md"] = "".join(parts.values())
    house.clock.advance(hours=1)
    maya.scan_files()
    assert all(parts[name].splitlines()[1] in " ".join(texts(maya.recall(words[name]))) for name in words)


@requirement("P28")
def test_what_was_taken_out_of_a_document_is_found_no_more(house, maya):
    body = (
        "# Guide\n\n## Firing\n"
        + "The kiln takes gas. " * 30
        + "\n## Closing\n"
        + "The gate takes the brass key. " * 30
    )
    maya.documents.add(text=body, name="guide.md")
    assert maya.documents.search("brass key gate").passages != ()
    maya.documents.add(text=body.partition("## Closing")[0], name="guide.md")

    assert maya.documents.search("brass key gate").passages == ()
    assert maya.documents.search("kiln gas").passages != ()


@requirement("P29")
@pytest.mark.parametrize("way", ["stop", "erase"])
def test_a_summary_goes_with_a_turn_it_retells(house, maya, way):
    talk(house, "Is the spare key still under the blue pot?", "I am off to bed now.")
    summary = read(house).summary_id
    turn = maya.episodes(session="talk").turns[0].id
    maya.forget(turn, mode=way)

    assert "blue pot" not in maya.recall("Where is the spare key?").rendered
    assert summary not in live(maya, "session_summary")
    talk(house, "And one more thing.")
    renewed = read(house).summary_id
    assert "blue pot" not in record(maya, renewed).content.text


@requirement("P29")
@pytest.mark.parametrize("way", ["stop", "erase", "reject"])
@pytest.mark.parametrize("deep", [False, True])
def test_what_was_merged_goes_with_a_statement_it_was_made_of(house, way, deep):
    house.embedder = ByHand({"Maya": 1.0})
    house.open(advisers=Advisers(pairs=Glue()))
    maya = house.bind()
    made_of = [know(maya, f"Maya likes {tea} tea", subject="Maya") for tea in ("green", "black", "white")[: 2 + deep]]
    for _ in range(6):
        house.opened[0].run_jobs()
        house.clock.advance(hours=2)
    (merged,) = live(maya)
    assert merged not in made_of
    if way == "reject":
        maya.reject(made_of[0], reason="untrue")
    else:
        maya.forget(made_of[0], mode=way)

    assert live(maya) == []
    assert "green" not in maya.recall("Does Maya like tea?").rendered
    assert house.opened[0].check().findings == ()


@requirement("P29")
@pytest.mark.parametrize("way", ["stop", "erase", "reject", "supersede", "expire"])
def test_what_two_projects_hold_is_no_longer_their_user_s_when_one_of_them_drops_it(house, way):
    memory = house.open()
    for name in ("loom", "kiln"):
        memory.grant("maya", "aria", f"project:{name}", write=True)
    loom, kiln = (house.bind(project=name) for name in ("loom", "kiln"))
    one = know(loom, "Maya deploys with make ship", target="project", subject="Maya")
    house.clock.advance(days=1)
    know(kiln, "Maya deploys with make ship", target="project", subject="Maya")
    house.clock.advance(days=1)
    run_promotion(loom._desk, 50)
    barn, asked = house.bind(project="barn"), {"request": "How does Maya deploy?", "target": "personal"}
    assert texts(barn.recall(**asked)) == ["Maya deploys with make ship"]
    match way:
        case "reject":
            loom.reject(one, reason="untrue")
        case "supersede":
            loom.revise(one, action="supersede", content="Maya deploys with make all")
        case "expire":
            loom.revise(one, action="expire")
        case _:
            loom.forget(one, mode=way)
    house.clock.advance(days=1)
    memory.run_jobs()

    assert "make ship" not in barn.recall(**asked).rendered
    assert "make ship" in kiln.recall("How does Maya deploy?").rendered
    assert memory.check().findings == ()
