from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bethink.embedding.weights import load_vocabulary
from bethink.embedding.wordpiece import WordPiece

CLS, SEP, UNKNOWN = 101, 102, 100


def test_ids_equal_the_models_own_tokenizer_on_texts_of_every_kind(wordpiece, recorded_ids):
    assert len(recorded_ids) > 300
    wrong = [text for text, ids in recorded_ids if wordpiece.encode(text) != ids]
    assert wrong == []


def test_a_text_means_the_same_ids_however_often_it_is_asked(wordpiece, recorded_ids):
    fresh = WordPiece(load_vocabulary())
    assert all(fresh.encode(text) == wordpiece.encode(text) for text, _ in reversed(recorded_ids))


def test_lone_surrogates_and_controls_are_read_as_if_absent(wordpiece):
    assert wordpiece.encode("plain\ud800 te\udfffxt\x00\u202e") == wordpiece.encode("plain text")


def test_a_word_past_one_hundred_characters_is_one_unknown_token(wordpiece):
    assert wordpiece.encode("b" * 101) == [CLS, UNKNOWN, SEP]
    assert len(wordpiece.encode("b" * 100)) > 3


@given(left=st.text(), right=st.text())
def test_white_space_between_two_texts_adds_their_tokens(wordpiece, left, right):
    whole = wordpiece.encode(f"{left} {right}")
    assert whole == [*wordpiece.encode(left)[:-1], *wordpiece.encode(right)[1:]]


def test_memory_stays_bounded_when_every_word_is_new(wordpiece):
    own = WordPiece(load_vocabulary())
    for number in range(40_000):
        own.encode(f"w{number}")
    assert len(own._words) <= 32_768
    assert own.encode("w39999") == wordpiece.encode("w39999")
