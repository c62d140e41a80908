"""Languages the analyser knows: the Snowball algorithm and the function words a query drops.

Negations are never function words. A word that is also a common name or noun (`may`, `must`, `like`) is none either:
dropping too little costs a little noise, dropping too much loses the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

from bethink.errors import InvalidInput
from bethink.text.irregular import BASES

CLEAR = 2
"""Function words that tell a language."""

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Language:
    """How one language is analysed.

    Args:
        stemmer: the Snowball algorithm; empty for none.
        function_words: case-folded words a query drops.
        elisions: what stands before an apostrophe and is not part of the word after it.
        addressing: words by which somebody is spoken to, and that are no other word too.
        saying: words that ask for what was said (`mention`, `told`): a query drops them too where it says more.
        irregular: the base of a form that the stemmer does not bring to it.
    """

    stemmer: str
    function_words: frozenset[str] = frozenset()
    elisions: frozenset[str] = frozenset()
    addressing: frozenset[str] = frozenset()
    saying: frozenset[str] = frozenset()
    irregular: Mapping[str, str] = field(default_factory=dict)


def words_of(text: str) -> frozenset[str]:
    """The words of a list written as text."""
    return frozenset(text.split())


_ENGLISH = words_of("""
    a an the this that these those
    i me my mine we us our ours you your yours he him his she her hers it its they them their theirs
    am is are was were be been being do does did have has had having will would shall should can could
    of to in on at by for with from as into about than and or but if so
    what when where who whom whose which why how many much there then also
    any some such please just very too because
    myself yourself himself herself itself ourselves yourselves themselves
""")
_GERMAN = words_of("""
    der die das den dem des ein eine einen einem einer eines dieser diese dieses
    ich mich mir mein meine du dich dir dein deine er ihn ihm sein seine sie ihr ihre es wir uns unser euch euer
    bin bist ist sind seid war waren wird werden wurde hat habe haben hatte kann soll und oder aber wenn ob dass als
    von vom zu zum zur in im ins an am auf aus bei mit nach für über um
    was wann wo wohin woher wer wen wem wessen welche welcher welches warum wieso wie viel viele auch bitte
""")
_SPANISH = words_of("""
    el la los las un una unos unas este esta estos estas ese esa esos esas lo al del
    yo me mi mis tú tu tus te él ella su sus se le les nosotros nos nuestro nuestra ellos ellas usted ustedes
    es son era fue ser está están estaba ha he han había hay de a en con por para sobre entre y e o u pero si que como
    qué cuándo dónde quién quiénes cuál cuáles cómo cuánto cuánta cuántos cuántas cuando donde quien cual también
""")
_FRENCH = words_of("""
    le la les un une des du de au aux ce cet cette ces l d je me moi mon ma mes tu te toi ton ta tes il elle on son sa
    ses se nous notre nos vous votre vos ils elles leur leurs suis es est sommes êtes sont était étaient sera être ai
    as a avons avez ont avait à en dans sur par pour avec chez et ou mais si que qui quoi quand où comment pourquoi
    quel quelle quels quelles lequel laquelle combien aussi y
""")
_PORTUGUESE = words_of("""
    o a os as um uma uns umas este esta estes estas esse essa isso isto do da dos das no na nos nas ao aos à às
    eu me meu minha meus minhas tu te teu tua você vocês ele ela seu sua seus suas se lhe eles elas
    é são era foi ser está estão estava tem têm tinha há de em com por para pelo pela sobre e ou mas se que como
    quando onde quem qual quais quanto quanta quantos quantas também
""")
_ITALIAN = words_of("""
    il lo la i gli le un uno una questo questa questi queste quel quella di a da in con su per tra fra
    del dello della dei degli delle al allo alla ai agli alle dal dalla nel nella nei nelle sul sulla
    io mi mio mia miei mie tu ti tuo tua lui lei suo sua suoi sue si ci noi nostro nostra vi voi loro
    è sono era erano fu essere ha ho hanno aveva e o ma se che chi cosa quando dove come perché quale quali quanto
    quanta quanti quante anche
""")
_DUTCH = words_of("""
    de het een deze dit die dat ik mij me mijn jij je jou jouw u uw hij hem zijn zij ze haar wij we ons onze jullie hun
    ben bent is was waren wordt worden werd heeft heb hebben had kan zal van naar in op aan bij met voor uit over om te
    en of maar als wat wanneer waar wie welke waarom hoe veel ook
""")
_RUSSIAN = words_of("""
    я меня мне мой моя моё мои ты тебя тебе твой твоя твои он его ему она её ей мы нас нам наш наша вы вас вам ваш ваша
    они их им это этот эта эти тот та те был была было были есть быть бы в во на с со к ко у о об от до из за по для при
    и а но или если что чтобы как когда где куда откуда кто кого кому чей чья какой какая какое какие почему зачем
    сколько ли же
""")  # noqa: RUF001 - other scripts are the subject
_SAYING = words_of("""
    say says said saying tell tells told telling talked talking mention mentions mentioned mentioning
    describe describes described describing discuss discusses discussed discussing
""")
_FRENCH_ELISIONS = words_of("l d j m t s n c qu lorsqu puisqu jusqu quoiqu")
_ITALIAN_ELISIONS = words_of("l un dell nell sull all dall quell quest c d m t s v")

_YOU = {
    "dutch": "jij je jou jouw jullie u uw",
    "english": "you your yours yourself yourselves",
    "french": "tu te toi ton ta tes tien tienne vous votre vos",
    "german": "du dich dir dein deine deinen deinem deiner deines euch euer eure",
    "italian": "tu ti te tuo tua tuoi tue voi vi vostro vostra vostri vostre",
    "portuguese": "tu te ti teu tua teus tuas você vocês",
    "russian": "ты тебя тебе тобой твой твоя твоё твои вы вас вам вами ваш ваша ваше ваши",
    "spanish": "tú tu tus te ti tuyo tuya usted ustedes vosotros vosotras vuestro vuestra",
}

LANGUAGES: Mapping[str, Language] = {
    "dutch": Language("dutch", _DUTCH, addressing=words_of(_YOU["dutch"])),
    "english": Language("english", _ENGLISH, addressing=words_of(_YOU["english"]), saying=_SAYING, irregular=BASES),
    "french": Language("french", _FRENCH, _FRENCH_ELISIONS, addressing=words_of(_YOU["french"])),
    "german": Language("german", _GERMAN, addressing=words_of(_YOU["german"])),
    "italian": Language("italian", _ITALIAN, _ITALIAN_ELISIONS, addressing=words_of(_YOU["italian"])),
    "none": Language(""),
    "portuguese": Language("portuguese", _PORTUGUESE, addressing=words_of(_YOU["portuguese"])),
    "russian": Language("russian", _RUSSIAN, addressing=words_of(_YOU["russian"])),
    "spanish": Language("spanish", _SPANISH, addressing=words_of(_YOU["spanish"])),
}
"""Every language by its setting's name; ``none`` stems nothing and drops nothing."""


def language_named(name: str) -> Language:
    """The language of that name.

    Raises:
        InvalidInput: no such language.
    """
    try:
        return LANGUAGES[name]
    except KeyError:
        msg = f"There is no language {name[:40]!r}."
        raise InvalidInput(msg, remedy=f"Use one of {', '.join(LANGUAGES)}.") from None


def spoken_in(text: str) -> str:
    """The language a text is clearly in, by its function words; empty where it is none of those known, or not clear.

    Clear is at least two of its own, and more than any other language has.
    """
    words = _WORD.findall(unicodedata.normalize("NFC", text).casefold())
    counted = sorted(
        ((sum(word in language.function_words for word in words), name) for name, language in LANGUAGES.items()),
        reverse=True,
    )
    (most, name), (second, _) = counted[:2]
    return name if most >= CLEAR and most > second else ""
