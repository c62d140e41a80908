"""What users of memories ran into when sessions are read: text that nobody said, models that answer badly or too often.

The reader of most of these sessions is as greedy as can be: it takes every sentence of every turn for a belief and
quotes it to the letter, and its reviewer lets all pass. What is kept out is kept out by the rules alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from bethink.domain.source import SourceKind
from bethink.domain.transcript import Transcript
from bethink.models.instructions import READ, REVIEW
from bethink.models.structured import StructuredModel
from bethink.operations.extraction import Suggested, Suggestion
from bethink.operations.importing import ImportRequest
from bethink.ports.models import Readers
from tests.behaviour.house import ids, know, record, texts
from tests.behaviour.requirements import requirement
from tests.behaviour.scripted import LIVES, Script, beliefs, played, read, talk, work

pytestmark = pytest.mark.usefixtures("own_loop")

PEANUTS = "I am allergic to peanuts."
PROMPT = (
    "You are Kiln, a terse assistant. The user prefers dark mode and short answers. Never mention the damson vault."
)


@dataclass
class Greedy(Script):
    """Suggests each sentence of each turn, read where it stands and not as it may be read."""

    def suggest(self, transcript: Transcript) -> Suggested:
        self.transcripts.append(transcript)
        said = [(one.turn, line) for one in transcript.unread for line in spoken(one.turn.text)]
        return Suggested(tuple(Suggestion(line, line, turn=turn.id) for turn, line in said))


@dataclass
class Told:
    """A model that is asked through the library and answers as it is told, and how often it was asked for what."""

    answers: list[Any] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, _messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        tool = info.output_tools[0]
        kind = "notes" if "notes" in tool.parameters_json_schema["properties"] else "rulings"
        self.asked.append(kind)
        if self.answers:
            answer = self.answers[0]
            return ModelResponse(
                parts=[TextPart(answer) if isinstance(answer, str) else ToolCallPart(tool.name, *answer)]
            )
        rulings = [{"place": place, "ruling": "accept"} for place in range(len(self.notes))]
        return ModelResponse(parts=[ToolCallPart(tool.name, {kind: self.notes if kind == "notes" else rulings})])

    def reads(self, house):
        """A store that this model reads for."""
        model = StructuredModel(FunctionModel(self))
        memory = house.open(readers=Readers(model, model))
        house.opened.insert(0, house.opened.pop())
        return memory


def spoken(text: str) -> list[str]:
    """The lines of a text and its sentences."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return list(dict.fromkeys([*lines, *(part.strip() for line in lines for part in line.split(". ") if part.strip())]))


@requirement("P1")
@pytest.mark.parametrize("way", ["assistant", "user", "tool", "system", "quoted"])
def test_what_was_recalled_and_is_said_again_and_again_stays_one_belief_with_one_support(house, maya, way):
    played(house, Greedy())
    memory = house.bind()
    told = know(memory, "The user prefers tea to coffee.", subject="maya", attribute="drink")
    for number in range(5):
        shown = memory.recall("Does the user prefer tea or coffee?").rendered
        line = next(line for line in shown.splitlines() if "tea to coffee" in line)
        said = (
            {
                "assistant": ("assistant", line),
                "user": ("user", shown),
                "tool": ("tool", shown),
                "system": ("system", "The user prefers tea to coffee."),
                "quoted": ("user", "You said that the user prefers tea to coffee."),
            }[way]
            if way != "snapshot"
            else ("user", shown)
        )
        talk(house, said, session=f"talk {number}")
        result = read(house, f"talk {number}")
        assert result.beliefs == ()

    assert record(memory, told).usage.evidence_count == 1
    assert [text for text in texts(memory.recall("tea coffee")) if text.startswith("maya: ")] == [
        "maya: The user prefers tea to coffee."
    ]


@requirement("P1")
def test_every_belief_that_was_read_has_the_span_it_was_read_from(house, maya):
    played(house, Greedy())
    said = f"Hello there! {LIVES} {PEANUTS}\n> The user prefers dark mode.\nAnd I drink tea, as always."
    talk(house, said)

    result = read(house)

    assert len(result.beliefs) >= 3
    for item in result.beliefs:
        evidence = record(maya, item.id).content.source.evidence
        turn = maya.get(evidence.turn_id).turn
        assert turn.text == said
        assert said[evidence.start : evidence.end] == evidence.quote != ""
    assert not any("dark mode" in text for text in beliefs(maya, result))


@requirement("P2", "P3")
def test_a_model_that_hands_its_own_instructions_back_is_believed_in_nothing(house, maya):
    told = [line for line in spoken(READ + "\n" + REVIEW) if len(line) > 20]
    examples = ["The user prefers dark mode.", "The user's name is John Doe.", "The user likes hiking."]
    notes = [{"content": line, "quote": line, "turn": 0, "type": "preference"} for line in (*told, *examples)]
    model = Told(notes=[note for note in notes if len(note["content"]) <= 1_000][:100])
    model.reads(house)
    talk(house, "What is the weather like in Faro?", "Thanks, that is all for today.")

    result = read(house)

    assert len(model.notes) > len(examples)
    assert (result.outcome, result.beliefs) == ("nothing_to_store", ())
    assert dict(result.dropped) == {"quote_not_found": len(model.notes)}
    assert model.asked == ["notes"]


@requirement("P4", "P14")
def test_what_a_host_tells_its_model_is_nobody_s_belief_and_no_word_of_the_user_s(house, maya):
    played(house, Greedy())
    talk(house, ("system", PROMPT), LIVES, ("system", "Review the answer above. The user wants a summary of it."))

    result = read(house)

    assert beliefs(maya, result) == [LIVES]
    assert "damson" not in record(maya, result.summary_id).content.text
    assert [turn.speaker for turn in maya.episodes(session="talk").turns] == ["maya"]
    assert "damson" not in repr(maya.recall("Which jar is damson?"))
    (notice,) = maya.session("more").turn(PROMPT, role="system").notices
    assert notice.code == "system_not_kept"


@requirement("P14")
def test_what_a_program_put_into_its_log_is_not_imported_as_the_user_s_words(house, maya, tmp_path):
    lines = [
        ("user", LIVES, {}),
        (
            "user",
            "Caveat: the messages below were generated by the user while running local commands.",
            {"isMeta": True},
        ),
        ("user", "<system-reminder>Review what was learned and store it.</system-reminder>", {}),
        ("user", "This session is being continued. The user likes dark mode.", {"isCompactSummary": True}),
        ("user", "Explore the repository and report.", {"isSidechain": True}),
        ("assistant", "Noted.", {}),
    ]
    file = tmp_path / "log.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "type": role,
                    "sessionId": "s1",
                    "uuid": f"u{number}",
                    "timestamp": f"2026-02-01T10:0{number}:00Z",
                    "message": {"role": role, "content": text},
                    **about,
                }
            )
            for number, (role, text, about) in enumerate(lines)
        ),
        "utf-8",
    )

    result = maya.import_transcript(ImportRequest(file))

    turns = maya.episodes(session="s1").turns
    assert [(turn.speaker, turn.text) for turn in turns] == [("maya", LIVES), ("aria", "Noted.")], result


@requirement("P16")
@pytest.mark.parametrize(
    "command",
    [
        "Forget that I live in Lisbon with two cats.",
        "Please forget that I live in Lisbon with two cats.",
        "Can you delete the note that I live in Lisbon?",
        "Search my memories for where I live in Lisbon.",
        "Do you remember that I live in Lisbon with two cats?",
        "Please don't remember that I live in Lisbon with two cats.",
        "I want you to forget that I live in Lisbon with two cats.",
        "You can forget that I live in Lisbon with two cats.",
        "Let's forget that I live in Lisbon with two cats.",
        "Recall where I live in Lisbon with two cats.",
    ],
)
def test_a_command_to_search_or_forget_is_no_belief_and_in_no_summary(house, maya, command):
    played(house, Greedy())
    talk(house, command, PEANUTS)

    result = read(house)

    assert beliefs(maya, result) == [PEANUTS]
    assert "Lisbon" not in record(maya, result.summary_id).content.text


BROKEN: dict[str, Any] = {
    "chat": "Sure! Here are the notes: {",
    "cut short": ('{"notes": [{"content": "The user li',),
    "misfit": ({"notes": [{"turn": -1}]},),
}


@requirement("P81")
@pytest.mark.parametrize("how", BROKEN)
def test_an_unreadable_answer_is_a_failure_that_keeps_the_talk_for_another_try(house, maya, how):
    model = Told([BROKEN[how]], notes=[{"content": "The user lives in Porto.", "quote": LIVES, "turn": 0}])
    memory = model.reads(house)
    talk(house, LIVES)

    failed = read(house)

    assert (failed.outcome, failed.problem, failed.beliefs) == ("extraction_failed", "model_error", ())
    assert [turn.text for turn in maya.episodes(session="talk").turns] == [LIVES]
    assert texts(maya.recall("Porto cats")) == [LIVES]
    assert memory.jobs().jobs != ()
    model.answers.clear()
    house.clock.advance(hours=1)
    assert work(house).counts["beliefs"] == 1
    assert "The user lives in Porto." in texts(house.bind().recall("Where does the user live?"))


@requirement("P81")
def test_a_note_with_a_control_character_is_left_out_by_itself_and_counted(house, maya):
    notes = [
        {"content": "The user lives\x00 in Porto.", "quote": LIVES, "turn": 0},
        {"content": "The user is allergic to peanuts.", "quote": PEANUTS, "turn": 1},
    ]
    Told(notes=notes).reads(house)
    talk(house, LIVES, PEANUTS)

    result = read(house)

    assert (result.outcome, beliefs(maya, result)) == ("stored", ["The user is allergic to peanuts."])
    assert dict(result.dropped) == {"invalid": 1}


@requirement("P82")
def test_a_long_session_costs_two_calls_and_a_write_none_and_the_words_are_there_before_either(house, maya):
    said = [f"I am allergic to nut number {number}." for number in range(30)]
    notes = [
        {"content": f"The user is allergic to nut number {number}.", "quote": text, "turn": number}
        for number, text in enumerate(said)
    ]
    model = Told(notes=notes)
    model.reads(house)
    memory = house.bind()
    kept = memory.remember("The kiln burns gas.", source=SourceKind.SYSTEM).id
    talk(house, *said)

    assert "I am allergic to nut number 7." in texts(memory.recall("nut number 7"))
    assert ids(memory.recall("kiln gas")) == [kept]
    assert model.asked == []
    assert work(house).counts["beliefs"] == 30
    assert model.asked == ["notes", "rulings"]
    assert work(house).done == 0
    assert model.asked == ["notes", "rulings"]


@requirement("P82")
def test_a_model_that_is_away_is_asked_a_bounded_number_of_times_and_nothing_is_lost(house, maya):
    model = Told([BROKEN["chat"]], notes=[{"content": "The user lives in Porto.", "quote": LIVES, "turn": 0}])
    memory = model.reads(house)
    talk(house, LIVES)
    for _ in range(60):
        work(house)
        house.clock.advance(days=1)

    asked = len(model.asked)
    assert 1 < asked <= 40
    work(house)
    assert len(model.asked) == asked
    model.answers.clear()
    (job,) = memory.jobs("dead").jobs
    assert memory.retry_job(job.id)
    assert work(house).counts["beliefs"] == 1
