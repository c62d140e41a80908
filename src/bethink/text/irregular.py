"""English words whose forms no rule of endings brings together: `went` is a form of `go`, `children` of `child`.

The stemmer strips endings, so a question in the base form ("What did she buy?") would miss the answer in the past
("I bought ..."). The list is that of the grammar books: irregular verbs and plurals in use today, without those that
keep their stem. A form that is another word or a name as often (the `rose`, on the `left`, `Drew`) is starred, and is
no form where words are searched.
"""

from __future__ import annotations

from collections.abc import Mapping

_VERBS = """
    arise arose arisen; awake awoke awoken; bear bore* borne; beat beat beaten; become became; begin began begun;
    bend bent; bind bound*; bite bit* bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring
    brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep
    crept; deal dealt; dig dug; dive dove*; draw drew* drawn; dream dreamt; drink drank drunk; drive drove driven;
    eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung; fly flew
    flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got
    gotten; give gave given; go went gone; grind ground*; grow grew grown; hang hung; hear heard; hide hid hidden;
    hold held; keep kept; kneel knelt; know knew known; lay laid; lead led*; lean leant; leap leapt; learn learnt;
    leave left*; lend lent*; lie lay* lain; light lit; lose lost; make made; mean meant; meet met; mistake mistook
    mistaken; overcome overcame; oversee oversaw overseen; overtake overtook overtaken; pay paid; prove proved
    proven; rebuild rebuilt; redo redid redone; retell retold; rewrite rewrote rewritten; ride rode ridden; ring
    rang rung; rise rose* risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; sew sewed sewn;
    shake shook shaken; shine shone; shoot shot*; show showed shown; shrink shrank shrunk; sing sang sung; sink sank
    sunk; sit sat; sleep slept; slide slid; smell smelt; sow sowed sown; speak spoke spoken; spell spelt; spend
    spent; spill spilt; spin spun; spit spat; spring sprang sprung; stand stood; steal stole stolen; stick stuck;
    sting stung; stink stank stunk; stride strode; strike struck; strive strove striven; swear swore sworn; sweep
    swept; swell swelled swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell
    told; think thought*; throw threw thrown; undergo underwent undergone; understand understood; undertake undertook
    undertaken; undo undid undone; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind
    wound*; withdraw withdrew withdrawn; withstand withstood; wring wrung; write wrote written
"""
"""The base, its past, its participle where that is another."""

_UNCHANGED = "cut hit hurt put quit read set"
"""Verbs in daily use whose past is their base."""

_AUXILIARY = "was were been had did"

_PLURALS = """
    calf calves; child children; foot feet; goose geese; half halves; knife knives; loaf loaves; man men; mouse mice;
    ox oxen; scarf scarves; shelf shelves; thief thieves; tooth teeth; wife wives; wolf wolves; woman women
"""


def _rows(table: str) -> list[list[str]]:
    """The rows of a table: a base, then its forms."""
    return [row.split() for row in table.split(";")]


BASES: Mapping[str, str] = {
    form: base for base, *forms in _rows(f"{_VERBS};{_PLURALS}") for form in forms if form[-1] != "*" and form != base
}
"""The base of each irregular form."""

PAST = frozenset({past.rstrip("*") for _, past, *_ in _rows(_VERBS)} | {*_UNCHANGED.split(), *_AUXILIARY.split()})
"""What a verb is in the past, where that does not end in ``ed``."""
