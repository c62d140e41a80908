"""Faults that readers of memories ran into: what lies outside a window, what is not found again, what is pushed."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import bethink
from bethink.domain.source import SourceKind
from bethink.memory import BoundMemory, Steps
from bethink.operations.extraction import Suggestion
from bethink.operations.remember import Mention
from tests.behaviour.house import MARCH, ByHand, Provider, arms, ids, know, pool, record, texts
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import Script, beliefs, played, read, talk

DAY = timedelta(days=1)
WINDOW = {"since": MARCH - 20 * DAY, "until": MARCH - 10 * DAY}
INSIDE, OUTSIDE = MARCH - 15 * DAY, MARCH - 40 * DAY


def family(maya: BoundMemory, said: str, when: datetime) -> dict[str, str]:
    """Ann and her sister Bea as they were at a time."""
    bea = (Mention("Bea", "person"),)
    return {
        "relation": know(
            maya, f"has a sister, Bea{said}", type="relationship", subject="Ann", mentions=bea, event_at=when
        ),
        "related": know(
            maya, f"plays the cello{said}", subject="Bea", mentions=(Mention("Florentina"),), event_at=when
        ),
        "named": know(maya, f"bakes blue bread{said}", subject="Ann", event_at=when),
    }


@requirement("P27")
def test_a_window_holds_for_every_arm_for_relations_partners_providers_and_profiles(house):
    provider = Provider()
    house.open(recall__graph=True, steps=Steps(provider=provider))
    maya = house.bind()
    inside, outside = family(maya, "", INSIDE), family(maya, ", it was said", OUTSIDE)
    know(maya, "bakes rye bread too", subject="Ann", event_at=INSIDE)
    profile = maya.profile("Ann", refresh=True).record.id
    stated = know(maya, "The oven of Ann is blue", subject="oven", attribute="colour", event_at=INSIDE)
    agent = house.bind(voice="agent")
    doubted = agent.remember("The oven of Ann is red", subject="oven", attribute="colour", event_at=OUTSIDE)
    provider.says = [(item, 1.0) for item in (*inside.values(), *outside.values(), doubted.id)]
    question = "Which blue bread and which oven has the sister of Ann and Florentine had since January 2026?"
    asked = {"profile": "agent_query", "subjects": ("Ann", "oven"), "types": ("fact", "relationship")}
    free, windowed = maya.recall(question, **asked), maya.recall(question, **asked, **WINDOW)
    within = {*inside.values(), stated}
    early = {*outside.values(), doubted.id}

    assert doubted.conflicts == (stated,)
    assert (early & set(pool(maya, free)), [one.id for one in free.profiles]) == (early, [profile])
    assert within <= set(pool(maya, windowed))
    assert not early & set(pool(maya, windowed))
    assert {name: early.intersection(hits) for name, hits in arms(maya, windowed).items() if hits} == {
        name: set() for name in ("structured", "lexical", "fuzzy", "dense", "entity", "time", "graph", "external")
    }
    assert windowed.profiles == ()


ASKING = """
import sys, bethink
with bethink.open(sys.argv[1], embedder="hash") as memory:
    result = memory.bind("maya", "aria").recall(sys.argv[2])
    print(*(item.id for item in result.items), result.sha256)
"""


@requirement("P64")
def test_a_fresh_process_finds_what_the_one_that_wrote_it_finds(house):
    maya = house.bind()
    for number in range(5):
        know(maya, f"The blue kiln {number} fires at noon", subject=f"kiln {number}", mentions=(Mention("Ann Lee"),))
    maya.session("talk").turn("Ann Lee repaired the blue kiln today", said_at=MARCH)
    question = "Which blue kiln did Ann Lee repair on 1 March 2026?"
    first = maya.recall(question, subjects=("kiln 3",))
    wanted = maya.recall(question)
    found = {name for name, hits in arms(maya, first).items() if hits}
    house.close()
    again = house.open().bind("maya", "aria", voice="user")
    later = again.recall(question, subjects=("kiln 3",))
    root = Path(bethink.__file__).parents[1]
    told = subprocess.run(
        [sys.executable, "-c", ASKING, str(house.place), question],
        env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip

    assert found >= {"structured", "lexical", "dense", "entity", "time"}
    assert (arms(again, later), later.rendered) == (arms(maya_of(house), first), first.rendered)
    assert told == [*ids(wanted), wanted.sha256]


def maya_of(house):
    """Maya in the store that was opened last."""
    return house.opened[-1].bind("maya", "aria", voice="user")


@requirement("P71")
@pytest.mark.parametrize("unasked", [{"profile": "passive"}, {"moment": "in_turn"}, {"moment": "passive"}])
def test_what_a_question_brings_up_is_not_yet_sure_enough_to_be_pushed(house, unasked):
    house.embedder = ByHand({"harbour": 0.5, "lighthouse": 0.9})
    maya = house.bind()
    likely, sure = know(maya, "The harbour opens early"), know(maya, "The lighthouse opens early")
    question = "Which boat sails at dawn?"

    assert set(ids(maya.recall(question))) == {likely, sure}
    pushed = maya.recall(question, **unasked)
    assert ids(pushed) == [sure]
    assert maya.why(pushed.trace_id, likely).stage == "gate"


@requirement("P73")
def test_however_short_it_is_what_is_told_is_found_by_the_next_question_and_by_nothing_else(house):
    maya = house.bind()
    session = maya.session("talk")
    writes = {
        "Nut allergy": lambda text: know(maya, text),
        "Size 42": lambda text: session.remember(text, evidence=text).id,
        "Rex barks": lambda text: session.turn(text).ids[0],
    }
    for text, write in writes.items():
        item = write(text)
        assert item in pool(maya, maya.recall(text)), text
        assert text in " ".join(texts(maya.recall(text))), text
        assert item in pool(house.open().bind("maya", "aria"), maya.recall(text))


SAID = {
    "Vivo no Porto com duas gatas.": "The user lives in Porto with two cats.",
    "Ich bin gegen Erdnüsse allergisch.": "The user is allergic to peanuts.",
    "Я живу в Риге с двумя кошками.": "The user lives in Riga with two cats.",  # noqa: RUF001 - other scripts are the subject
    "私はポルトに住んでいます。": "The user lives in Porto.",
    "저는 부산에 살고 있습니다.": "The user lives in Busan.",
    "أعيش في القاهرة مع أخي.": "The user lives in Cairo with his brother.",
}


@requirement("P77")
@pytest.mark.parametrize(("said", "translated"), SAID.items())
def test_a_fact_is_kept_and_shown_in_the_language_it_was_said_in(house, said, translated):
    maya = house.bind()
    item = know(maya, said)
    played(house, Script([Suggestion(translated, said), Suggestion(said, said)]))
    talk(house, said)
    result = read(house)

    assert record(maya, item).content.text == said
    assert said in texts(maya.recall(said))
    assert result.dropped["language_changed"] == 1
    assert set(beliefs(house.bind(), result)) <= {said}
    assert not [one for one in texts(maya.recall(translated, on_weak="fallback_scope")) if "user" in one]


TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
BESIDE = {
    "東京": ("ラーメン屋が多い", "東京に行くとき何を食べる", f"トークン{TOKEN}です"),
    "王小明": ("住在北京", "请问王小明住在哪里", f"密钥是{TOKEN}请保存"),
    "김민수": ("부산에 산다", "김민수는 어디에 살아", f"토큰은{TOKEN}입니다"),
    "สมชาย": ("อยู่ที่เชียงใหม่", "ตอนนี้สมชายอยู่ที่ไหน", f"โทเค็น{TOKEN}ครับ"),
    "Kim": ("부산에 산다", "Kim은 어디에 살아", f"암호{TOKEN}를"),
    "Ana Paz": ("住在北京", "请问Ana Paz住在哪里", f"令牌{TOKEN}的"),
}


@requirement("P78")
@pytest.mark.parametrize("name", BESIDE)
def test_names_and_secrets_are_seen_between_letters_of_scripts_without_spaces(house, name):
    known, question, secret = BESIDE[name]
    maya = house.bind()
    item = know(maya, known, mentions=(Mention(name),))
    other = know(maya, "something else", mentions=(Mention("北海"), Mention("민수는")))
    kept = know(maya, secret, source=SourceKind.SYSTEM)
    result = maya.recall(question, on_weak="lexical")

    assert arms(maya, result)["entity"] == [item]
    assert item in ids(result)
    assert other not in arms(maya, result)["entity"]
    assert record(maya, kept).content.text == secret.replace(TOKEN, "[redacted:github-token]")
    assert TOKEN not in repr(maya.recall(secret))
