r"""The workload of `eval formation`: sixty sessions as text, every statement worth keeping labelled, every trap too.

A line begins with what it is::

    # session USER DAY [project NAME]
    u: what the user says          a: the assistant       s: system text       t NAME: what a tool returned
    + LABEL TYPE/ATTRIBUTE [@SUBJECT] [>OLD]: the statement <= the words that say it
    = LABEL <= words that say again what a label says
    - a statement nobody may store <= the words that could mislead to it

``\n`` in a turn is a line break. ``>OLD`` says that the statement corrects the one with that label. The corpus is our
own and ships with the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

from bethink.domain.session import Role
from bethink.errors import InvalidInput

_SESSION = re.compile(r"# session (\w+) (\d{4}-\d{2}-\d{2})(?: project (\w+))?$")
_TURN = re.compile(r"([uas]|t [\w-]+): (.*)$")
_LABEL = re.compile(r"\+ ([\w-]+) (\w+)/([^@>:]+?)(?: @(\w+))?(?: >([\w-]+))?: (.*) <= (.*)$")
_AGAIN = re.compile(r"= ([\w-]+) <= (.*)$")
_TRAP = re.compile(r"- (.*) <= (.*)$")
_ROLES: dict[str, Role] = {"u": "user", "a": "assistant", "s": "system", "t": "tool"}


@dataclass(frozen=True, slots=True)
class Line:
    """One turn; `speaker` is a tool's name, else none."""

    role: Role
    text: str
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A statement worth keeping: what it is, the words that say it, and the label it corrects."""

    name: str
    type: str
    attribute: str
    content: str
    quote: str
    subject: str | None = None
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class Trap:
    """A statement that may not be stored, and the words that could mislead to it."""

    content: str
    quote: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """One session; `again` are (label, words) of what is said once more."""

    user: str
    day: str
    project: str | None
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    again: tuple[tuple[str, str], ...]
    traps: tuple[Trap, ...]

    @property
    def id(self) -> str:
        """Its id."""
        return f"{self.user}-{self.day}"


def workload() -> tuple[Spoken, ...]:
    """The sessions that come along, in their order.

    Raises:
        InvalidInput: a line is none of those the format has.
    """
    text = (resources.files("bethink.evaluation") / "formation" / "sessions.txt").read_text("utf-8")
    return tuple(_sessions(text))


def _sessions(text: str) -> Iterator[Spoken]:
    """The sessions of a text."""
    for block in re.split(r"(?m)^(?=# session )", text)[1:]:
        lines = [line for line in block.splitlines() if line.strip()]
        head = _SESSION.match(lines[0])
        if head is None:
            raise InvalidInput(f"{lines[0][:60]!r} begins no session.")
        yield _session((head[1], head[2], head[3]), lines[1:])


def _session(head: tuple[str, str, str | None], lines: list[str]) -> Spoken:
    """One session of its lines."""
    said: list[Line] = []
    labels: list[Label] = []
    again: list[tuple[str, str]] = []
    traps: list[Trap] = []
    for line in lines:
        if turn := _TURN.match(line):
            kind, _, name = turn[1].partition(" ")
            said.append(Line(_ROLES[kind], turn[2].replace("\\n", "\n"), name or None))
        elif label := _LABEL.match(line):
            name, kind, attribute, subject, old, content, quote = label.groups()
            labels.append(Label(name, kind, attribute, content, quote, subject, old))
        elif repeat := _AGAIN.match(line):
            again.append((repeat[1], repeat[2]))
        elif trap := _TRAP.match(line):
            traps.append(Trap(trap[1], trap[2]))
        else:
            raise InvalidInput(f"{line[:60]!r} is no line of a session.")
    return Spoken(*head, tuple(said), tuple(labels), tuple(again), tuple(traps))
