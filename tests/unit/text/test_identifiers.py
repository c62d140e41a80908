import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.text.identifiers import MAX_PARTS, camel_words, has_inner_capital, identifier_parts, is_identifier


@pytest.mark.parametrize(
    "token",
    [
        "deploy.yml",
        "user_id",
        "2.6.4",
        "src/app",
        "getUserName",
        "iPhone",
        "LoCoMo",
        "python3",
        "#123",
        "D1:3",
        "7th",
        "a.b@c.org",
    ],
)
def test_a_digit_a_joint_or_an_inner_capital_makes_an_identifier(token):
    assert is_identifier(token)


@pytest.mark.parametrize(
    "token", ["Berlin", "NASA", "foo-bar", "APIs", "O'Brien", "_word_", "end.", "", "._/", "Jean-Luc", "日本"]
)
def test_words_names_and_hyphens_alone_make_none(token):
    assert not is_identifier(token)


@pytest.mark.parametrize(
    ("token", "parts"),
    [
        ("getUserName", ["get", "User", "Name"]),
        ("HTTPServer", ["HTTP", "Server"]),
        ("a.b@mail.example.com", ["a.b", "mail.example.com", "a", "b", "mail", "example", "com"]),
        ("2.6.4", ["2.6", "2", "6", "4"]),
        ("python3", ["python", "3"]),
        ("user_id", ["user", "id"]),
        ("word", []),
    ],
)
def test_an_identifier_falls_into_its_parts_largest_first(token, parts):
    assert identifier_parts(token) == parts


@given(st.text(max_size=80))
def test_parts_are_bounded_distinct_and_not_the_whole(token):
    parts = identifier_parts(token)
    assert len(parts) <= MAX_PARTS
    assert len(set(parts)) == len(parts)
    assert token not in parts


@given(st.text(min_size=1, max_size=40))
def test_camel_words_lose_no_character(token):
    assert "".join(camel_words(token)) == token


def test_only_a_capital_inside_a_mixed_word_counts():
    assert has_inner_capital("getName")
    assert not any(map(has_inner_capital, ["Name", "NAME", "name", "Jean-Luc", "URLs", ""]))
