"""What terms one chunk of text gives.

- A word: its Snowball stem, case-folded; a function word as it is. A word with accents (café) gives the bare spelling
  (cafe) as a second term: both spellings meet, and the exact one meets twice, so año still ranks above ano.
- An identifier: the whole, then its parts.
- A script without spaces: pairs of characters; for documents single ideographs too, so that a query for one is
  answered.
- Hangul: the word, then the pairs of its syllables, so that a particle does not hide the noun.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from hashlib import blake2b

import Stemmer

from bethink.text.characters import HAN, HANGUL, MARKS, UNSPACED, clusters
from bethink.text.identifiers import MAX_PARTS, has_inner_capital, identifier_parts, is_identifier
from bethink.text.language import Language, words_of

MAX_TERM = 64
"""The longest term. A longer one is cut to a prefix and a hash of the whole, so equality still works."""

_APART = re.compile(f"[{UNSPACED}{HANGUL}]")
_SCRIPTS = re.compile(f"([{UNSPACED}][{UNSPACED}{MARKS}]*)|([{HANGUL}]+)|([^{UNSPACED}{HANGUL}]+)")
_IDEOGRAPH = re.compile(f"[{HAN}]")
_NOT_WORD = re.compile(rf"[^\w{MARKS}]|[_\d]")
_SPLIT = re.compile(rf"(?:[^\w{MARKS}]|_)+")
_EDGES = re.compile(rf"^(?:[^\w{MARKS}]|_)+|(?:[^\w{MARKS}]|_)+$")
_CYRILLIC = re.compile("[\u0400-\u052f]")
_ACCENTED = re.compile("[a-z\u00df-\u024f\u0370-\u03ff\u0590-\u06ff\u1e00-\u1fff]")
_PARTICLES = words_of(
    "은 는 이 가 을 를 에 의 로 와 과 도 만 에서 으로 까지 부터 에게 한테 처럼 보다 이나 라도 마다 이랑 하고"
)
"""Korean particles, for the nouns of one syllable that pairs of syllables do not reach."""

_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall"}
_ENCLITICS = frozenset({"s", "m", "re", "ve", "ll", "d"})


class _Stemmers(threading.local):
    """Snowball stemmers, made once per thread because one may not be shared between threads."""

    def __init__(self) -> None:
        self.made: dict[str, Stemmer.Stemmer] = {}

    def stem(self, word: str, algorithm: str) -> str:
        """The stem of a case-folded word; the word itself without an algorithm."""
        if not algorithm:
            return word
        if algorithm not in self.made:
            self.made[algorithm] = Stemmer.Stemmer(algorithm, 0)
        return str(self.made[algorithm].stemWord(word))


_STEMMERS = _Stemmers()


def chunk_terms(chunk: str, spoken: Language, *, document: bool) -> tuple[str, ...]:
    """The terms of one chunk, each at most `MAX_TERM` characters.

    Args:
        chunk: a run of word characters and the joints inside it; NFKC, case kept.
        spoken: the language.
        document: whether single ideographs are wanted beside their pairs.
    """
    chunk = chunk.strip("_")
    if chunk.isascii() or not _APART.search(chunk):
        found = _spaced(chunk, spoken)
    else:
        found = []
        for unspaced, hangul, other in _SCRIPTS.findall(chunk):
            if unspaced:
                found += _unspaced(unspaced, document=document)
            elif hangul:
                found += _hangul(hangul)
            else:
                found += _spaced(_EDGES.sub("", other), spoken)
    return tuple(bounded(term) for term in found if term)


def names_one_thing(chunk: str) -> bool:
    """Whether a chunk is an identifier as a whole (of a script with spaces)."""
    return (is_identifier(chunk) or chunk[-1] in "+#") and not _APART.search(chunk)


def bounded(term: str) -> str:
    """The term, or its beginning and a hash of it when it is longer than `MAX_TERM`."""
    if len(term) <= MAX_TERM:
        return term
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{term[: MAX_TERM - len(digest) - 1]}~{digest}"


def _spaced(chunk: str, spoken: Language) -> list[str]:
    """Terms of a chunk in a script with spaces."""
    if not _NOT_WORD.search(chunk) and not has_inner_capital(chunk):
        return _word(chunk, spoken)
    if "://" in chunk:
        return _identifier(chunk.split("://", 1)[1].rstrip(".,;:!?)]}'/"), spoken)
    if chunk[0] == "#" or chunk[-1] in "+#":
        return [chunk.casefold(), *_spaced(chunk.strip("+#"), spoken)]
    joints = set(_SPLIT.findall(chunk))
    atoms = [atom for atom in _SPLIT.split(chunk) if atom]
    if joints <= {"'", "·", "\u05f3", "\u05f4"} and joints:
        return _apostrophes(atoms, spoken)
    if "," in joints:
        return _spaced(chunk.replace(",", ""), spoken)
    return _identifier(chunk, spoken)


def _identifier(chunk: str, spoken: Language) -> list[str]:
    """The whole, joined too where joints are a matter of taste (e-mail, U.S.), then parts. A long chain is words."""
    whole = chunk.casefold()
    found = [whole]
    atoms = [atom for atom in _SPLIT.split(whole) if atom]
    if len(atoms) > MAX_PARTS:
        return [term for atom in atoms for term in _spaced(atom, spoken)]
    joined = "".join(atoms)
    spelled = set(_SPLIT.findall(whole)) == {"-"} or all(len(atom) == 1 for atom in atoms)
    if len(atoms) > 1 and spelled and not _NOT_WORD.search(joined):
        found += _word(joined, spoken)
    for part in identifier_parts(chunk):
        found += [part.casefold()] if _NOT_WORD.search(part) or has_inner_capital(part) else _word(part, spoken)
    return list(dict.fromkeys(found))


def _apostrophes(atoms: list[str], spoken: Language) -> list[str]:
    """Possessives and contractions of English, elisions of French and Italian, else the word joined and its parts."""
    *before, last = atoms
    folded = last.casefold()
    if spoken.stemmer == "english" and folded in _ENCLITICS:
        return _apostrophes(before, spoken)
    if spoken.stemmer == "english" and folded == "t" and before and before[-1].casefold().endswith("n"):
        verb = before[-1].casefold()[:-1]
        return [_CONTRACTED.get(verb, verb), "not"]
    if len(atoms) == 1:
        return _spaced(last, spoken)
    if spoken.elisions and before[0].casefold() in spoken.elisions:
        negation = ["ne"] if before[0].casefold() == "n" else []
        return negation + _apostrophes(atoms[1:], spoken)
    parts = [term for atom in atoms if len(atom) > 1 for term in _word(atom, spoken)]
    return list(dict.fromkeys([*_word("".join(atoms), spoken), *parts]))


def _word(word: str, spoken: Language) -> list[str]:
    """A word's stem, and that of its spelling without accents. Neither is ever a function word, unless the word is."""
    folded = word.casefold()
    if folded in spoken.function_words:
        return [folded]
    if folded.isascii():
        return [_stem(folded, spoken)]
    folded = unicodedata.normalize("NFC", folded)
    bare = _bare(folded)
    stem = _stem(folded, spoken)
    if bare == folded or bare in spoken.function_words:
        return [stem]
    return list(dict.fromkeys([stem, _stem(bare, spoken)]))


def _stem(folded: str, spoken: Language) -> str:
    """The stem of a word, of the base of an irregular form; the word itself where its stem is a function word."""
    stem = _STEMMERS.stem(spoken.irregular.get(folded, folded), spoken.stemmer)
    return folded if stem in spoken.function_words else stem


def _bare(word: str) -> str:
    """The word without accents, points and vowel marks that are often left out; й and letters of India stay whole."""
    if _CYRILLIC.search(word):
        return word.replace("\u0451", "\u0435")
    if not _ACCENTED.search(word):
        return word
    apart = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(mark for mark in apart if unicodedata.category(mark) != "Mn"))


def _hangul(word: str) -> list[str]:
    """A Korean word, the pairs of its syllables, and a noun of one syllable without its particle."""
    pairs = [word[at : at + 2] for at in range(len(word) - 1)]
    noun = [word[0]] if word[1:] in _PARTICLES else []
    return list(dict.fromkeys([word, *pairs, *noun]))


def _unspaced(run: str, *, document: bool) -> list[str]:
    """Pairs of characters; a lone one by itself; for documents every ideograph too."""
    letters = clusters(run)
    if len(letters) == 1:
        return letters
    found = []
    for at, letter in enumerate(letters):
        if document and _IDEOGRAPH.match(letter):
            found.append(letter)
        if at + 1 < len(letters):
            found.append(letter + letters[at + 1])
    return found
