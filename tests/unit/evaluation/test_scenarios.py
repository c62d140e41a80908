"""The deterministic benchmark: our own scenarios, integers alone, compared exactly with the run that comes along."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from importlib import resources

import pytest
from tests.behaviour.requirements import requirement

import bethink
from bethink.domain.trace import rendered_hash
from bethink.errors import InvalidInput, NotFound
from bethink.evaluation.baseline import Change, compare, measured, read_baseline, shipped_baseline
from bethink.evaluation.plain import as_lines
from bethink.evaluation.playing import play
from bethink.evaluation.publishing import published
from bethink.evaluation.scenario import CATEGORIES, Corpus, corpus, shipped
from bethink.evaluation.tallies import METRICS, by_probe, tally
from bethink.recall.rank import POLICY


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


@requirement("E110")
def test_every_kind_of_case_is_played_and_none_is_only_named(told):
    """Writes and reads, wanted and not; stale, disputed, of two names, of another place, unasked; and its effect."""
    writes = [one for scenario in told.scenarios for talk in scenario.sessions for one in talk.writes]
    probes = [one for scenario in told.scenarios for one in scenario.probes]
    kinds = {
        "desired write": sum(not one.unwanted for one in writes),
        "prohibited write": sum(one.unwanted for one in writes),
        "desired retrieval": sum(bool(one.wanted) for one in probes),
        "prohibited retrieval": sum(bool(one.prohibited) for one in probes),
        "stale record": sum(bool(one.stale) for one in probes),
        "conflicting records": sum(one.category == "conflict" and len(one.wanted) == 2 for one in probes),
        "entity ambiguity": sum(one.category == "ambiguity" for one in probes),
        "cross-scope boundary": sum(one.category == "boundary" and bool(one.foreign) for one in probes),
        "no search": sum(one.category == "no_search" and one.moment == "in_turn" for one in probes),
        "search": sum(one.moment == "in_turn" and bool(one.wanted) for one in probes),
        "downstream effect": sum(bool(one.answer) for one in probes),
    }

    assert {name: count for name, count in kinds.items() if count < (1 if name == "search" else 3)} == {}
    assert any(one.disputed for one in writes)


@requirement("A179")
def test_no_question_of_a_session_that_went_before_answers_itself(told):
    """So every answer is what memory brings across sessions, and `answered` is its whole lift."""
    for scenario in told.scenarios:
        for probe in scenario.probes:
            assert not probe.answer or not all(text in probe.question for text in probe.answer), probe.id


def test_questions_of_time_reach_back_a_month_or_more_somewhere(told):
    spans = [sum(talk.advance_seconds for talk in one.sessions) / 86_400 for one in told.scenarios]

    assert sum(span >= 30 for span in spans) >= 4


@requirement("D41", "D43")
def test_two_workspaces_with_like_words_and_opposite_policies_stay_apart(played):
    rows = {name: row for name, row in by_probe(played).items() if name.startswith("two-workspaces/birch")}

    assert len(rows) == 3
    assert [row.get("foreign_returned", 0) for row in rows.values()] == [0, 0, 0]
    assert rows["two-workspaces/birch-after"]["answered"] == 1


@requirement("D41", "D43")
@pytest.mark.parametrize(("portability", "open_"), [("local", False), ("contextual", True)])
def test_policies_kept_by_their_user_stay_apart_as_long_as_they_are_local(raw, portability, open_):
    """Kept for the project alone they have a scope of their own; the user's are open, so that the probes can fail."""
    for talk in raw["two-workspaces"]["sessions"]:
        for written in talk["writes"]:
            written |= {"target": "personal", "portability": portability}
    rows = by_probe(play(only(corpus(raw), "two-workspaces")))

    seen = sum(row.get("foreign_returned", 0) for name, row in rows.items() if name.startswith("two-workspaces/birch"))
    assert bool(seen) is open_


@requirement("D42")
def test_a_policy_is_asked_about_before_and_after_its_source_is_replaced(played):
    before, after = (by_probe(played)[f"two-workspaces/alder-{when}"] for when in ("before", "after"))

    assert (before["answered"], after["answered"]) == (1, 1)
    assert after.get("currency_violations", 0) == 0


def test_no_older_value_and_nothing_of_another_ever_comes_back(played):
    totals = tally(played)

    assert (totals["currency_violations"], totals["foreign_returned"]) == (0, 0)
    assert totals["currency_probes"] > totals["currency_unformed"]


@requirement("D40")
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


@requirement("D40")
def test_an_older_value_that_comes_back_is_a_violation(raw):
    """Asked about a past time, the older value is right to come back, so a probe that calls it stale must see it."""
    raw["moving-house"]["probes"][3].update({"wanted": ["braga"], "also": [], "stale": ["lisbon"]})

    assert tally(play(only(corpus(raw), "moving-house")))["currency_violations"] == 1


@requirement("D48")
def test_what_belongs_to_another_is_counted_when_it_comes_back(raw):
    """No run brings any back, so the count has to be seen to count: here what is its own is called another's."""
    raw["two-users"]["probes"][2].update({"foreign": ["locket"], "also": []})
    wrong = tally(play(only(corpus(raw), "two-users")))

    assert (wrong["foreign_returned"], wrong["leaks"]) == (1, 0)


@requirement("D40", "D48")
def test_a_statement_that_should_not_have_been_kept_is_counted_when_it_was(raw):
    raw["rumours"]["sessions"][0]["writes"][0]["unwanted"] = True
    wrong = tally(play(only(corpus(raw), "rumours")))

    assert (wrong["unwanted"], wrong["unwanted_formed"]) == (3, 1)


@requirement("A179")
def test_what_would_be_found_without_carrying_is_no_lift(raw):
    """A fact of the project itself, asked for as if it were carried, comes back with walls too."""
    raw["carried-over"]["probes"][3]["category"] = "transfer"
    totals = tally(play(only(corpus(raw), "carried-over")))

    assert (totals["transfers"], totals["transferred"], totals["transferred_isolated"]) == (4, 4, 1)


@requirement("D48")
def test_only_what_names_the_turn_it_was_quoted_from_counts_as_supported(raw):
    """The move to Braga without its quote: the agent's own word names no turn."""
    before = tally(play(only(corpus(raw), "moving-house")))
    del raw["moving-house"]["sessions"][2]["writes"][0]["evidence"]
    after = tally(play(only(corpus(raw), "moving-house")))

    assert after["supported"] < before["supported"] == before["recalled"]


@requirement("D40")
def test_an_answer_that_is_not_in_the_block_is_no_effect(raw):
    before = tally(play(only(corpus(raw), "kitchen")))
    raw["kitchen"]["probes"][0]["answer"] = ["a word that nobody said"]
    after = tally(play(only(corpus(raw), "kitchen")))

    assert (after["answerable"], after["answered"]) == (before["answerable"], before["answered"] - 1)
    assert after["recalled"] == before["recalled"]


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


ENVELOPE = (
    "id text type subject attribute scope project status source quote recorded_at superseded_by conflicts flags".split()
)


@requirement("D44")
def test_every_record_is_laid_open_as_an_envelope_and_no_secret_with_it(told, played):
    laid = published(told, played)["scenarios"]
    for scenario in told.scenarios:
        records = [one["record"] for one in laid[scenario.name]["writes"] if one["record"]]
        told_on_purpose = {probe.id for probe in scenario.probes if probe.may_show_protected}
        blocks = [one["block"] for one in laid[scenario.name]["probes"] if one["id"] not in told_on_purpose]
        shown = json.dumps([records, blocks])

        assert all(list(one) == ENVELOPE for one in records)
        if not scenario.protected_may_be_stored:
            assert [text for text in scenario.protected if text in shown] == []
    assert any("[redacted:" in one["record"]["text"] for one in laid["secrets"]["writes"])


@requirement("D45", "D47")
def test_each_event_of_a_run_is_laid_open_from_the_write_to_the_end_of_validity(told, played):
    alder = published(told, played)["scenarios"]["two-workspaces"]
    old, owner, birch, new = alder["writes"]
    before, after = (
        next(one for one in alder["probes"] if one["id"] == f"alder-{when}") for when in ("before", "after")
    )

    assert [one["label"] for one in alder["writes"]] == ["alder-old", "alder-owner", "birch-policy", "alder-new"]
    assert (new["outcome"], new["invalidated"], new["record"]["source"]["revision"]) == (
        "superseded",
        ["alder-old"],
        "r2",
    )
    assert (old["record"]["status"], old["record"]["superseded_by"]) == ("superseded", new["record"]["id"])
    assert (birch["invalidated"], owner["record"]["status"]) == ([], "active")
    assert (before["admitted"], after["admitted"]) == (["alder-old"], ["alder-new"])
    assert (after["expected"], after["prohibited"]) == (["alder-new"], ["alder-old", "birch-policy"])
    assert after["question"] == "When do integration tests run?"


@requirement("D45", "D46", "D47")
def test_a_run_can_be_laid_open_question_by_question_under_its_versions(told, played):
    laid = published(told, played)
    probes = [(name, probe) for name, one in laid["scenarios"].items() for probe in one["probes"]]

    assert (laid["retriever"], laid["blocks"], laid["version"]) == (POLICY, played.digest, bethink.__version__)
    assert laid["index"] == f"SQLite, schema {played.schema}, words alone"
    assert (
        "tenant: the scenario's name; user: the one a session or probe names, else the scenario's" in laid["identity"]
    )
    for name, probe in probes:
        ids = laid["scenarios"][name]["ids"]
        assert len(probe["ids"]) == len(probe["admitted"]) == probe["block"].count("\n") - bool(probe["block"])
        assert [ids[label] for label in probe["admitted"] if label != "?"] == [
            id_ for id_, label in zip(probe["ids"], probe["admitted"], strict=True) if label != "?"
        ]
        assert {*probe["expected"], *probe["prohibited"]} <= ids.keys()
        assert set(probe["admitted"]) <= set(probe["candidates"])
        assert rendered_hash(probe["block"]) == probe["sha256"]
    assert any(len(probe["candidates"]) > len(probe["admitted"]) for _, probe in probes)
    assert json.dumps(laid)


def test_a_probe_is_asked_after_the_session_it_names(told):
    moving = only(told, "moving-house").scenarios[0]
    first = replace(moving, probes=tuple(replace(probe, after=1) for probe in moving.probes[:1]))
    tried = play(Corpus((first,), "")).tried

    assert [one.returned[0] for one in tried] == ["lisbon"]
