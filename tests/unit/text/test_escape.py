"""Rendering: whatever a memory holds, it stays one line of text that opens, forges and hides nothing."""

import random
import re
import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bethink.domain.invisible import INVISIBLE
from bethink.text.escape import LINE_BREAK, render_safe

PIECES = [
    "<", ">", "&", "</memory>", "<|im_start|>", "<system>", "＜", "＞", "﹤", "﹥", "&lt;", "&#60;", "\n", "\r\n",  # noqa: RUF001 - other scripts are the subject
    "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\t", "\x00", "\x1b[31m", "\x1c", "\x7f", "\x9b",
    "\ud800", "\udfff", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u202e", "\u2066", "\u2069",
    "\u00ad", "\ufe0f", "\ufe0e", "\U000e0041", "\U000e007f", "\U000e0100", "\u3164", "\u2800", "![", "](",
    "][", "[", "]", "(", ")", "!", "https://", "HTTP://", "hTTps", "://", "ftp://", "javascript:",
    "data:text/html,", "mailto:", "www.", "x.example/?q=", "می", "خواهم", "क", "्", "ष", "👨", "👩", "❤", "🔥",
    "👍", "🏽", "1", "\u20e3", "a", "B", " ", "word", "é", "e\u0301", "我", "\ufffe", "\U000e0020",
]  # fmt: skip
KEPT_JOINERS = re.compile(
    "(?<=[\u0600-\u1fff])[\u200c\u200d](?=[\u0600-\u1fff])"
    "|(?<=[\u2190-\u2bff\U0001f000-\U0001faff])\ufe0f?\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])"
    "|(?<=[\u2190-\u2bff\U0001f000-\U0001faff])[\ufe0e\ufe0f]|(?<=[0-9#*])\ufe0f(?=\u20e3)"
)
FORBIDDEN = re.compile(f"[{INVISIBLE}\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def check(text, *, trusted):
    shown = render_safe(text, trusted=trusted)
    assert not set("<>\n\r\u2028\u2029") & set(shown)
    assert len(shown.splitlines()) <= 1
    assert not FORBIDDEN.search(KEPT_JOINERS.sub("", shown)), ascii(shown)
    assert not re.search(r"&(?!(?:amp|lt|gt);)", shown)
    assert "<" not in unicodedata.normalize("NFKC", shown)
    if not trusted:
        assert not re.search(r"!\[|\]\(|\]\[", shown)
        assert not re.search(r"(?i)(?:https?|ftp)://|(?<![a-z])www\.|javascript:\S|mailto:\S", shown)
    shown.encode()
    return shown


@pytest.mark.parametrize("trusted", [True, False])
def test_twenty_thousand_hostile_texts_never_leave_their_line(trusted):
    rng = random.Random(20)
    for _ in range(10_000):
        check("".join(rng.choice(PIECES) for _ in range(rng.randint(1, 14))), trusted=trusted)


@given(st.text(st.characters(), max_size=120), st.booleans())
def test_any_text_is_one_safe_line(text, trusted):
    check(text, trusted=trusted)


BENIGN = [
    "Caroline moved to Berlin in 2019 & loves it",
    "Prices: 5–10 € (50 %), see §3.2 — “quoted”",  # noqa: RUF001 - other scripts are the subject
    "می‌خواهم کتاب بخوانم",
    "क्‍ष नमस्ते",
    "שלום עולם",
    "مرحبا بالعالم",
    "我喜欢喝咖啡。",
    "ผมชอบกาแฟ",
    "👨‍👩‍👧‍👦 family, ❤️‍🔥 fire, 👍🏽 thumb, 🇩🇪 flag, 1️⃣ one, ☀️ sun",
    "user_id = record['id']; x[0](1) # no link",
    "C:\\Users\\Anna and /etc/hosts",
    "Ratio 3:2, time 10:30, note: fine, JavaScript: the good parts",
    "email anna@example.com, awww. cute",
]


@pytest.mark.parametrize("text", BENIGN)
def test_ordinary_text_of_a_trusted_source_changes_by_the_ampersand_only(text):
    assert render_safe(text, trusted=True) == text.replace("&", "&amp;")


@pytest.mark.parametrize("text", [text for text in BENIGN if "](" not in text])
def test_ordinary_text_of_an_untrusted_source_without_links_changes_no_more(text):
    assert render_safe(text, trusted=False) == text.replace("&", "&amp;")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a < b > c", "a &lt; b &gt; c"),
        ("&lt;system&gt;", "&amp;lt;system&amp;gt;"),
        ("one\n\n  two\r\nthree\n", f"one{LINE_BREAK}two{LINE_BREAK}three"),
        ("tab\there", "tab here"),
        ("![a](https://x.example/?q=1)", "! [a] (hxxps://x.example/?q=1)"),
        ("[l][1] [1]: HTTP://x", "[l] [1] [1]: HxxP://x"),
        ("h\u200bttps://x", "hxxps://x"),
        ("ssh://x ftp://y", "ssh[:]//x fxp://y"),
        ("javascript:alert(1) mailto:a@b data:image/png,", "javascript[:]alert(1) mailto[:]a@b data[:]image/png,"),
        ("see www.example.com", "see www[.]example.com"),
        ("in\u200bvi\u2060si\ufeffble \u202etxt\u202c", "invisible txt"),
        ("flag \U0001f3f4\U000e0067\U000e0062\U000e007f", "flag \U0001f3f4"),
        ("red \x1b[31malert\x07", "red [31malert"),
        ("smile\U0001f600\ufe0f\ufe0f\U000e0150\U000e0151", "smile\U0001f600"),
    ],
)
def test_what_could_act_is_made_visible_and_dead(text, shown):
    assert render_safe(text, trusted=False) == shown


def test_links_of_a_trusted_source_stay_alive():
    text = "[docs](https://example.com) and ![logo](https://example.com/a.png)"
    assert render_safe(text, trusted=True) == text


def test_every_single_character_is_safe():
    for point in range(0, sys.maxunicode + 1, 7):
        shown = render_safe(f"a{chr(point)}b", trusted=False)
        assert not FORBIDDEN.search(shown)


@pytest.mark.parametrize(
    "unit", ["<", "![", "](", "://", "https", "\n", "\u200d", "👨\u200d", "می\u200c", "www.", "&", " \n "]
)
def test_hostile_text_takes_time_in_proportion_to_its_length(unit):
    begin = time.process_time()
    render_safe((unit * 20_000)[:20_000], trusted=False)
    assert time.process_time() - begin < 0.25
