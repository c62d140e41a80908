"""The deterministic benchmark: our own scenarios, integers alone, compared exactly with the run that comes along."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from importlib import resources

import pytest
from tests.behaviour.requirements import requirement

from bethink.domain.trace import rendered_hash
from bethink.errors import InvalidInput, NotFound
from bethink.evaluation.baseline import Change, compare, measured, read_baseline, shipped_baseline
from bethink.evaluation.plain import as_lines
from bethink.evaluation.playing import play
from bethink.evaluation.publishing import published
from bethink.evaluation.scenario import CATEGORIES, Corpus, corpus, shipped
from bethink.evaluation.tallies import METRICS, by_probe, tally


@pytest.fixture(scope="module")
def told():
    return shipped()


@pytest.fixture(scope="module")
def played(told):
    return play(told)


@pytest.fixture
def raw():
    """The scenarios as plain data, for a test to change."""
    folder = resources.files("bethink.evaluation") / "scenarios"
    return {item.name.removesuffix(".json"): json.loads(item.read_text("utf-8")) for item in folder.iterdir()}


def only(told, *names):
    return Corpus(tuple(one for one in told.scenarios if one.name in names), "")


@requirement("E110", "D48", "A179")
def test_the_run_is_exactly_the_baseline(told, played):
    """After a wanted change: ``bethink eval scenarios --write-baseline src/bethink/evaluation/baseline.json``."""
    compared = compare(measured(told, played), shipped_baseline())

    assert compared.drift == ()
    assert compared.regressions == ()
    assert compared.improvements == ()
    assert compared.shifts == ()
    assert compared.rows == ()


@requirement("D48")
def test_two_runs_are_equal_to_the_byte(told, played):
    again = play(told)

    assert again.digest == played.digest
    assert [one.result.rendered for one in again.tried] == [one.result.rendered for one in played.tried]
    assert tally(again) == tally(played)


def test_the_corpus_has_the_breadth_it_promises(told):
    probes = Counter(probe.category for one in told.scenarios for probe in one.probes)

    assert len(told.scenarios) >= 12
    assert probes.keys() == CATEGORIES.keys()
    assert min(probes.values()) >= 3
    assert all(len(one.sessions) >= 2 and 1 <= len(one.probes) <= 6 for one in told.scenarios)
    assert sum(bool(one.protected) for one in told.scenarios) >= 4


def test_questions_of_time_reach_back_a_month_or_more_somewhere(told):
    spans = [sum(talk.advance_seconds for talk in one.sessions) / 86_400 for one in told.scenarios]

    assert sum(span >= 30 for span in spans) >= 4


@requirement("D41", "D43")
def test_two_workspaces_with_like_words_and_opposite_policies_stay_apart(played):
    rows = {name: row for name, row in by_probe(played).items() if name.startswith("two-workspaces/birch")}

    assert len(rows) == 3
    assert [row.get("foreign_returned", 0) for row in rows.values()] == [0, 0, 0]
    assert rows["two-workspaces/birch-after"]["answered"] == 1


@requirement("D42")
def test_a_policy_is_asked_about_before_and_after_its_source_is_replaced(played):
    before, after = (by_probe(played)[f"two-workspaces/alder-{when}"] for when in ("before", "after"))

    assert (before["answered"], after["answered"]) == (1, 1)
    assert after.get("currency_violations", 0) == 0


def test_no_older_value_and_nothing_of_another_ever_comes_back(played):
    totals = tally(played)

    assert (totals["currency_violations"], totals["foreign_returned"]) == (0, 0)
    assert totals["currency_probes"] > totals["currency_unformed"]


def test_a_fact_that_is_not_formed_counts_against_formation_and_not_against_retrieval_or_currency(raw):
    """The move to Braga is written with a quote nobody said: it stays provisional and replaces nothing."""
    before = tally(play(only(corpus(raw), "moving-house")))
    raw["moving-house"]["sessions"][2]["writes"][0]["evidence"] = "I have always lived in Braga"
    after = tally(play(only(corpus(raw), "moving-house")))

    assert (before["formed"], after["formed"]) == (4, 3)
    assert after["replaced"] == before["replaced"] - 1
    assert (after["wanted"], after["wanted_formed"]) == (before["wanted"], before["wanted_formed"] - 1)
    assert after["wanted_formed"] == after["recalled_formed"]
    assert (before["currency_unformed"], after["currency_unformed"]) == (0, 1)
    assert after["currency_violations"] == 0


def test_an_older_value_that_comes_back_is_a_violation(raw):
    """Asked about a past time, the older value is right to come back, so a probe that calls it stale must see it."""
    raw["moving-house"]["probes"][3].update({"wanted": ["braga"], "also": [], "stale": ["lisbon"]})

    assert tally(play(only(corpus(raw), "moving-house")))["currency_violations"] == 1


def test_a_protected_string_is_seen_where_it_is_stored_and_where_it_is_shown(raw):
    raw["two-lenas"]["protected"] = ["the oboe"]
    totals = tally(play(only(corpus(raw), "two-lenas")))

    assert totals["protected_stored"] == 1
    assert totals["leaks"] >= 1


def test_what_is_carried_to_another_project_is_measured_with_its_lift(played):
    totals = tally(played)

    assert totals["transferred"] == totals["transfers"] == 3
    assert totals["transferred_isolated"] == 0


def row(**changes):
    base = {
        "metrics": dict.fromkeys(METRICS, 5),
        "corpus": "c",
        "writes": {"s/w": 1},
        "probes": {"s/p": {"recalled": 1}},
    }
    return {**base, **changes}


def test_a_comparison_tells_regressions_improvements_and_shifts_apart():
    ours = row(metrics={**dict.fromkeys(METRICS, 5), "recalled": 4, "noise": 6, "leaks": 3, "formed": 6, "tokens": 9})
    compared = compare(ours, row())

    assert compared.regressions == (Change("recalled", 5, 4), Change("noise", 5, 6))
    assert compared.improvements == (Change("formed", 5, 6), Change("leaks", 5, 3))
    assert compared.shifts == (Change("tokens", 5, 9),)
    assert not compared.same


def test_a_probe_that_moved_is_named_also_when_the_sums_did_not():
    ours = row(probes={"s/p": {}, "s/q": {"recalled": 1}}, writes={"s/w": 0})

    assert compare(ours, row()).rows == (
        Change("s/p recalled", 1, 0),
        Change("s/q recalled", 0, 1),
        Change("s/w formed", 1, 0),
    )


def test_another_corpus_or_another_set_of_metrics_is_drift():
    fewer = {name: 5 for name in METRICS if name != "noise"}

    assert compare(row(corpus="d"), row()).drift == ("the scenarios changed: c then, d now",)
    assert compare(row(metrics=fewer), row()).drift == ("the metric noise is not counted any more",)
    assert compare(row(), row(metrics=fewer)).drift == ("the metric noise was not counted then",)
    assert compare(row(), row()).same


def test_a_baseline_reads_back_as_it_was_written(told, played, tmp_path):
    run = measured(told, played)
    path = tmp_path / "baseline.json"
    path.write_text(as_lines(run), "utf-8")

    assert read_baseline(path) == run
    assert all(isinstance(value, int) for value in run["metrics"].values())


def test_what_is_no_baseline_is_refused(tmp_path):
    path = tmp_path / "other.json"
    path.write_text("{}", "utf-8")

    with pytest.raises(InvalidInput, match="no baseline"):
        read_baseline(path)
    with pytest.raises(NotFound):
        read_baseline(tmp_path / "none.json")


@pytest.mark.parametrize(
    "spoilt",
    [
        {"metrics": {"noise": "none"}},
        {"metrics": []},
        {"writes": None},
        {"probes": {"a/b": 1}},
        {"probes": {"a/b": {"noise": [1]}}},
        {"corpus": None},
    ],
)
def test_a_baseline_whose_counts_are_no_counts_is_refused(told, played, tmp_path, spoilt):
    path = tmp_path / "baseline.json"
    path.write_text(json.dumps(measured(told, played) | spoilt), "utf-8")

    with pytest.raises(InvalidInput, match="no baseline"):
        read_baseline(path)


@requirement("D44", "D45", "D46", "D47")
def test_a_run_can_be_laid_open_record_by_record_and_question_by_question(told, played):
    laid = published(told, played)
    alder = laid["scenarios"]["two-workspaces"]
    old = next(one for one in alder["writes"] if one["label"] == "alder-old")
    new = next(one for one in alder["writes"] if one["label"] == "alder-new")
    after = next(one for one in alder["probes"] if one["id"] == "alder-after")

    assert (laid["retriever"], laid["blocks"]) == (played.policy, played.digest)
    assert "schema" in laid["index"]
    assert "tenant" in laid["identity"]
    assert old["record"]["status"] == "superseded"
    assert (new["invalidated"], new["record"]["source"]["revision"]) == (["alder-old"], "r2")
    assert old["record"]["superseded_by"] == new["record"]["id"]
    assert (after["expected"], after["prohibited"]) == (["alder-new"], ["alder-old", "birch-policy"])
    assert set(after["admitted"]) <= set(after["candidates"])
    assert rendered_hash(after["block"]) == after["sha256"]
    assert json.dumps(laid)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"wanted": ["nobody"]}, "nothing is called nobody"),
        ({"category": "riddle"}, "no category"),
        ({"colour": "red"}, "unknown colour"),
        ({"as_of": "soon"}, "instant"),
    ],
)
def test_a_scenario_that_says_nonsense_is_refused(raw, change, words):
    raw["kitchen"]["probes"][0].update(change)

    with pytest.raises(InvalidInput, match=words):
        corpus(raw)


def test_a_label_names_one_thing(raw):
    raw["kitchen"]["sessions"][1]["writes"][0]["label"] = "almonds"

    with pytest.raises(InvalidInput, match="twice"):
        corpus(raw)


def test_the_digest_is_of_every_word(raw, told):
    assert corpus(raw).digest == told.digest
    raw["kitchen"]["about"] += " "
    assert corpus(raw).digest != told.digest


def test_a_probe_is_asked_after_the_session_it_names(told):
    moving = only(told, "moving-house").scenarios[0]
    first = replace(moving, probes=tuple(replace(probe, after=1) for probe in moving.probes[:1]))
    tried = play(Corpus((first,), "")).tried

    assert [one.returned[0] for one in tried] == ["lisbon"]
