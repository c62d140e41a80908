"""`bethink eval retrieval` on data sets written for it: by words alone, through the real import and the real recall."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

import pytest
from tests.behaviour.requirements import requirement
from tests.interfaces.harbour import FIXTURES, HARBOUR, lines

import bethink
from bethink.embedding.hashing import HashEmbedder
from bethink.evaluation.datasets import Wanted, load
from bethink.evaluation.digests import tenant_of
from bethink.recall.rank import POLICY

REPORTED = {
    "R@5",
    "R@10",
    "R@50",
    "recall_all@10",
    "hit@1",
    "hit@5",
    "MRR",
    "NDCG@10",
    "noise",
    "tokens",
    "p50_ms",
    "p95_ms",
}


@requirement("D40")
def test_the_result_has_the_promised_shape_with_recall_and_noise_together(bethink_cli):
    found = bethink_cli(*HARBOUR, "--json").json
    metrics = found["metrics"]

    assert (found["dataset"], found["split"], found["level"]) == ("rows", "all", "turn")
    assert metrics["by_category"].keys() == {"single_hop", "multi_hop", "open_domain", "adversarial"}
    for group in (metrics["all"], metrics["answerable"], *metrics["by_category"].values()):
        assert group.keys() >= REPORTED - {"noise"}
    assert metrics["all"].keys() >= REPORTED | {"mean_ms"}
    assert metrics["all"]["queries"] == 6
    assert metrics["all"]["candidate_recall"] == pytest.approx(5 / 6, abs=1e-4), "what was found, before admission"
    assert metrics["all"]["precision"] == pytest.approx(1 - metrics["all"]["noise"], abs=2e-4)
    assert 0 < metrics["all"]["precision"] < 1


def test_the_means_are_those_of_the_questions_worked_out_by_hand(bethink_cli, tmp_path):
    """Five questions share words with their evidence and find it first; q4 shares none and finds nothing."""
    found = bethink_cli(*HARBOUR, "--json", "--out", tmp_path / "run.json").json
    rows = {row["id"]: row for row in lines(tmp_path / "run.jsonl")}

    assert {name: row["order"][: len(row["order"])][0] if row["order"] else None for name, row in rows.items()} == {
        "q1": "H1:1",
        "q2": rows["q2"]["order"][0],
        "q3": "H2:2",
        "q4": None,
        "q5": "O1:1",
        "q6": "O1:3",
    }
    assert set(rows["q2"]["order"][:2]) == {"H1:2", "H2:1"}
    assert found["metrics"]["all"]["R@10"] == pytest.approx(5 / 6, abs=1e-4)
    assert found["metrics"]["all"]["hit@1"] == pytest.approx(5 / 6, abs=1e-4)
    assert found["metrics"]["macro"]["all"]["R@10"] == pytest.approx(3 / 4)
    assert found["metrics"]["by_category"]["multi_hop"]["R@1"] == 0.5
    assert rows["q5"]["metrics"]["block_recall"] == 1.0
    assert rows["q5"]["metrics"]["noise"] == 1 - 1 / rows["q5"]["metrics"]["items"]
    assert found["metrics"]["by_category"]["open_domain"]["empty"] == 1.0
    assert json.loads((tmp_path / "run.json").read_text("utf-8")) == found


@requirement("B135", "B137")
def test_every_miss_has_its_code(bethink_cli, tmp_path):
    found = bethink_cli(*HARBOUR, "--json", "--out", tmp_path / "run.json").json
    missed = {row["id"]: row["lost"] for row in lines(tmp_path / "run.jsonl") if row["lost"]}

    assert missed == {
        "q4": [{"unit": "H1:3", "code": "CANDIDATE_MISS", "stage": "arms", "reason": "no arm handed it on"}]
    }
    assert found["failures"]["all"]["by_code"] == {"CANDIDATE_MISS": 1, "UNATTRIBUTED": 0}
    assert found["failures"]["all"]["questions"] == {"CANDIDATE_MISS": 1}


@requirement("B32", "E97")
def test_a_result_says_under_which_conditions_it_was_measured(bethink_cli):
    found = bethink_cli(*HARBOUR, "--set", "recall.depth=7", "--json").json
    told, times = found["conditions"], found["metrics"]["all"]

    assert (told["turns"], told["questions"], told["left_out"], told["conversations"]) == (9, 6, 1, 2)
    assert told["settings"] == {"embedder": "none", "recall.depth": 7}
    assert (told["space"], told["model"], told["degraded"], told["warm"]) == (None, None, {}, True)
    assert (told["version"], told["policy"], told["embedder"]) == (bethink.__version__, POLICY, "none")
    assert (told["layout"], told["store"]) == ("apart", "sqlite")
    assert told["present"] == "the end of each conversation's last session"
    assert (len(told["digest"]), f"Python {platform.python_version()}" in told["machine"]) == (16, True)
    assert {"lexical", "dense", "fuse", "gate", "render"} <= told["stages_p50_ms"].keys()
    assert 1 < told["candidates"] < 9, "a mean of what the pools held, of nine turns"
    assert told["seconds"] > 0
    assert 0 < times["p50_ms"] <= times["p95_ms"]
    assert times["p50_ms"] < 6 * times["mean_ms"]


@requirement("B32", "E97")
def test_the_model_and_the_layout_of_a_run_stand_in_its_conditions(bethink_cli):
    told = bethink_cli(*HARBOUR[:-1], "hash", "--layout", "together", "--json").json["conditions"]

    assert (told["embedder"], told["layout"], told["present"]) == ("hash", "together", "the latest of all")
    assert (told["space"], told["model"]) == (HashEmbedder().spec.space_id, "hash/words-and-trigrams 1")


@requirement("D28", "B135")
def test_what_was_found_and_not_admitted_is_found_and_lost_to_the_gate(bethink_cli, tmp_path):
    """One word of eight agrees: an arm hands the turn on, and the gate refuses it."""
    place = tmp_path / "rows"
    place.mkdir()
    (place / "docs.jsonl").write_text((FIXTURES / "harbour" / "docs.jsonl").read_text("utf-8"), "utf-8")
    asked = "Which violet umbrella gives shelter against hail near the boathouse?"
    query = {"scope": "harbour", "id": "q", "query": asked, "gold": ["H1:1"], "cat": "x"}
    (place / "queries.jsonl").write_text(json.dumps(query) + "\n", "utf-8")
    found = bethink_cli("eval", "retrieval", "rows", "--data", place, "--embedder", "none", "--json").json
    means = found["metrics"]["all"]

    assert (means["candidate_recall"], means["ungated_R@10"]) == (1.0, 1.0)
    assert (means["R@50"], means["empty"]) == (0.0, 1.0)
    assert found["failures"]["all"]["by_code"] == {"FILTER_DROP": 1, "UNATTRIBUTED": 0}


@requirement("B143")
def test_how_many_items_a_block_holds_moves_no_rank_and_no_miss(bethink_cli, tmp_path):
    for count in (1, 20):
        out = ("--set", f"recall.max_items={count}", "--out", tmp_path / f"{count}.json")
        bethink_cli(*HARBOUR, *out)
    few, many = (lines(tmp_path / f"{count}.jsonl") for count in (1, 20))

    assert max(row["metrics"]["items"] for row in few) == 1 < max(row["metrics"]["items"] for row in many)
    assert [(row["order"], row["lost"], row["metrics"]["R@10"]) for row in few] == [
        (row["order"], row["lost"], row["metrics"]["R@10"]) for row in many
    ]


def test_how_well_a_mismatch_is_told_from_an_answer_is_measured(bethink_cli, tmp_path):
    """The trap puts Emil's dinghy into Rosa's hands; the same question about Emil has an answer."""
    place = tmp_path / "rows"
    place.mkdir()
    (place / "docs.jsonl").write_text((FIXTURES / "harbour" / "docs.jsonl").read_text("utf-8"), "utf-8")
    asked = {"t": ("What colour did Rosa paint the dinghy?", "adversarial"), "a": ("Is Emil repainting a dinghy?", "x")}
    rows = [
        {"scope": "harbour", "id": name, "query": text, "gold": ["H1:2"], "cat": category}
        for name, (text, category) in asked.items()
    ]
    (place / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    where = ("eval", "retrieval", "rows", "--data", place, "--embedder", "none", "--out", tmp_path / "run.json")
    told = bethink_cli(*where)
    scores = {row["id"]: row["mismatch"] for row in lines(tmp_path / "run.jsonl")}

    assert json.loads((tmp_path / "run.json").read_text("utf-8"))["mismatch"] == {
        "auc": 1.0,
        "noted_traps": 1.0,
        "noted_answerable": 0.0,
    }
    assert "mismatch: AUC 1.000; told of 100.0% of the traps and 0.0% of the answerable questions" in told.out
    assert (scores["t"] > 0.6, scores["a"] <= 0.5) == (True, True)


def test_a_row_holds_as_much_of_the_order_as_its_metrics_look_at(bethink_cli, tmp_path):
    """So that whoever reads the rows can work out R@50 again."""
    words = "apricot basket cellar drawer engine fiddle garden hammer island jacket".split()
    docs = [
        {"scope": "c", "id": str(n), "session": f"S{n}", "speaker": "Rosa", "date": "2026-03-01", "seq": n}
        | {"body": f"The quince stood by the {words[n % 10]} near the {words[n // 10]} on day {n}."}
        for n in range(90)
    ]
    query = {"scope": "c", "id": "q", "query": "Where was the quince?", "gold": [str(n) for n in range(90)], "cat": "x"}
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in docs), "utf-8")
    (tmp_path / "queries.jsonl").write_text(json.dumps(query) + "\n", "utf-8")
    where = ("--data", tmp_path, "--embedder", "none", "--out", tmp_path / "run.json")
    bethink_cli("eval", "retrieval", "rows", *where)
    (row,) = lines(tmp_path / "run.jsonl")

    assert len(row["order"]) > 10
    assert row["metrics"]["R@50"] == len(row["order"]) / 90


def test_no_text_of_the_data_set_is_written(bethink_cli, tmp_path):
    bethink_cli(*HARBOUR, "--out", tmp_path / "run.json")
    written = (tmp_path / "run.json").read_text("utf-8") + (tmp_path / "run.jsonl").read_text("utf-8")

    assert not any(word in written.casefold() for word in ("boathouse", "dinghy", "lighthouse", "quince", "vegetable"))


def test_sessions_are_ranked_by_their_best_turn(bethink_cli, tmp_path):
    found = bethink_cli(*HARBOUR, "--level", "session", "--json", "--out", tmp_path / "run.json").json
    rows = {row["id"]: row for row in lines(tmp_path / "run.jsonl")}

    assert found["level"] == "session"
    assert (rows["q3"]["order"][0], rows["q1"]["order"][0]) == ("S2", "S1")
    assert rows["q2"]["metrics"]["recall_all@5"] == 1.0


def test_a_run_repeats_itself_on_a_kept_store_and_stores_nothing_twice(bethink_cli, tmp_path):
    where = ("--store", tmp_path / "kept.db", "--json", "--out", tmp_path / "run.json")
    first, rows = bethink_cli(*HARBOUR, *where).json, lines(tmp_path / "run.jsonl")
    again, more = bethink_cli(*HARBOUR, *where).json, lines(tmp_path / "run.jsonl")

    def still(found):
        return [{key: value for key, value in row.items() if key != "ms"} for row in found]

    assert first["conditions"]["turns"] == again["conditions"]["turns"] == 9
    assert still(rows) == still(more)


@pytest.mark.parametrize("layout", ["apart", "together"])
def test_a_kept_store_never_answers_with_the_words_of_an_earlier_version_of_the_set(
    bethink_cli, rows_at, tmp_path, layout
):
    kept = ("--store", tmp_path / "kept.db", "--layout", layout, "--json")
    first = bethink_cli(*rows_at("first"), *kept).json
    other = bethink_cli(*rows_at("other", said=lambda _row: "Nothing of the kind was said."), *kept).json
    again = bethink_cli(*rows_at("again"), *kept).json

    assert [found["metrics"]["all"]["R@10"] for found in (first, other, again)] == [1.0, 0.0, 1.0]


@pytest.mark.parametrize("layout", ["apart", "together"])
def test_a_kept_store_never_answers_with_turns_that_the_set_does_not_hold(bethink_cli, rows_at, tmp_path, layout):
    few = rows_at("few", kept=lambda row: row["id"] in {"H1:1", "O1:1"})
    kept = ("--layout", layout, "--store", tmp_path / "kept.db")
    bethink_cli(*rows_at("all"), *kept)
    for name, where in (("kept", kept), ("fresh", kept[:2])):
        bethink_cli(*few, *where, "--out", tmp_path / f"{name}.json")
    found = {name: lines(tmp_path / f"{name}.jsonl")[0] for name in ("kept", "fresh")}

    assert found["kept"] | {"ms": 0} == found["fresh"] | {"ms": 0}


def test_the_present_of_a_question_is_the_end_of_its_own_conversation(bethink_cli, tmp_path):
    bethink_cli(*HARBOUR, "--store", tmp_path / "kept.db")
    told = {one.scope: tenant_of(one.scope, [one]) for one in load(Wanted("rows", FIXTURES / "harbour")).conversations}
    with bethink.open(tmp_path / "kept.db", embedder="none") as memory:
        asked = {
            scope: memory.bind(scope, "evaluation", tenant=tenant)
            .recall("Rosa's fig tree, or the pear trees?")
            .rendered
            for scope, tenant in told.items()
        }

    assert 'as_of="2026-04-05T18:30:00Z"' in asked["harbour"]
    assert 'as_of="2026-05-01T08:01:00Z"' in asked["orchard"]


def test_one_tenant_for_all_conversations_finds_what_one_for_each_does(bethink_cli, tmp_path):
    for layout in ("apart", "together"):
        bethink_cli(*HARBOUR, "--layout", layout, "--out", tmp_path / f"{layout}.json")

    apart, together = ([row["order"] for row in lines(tmp_path / f"{name}.jsonl")] for name in ("apart", "together"))
    assert apart == together


def test_vectors_are_embedded_in_the_first_run_only(bethink_cli, tmp_path):
    args = (
        "eval",
        "retrieval",
        "rows",
        "--data",
        FIXTURES / "harbour",
        "--embedder",
        "hash",
        "--cache",
        tmp_path,
        "--json",
    )
    first, again = bethink_cli(*args).json, bethink_cli(*args).json

    assert first["conditions"]["space"]
    assert first["conditions"]["embedded_now"] >= 9 + 6
    assert again["conditions"]["embedded_now"] == 0
    assert first["failures"] == again["failures"]


@pytest.mark.parametrize(("name", "questions"), [("locomo", 3), ("longmemeval", 1)])
def test_a_set_s_own_files_are_imported_and_asked(bethink_cli, name, questions):
    data = FIXTURES / f"{name}.json"
    found = bethink_cli("eval", "retrieval", name, "--data", data, "--embedder", "none", "--json").json

    assert found["metrics"]["all"]["queries"] == questions
    assert found["metrics"]["all"]["R@10"] == 1.0
    assert found["conditions"]["turns"] == {"locomo": 3, "longmemeval": 3}[name] + (name == "longmemeval")


def test_questions_without_a_group_of_their_own_are_reported_and_none_at_all_are_an_error(bethink_cli, tmp_path):
    """A set of traps alone has no answerable question; one whose evidence is a session alone has none at turn level."""
    entries = json.loads((FIXTURES / "longmemeval.json").read_text("utf-8"))[1:]
    (tmp_path / "abs.json").write_text(json.dumps(entries), "utf-8")
    args = ("eval", "retrieval", "longmemeval", "--data", tmp_path / "abs.json", "--embedder", "none", "--json")
    sessions = bethink_cli(*args, "--level", "session").json

    assert (sessions["metrics"]["all"]["queries"], sessions["metrics"]["answerable"]["queries"]) == (1, 0)
    assert bethink_cli(*args).json["error"]["code"] == "not_found"


def test_without_traces_there_are_no_ranks_and_that_is_said(bethink_cli):
    done = bethink_cli(*HARBOUR, "--set", "store.trace=false", "--json")

    assert (done.code, done.json["error"]["code"]) == (1, "store_error")
    assert "store.trace" in done.json["error"]["remedy"]


def test_people_see_the_metrics_and_where_evidence_was_lost(bethink_cli):
    shown = bethink_cli(*HARBOUR)

    assert shown.code == 0
    assert "NDCG@10" in shown.out
    assert "CANDIDATE_MISS" in shown.out


def test_absent_data_ends_with_its_own_code(bethink_cli, tmp_path):
    done = bethink_cli("eval", "retrieval", "locomo", "--data", tmp_path / "none", "--json")

    assert (done.code, done.json["error"]["code"]) == (3, "not_found")


@pytest.mark.data
@pytest.mark.skipif("BETHINK_DATA" not in os.environ, reason="BETHINK_DATA names no development data")
def test_one_conversation_of_the_development_data_is_found_by_words_alone(bethink_cli):
    data = Path(os.environ["BETHINK_DATA"])
    args = ("--split", "dev", "--scopes", "conv-26", "--embedder", "none", "--json")
    rows = bethink_cli("eval", "retrieval", "locomo", "--data", data, *args).json
    own = bethink_cli("eval", "retrieval", "locomo", "--data", data / "locomo" / "conv-26.json", *args).json

    assert rows["metrics"]["answerable"]["R@10"] >= 0.76
    assert rows["metrics"]["answerable"]["hit@1"] >= 0.40
    assert rows["failures"]["all"]["by_code"]["UNATTRIBUTED"] == 0
    assert own["metrics"]["answerable"]["R@10"] == pytest.approx(rows["metrics"]["answerable"]["R@10"], abs=0.02)


@requirement("E113")
def test_the_floor_of_a_model_is_measured_by_one_command_and_without_a_model_there_is_none(bethink_cli, tmp_path):
    told = ("eval", "floor", "rows", "--data", FIXTURES / "harbour", "--cache", tmp_path)
    found = bethink_cli(*told, "--embedder", "hash", "--out", tmp_path / "floor.json", "--json").json

    assert (found["kind"], found["type"], found["model"]) == ("floor", "turn", "words-and-trigrams")
    assert (found["pairs"], found["low"] <= found["at"] <= found["high"]) == (4, True)
    assert found["evidence"] > found["unrelated"]
    assert json.loads((tmp_path / "floor.json").read_text("utf-8")) == found
    assert "low" in bethink_cli(*told, "--embedder", "hash").out
    refused = bethink_cli(*told, "--embedder", "none")
    assert (refused.code, "embedder" in refused.err) == (2, True)
