"""What people say of themselves, in English: the shapes that the rules extractor reads, and what each one states.

Each list errs towards saying nothing. A shape reads one clause in the first person, contractions written out. Its
`about` is the attribute it gives, with the groups of the shape filled in; where two statements of one attribute exclude
each other the attribute is the same, where both can hold it names what it is about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a clause: the pattern, the type it gives, its attribute, and whether it has to name a time ahead."""

    pattern: re.Pattern[str]
    type: str
    about: str
    ahead: bool = False


def _any(words: str) -> str:
    """An alternation of a list of words; `_` stands for a blank inside one."""
    return "|".join(re.escape(word).replace("_", " ").replace(r"\-", "-") for word in words.split())


_KIN = _any("""
    wife husband partner girlfriend boyfriend fiance fiancee fiancé fiancée sister brother mother father mom mum
    dad son daughter aunt uncle cousin grandmother grandfather grandma grandpa niece nephew boss manager
    roommate flatmate neighbour neighbor best_friend mentor doctor dentist therapist landlord landlady colleague
    teacher coach supervisor
""")
_FAMILY = rf"(?P<kin>(?:(?:older|younger|elder|little|big|twin) |step)?(?:{_KIN}))"
_OWNED = _any("""
    dog cat puppy kitten rabbit parrot horse hamster tortoise turtle goldfish bird budgie snake pony son
    daughter baby car bike bicycle motorbike motorcycle van truck boat scooter guitar piano violin cello
    telescope greenhouse allotment garden house flat apartment cabin camera laptop kiln tattoo sister brother
    cousin twin sailboat
""")
_HAS = rf"(?P<noun>{_OWNED})"
_OPINION = _any("love like enjoy adore hate dislike detest loathe can_not_stand do_not_like do_not_enjoy do_not_love")
_JOBS = _any("""
    nurse doctor chef cook student teacher engineer developer programmer designer architect lawyer writer author
    baker farmer carpenter plumber electrician pilot painter potter musician pianist violinist photographer
    journalist editor translator librarian accountant analyst scientist biologist chemist physicist economist
    historian dentist pharmacist veterinarian vet midwife paramedic firefighter gardener barista bartender
    waiter actor dancer researcher professor consultant manager freelancer contractor mechanic tailor butcher
    florist beekeeper sailor diver coach referee psychologist therapist physiotherapist statistician geologist
    bookbinder luthier blacksmith goldsmith weaver
""")
_JOB = rf"(?:[a-z-]+ ){{0,3}}(?:{_JOBS})"
_CONDITIONS = _any("""
    vegan vegetarian pescatarian lactose_intolerant gluten_intolerant gluten-free coeliac celiac diabetic
    colour_blind color_blind colourblind colorblind left-handed deaf hard_of_hearing dyslexic asthmatic teetotal
""")
_NOT_A_FACT = _any("""
    question problem point guess issue concern worry idea opinion bad mistake turn fault apologies answer
    understanding thinking impression hope request pleasure take favourite favorite last_question next_question
    goal_here plan_here advice suggestion reaction sense only_concern code test build query error function
    script
""")
_NO_VALUE = _any("""
    that not_sure how what why if to the_same fine great good bad broken killing driving getting being a_mess so
    too really very just there here up down done gone okay ok correct wrong right working failing
""")
_EVENTS = _any("""
    appointment exam interview meeting flight wedding race marathon deadline surgery operation trip holiday
    vacation concert recital presentation talk conference viva defense defence check-up checkup graduation
    tournament match performance audition launch release workshop class course hearing move reunion exhibition
    birthday_party
""")
_EVENT = rf"(?P<noun>(?:[a-z'-]+ ){{0,3}}(?:{_EVENTS}))"
_GOING = _any("""
    flying travelling traveling going moving starting visiting meeting seeing getting_married running taking
    driving leaving returning attending presenting speaking hosting having beginning giving playing joining
    retiring graduating switching
""")
_DAYS = _any(
    "day morning evening night week weekend month monday tuesday wednesday thursday friday saturday sunday year"
)
_NO_HABIT = _any("think feel want need have am was wish guess see know hope wonder try mean")
_CHOSE = (
    "decided on|chose|have chosen|picked|settled on|switched to|migrated to|are going with|am going with|will go with|"
    "went with|(?:have )?decided to (?:use|go with|switch to|move to|adopt)|agreed (?:on|to use)"
)
_ADV = r"(?:(?:really|just|also|now|currently|recently|finally|definitely|still|absolutely|truly|mostly|mainly) )*"
_NAME = r"(?P<x>[A-Z0-9][^,;:()]*?)"
_NAMES = r"(?P<x>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)"
_THING = r"(?P<x>[^,;:()]{2,80}?)"
_REST = r"(?P<x>\b[^;:()]*?)"


def _shape(pattern: str, kind: str, about: str) -> Shape:
    """A shape over a whole clause, in letters of either case."""
    return Shape(re.compile(f"{pattern}$", re.IGNORECASE), kind, about)


def _cased(pattern: str, kind: str, about: str) -> Shape:
    """A shape whose names begin with a capital, as they do in a text that is typed with care."""
    return Shape(re.compile(f"{pattern}$"), kind, about)


def _ahead(pattern: str, about: str) -> Shape:
    """A shape of a plan, which has to name a time that is still to come."""
    return Shape(re.compile(f"{pattern}$", re.IGNORECASE), "fact", about, ahead=True)


PLANS: tuple[Shape, ...] = (
    _ahead(rf"I am {_ADV}(?P<x>(?:{_GOING})\b[^;:()]*?)", "plan {x}"),
    _ahead(r"I will (?P<x>(?!be able|have to|try|let|need|think|see\b)[a-z]+ [^;:()]*?)", "plan {x}"),
    _ahead(rf"I have (?:an?|my|the|another) {_EVENT}{_REST}", "plan {noun}"),
    _ahead(rf"my {_EVENT} (?:is|was moved to|is now|has been moved to|got moved to){_REST}", "plan {noun}"),
    _ahead(r"I am (?P<x>(?:on (?:leave|holiday|vacation)|away|out of office|in [A-Z]\w+)\b[^;:()]*?)", "whereabouts"),
    _ahead(r"I (?P<x>(?:start|begin|leave|return|retire|graduate|move|fly|travel)\b[^;:()]*?)", "plan {x}"),
    _shape(r"I (?:plan|am planning|intend) to (?P<x>[a-z]+ [^;:()]*?)", "fact", "plan {x}"),
)
"""Plans come before all others: their verbs would read as something lasting."""

PERSON: tuple[Shape, ...] = (
    _cased(rf"I {_ADV}(?:live|am living|reside|am based) (?:in|near) {_NAME}", "user_attribute", "home city"),
    _cased(rf"I have {_ADV}(?:lived|been living|been based) (?:in|near) {_NAME}", "user_attribute", "home city"),
    _cased(rf"I (?:have )?{_ADV}(?:moved|relocated) (?:back )?to {_NAME}", "user_attribute", "home city"),
    _cased(rf"I (?:am|come) {_ADV}(?:originally )?from {_NAME}", "user_attribute", "origin"),
    _cased(rf"I (?:grew up|was raised) in {_NAME}", "user_attribute", "childhood home"),
    _cased(rf"I was born (?:in|on) {_NAME}", "user_attribute", "birth"),
    _cased(rf"I {_ADV}(?:work|am working) (?:at|for) {_NAME}", "user_attribute", "employer"),
    _cased(rf"I have {_ADV}(?:worked|been working) (?:at|for) {_NAME}", "user_attribute", "employer"),
    _cased(rf"I (?:have )?{_ADV}(?:joined|started (?:working )?at) {_NAME}", "user_attribute", "employer"),
    _shape(rf"I work from {_THING}", "user_attribute", "workplace"),
    _shape(rf"I {_ADV}(?:work|am working) as an? {_THING}", "user_attribute", "occupation"),
    _shape(
        rf"I am {_ADV}an? (?P<x>{_JOB}(?: (?:at|in|for|from|with) [^,;:()]+)?)",
        "user_attribute",
        "occupation",
    ),
    _cased(
        r"(?:my name is|I am called|I go by|(?:people|everyone|friends|everybody) call me)"
        r" (?P<x>[A-Z][\w' .-]{1,40})",
        "user_attribute",
        "name",
    ),
    _shape(r"I am (?P<x>\d{1,3})(?: years old)?", "user_attribute", "age"),
    _shape(rf"I am {_ADV}(?:an? )?(?P<x>{_CONDITIONS})", "constraint", "condition {x}"),
    _shape(rf"I am {_ADV}(?:severely |very |mildly )?allergic to {_THING}", "constraint", "allergy to {x}"),
    _shape(
        rf"I (?:do not|never|can not|no longer) (?P<verb>eat|drink|smoke|wear) {_THING}",
        "constraint",
        "{verb} {x}",
    ),
    _cased(r"I speak (?P<x>[A-Z][\w ]+(?:, [A-Z]\w+)*(?: and [A-Z]\w+)?)", "user_attribute", "speaks {x}"),
)
"""Who somebody is, and what must be heeded."""

LIKES: tuple[Shape, ...] = (
    _shape(
        r"I (?:really |strongly |much )?prefer (?P<x>[^,;:()]{2,60}?)"
        r" (?:over|to|rather than|instead of) (?P<other>(?!do\b)[^,;:()]{2,60}?)",
        "preference",
        "preference {pair}",
    ),
    _shape(
        r"I (?:really |strongly |generally |usually )?prefer (?P<x>to [^,;:()]{3,80}?)", "preference", "preference {x}"
    ),
    _shape(
        r"I (?:really |strongly |generally |usually )?prefer (?P<x>[^,;:()]{2,60}?)", "preference", "preferred {last}"
    ),
    _shape(
        rf"I (?:(?:really|absolutely|truly|also|still|no longer) )*(?:{_OPINION}) {_THING}",
        "preference",
        "opinion of {x}",
    ),
    _shape(
        r"my favou?rite (?P<noun>[a-z][^,;:()]{1,40}?) (?:is|are) (?P<x>[^;:()]{1,80}?)",
        "preference",
        "favourite {noun}",
    ),
    _shape(r"I (?:take|drink|like) my (?P<noun>coffee|tea) (?P<x>[^,;:()]{3,40}?)", "preference", "{noun} as taken"),
    _shape(r"I (?:always|usually|never) (?P<x>[a-z]+ [^,;:()]{2,80}?)", "preference", "habit {x}"),
    _shape(
        rf"I (?P<x>(?!(?:{_NO_HABIT})\b)[a-z]+ [^,;:()]{{0,60}}?(?:every|each) (?:{_DAYS})(?: [^,;:()]{{2,40}})?)",
        "preference",
        "habit {x}",
    ),
    _shape(rf"I (?P<x>(?!(?:{_NO_HABIT})\b)[a-z]+ [^,;:()]{{0,60}}?on (?:{_DAYS})s)", "preference", "habit {x}"),
)
"""How somebody likes things, and what they usually do."""

OTHERS: tuple[Shape, ...] = (
    _cased(rf"my {_FAMILY}(?:'s name)? is (?:called |named )?{_NAMES}", "relationship", "{kin}"),
    _cased(rf"{_NAMES} is my {_FAMILY}", "relationship", "{kin}"),
    _cased(r"I am (?P<kin>married|engaged) to (?P<x>[A-Z][\w' -]+)", "relationship", "{kin} to"),
    _shape(
        rf"my {_FAMILY} (?P<verb>lives|works|studies|plays|teaches|is|has|runs|speaks|moved) {_THING}",
        "relationship",
        "{kin} {verb}",
    ),
)
"""Whom somebody knows."""

HAVINGS: tuple[Shape, ...] = (
    _shape(
        rf"I (?:have|own|keep|adopted|bought|got|have adopted|have bought|have got)"
        rf" (?:an?|one|two|three|four|my own|my first|another) (?:[a-z-]+ ){{0,3}}{_HAS}s?"
        rf"(?P<x>(?: (?:called|named|from|with) [^,;:()]+)?)",
        "fact",
        "{noun}",
    ),
    _shape(
        rf"my (?:[a-z-]+ ){{0,2}}{_HAS}(?:'s name)? is (?:called |named )?(?P<x>[^,;:()]{{2,60}}?)", "fact", "{noun}"
    ),
    _shape(rf"I (?:have )?sold my {_HAS}(?P<x>)", "fact", "{noun}"),
    _shape(r"I drive (?:an?|my) (?P<x>[^,;:()]{2,60}?)", "fact", "car"),
    _shape(r"I play (?P<x>(?:the )?[a-z][^,;:()]{2,40}?)", "fact", "plays {x}"),
    _shape(
        rf"I am {_ADV}(?P<verb>learning|studying|training for|writing|building|restoring|researching|reading"
        rf"|renovating) {_THING}",
        "fact",
        "{verb} {x}",
    ),
    _shape(r"I use (?P<x>[^,;:()]{2,60}?) for (?P<noun>[^,;:()]{2,60}?)", "fact", "uses for {noun}"),
)
"""What somebody has, uses and works on."""

PROJECTS: tuple[Shape, ...] = (
    _shape(
        rf"(?:I|we) (?:have )?(?:finally )?(?:{_CHOSE}) (?P<x>[^;:()]{{2,80}}?) (?:for|as) (?P<noun>[^,;:()]{{2,60}}?)",
        "decision",
        "decision {noun}",
    ),
    _shape(
        rf"(?:I|we) (?:have )?(?:finally )?(?:{_CHOSE}|decided (?:to|against|not to|that)|agreed (?:to|that))"
        rf" (?P<x>[^;:()]{{3,120}}?)",
        "decision",
        "decision {x}",
    ),
    _shape(
        r"we use (?P<x>[^,;:()]{2,60}?) for (?P<noun>[^,;:()]{2,60}?)",
        "project_fact",
        "used for {noun}",
    ),
    _shape(
        rf"our (?P<noun>(?:[\w'-]+ ){{0,3}}[\w'-]+?) (?:is|are|runs on|run on|lives in|listens on)"
        rf" (?P<x>(?!(?:{_NO_VALUE}|slow|happy)\b)[^;:()]{{1,80}}?)",
        "project_fact",
        "{noun}",
    ),
)
"""What was decided, and how a project is."""

REST: tuple[Shape, ...] = (
    _shape(
        rf"my (?!(?:{_NOT_A_FACT})\b)(?P<noun>(?:[a-z][\w'-]* ){{0,3}}[a-z][\w'-]*?) (?:is|are)"
        rf" (?P<x>(?!(?:{_NO_VALUE})\b)[^;:()]{{1,80}}?)",
        "user_attribute",
        "{noun}",
    ),
)
"""Anything else that is theirs."""

SHAPES = (*PLANS, *PERSON, *LIKES, *OTHERS, *HAVINGS, *PROJECTS, *REST)
"""The shapes in the order in which they are tried; the first that fits reads the clause."""

_SHOWN = _any("""
    it this that these those them him her you your yours here there one ones same such what how when everything
    something anything nothing thing things stuff idea look sound way thought suggestion first second last former latter
    answer
""")
VAGUE = re.compile(rf"^(?:the )?(?:{_SHOWN})\b", re.IGNORECASE)
"""What a statement cannot be about, since only its conversation knows what is meant."""
