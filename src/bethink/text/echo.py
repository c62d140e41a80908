"""A turn's own words: what its speaker says there, with everything quoted, pasted or recalled blanked out.

Blanks keep their place: each character that is not the speaker's own becomes a space, so that a quote found in the own
words stands at the same offsets in the turn. What is read for beliefs is this text, so nothing recalled or injected
can be read back in.
"""

from __future__ import annotations

import re

_BLOCKS = re.compile(
    r"```.*?(?:```|\Z)"  # code, and pasted prompts
    r"|<(?P<tag>memory|memories|context|system|recall|recalled|tool_result|document|documents|example|examples|instructions|prompt)"
    r"\b[^>]{0,300}>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_LINES = re.compile(
    r"^[ \t]*(?:"
    r"(?:[>|#]|\$ ).*"  # a quotation, a table, a heading, a shell
    r"|(?:user|human|assistant|system|ai|tool|bot|example|input|output|q|a)\s*\d*\s*:.*"  # a transcript or an example
    r"|.*\bm:[0-9a-f]{8,64}\b.*"  # what cites a record was recalled
    r"|\[?(?:error|warn|warning|info|debug|trace|fatal|critical)\b[\] :\d].*"  # a log
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*|\d\d:\d\d:\d\d.*"
    r")$",
    re.MULTILINE | re.IGNORECASE,
)
_EXAMPLES = re.compile(
    r"\b(?:for example|for instance|e\.g\.|examples?\s*:|sample\s*:|few-shot|such as saying)[^\n]*",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,2000}\"|\u201c[^\u201d]{1,2000}\u201d|\u00ab[^\u00bb]{1,2000}\u00bb|(?<!\w)'[^'\n]{12,400}'(?!\w)"
)
_PERSONAL = re.compile(r"\b(?:i|i'm|i\u2019m|i've|my|me|we|our|you|your|user|users|user's)\b", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:^|(?<=[.!?\n]))[ \t]*(?:so |and |but |earlier |before )?"
    r"(?:you (?:said|told|wrote|remembered|noted|saved|mentioned|think|once said)"
    r"|(?:your (?:memory|notes?|records?)|memory|it|the (?:memory|note|record|log|docs?|file|email|page|article))"
    r" (?:says?|said|shows?|reads?)"
    r"|according to|from memory|i (?:read|heard) that)\b[^\n]*?(?:[.!?]+(?=\s|\Z)|(?=\n)|\Z)",
    re.IGNORECASE,
)
_TASKS = re.compile(
    r"\b(?:rewrite|rephrase|paraphrase|translate|summari[sz]e|shorten|proofread|correct|fix|edit|improve|format|write|draft"
    r"|quote|parse|classify)\b[^\n:.!?]{0,80}:[^\n]*",
    re.IGNORECASE,
)
"""What is handed over to be worked on is no word of the speaker's."""

_COMMANDS = re.compile(
    r"(?:^|(?<=[.!?\n]))[ \t]*(?:please |can you |could you |ok,? |hey,? )*"
    r"(?:forget|delete|erase|remove|search|look up|recall|find|list|show me|what do you remember|do you remember"
    r"|(?:i (?:want|need|would like) you to|i['\u2019]d like you to|you (?:can|may|should|must)|let['\u2019]?s|let us"
    r"|just)"
    r" (?:please |just )*(?:forget|delete|erase|remove)"
    r"|(?:do not|don['\u2019]t|never|stop) (?:ever )?(?:remember|memori[sz]e)(?:ing)?)\b"
    r"[^\n]*?(?:[.!?]+(?=\s|\Z)|(?=\n)|\Z)",
    re.IGNORECASE,
)
_MEMORY_TOOL = re.compile(r"(?:^|[^a-z])(?:memory|memories|bethink|recall|remember)(?:[^a-z]|$)", re.IGNORECASE)
_MEMORY_ANSWER = re.compile(r"\"(?:trace_id|rendered|empty_reason|short_id)\"\s*:|<memory\b", re.IGNORECASE)


def own_words(text: str) -> str:
    """The text with what is not its speaker's own blanked out, character by character."""
    for pattern in (_BLOCKS, _LINES, _TOLD, _COMMANDS, _TASKS, _EXAMPLES):
        text = pattern.sub(_blank, text)
    return _QUOTED.sub(lambda found: _blank(found) if _PERSONAL.search(found[0]) else found[0], text)


def memory_tool(name: str, text: str) -> bool:
    """Whether a tool's turn is what memory itself answered.

    Args:
        name: what the tool is called.
        text: what it returned.
    """
    return bool(_MEMORY_TOOL.search(name) or _MEMORY_ANSWER.search(text))


def _blank(found: re.Match[str]) -> str:
    """As many blanks, with line breaks kept."""
    return re.sub(r"[^\n]", " ", found[0])
