"""Gate: the ceiling of a view. Nothing above the lower of the recall's and the viewer's ceilings is in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bethink.domain.scope import Sensitivity
from bethink.memory import BoundMemory
from tests.behaviour.house import House, know, stored
from tests.behaviour.requirements import requirement

LEVELS = st.sampled_from(sorted(Sensitivity))
QUESTION = "Which blue kiln is hot?"
SAID = "The blue kiln number {} is hot"


@dataclass(frozen=True)
class Case:
    """Records by how sensitive each is at the recall and afterwards; the ceilings of the recall and of the viewer."""

    records: tuple[tuple[Sensitivity, Sensitivity], ...]
    recall: Sensitivity
    viewer: Sensitivity


CASES = st.builds(
    Case, records=st.lists(st.tuples(LEVELS, LEVELS), min_size=1, max_size=4).map(tuple), recall=LEVELS, viewer=LEVELS
)
USERS = count()


def played(case: Case, house: House) -> tuple[BoundMemory, list[str], tuple[str, ...], str]:
    """The viewer, all records, those the recall placed, and its trace; a user of its own for each case."""
    user = f"user {next(USERS)}"
    owner = house.bind(user, ceiling=Sensitivity.SECRET)
    made = [
        know(owner, SAID.format(number), subject=f"kiln {number}", sensitivity=before)
        for number, (before, _) in enumerate(case.records)
    ]
    asked = house.bind(user, ceiling=case.recall).recall(QUESTION, max_items=10)
    for item, (before, after) in zip(made, case.records, strict=True):
        if before != after:
            content = owner.get(item).record.content
            with stored(owner) as work:
                work.records.add_version(item, replace(content, sensitivity=after), work.recorded_at)
    return house.bind(user, ceiling=case.viewer), made, tuple(item.id for item in asked.items), asked.trace_id


@requirement("A175", "A161")
@given(case=CASES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
def test_nothing_above_the_lower_of_two_ceilings_is_in_a_view_and_nothing_below_it_is_missing(case, house):
    viewer, made, placed, asked = played(case, house)
    found = viewer.view(asked)
    bound = min(case.recall, case.viewer)
    levels = dict(zip(made, case.records, strict=True))
    open_to = {item for item in placed if max(levels[item]) <= bound or _lowered(levels[item], case, bound)}

    assert set(placed) == {item for item in made if levels[item][0] <= case.recall}
    assert {belief.id for belief in found.beliefs} == open_to
    assert found.withheld == len(placed) - len(open_to)
    for number, item in enumerate(made):
        if max(levels[item][1], min(levels[item][0], case.recall)) > bound:
            assert item not in repr(found)
            assert SAID.format(number) not in repr(found)


def _lowered(levels: tuple[Sensitivity, Sensitivity], case: Case, bound: Sensitivity) -> bool:
    """Whether a record may be read now, and could be read by the recall of a viewer whose ceiling is no lower."""
    before, after = levels
    return after <= bound and before <= case.recall <= case.viewer


@requirement("A175")
def test_a_session_s_view_holds_the_ceiling_of_each_of_its_recalls(house):
    owner = house.bind(ceiling=Sensitivity.SECRET)
    levels = {
        know(owner, SAID.format(level.name), subject=level.name, sensitivity=level): level for level in Sensitivity
    }
    for level in Sensitivity:
        house.bind(ceiling=level, session="talk").recall(QUESTION)

    for level in Sensitivity:
        found = house.bind(ceiling=level).view(session="talk")
        assert {belief.id for belief in found.beliefs} == {item for item, own in levels.items() if own <= level}
        assert found.withheld == sum(own > level for own in levels.values())
        assert len(found.moments) == len(Sensitivity)
