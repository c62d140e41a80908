"""A file is read value by value; what is damaged costs itself and is named by its place."""

from __future__ import annotations

import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.errors import InvalidInput, UnknownFormat
from bethink.importing.read import Item, read_items
from bethink.importing.scan import ITEM_LIMIT, Unreadable, elements, lines
from bethink.operations.importing import BadItem

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ['"', "\\", '\\"', "[,]{}", "é\\"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def cut(data, size):
    return [data[at : at + size] for at in range(0, len(data), size)]


def written(tmp_path, data, name="file.json"):
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def values(path):
    return [item.value for item in read_items(path) if isinstance(item, Item)]


def bad(path):
    return [(item.place, item.reason) for item in read_items(path) if isinstance(item, BadItem)]


@given(st.lists(VALUES, max_size=6), st.integers(1, 40), st.booleans(), st.sampled_from([None, 1]))
def test_a_list_is_cut_into_its_elements_wherever_the_chunks_end(items, size, ascii_only, indent):
    data = json.dumps(items, ensure_ascii=ascii_only, indent=indent).encode()

    assert [json.loads(piece) for piece in elements(cut(data, size))] == items


@given(st.lists(VALUES, min_size=1, max_size=4), st.data())
def test_a_list_cut_short_yields_its_whole_elements_and_says_that_it_ends(items, data):
    text = json.dumps(items).encode()
    end = data.draw(st.integers(1, len(text) - 1))
    *whole, last = elements(cut(text[:end], 7))

    assert isinstance(last, Unreadable)
    assert [json.loads(piece) for piece in whole] == items[: len(whole)]


@given(st.lists(st.binary(max_size=9).map(lambda piece: piece.replace(b"\n", b"")), max_size=6), st.integers(1, 9))
def test_lines_are_cut_wherever_the_chunks_end(parts, size):
    data = b"\n".join(parts)

    assert list(lines(cut(data, size))) == (parts if parts and parts[-1] else parts[:-1])


@pytest.mark.parametrize(
    ("element", "reason"),
    [
        ("NaN", "NaN is no JSON"),
        ("[-Infinity]", "-Infinity is no JSON"),
        ('{"a": 1, "a": 2}', "an object holds the key 'a' twice"),
        ("{'a': 1}", "not JSON: Expecting property name enclosed in double quotes (character 1)"),
        ("9" * 5_000, "holds a number too long to read"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ("", "nothing between two commas"),
    ],
)
def test_a_broken_element_costs_only_itself(tmp_path, element, reason):
    path = written(tmp_path, f'[{{"n": 1}}, {element}, {{"n": 3}}]')

    assert values(path) == [{"n": 1}, {"n": 3}]
    assert bad(path) == [("item 2", reason)]


def test_bytes_that_are_no_utf8_cost_only_their_element(tmp_path):
    path = written(tmp_path, b'["a", "\xff", "c"]')

    assert values(path) == ["a", "c"]
    assert bad(path) == [("item 2", "not UTF-8 at byte 1")]


def test_an_element_that_is_too_long_costs_only_itself(tmp_path):
    path = written(tmp_path, b'["a", "' + b"x" * ITEM_LIMIT + b'", "c"]')

    assert values(path) == ["a", "c"]
    assert bad(path) == [("item 2", "longer than 16 MB")]


def test_a_line_that_is_too_long_costs_only_itself(tmp_path):
    path = written(tmp_path, b'{"a": 1}\n{"a": "' + b"x" * ITEM_LIMIT + b'"}\n{"a": 3}\n', "file.jsonl")

    assert values(path) == [{"a": 1}, {"a": 3}]
    assert bad(path) == [("line 2", "longer than 16 MB")]


def test_lines_keep_their_numbers_past_blank_and_broken_ones(tmp_path):
    path = written(tmp_path, '\n{"a": 1}\r\n\n{"a":\n{"a": 3}', "file.jsonl")

    assert [(item.place, item.value) for item in read_items(path) if isinstance(item, Item)] == [
        ("line 2", {"a": 1}),
        ("line 5", {"a": 3}),
    ]
    assert [place for place, _ in bad(path)] == ["line 4"]


@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_is_one_value_however_it_is_laid_out(tmp_path, indent):
    value = {"a": [1, 2], "b": {"c": "d"}}

    assert values(written(tmp_path, json.dumps(value, indent=indent))) == [value]


@pytest.mark.parametrize("first", ['{"a": 1}', '{"a": '])
def test_lines_are_read_as_lines_whatever_the_file_is_called(tmp_path, first):
    path = written(tmp_path, first + '\n{"a": 2}\n{"a": 3}\n')

    assert values(path)[-2:] == [{"a": 2}, {"a": 3}]
    assert len(values(path)) + len(bad(path)) == 3


def test_an_object_cut_short_is_one_bad_value(tmp_path):
    path = written(tmp_path, json.dumps({"a": list(range(40))}, indent=1)[:-9])

    assert values(path) == []
    assert [place for place, _ in bad(path)] == ["the file"]


def test_a_byte_order_mark_is_no_text(tmp_path):
    assert values(written(tmp_path, b'\xef\xbb\xbf[{"a": 1}]')) == [{"a": 1}]


def test_text_after_the_list_is_named(tmp_path):
    assert bad(written(tmp_path, '["a"] ["b"]')) == [("item 2", "text after the end of the list")]


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "file.json", "is empty"),
        (b" \n\t ", "file.jsonl", "is empty"),
        ("[1]".encode("utf-16"), "file.json", "UTF-16"),
        (b"hello", "file.json", "does not begin as JSON"),
        (b"[1]", "file.txt", "is no .json"),
    ],
)
def test_what_is_no_json_is_refused_with_the_reason(tmp_path, data, name, words):
    with pytest.raises(UnknownFormat, match=words):
        list(read_items(written(tmp_path, data, name)))


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    (tmp_path / "folder.json").mkdir()
    for name in ("absent.json", "folder.json"):
        with pytest.raises(InvalidInput, match="cannot be read"):
            list(read_items(tmp_path / name))


def zipped(tmp_path, members, name="export.zip"):
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return path


def test_a_zip_is_read_without_unpacking_and_its_conversations_are_chosen(tmp_path):
    path = zipped(
        tmp_path, {"user.json": "[0]", "../../conversations-1.json": '["b"]', "x/conversations-0.json": '["a"]'}
    )

    assert values(path) == ["b", "a"]
    assert sorted(item.name for item in tmp_path.iterdir()) == ["export.zip"]


def test_a_zip_without_conversations_gives_every_json_file_and_an_empty_one_costs_itself(tmp_path):
    path = zipped(tmp_path, {"a.jsonl": '{"n": 1}\n{"n": 2}', "b.json": "", "note.txt": "x"})

    assert values(path) == [{"n": 1}, {"n": 2}]
    assert bad(path) == [("b.json", "b.json is empty.")]


def test_a_zip_that_swells_is_refused(tmp_path):
    path = zipped(tmp_path, {"conversations.json": b"[" + b" " * 2**26 + b"]"})

    with pytest.raises(InvalidInput, match="more than an export would"):
        list(read_items(path))


@pytest.mark.parametrize("keep", [0, 10, 40, -4])
def test_a_damaged_zip_is_refused(tmp_path, keep):
    whole = zipped(tmp_path, {"conversations.json": json.dumps(["text"] * 50)}).read_bytes()
    path = written(tmp_path, whole[:keep] or b"PK", "cut.zip")

    with pytest.raises(InvalidInput, match="zip"):
        list(read_items(path))


def test_a_zip_with_a_flipped_byte_is_refused_not_misread(tmp_path):
    whole = bytearray(zipped(tmp_path, {"conversations.json": json.dumps([str(n) for n in range(99)])}).read_bytes())
    whole[70] ^= 0xFF
    path = written(tmp_path, bytes(whole), "flipped.zip")

    with pytest.raises(InvalidInput, match="zip"):
        list(read_items(path))


def test_a_zip_without_json_is_unknown(tmp_path):
    with pytest.raises(UnknownFormat, match="holds no"):
        list(read_items(zipped(tmp_path, {"note.txt": "x"})))
