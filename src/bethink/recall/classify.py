"""Classify: which nodes of the taxonomy a question is about, before any snapshot of memory is open.

By rules and without a model: a node scores one for each word of its name that the question holds, and two more for the
whole name. A small model classifies only where the host handed one in, the settings let
reads use models and the profile asks for it; when it is late, fails or names no node, the rules do.
"""

from __future__ import annotations

from collections.abc import Sequence

from bethink.domain.query import Query
from bethink.domain.record import fold
from bethink.domain.taxonomy import Node, Topics, check_paths, known_paths, subtree
from bethink.operations.recall import RecallRequest
from bethink.ports.taxonomy import Classifier
from bethink.recall.profiles import PROFILES
from bethink.recall.reader import Reader
from bethink.text.analyse import analyse
from bethink.text.language import language_named

SHARE = 0.25
"""The share of a recall's time that the model may take."""

MOST = 3
"""Nodes a question is taken to be about."""

SHORTEST = 3
"""Letters a word of a name must have to count."""

WHOLE_NAME = 2
"""What a node gains when the question holds its whole name."""


def classify(request: RecallRequest, query: Query, reader: Reader) -> Topics:
    """The nodes that the caller named, or that a question of a profile with a taxonomy is about; none without either.

    Raises:
        InvalidInput: the caller named a node that there is not.
    """
    named = check_paths(request.taxonomy)
    profile = PROFILES[request.profile]
    if not named and not profile.taxonomy:
        return Topics()
    with reader.open(reader.settings.timeout_ms / 1000) as snapshot:
        nodes = snapshot.taxonomy.nodes()
    if named:
        return Topics(known_paths(nodes, named), subtree(nodes, named), "caller")
    model = reader.classifier if profile.modelled and reader.settings.read_models else None
    if model is not None and nodes and (found := _asked(model, query.text, nodes, reader)):
        return Topics(found, subtree(nodes, found), "model")
    found = by_rules(query.text, nodes, reader.language)
    return Topics(found, subtree(nodes, found))


def by_rules(text: str, nodes: Sequence[Node], language: str = "english") -> tuple[str, ...]:
    """At most three nodes whose names the text holds words of, best first, ties by path."""
    said = frozenset(analyse(text, language))
    whole = f" {fold(text)} "
    scores = {node.path: _score(node, said, whole, language) for node in nodes}
    best = sorted((path for path, score in scores.items() if score), key=lambda path: (-scores[path], path))
    return tuple(best[:MOST])


def _score(node: Node, said: frozenset[str], whole: str, language: str) -> int:
    """How much of a node's own name a text holds; its last word and what people call it are its name."""
    called = f"{node.slug.replace('-', ' ').replace('_', ' ')} {node.name}"
    empty = language_named(language).function_words
    words = {word for word in called.split() if len(word) >= SHORTEST and fold(word) not in empty}
    score = len(said & {term for word in words for term in analyse(word, language)})
    return score + (WHOLE_NAME if score and f" {fold(node.name)} " in whole else 0)


def _asked(model: Classifier, text: str, nodes: Sequence[Node], reader: Reader) -> tuple[str, ...]:
    """What the model names, as far as the tree has it; nothing when it fails or takes too long."""
    seconds = SHARE * reader.settings.timeout_ms / 1000
    named, _ = reader.asking.within(seconds, lambda: model.classify(text, nodes))
    have = {node.path for node in nodes}
    return tuple(path for path in dict.fromkeys(named or ()) if path in have)[:MOST]
