"""Documents in passages: word for word, in order, without a gap, each of a size to be read at once."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.behaviour.requirements import requirement

from bethink.text.passages import CEILING, FLOOR, TARGET, passages, title_of
from bethink.text.tokens import estimate_tokens

LINES = st.lists(
    st.sampled_from(
        [
            "# Guide",
            "## Install",
            "### On Linux",
            "## Run",
            "```",
            "# no heading",
            "",
            "word " * 40,
            "中文。" * 60,
            "x" * 5_000,
        ]
    ),
    min_size=1,
    max_size=40,
)


@requirement("A2")
@given(lines=LINES, ends=st.sampled_from(["", "\n", "\n\n"]))
def test_passages_are_the_text_in_order_and_none_is_longer_than_the_ceiling(lines, ends):
    text = "\n".join(lines) + ends
    parts = passages(text)

    assert "".join(text[part.start : part.end] for part in parts) == text
    assert all(first.end == second.start for first, second in pairwise(parts))
    assert all(part.end > part.start for part in parts)
    assert all(estimate_tokens(text[part.start : part.end]) <= CEILING for part in parts)
    assert all(part.line == text.count("\n", 0, part.start) + 1 for part in parts)
    assert passages(text) == parts


def test_a_section_is_one_passage_under_its_headings_and_a_small_one_goes_with_the_next():
    body = "The kiln is heated slowly, and cools for a night. " * 12
    text = f"# Kiln\n\n## Heating\n{body}\n## Cooling\n{body}\n## Notes\nNone.\n"
    parts = passages(text)

    assert [part.headings for part in parts] == [("Kiln", "Heating"), ("Kiln", "Cooling")]
    assert text[parts[0].start : parts[0].end].startswith("# Kiln\n\n## Heating\n")
    assert text[parts[1].start : parts[1].end].endswith("## Notes\nNone.\n")
    assert [part.line for part in parts] == [1, 5]
    assert min(estimate_tokens(text[part.start : part.end]) for part in parts) >= FLOOR


def test_a_long_section_is_parted_at_blank_lines_into_pieces_of_the_target():
    paragraph = "Glaze is a thin glass on clay, and clay is patient. " * 8
    text = "# Glaze\n" + "\n\n".join([paragraph] * 20)
    parts = passages(text)

    assert len(parts) == 4
    assert {part.headings for part in parts} == {("Glaze",)}
    assert all(estimate_tokens(text[part.start : part.end]) <= TARGET for part in parts)
    assert all(text[part.start : part.end].startswith(("# Glaze", "Glaze is")) for part in parts)


def test_what_a_fence_encloses_is_no_heading():
    text = "```\n# not a heading\n```\n" + "word " * 200
    assert [part.headings for part in passages(text)] == [()]
    assert title_of(text) is None
    assert title_of("## Below\n# Above\n") == "Below"
