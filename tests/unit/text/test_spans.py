import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.text.spans import Span, locate, long_enough

WORD = st.text(st.sampled_from("abcXYZ019éüñßдж\u0301ﬁ'’“”.,-!?—我好"), min_size=1, max_size=8)  # noqa: RUF001 - other scripts are the subject
SPACE = st.sampled_from([" ", "  ", "\n", "\t", " \n ", "\u00a0", "\u3000"])


@st.composite
def mangled_slices(draw):
    """A text, some of its words in order, and those words with other white space and another Unicode form."""
    words = draw(st.lists(WORD.filter(lambda word: not unicodedata.combining(word[0])), min_size=1, max_size=15))
    text = "".join(word + draw(SPACE) for word in words)
    first = draw(st.integers(0, len(words) - 1))
    last = draw(st.integers(first + 1, len(words)))
    form = draw(st.sampled_from(["NFC", "NFD", "NFKC"]))
    quote = "".join(word + draw(SPACE) for word in words[first:last])
    return text, words[first:last], unicodedata.normalize(form, draw(SPACE) + quote)


def plain(words):
    return [unicodedata.normalize("NFKC", word) for word in words]


@given(mangled_slices())
def test_any_slice_of_whole_words_is_found_and_its_offsets_give_back_the_words(case):
    text, words, quote = case
    span = locate(quote, text)
    assert span is not None
    found = unicodedata.normalize("NFKC", text[span.start : span.end]).split()
    straight = str.maketrans("’“”—", '\'""-')  # noqa: RUF001 - other scripts are the subject
    assert [word.translate(straight) for word in found] == [word.translate(straight) for word in plain(words)]


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("moved to Berlin", "I moved\n  to Berlin.", "moved\n  to Berlin"),
        ("I can't swim", "Yes, I can’t swim!", "I can’t swim"),  # noqa: RUF001 - other scripts are the subject
        ('she said "no"', "she said “no”", "she said “no”"),
        ("a - b", "a — b", "a — b"),
        ("caf\u00e9 noir", "un cafe\u0301 noir", "cafe\u0301 noir"),
        ("finest", "the ﬁnest", "ﬁnest"),
        ("password reset", "pass\u200bword reset", "pass\u200bword reset"),
        ("喜欢喝咖啡", "我喜欢喝咖啡。", "喜欢喝咖啡"),
        ("Full", "Ｆｕｌｌ width", "Ｆｕｌｌ"),  # noqa: RUF001 - other scripts are the subject
        ("\u1112\u1161\u11ab글", "이것은 한글", "한글"),
        ("wait...", "wait…", "wait…"),
        ("5.50", "I owe 5.50 now", "5.50"),
    ],
)
def test_a_quote_is_found_in_another_shape_and_the_span_is_of_the_original(quote, text, found):
    span = locate(quote, text)
    assert span is not None
    assert text[span.start : span.end] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("I like cats", "I like catsup"),
        ("I can", "I can't"),
        ("like fish", "dislike fish"),
        ("I owe 5", "I owe 500"),
        ("I owe 5", "I owe 5.50"),
        ("50 euros", "5.50 euros"),
        ("5 degrees", "-5 degrees"),
        ("Berlin", "berlin"),
        ("cafe", "café"),
        ("to moved", "moved to"),
        ("anything", ""),
        ("", "anything"),
        ("  \n ", "anything"),
        ("what?", "so what?\u0301"),
    ],
)
def test_half_a_word_another_number_or_other_words_are_not_found(quote, text):
    assert locate(quote, text) is None


def test_the_first_whole_occurrence_counts():
    assert locate("cat", "concat cats cat cat") == Span(12, 15)


@pytest.mark.parametrize(
    ("quote", "enough"),
    [
        ("I moved to Berlin", True),
        ("moved to Berlin", True),
        ("to Berlin now", False),
        ("extraordinarily longwinded", False),
        ("  a   b   c   d  ", False),
        ("我搬到了柏林去年", True),
        ("我搬到柏林", False),
        ("ผมชอบดื่มกาแฟ", True),
        ("", False),
        (" \n ", False),
    ],
)
def test_evidence_says_at_least_three_words_or_eight_letters_of_an_unspaced_script(quote, enough):
    assert long_enough(quote) is enough


def test_the_whole_of_a_short_text_is_enough():
    assert long_enough("Yes, Rex.", "Yes,  Rex.")
    assert not long_enough("Rex.", "Yes, Rex.")
    assert not long_enough("", "")


@pytest.mark.parametrize(
    ("quote", "text"), [("a " * 4000, "a " * 8000), ("x", "xy" * 8000), ("é" * 3000, "é" * 16_000)]
)
def test_hostile_quotes_take_bounded_time(quote, text):
    begin = time.process_time()
    locate(quote, text)
    assert time.process_time() - begin < 0.5
