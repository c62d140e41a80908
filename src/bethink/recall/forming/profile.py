"""Profile: the types of belief that a question about oneself asks for, clause by clause.

A question for advice and one for a way to do something ask for no profile, unless the latter names what it asks of the
user ("How do I like my coffee?"). The rules read English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bethink.recall.forming.clauses import Clause

_KIN = (
    "wife|husband|partner|spouse|fiancee?|girlfriend|boyfriend|ex|sister|brother|sibling|twin|mother|father|mom|mum|dad"
    "|parent|son|daughter|kid|child|children|baby|uncle|aunt|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa"
    "|grandparent|in-law|family|friend|boss|manager|mentor|colleague|coworker|co-worker|teammate|team|neighbou?r|roommate"
    "|flatmate|landlord|doctor|dentist|therapist|lawyer|accountant|coach|teacher|relative|relationship"
)
_TRAIT = (
    "name|surname|nickname|age|birthday|birthdate|birth|job|profession|occupation|role|title|employer|company|salary"
    "|address|phone|number|email|e-mail|home|hometown|city|country|nationality|language|timezone|zone|pronouns?|height"
    "|weight|religion|diet|allerg(?:y|ies)|hobby|hobbies|degree|school|university|major|background|identity|profile"
    "|interests?|skills?|goals?"
)
_TASTE = r"favou?rites?|preferences?|preferred|likes|dislikes|tastes?"
_LIKING = (
    "like|love|prefer|enjoy|hate|dislike|adore|loathe|detest|favou?r|want my|take my|drink my|eat my|can't stand"
    "|fond of"
)
_UP_TO = r"(?:[\w'-]+ ){0,3}?"

_SELF = re.compile(r" (?:i|i'm|i've|me|my|mine|myself) ")
_ADVICE = re.compile(
    r" (?:should|ought|shall|recommend\w*|suggest\w*|advi[sc]e\w*|ideas? for|worth|better to|would you|could you pick"
    r"|help me (?:choose|pick|decide)|would (?:i|it|you) (?:like|be)|i would like|i'd like|best \w+ for|need to|have to"
    r"|supposed to|must i|may i|can i|could i|would i|might i|did i|was i|were i|had i) "
)
_HOW_TO = re.compile(r" how (?:to|do|can|could|does|would|should|might) ")
_PREDICATE = re.compile(
    rf" i {_UP_TO}(?:{_LIKING}|usually|normally|typically|generally|spell|pronounce|commute|describe myself) "
    rf"| my {_UP_TO}(?:{_TASTE}) "
)
_LIKES = re.compile(rf" i {_UP_TO}(?:{_LIKING}) | my {_UP_TO}(?:{_TASTE}) | (?:my|me) (?:love|hate) of ")
_RELATES = re.compile(
    rf" my {_UP_TO}(?:{_KIN})(?:s|es|'s|s')? | (?:many|any) (?:{_KIN})(?:s|es)? (?:do|have) i "
    rf"| have (?:any |a )?(?:{_KIN})(?:s|es)? | i {_UP_TO}(?:married|related|engaged|dating|divorced) "
    rf"| (?:who|whom) do i (?:{_UP_TO}(?:with|to)|know|love|trust) "
)
_HABIT = re.compile(
    r" (?:usually|normally|typically|generally|routines?|habits?|schedule|daily|weekly|every \w+|each (?:day|week|month"
    r"|morning|evening|night)|how often|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|on weekdays"
    r"|in the (?:morning|afternoon|evening)s?|at night|what time|when do i) "
)
_IS_SELF = re.compile(
    rf" (?:do|don't|am|have|who|what) (?:i|am i) | who am i | my {_UP_TO}(?:{_TRAIT})(?:'s)? | about me "
)
_OWNS = re.compile(r" i (?:\w+ )?(?:own|drive|have|use|ride|wear|play|got) ")
_NOT_OWNED = re.compile(
    rf" my (?:{_UP_TO}(?:{_KIN})(?:s|es|'s|s')?|{_UP_TO}(?:{_TASTE})|{_UP_TO}(?:{_TRAIT})(?:'s)?|god|opinion|mind|view"
    r"|pleasure|fault|bad|guess|questions?|apolog(?:y|ies)|best|understanding|point|way|turn|life|day|week|message"
    r"|request|answer|memory|memories|own) "
)
_POSSESSED = re.compile(r" (?:my (?=\w)|mine )")
_KEYWORDS = re.compile(r" (?:user|users|user's|owner|owner's|owned) ")
_FINITE = re.compile(r" (?:is|are|was|were|has|have|had|do|does|did|will|can|should|must|i) ")
MAX_KEYWORDS = 8
"""Words up to which a text without a verb is keywords and no sentence."""


def profile_types(parts: Iterable[Clause]) -> tuple[str, ...]:
    """The types that the clauses ask for about the user, each once, in one order."""
    asked = {name for part in parts for name in _types(part)}
    return tuple(name for name in ("preference", "relationship", "user_attribute", "resource") if name in asked)


def asks_owned(parts: Iterable[Clause], *, deliberate: bool) -> bool:
    """Whether a clause speaks of a thing of the user's, or, where an agent searches, names the user in keywords.

    A relation, a taste and a trait ("my sister", "my favourite", "my name") are no things, and a clause about a liking
    speaks of it: their types are asked for.
    """
    return any(_of_things(part) or (deliberate and _names_owner(part)) for part in parts)


def _types(part: Clause) -> tuple[str, ...]:
    """What one clause asks for."""
    said = part.spaced
    if not part.asks or _SELF.search(said) is None or _ADVICE.search(said) is not None:
        return ()
    if _HOW_TO.search(said) is not None and _PREDICATE.search(said) is None:
        return ()
    likes, relates = _LIKES.search(said) is not None, _RELATES.search(said) is not None
    if _HABIT.search(said) is not None and " i " in said:
        return ("preference", "user_attribute", "relationship") if relates else ("preference", "user_attribute")
    found = [name for name, asked in (("preference", likes), ("relationship", relates)) if asked]
    if not found and _IS_SELF.search(said) is not None:
        found = ["user_attribute", "resource"] if _OWNS.search(said) is not None else ["user_attribute"]
    return tuple(found)


def _of_things(part: Clause) -> bool:
    """Whether a possessive in the clause is followed by a thing."""
    said = part.spaced
    if _POSSESSED.search(said) is None or _LIKES.search(said) is not None:
        return False
    return _POSSESSED.search(_NOT_OWNED.sub(" ", said)) is not None


def _names_owner(part: Clause) -> bool:
    """Whether keywords, as an agent types them, name the user or owner."""
    said = part.spaced
    few = not part.asks and part.text.count(" ") < MAX_KEYWORDS
    return few and _KEYWORDS.search(said) is not None and _FINITE.search(said) is None
