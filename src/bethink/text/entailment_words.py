"""The English word lists `entailment` decides by, and the sentences it reads.

Each list errs towards refusing: a word too many costs an upgrade, a word too few grants a wrong one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from bethink.text.characters import MARKS
from bethink.text.language import words_of

SPEAKER = "<i>"
OWN = "<my>"
SELF = "<me>"
PAUSE = "<,>"
QUOTE = '<">'

NEGATIONS = words_of("""
    not no never none nobody nothing nowhere neither nor without hardly barely scarcely rarely seldom cannot unable
    stopped quit except excluding besides unlike instead rather than only anymore wasn weren isn aren don doesn didn
""")
"""Words that deny or restrict. On one side only, they refuse."""

HYPOTHETICAL = words_of("""
    if when whenever unless whether would could might may should shall suppose supposing imagine pretend wish wishes
    hope hopes hoping hopefully dream dreams dreamed dreamt dreaming want wants wanted wanting wanna plan plans
    planned planning intend intends intended thinking considering consider considered try tries tried trying going
    gonna will until otherwise used supposed expect expected fantasy hypothetically theoretically ought tempted about
    soon tomorrow almost nearly supposedly allegedly apparently maybe perhaps possibly probably likely seemingly
    virtually technically kind sort once before ever
""")
"""Words that make less of a sentence than an assertion about the world as it is."""

REPORTED = words_of("""
    said says say saying told tell tells telling claims claim claimed claiming heard hear hears according thinks think
    thought believes believe believed assumes assume assumed rumor rumour rumors doubt doubts doubted denies deny
    denied asks asked ask guess guessed wonder wondered wondering mean meant quote quoted seems seem seemed false
    wrong
""")
"""Words that put a sentence into somebody's mouth or mind."""

FRAMES = words_of("""
    imagine suppose pretend hypothetically story novel fiction fictional roleplay lyrics lyric movie film poem
    character riddle kidding joking joke jk sarcasm sarcastic lied lying lie untrue dream dreamt prank lol haha
""")
"""Words anywhere in the evidence that put all of it in doubt."""

RETRACTIONS = words_of("no nope not wait sorry scratch correction oops actually kidding false wrong psych except but")
"""First words of a next sentence that may take back the one before."""

ADVERBS = words_of("""
    really just also recently finally definitely absolutely currently now still always usually often even very so
    truly honestly certainly personally already literally totally simply
""")
"""Words a claim may leave out."""

OPENINGS = words_of("""
    well yes yeah yep ok okay oh hey hi hello wow so and but because honestly currently btw fyi thanks anyway also
    then sure right remember note please
""")
"""What may stand before the clause."""

TIME = words_of("""
    last this yesterday today tonight now currently recently week weeks weekend month months year years day days hour
    hours morning afternoon evening night spring summer autumn fall winter monday tuesday wednesday thursday friday
    saturday sunday january february march april june july august september october november december ago since in on
    at the of a for every each past these early late again first time times
""")
"""Words of an expression of time."""

BETWEEN = ADVERBS | {"never", "no", "longer"}
"""What may stand between a subject and its verb, which agree across it."""

OURS = "our"
"""A claim may say `the deploy day` where its speaker says `our deploy day`."""

QUALIFYING = (
    ADVERBS
    | HYPOTHETICAL
    | NEGATIONS
    | TIME
    | words_of("""
    well much many more most all any both each enough quite exactly yet anymore anyway sure good great bad fine full
    half part only alone together here away home inside outside with without to into onto from through near under over
    between against among like as because but yet though although when while where who which what how why than
    """)
)
"""Words behind a `not` that tell how far something goes, and not what is meant instead."""

LASTING = words_of("since now currently today")
"""Expressions of time a statement in the present may lose."""

CONJUNCTIONS = words_of("and but so")
CLAUSE_SUBJECTS = frozenset({SPEAKER, OWN, *words_of("it we they she he this that there our")})

NO_PAST = words_of("""
    beat bed bit bleed bore bound breed creed deed dove embed exceed feed greed ground heed hundred indeed kindred lay
    lent lit moped naked need proceed red reed rose sacred seed shed shot shred sled smelt spat speed spelt steed stole
    succeed thought wed weed wicked wound
""")
"""Words with the form of a past that are as often another word: `on the ground floor`, `I need`."""

THIRD_PERSON = {"am": "is", "have": "has", "do": "does", "go": "goes"}
IN_THIRD_PERSON = {
    **dict.fromkeys(words_of("they he she"), SPEAKER),
    **dict.fromkeys(words_of("their his her"), OWN),
    **dict.fromkeys(words_of("them him themself themselves himself herself"), SELF),
}
"""How a claim may refer back to the speaker it began with."""

_ASIDES = re.compile(
    r"^(?:no|nope), (?=(?:i|my|our)\b)"
    r"|\bas (?:i|we) (?:have )?(?:already )?(?:said|mentioned|told you|wrote)(?: before| already| earlier)?,? "
    r"|,? (?:as you (?:already )?know|in case you (?:forgot|forget|missed (?:it|that)))(?=[.!]|$)"
)
"""What points to something said before, or answers a question, and leaves the statement beside it an assertion."""

_FIRST_PERSON = {"i": SPEAKER, "my": OWN, "me": SELF, "myself": SELF}
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"\b(it|that|there|what|who|where)'s\b"), r"\1 is"),
)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_DIGITS = {word: str(number) for number, word in enumerate(_NUMBERS, start=1)}
_ARTICLES = words_of("a an the")
_PLAIN = str.maketrans(
    {**dict.fromkeys("\u2018\u2019\u02bc", "'"), **dict.fromkeys("\u201c\u201d\u00ab\u00bb\u300c\u300d", '"')}
)
_TOKEN = re.compile(
    rf"[\w{MARKS}$€£%]+(?:[.\-/@:'+#,][\w{MARKS}]+)*[%+#]*|[.!?;\n。！？…؟।]+|[,:()\"—–、，：😂🤣🙄😉😜]| - "  # noqa: RUF001 - other scripts are the subject
)
_SENTENCE_END = re.compile(r"[.!?;\n。！？…؟।]+")  # noqa: RUF001 - other scripts are the subject
_QUESTION = re.compile("[?？؟]")  # noqa: RUF001 - other scripts are the subject


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's words as they are compared: case-folded, first person marked, articles gone, numbers in digits."""

    words: tuple[str, ...]
    asks: bool


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text."""
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold()
    for contraction, written_out in _CONTRACTIONS:
        plain = contraction.sub(written_out, plain)
    plain = _ASIDES.sub("", plain.strip())
    found = []
    words: list[str] = []
    for token in _TOKEN.findall(plain):
        if _SENTENCE_END.fullmatch(token):
            found.append(Sentence(tuple(words), bool(_QUESTION.search(token))))
            words = []
        elif token not in _ARTICLES:
            words.append(_compared(token))
    return [sentence for sentence in (*found, Sentence(tuple(words), asks=False)) if any(map(is_word, sentence.words))]


def is_word(token: str) -> bool:
    """Whether a token of a sentence is a word and not a pause or a quotation mark."""
    return token not in {PAUSE, QUOTE}


def _compared(word: str) -> str:
    """A word or mark in the form it is compared in."""
    if word == '"':
        return QUOTE
    if word in "😂🤣🙄😉😜":
        return "lol"
    if len(word.strip()) == 1 and not word.strip().isalnum():
        return PAUSE
    return _FIRST_PERSON.get(word) or _DIGITS.get(word, word)
