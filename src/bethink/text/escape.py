"""Memory text as one safe line of a block: it cannot end the line, forge a tag, hide characters or make a client fetch.

Always: ``&``, ``<`` and ``>`` and their full-width forms become entities; runs of line breaks become `LINE_BREAK`;
tabs become spaces; controls, lone surrogates and invisible characters go, but for the joiners that letters and emoji
need. Untrusted text also loses live links: ``https://`` becomes ``hxxps://``, other schemes ``name[:]//``, Markdown
brackets are parted by a space. Everything else stays as it is.
"""

from __future__ import annotations

import re

from bethink.domain.invisible import INVISIBLE
from bethink.text.characters import CONTROLS, LINE_BREAKS

LINE_BREAK = " ⏎ "
"""What a run of line breaks becomes: visible, so that a list still reads as one, and not a line break."""

_JOINED_SCRIPTS = (
    "\u0620-\u06dc\u06de-\u06ff\u0710-\u074f\u0750-\u077f\u07c0-\u07ff\u08a0-\u08e1\u08e3-\u08ff"
    "\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17d3\u1820-\u1878"
)
"""Arabic, Syriac, N'Ko; the scripts of India, Myanmar, Khmer, Mongolian."""


_EMOJI = (
    "©®\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_BROKEN = re.compile(f"[ \t]*[{LINE_BREAKS}][{LINE_BREAKS} \t]*")
_UNSEEN = re.compile(
    f"(?P<letters>(?<=[{_JOINED_SCRIPTS}])[\u200c\u200d](?=[{_JOINED_SCRIPTS}]))"  # between letters that join
    f"|(?P<style>(?<=[{_EMOJI}])[\ufe0e\ufe0f](?![{INVISIBLE}]))"  # of a symbol
    "|(?P<keycap>(?<=[#*0-9])\ufe0f(?=\u20e3))"
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
    r"(?i:(?P<web>h)tt(?P<secure>ps?)://|(?P<file>f)tp://)|(?P<any>://)"
    r"|(?i:(?:javascript|vbscript|mailto):(?=\S)|data:(?=[a-z]{1,20}/)|(?<![a-z])www\.)"
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
        if ":" in seen or "www." in seen.lower():  # what every live link holds
            seen = _LIVE.sub(_defanged, seen)
        for live, dead in _BRACKETS:
            seen = seen.replace(live, dead)
    return seen.translate(_MARKUP)


def _visible(text: str) -> str:
    """One line of visible characters."""
    clean = _UNSEEN.sub(lambda match: match[0] if match.lastgroup else "", text)
    return _BROKEN.sub(LINE_BREAK, clean.strip()).replace("\t", " ")


def _defanged(match: re.Match[str]) -> str:
    """A link's beginning that nothing opens."""
    if match["web"]:
        return f"{match['web']}xx{match['secure']}://"
    if match["file"]:
        return f"{match['file']}xp://"
    return match[0].replace(":", "[:]").replace(".", "[.]")
