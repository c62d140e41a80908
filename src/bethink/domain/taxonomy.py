"""The taxonomy: a tenant's own tree of topics, under which records and turns are filed.

A node is named by its path, the words from the root down joined by dots, such as ``workflow.git``. The tree is the
host's vocabulary and holds no text of a memory; what is filed under a node is a memory's affair, inside its fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bethink.domain.record import fold
from bethink.errors import InvalidInput

MAX_NODES = 2_000
"""Nodes a tenant may have: a question is compared with the names of all of them."""

MAX_PATH = 120
"""Characters of a path."""

MAX_DEPTH = 8
"""Levels of the tree."""

MAX_FILED = 20
"""Nodes one record may be filed under, or one request may name."""

FiledBy = Literal["caller", "successor"]
NamedBy = Literal["caller", "rules", "model"]

_PATH = re.compile(r"[^\W_][\w-]*(?:\.[^\W_][\w-]*)*")


@dataclass(frozen=True, slots=True, order=True)
class Node:
    """One topic: its path, and what people call it."""

    path: str
    name: str

    @property
    def slug(self) -> str:
        """The last word of its path."""
        return self.path.rpartition(".")[2]

    @property
    def parent(self) -> str:
        """The path of the node above, empty for a root."""
        return self.path.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class Topics:
    """What a question is about: the nodes, all that lies below them too, and who named them.

    Topics that the caller named narrow for good (`exact`); those that were found in the words of the question give way
    when too little is filed under them.
    """

    nodes: tuple[str, ...] = ()
    within: frozenset[str] = frozenset()
    by: NamedBy = "rules"

    @property
    def exact(self) -> bool:
        """Whether nothing outside may come back."""
        return self.by == "caller"


def check_path(value: object) -> str:
    """A path in its one form: folded words of letters, digits, ``_`` and ``-``, joined by dots.

    Raises:
        InvalidInput: anything else, too long, or too deep.
    """
    path = fold(value) if isinstance(value, str) else ""
    if len(path) > MAX_PATH or not _PATH.fullmatch(path):
        msg = f"{str(value)[:40]!r} is no path of the taxonomy."
        raise InvalidInput(
            msg, remedy=f"Write words joined by dots, such as workflow.git, {MAX_PATH} characters at most."
        )
    if path.count(".") >= MAX_DEPTH:
        raise InvalidInput(f"{path[:40]!r} lies deeper than {MAX_DEPTH} levels.")
    return path


def check_paths(values: object) -> tuple[str, ...]:
    """Paths, each once, in order.

    Raises:
        InvalidInput: no list of paths, or too many.
    """
    if not isinstance(values, (tuple, list)) or len(values) > MAX_FILED:
        raise InvalidInput(f"taxonomy must be a list of at most {MAX_FILED} paths.")
    return tuple(dict.fromkeys(map(check_path, values)))


def subtree(nodes: Iterable[Node], roots: Sequence[str]) -> frozenset[str]:
    """The paths of these nodes and of everything below them."""
    wanted = set(roots)
    return frozenset(node.path for node in nodes if not wanted.isdisjoint(_line(node.path)))


def known_paths(nodes: Iterable[Node], paths: Sequence[str]) -> tuple[str, ...]:
    """The paths, when the tree has them all.

    Raises:
        InvalidInput: it has not; the remedy lists the first nodes there are.
    """
    have = {node.path for node in nodes}
    missing = [path for path in paths if path not in have]
    if missing:
        shown = ", ".join(sorted(have)[:MAX_FILED])
        remedy = f"Nodes are {shown}." if shown else "There are none yet; the host makes them."
        raise InvalidInput(f"The taxonomy has no node {missing[0]!r}.", remedy=remedy)
    return tuple(paths)


def _line(path: str) -> list[str]:
    """A path and those above it."""
    words = path.split(".")
    return [".".join(words[:length]) for length in range(1, len(words) + 1)]
