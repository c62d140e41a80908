"""Identifiers: tokens that name one thing exactly, kept whole and in parts so that either finds them."""

from __future__ import annotations

import re

from bethink.text.characters import MARKS

MAX_PARTS = 32
"""Parts taken from one identifier. A longer chain of words is no identifier but text."""

_JOINTS = re.compile(rf"(?:[^\w{MARKS}]|_)+")
_GROUPS = re.compile(rf"[^\w{MARKS}.\-]+")
_LETTERS_AND_DIGITS = re.compile(r"(?:([^\W\d_]{2,})(\d+)|(\d+)([^\W\d_]{2,}))")
_ACRONYM_PLURAL = re.compile(r"[A-Z]{2,}s")


def is_identifier(token: str) -> bool:
    """Whether the token holds a digit, ``_``, ``.`` or ``/`` inside, or an inner capital; a hyphen alone is none.

    A plural acronym (``APIs``) is a word.
    """
    core = token.strip("._/")
    if not core:
        return False
    if any(character in "_./" or character.isdigit() for character in core):
        return True
    return has_inner_capital(core)


def has_inner_capital(token: str) -> bool:
    """Whether a word mixes cases inside, as ``getUserName`` or ``iPhone`` do and ``Berlin`` and ``NASA`` do not."""
    if token.islower() or token.isupper() or token.istitle():
        return False
    tail = token[1:]
    mixed = any(map(str.isupper, tail)) and any(map(str.islower, token))
    return mixed and not _ACRONYM_PLURAL.fullmatch(token) and "-" not in token and "'" not in token


def identifier_parts(token: str) -> list[str]:
    """What an identifier is made of, largest first, in order, without the whole, at most `MAX_PARTS`.

    ``a.b@mail.example.com`` gives ``a.b``, ``mail.example.com`` and then each atom; ``getUserName`` gives its words;
    ``2.6.4`` gives the prefix ``2.6`` and its numbers; ``python3`` gives ``python`` and ``3``. Case is kept.
    """
    groups = [group.strip(".-") for group in _GROUPS.split(token)]
    parts = [group for group in groups if group and _JOINTS.search(group)] if len(groups) > 1 else []
    atoms = [atom for atom in _JOINTS.split(token) if atom]
    if len(atoms) > 2 and all(map(str.isdigit, atoms)):
        parts += [".".join(atoms[:end]) for end in range(2, len(atoms))] if "." in token else []
    for atom in atoms:
        parts += _inner_words(atom) if len(atoms) > 1 or atom != token else _inner_words(atom, whole=False)
    return [part for part in dict.fromkeys(parts) if part != token][:MAX_PARTS]


def camel_words(token: str) -> list[str]:
    """``getUserName`` as ``get``, ``User``, ``Name``, and ``HTTPServer`` as ``HTTP``, ``Server``."""
    words = []
    start = 0
    for at in range(1, len(token)):
        before, here = token[at - 1], token[at]
        rises = here.isupper() and not before.isupper()
        ends_acronym = here.islower() and before.isupper() and at - 1 > start
        if rises or ends_acronym:
            cut = at if rises else at - 1
            words.append(token[start:cut])
            start = cut
    return [*words, token[start:]]


def _inner_words(atom: str, *, whole: bool = True) -> list[str]:
    """An atom and what lies inside it: camel-case words, or letters apart from digits where they meet once."""
    if has_inner_capital(atom):
        inner = [word for word in camel_words(atom) if len(word) > 1]
    elif met := _LETTERS_AND_DIGITS.fullmatch(atom):
        inner = [part for part in met.groups() if part]
    else:
        inner = []
    return [atom, *inner] if whole else inner
