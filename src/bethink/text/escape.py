"""Memory text as one safe line of a block: it cannot end the line, forge a tag, hide characters or make a client fetch.

Always: ``&``, ``<`` and ``>`` and their full-width forms become entities; runs of line breaks become `LINE_BREAK`; tabs become
spaces; controls, lone surrogates and invisible characters go, but for the joiners that letters and emoji need. Untrusted
text also loses live links: ``https://`` becomes ``hxxps://``, other schemes ``name[:]//``, Markdown brackets are parted by a space.
Everything else stays as it is.
"""

from __future__ import annotations

import re

from bethink.text.characters import CONTROLS, INVISIBLE, LINE_BREAKS, MARKS

LINE_BREAK = " ⏎ "
"""What a run of line breaks becomes: visible, so that a list still reads as one, and not a line break."""

_JOINED_SCRIPTS = "\u0600-\u06ff\u0700-\u074f\u0750-\u077f\u07c0-\u07ff\u08a0-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17d3\u1820-\u1878"
_SYMBOLS = "#*0-9©®\u203c-\u3299\U0001f000-\U0001faff"
_EMOJI = "©®\u203c-\u27bf\u2900-\u2bff\U0001f000-\U0001faff"
_BROKEN = re.compile(f"[ \t]*[{LINE_BREAKS}][{LINE_BREAKS} \t]*")
_UNSEEN = re.compile(
    f"(?<=[{_JOINED_SCRIPTS}])(?P<letters>[\u200c\u200d])(?=[{_JOINED_SCRIPTS}])"  # between letters that join
    f"|(?<=[{_SYMBOLS}])(?P<style>[\ufe0e\ufe0f])(?![{INVISIBLE}])"  # text or emoji style of a symbol
    f"|(?P<joined>(?<=[{_EMOJI}])\ufe0f?\u200d(?=[{_EMOJI}]))"  # between emoji
    f"|[{INVISIBLE}{CONTROLS}\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_MARKUP = str.maketrans(
    {
        "&": "&amp;",
        **dict.fromkeys("<\uff1c\ufe64", "&lt;"),
        **dict.fromkeys(">\uff1e\ufe65", "&gt;"),
    }
)
_LIVE = re.compile(
    r"(?i:(?P<web>h)tt(?P<secure>ps?)(?=://))|(?P<file>(?i:f)tp)(?=://)|(?P<any>://)"
    r"|(?P<bare>(?i:javascript|vbscript|mailto)\s?:|(?i:data)\s?:(?=[A-Za-z]{1,20}/))|(?P<host>(?i:www)\.)"
)
_BRACKETS = (("![", "! ["), ("](", "] ("), ("][", "] ["))


def render_safe(text: str, *, trusted: bool) -> str:
    """The text as one line that is safe inside a block.

    Args:
        text: any string.
        trusted: whether its source may put live links before the model and its reader.
    """
    seen = text if text.isascii() and text.isprintable() else _visible(text)
    if not trusted:
        for live, dead in _BRACKETS:
            seen = seen.replace(live, dead)
        seen = _LIVE.sub(_defanged, seen)
    return seen.translate(_MARKUP)


def _visible(text: str) -> str:
    """One line of visible characters."""
    clean = _UNSEEN.sub(lambda match: match[0] if match.lastgroup else "", text)
    return _BROKEN.sub(LINE_BREAK, clean.strip()).replace("\t", " ")


def _defanged(match: re.Match[str]) -> str:
    """A link's beginning that nothing opens."""
    if match["web"]:
        return f"{match['web']}xx{match['secure']}"
    if match["file"]:
        return f"{match['file'][0]}xp"
    if match["any"]:
        return "[:]//"
    return match[0].replace(":", "[:]").replace(".", "[.]")
