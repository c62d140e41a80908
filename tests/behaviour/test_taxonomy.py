"""The taxonomy: what a question is about narrows what is ranked, as long as enough is filed there."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bethink.domain.source import SourceKind
from bethink.domain.taxonomy import MAX_DEPTH, MAX_FILED, Node, subtree
from bethink.errors import AccessDenied, BethinkError, InvalidInput, NotFound
from bethink.memory import BoundMemory, Memory, Steps
from bethink.recall import arms as arms_of_recall
from bethink.recall import narrow
from bethink.recall.classify import by_rules
from tests.behaviour.house import ByHand, House, arms, events, ids, know, pool, texts
from tests.behaviour.requirements import requirement
from tests.databases import rows_of

TREE = (("workflow", None), ("workflow.git", "Git"), ("workflow.deploys", "Deploying"), ("preferences", None))
GIT = ("Rebase before a merge", "Sign every commit", "Squash what is trivial")


def planted(house: House, **settings: object) -> BoundMemory:
    """Maya's memory in a store that has a tree."""
    memory = house.open(**settings)
    for path, name in TREE:
        memory.put_node(path, name)
    return memory.bind("maya", "aria", voice="user")


def filings(memory: Memory | BoundMemory) -> list[tuple[str, str, str]]:
    """Every filing of the store: record, path, by whom."""
    found = "select record_id, path, filed_by from taxonomy_filing order by record_id, path"
    return rows_of(memory._parts.store, found)


class Chooser:
    """A classifier that names what it was told to, or fails."""

    def __init__(self, *named: str, fails: bool = False) -> None:
        self.named, self.fails, self.asked = named, fails, []

    def classify(self, text: str, nodes: Sequence[Node]) -> Sequence[str]:
        self.asked.append((text, [node.path for node in nodes]))
        if self.fails:
            raise BethinkError("The model is away.")
        return self.named


NODES = tuple(Node(path, path.rpartition(".")[2] if name is None else name) for path, name in TREE)


@requirement("C12")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How is my git set up?", ("workflow.git",)),
        ("Which workflows do we deploy with?", ("workflow", "workflow.deploys")),
        (
            "Deploying with git in our workflow: what are the preferences?",
            ("workflow.deploys", "workflow.git", "preferences"),
        ),
        ("Where is the kiln?", ()),
        ("The of and", ()),
    ],
)
def test_rules_name_one_to_three_nodes_by_their_words_and_no_model_is_asked(question, expected):
    assert by_rules(question, NODES) == expected


def test_a_node_called_by_its_whole_name_goes_before_one_that_shares_a_word():
    nodes = (Node("a.tools", "Hand tools"), Node("b.kept", "Tools in the old shed"), Node("it", "It"))

    assert by_rules("the hand tools", nodes) == ("a.tools", "b.kept")
    assert by_rules("tools in the old shed", nodes)[0] == "b.kept"
    assert by_rules("is it so", nodes) == ()


@requirement("C15")
def test_a_node_brings_everything_below_it_and_nothing_beside_it():
    nodes = [Node(path, path) for path in ("work", "work.git", "work.git.hooks", "workshop", "home", "home.work")]

    assert subtree(nodes, ("work",)) == {"work", "work.git", "work.git.hooks"}
    assert subtree(nodes, ("home", "work.git")) == {"home", "home.work", "work.git", "work.git.hooks"}
    assert subtree(nodes, ()) == frozenset()


@requirement("C63", "C16")
def test_of_two_records_the_one_filed_inside_the_subtree_comes_back_and_not_the_other(house):
    house.embedder = ByHand({"Rebase": 0.9, "Tabs": 0.9})
    maya = planted(house)
    a = know(maya, "Rebase", taxonomy=("workflow.git",))
    b = know(maya, "Tabs", taxonomy=("preferences",))
    result = maya.recall("Which one?", taxonomy=("workflow",), policy="composite")

    assert ids(result) == [a]
    assert (result.topics, result.fallback) == (("workflow",), None)
    assert set(ids(maya.recall("Which one?", policy="composite"))) == {a, b}
    assert maya.why(result.trace_id, b).stage == "narrow"
    assert maya.why(result.trace_id, b).text == "It was found and not ranked: filed under none of the topics."
    assert maya.trace(result.trace_id).trace.query["classified_by"] == "caller"


def filed_and_not(house: House, inside: int, **settings: object) -> tuple[BoundMemory, list[str], str]:
    """So many records filed under git, and one that answers as well and is filed nowhere."""
    house.embedder = ByHand(dict.fromkeys((*GIT, "Push"), 0.8))
    maya = planted(house, **settings)
    filed = [know(maya, text, taxonomy=("workflow.git",)) for text in GIT[:inside]]
    return maya, filed, know(maya, "Push on Fridays")


@requirement("C16", "C17")
def test_three_filed_are_enough_to_leave_the_rest_out_and_two_bring_it_back_flagged(house, new_place):
    maya, filed, other = filed_and_not(house, 3)
    enough = maya.recall("What of git?", profile="agent_query")
    few = House(new_place())
    hers, two, third = filed_and_not(few, 2)
    short = hers.recall("What of git?", profile="agent_query")

    assert sorted(ids(enough)) == sorted(filed)
    assert (enough.topics, enough.fallback, enough.notices) == (("workflow.git",), None, ())
    assert sorted(ids(short)) == sorted([*two, third])
    assert (short.topics, short.fallback) == (("workflow.git",), "few_filed")
    assert [notice.code for notice in short.notices] == ["few_filed"]
    assert hers.trace(short.trace_id).trace.notices == ("few_filed",)
    assert other not in pool(maya, enough)
    few.close()


@requirement("C14")
def test_a_question_about_no_node_and_a_profile_without_a_taxonomy_skip_the_stage(house):
    maya, filed, other = filed_and_not(house, 3)
    about_none = maya.recall("What on Fridays?", profile="agent_query")
    everyday = maya.recall("What of git?")

    assert other in ids(about_none)
    assert (about_none.topics, about_none.fallback) == ((), None)
    assert sorted(ids(everyday)) == sorted([*filed, other])
    assert everyday.topics == ()
    assert "taxonomy" not in arms(maya, everyday)
    assert "taxonomy" not in arms(maya, about_none)


@requirement("C22")
def test_a_best_score_that_is_too_low_ranks_everything_again_flagged(house):
    house.embedder = ByHand(dict.fromkeys(GIT, 0.52) | {"Push": 0.9})
    maya = planted(house)
    for text in GIT:
        know(maya, text, taxonomy=("workflow.git",), source=SourceKind.DOCUMENT)
    house.clock.advance(days=900)
    other = know(maya, "Push on Fridays", subject="git")
    # 0.26 of cosine, 0.3 · 2^-5 of recency, 0.16 of confidence: 0.43 today and 0.35 never below it
    good = maya.recall("What of git?", profile="agent_query", policy="composite")
    assert good.fallback is None
    assert other not in ids(good)

    bounds = dict(narrow.WEAK)
    for bound, expected in ((0.44, "weak_filed"), (0.42, None)):
        narrow.WEAK["composite"] = bound
        try:
            assert maya.recall("What of git?", profile="agent_query", policy="composite").fallback == expected
        finally:
            narrow.WEAK.update(bounds)


@requirement("C22")
def test_the_bound_below_which_everything_is_ranked_again_is_thirty_five_hundredths(house):
    house.embedder = ByHand(dict.fromkeys(GIT, 0.3) | {"Push": 0.9})
    maya = planted(house)
    for text in GIT:
        know(maya, text, taxonomy=("workflow.git",), source=SourceKind.DOCUMENT)
    house.clock.advance(days=900)
    other = know(maya, "Push on Fridays", subject="git")
    # 0.15 of cosine, 0.009 of recency and 0.16 of confidence are 0.319
    result = maya.recall("What of git?", profile="agent_query", policy="composite")

    assert narrow.WEAK == {"composite": 0.35}
    assert result.fallback == "weak_filed"
    assert [notice.code for notice in result.notices] == ["weak_filed"]
    assert ids(result)[0] == other


def test_what_the_caller_named_itself_narrows_for_good(house):
    maya, _, _ = filed_and_not(house, 0)
    only = know(maya, "Tag each release with git", taxonomy=("workflow.deploys",))
    named = maya.recall("What of git?", taxonomy=("workflow.deploys",))
    nothing = maya.recall("What of git?", taxonomy=("preferences",))

    assert ids(named) == [only]
    assert named.fallback is None
    assert (ids(nothing), nothing.empty_reason) == ([], "narrowed")
    with pytest.raises(InvalidInput, match="no node 'cooking'") as missing:
        maya.recall("What of git?", taxonomy=("cooking",))
    assert "preferences, workflow, workflow.deploys, workflow.git" in missing.value.advice
    for wrong in (("Work flow",), ("a..b",), ("",), ("x" * 121,), (".".join("a" * (MAX_DEPTH + 1)),), "workflow", (3,)):
        with pytest.raises(InvalidInput):
            maya.recall("What of git?", taxonomy=wrong)


def test_what_is_filed_is_found_though_no_other_arm_finds_it(house):
    house.embedder = None
    maya = planted(house)
    filed = [know(maya, text, taxonomy=("workflow.git",)) for text in GIT]
    result = maya.recall("git", taxonomy=("workflow.git",), on_weak="fallback_scope")

    assert sorted(arms(maya, result)["taxonomy"]) == sorted(filed)
    assert sorted(ids(result)) == sorted(filed)
    assert {name for item in result.items for name in item.explanation.arms} == {"taxonomy"}


@requirement("C10")
def test_no_more_than_five_hundred_are_ranked_and_the_newest_filed_go_first(house, monkeypatch):
    assert (narrow.CANDIDATES, arms_of_recall.FILED) == (500, 500)
    house.embedder = None
    maya = planted(house)
    filed = [know(maya, f"{text} {at}", taxonomy=("workflow.git",)) for at, text in enumerate(GIT * 2)]
    monkeypatch.setattr(arms_of_recall, "FILED", 4)
    newest = maya.recall("none", taxonomy=("workflow",), on_weak="fallback_scope")
    monkeypatch.setattr(narrow, "CANDIDATES", 2)
    capped = maya.recall("none", taxonomy=("workflow",), on_weak="fallback_scope")

    assert sorted(arms(maya, newest)["taxonomy"]) == sorted(filed[2:])
    assert capped.considered == len(capped.items) == 2
    cuts = [cut for cut in maya.trace(capped.trace_id).trace.cuts if cut.stage == "narrow"]
    assert [cut.reason for cut in cuts] == ["past those that are ranked"] * 2


@requirement("C13")
@pytest.mark.parametrize(
    ("profile", "named", "topics", "allowed"),
    [
        ("mention", ("preferences",), ("preferences",), True),
        ("agent_query", ("nowhere", "preferences", "preferences"), ("preferences",), True),
        ("agent_query", ("nowhere",), ("workflow.git",), True),
        ("agent_query", (), ("workflow.git",), True),
        ("mention", None, ("workflow.git",), True),
        ("mention", ("preferences",), ("workflow.git",), False),
        ("passive", ("preferences",), ("workflow.git",), True),
        ("task", ("preferences",), (), True),
    ],
)
def test_a_model_classifies_only_where_it_is_handed_in_and_asked_for(house, profile, named, topics, allowed):
    model = Chooser(fails=True) if named is None else Chooser(*named)
    maya, _, _ = filed_and_not(house, 3, recall__read_models=allowed, steps=Steps(classifier=model))
    result = maya.recall("What of git?", profile=profile)

    assert result.topics == topics
    assert len(model.asked) == (allowed and profile in {"mention", "agent_query"})
    expected = "model" if topics == ("preferences",) else "rules" if topics else None
    assert maya.trace(result.trace_id).trace.query.get("classified_by") == expected


def test_what_replaces_a_record_is_filed_where_it_was(house):
    maya = planted(house)
    old = know(maya, "We merge by hand", subject="team", attribute="merging", taxonomy=("workflow.git",))
    house.clock.advance(hours=1)
    new = know(maya, "We merge by bot", subject="team", attribute="merging", taxonomy=("workflow.deploys",))
    twin = know(maya, "The bot merges")
    maya.file(twin, under=("preferences",))
    said = know(maya, "We merge through a bot", subject="team")
    house.clock.advance(hours=1)
    revised = maya.revise(said, action="supersede", content="We merge at night, by bot").id

    assert [row[1:] for row in filings(maya) if row[0] == new] == [
        ("workflow.deploys", "caller"),
        ("workflow.git", "successor"),
    ]
    assert [row[1:] for row in filings(maya) if row[0] == old] == [("workflow.git", "caller")]
    assert [row for row in filings(maya) if row[0] == revised] == []


def test_a_record_is_filed_and_taken_out_by_who_may_write_it(house):
    maya = planted(house)
    item = know(maya, "Rebase before a merge")
    first = maya.file(item, under=("workflow.git", "preferences"))
    again = maya.file(item, under=("Workflow.Git",), out_of=("preferences", "workflow"))

    assert first.taxonomy == ("preferences", "workflow.git")
    assert (again.id, again.taxonomy) == (item, ("workflow.git",))
    assert filings(maya) == [(item, "workflow.git", "caller")]
    assert [kind for kind, _ in events(maya)][-2:] == ["memory.filed"] * 2
    memory = house.opened[0]
    memory.grant("maya", "reader", "user:maya", read=True)
    for who, error in ((house.bind("noor"), NotFound), (house.bind("maya", "reader"), AccessDenied)):
        with pytest.raises(error):
            who.file(item, under=("preferences",))
    for wrong in (
        {"under": ("cooking",)},
        {},
        {"under": "workflow"},
        {"under": tuple(f"n{at}" for at in range(MAX_FILED + 1))},
    ):
        with pytest.raises(InvalidInput):
            maya.file(item, **wrong)
    with pytest.raises(InvalidInput, match="no node 'cooking'"):
        know(maya, "Boil the water", taxonomy=("cooking",))
    assert ids(maya.recall("Boil the water")) == []


def test_a_tree_is_changed_by_who_keeps_the_store_and_no_record_goes_with_it(house):
    maya = planted(house)
    memory = house.opened[0]
    item = know(maya, "Rebase before a merge", taxonomy=("workflow.git", "preferences"))
    memory.put_node("workflow.git", "Version control")
    gone = memory.remove_node("workflow")

    assert {node.path for node in gone.nodes} == {"workflow", "workflow.git", "workflow.deploys"}
    assert ("workflow.git", "Version control") in {(node.path, node.name) for node in gone.nodes}
    assert gone.filings == 1
    assert memory.nodes() == (Node("preferences", "preferences"),)
    assert filings(maya) == [(item, "preferences", "caller")]
    assert texts(maya.recall("rebase")) == ["Rebase before a merge"]
    with pytest.raises(NotFound):
        memory.remove_node("workflow")
    with pytest.raises(InvalidInput, match="above it"):
        memory.put_node("workflow.git")
    assert not hasattr(maya, "put_node")


def test_another_tenants_tree_and_another_users_records_stay_theirs(house):
    maya = planted(house)
    memory = house.opened[0]
    mine = know(maya, "Rebase before a merge", taxonomy=("workflow.git",))
    noor = memory.bind("noor", "aria", voice="user")
    elsewhere = memory.bind("maya", "aria", voice="user", tenant="elsewhere")
    know(noor, "Rebase never", taxonomy=("workflow.git",))

    assert ids(maya.recall("rebase", taxonomy=("workflow",))) == [mine]
    assert memory.nodes(tenant="elsewhere") == ()
    with pytest.raises(InvalidInput, match="no node"):
        elsewhere.recall("rebase", taxonomy=("workflow",))
    with pytest.raises(InvalidInput, match="no node"):
        know(elsewhere, "Rebase", taxonomy=("workflow",))


def test_an_erase_takes_the_filings_along_and_a_check_finds_those_without_an_owner(house):
    maya = planted(house)
    memory = house.opened[0]
    gone = know(maya, "Rebase before a merge", taxonomy=("workflow.git",))
    kept = know(maya, "Sign every commit", taxonomy=("workflow.git",))
    receipt = maya.forget(gone, mode="erase")

    assert receipt.removed["filings"] == 1
    assert filings(maya) == [(kept, "workflow.git", "caller")]
    assert [finding.text for finding in memory.check().findings] == []
    rows_of(memory._parts.store, "insert into taxonomy_filing values ('default', 'nobody', 'workflow', 'caller', 1)")
    rows_of(memory._parts.store, "insert into taxonomy_filing values ('default', ?, 'nowhere', 'caller', 1)", [kept])
    found = memory.check().findings
    assert [(finding.place, finding.repairable) for finding in found] == [("taxonomy_filing", True)]
    assert "2 filings without their record, turn or node" in found[0].text
    memory.repair()
    assert filings(maya) == [(kept, "workflow.git", "caller")]
    assert memory.check().findings == ()
