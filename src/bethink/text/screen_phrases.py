"""Phrases the screen listens for: concepts of more than one word, as patterns tried where their first word stands."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bethink.text.screen_words import Concept, spellings, without_accents


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A concept, the words it can begin with, and its pattern from the first of these words on."""

    concept: Concept
    starters: str
    pattern: str


_LIMITS = (
    "(?:restrictions?|limits?|limitations?|filters?|rules|guidelines|guardrails|safeguards|censorship|constraints"
    "|boundaries|ethics|morals|content polic|regeln|richtlinien|einschränkungen|limites|filtro|filtros|restricciones"
    "|reglas|restrizioni|regole|restrições|regras)"
)
_OBJECT = r"(?:all |any |the |your |its |no |ethical |moral |safety |content |usage |usual )"
_LATER = (
    "(?:responses?|repl(?:y|ies)|answers?|summar(?:y|ies)|outputs?|messages?|reports?|turns?|conversations?|sessions?|tasks?"
    "|emails?)"
)
_REPLYING = r"(?:respond|repl|answer|continu|proceed|summar|return)\w{0,8}"

PHRASES: tuple[_Phrase, ...] = (
    _Phrase(
        Concept.UNBOUND,
        (
            "without no free bound exempt lift remove ohne keine sans aucune sin senza sem nessuna developer dan "
            "god jailbreak sudo"
        ),
        (
            "(?:developer|dan|god|jailbreak|sudo|unrestricted) mode"
            "|(?:without|no|free of|free from|bound by no|exempt from|lift|remove|ohne|keine|sans|aucune|sin"
            rf"|senza|sem|nessuna) {_OBJECT}{{0,3}}{_LIMITS}"
        ),
    ),
    _Phrase(
        Concept.ROLE,
        "you you're from as du vous tu eres ahora ora sei você теперь estás",
        (
            "you(?:'re| are) (?:now|no longer|going to|actually|an? ai)|you will (?:now )?(?:act|be)"
            "|from now on,? you|as if you|du bist (?:jetzt|nun|ab)|(?:vous êtes|tu es) (?:maintenant|désormais)"
            "|eres ahora|ahora (?:eres|estás)|estás en modo|ora sei|sei ora|você agora|теперь ты"
        ),
    ),
    _Phrase(
        Concept.UNASKED,
        "without don't do never no need needs requires auto ohne sin sans senza sem без",
        (
            r"without (?:asking|confirm\w*|approval|permission|review|prompting|checking|verif\w*|telling"
            "|notifying|consent)"
            "|(?:don't|do not|never|no need to) (?:ask|confirm|prompt|check|verify|wait)"
            "|no (?:confirmation|approval|questions)|auto-?approve"
            r"|never needs? (?:an? |any )?(?:\w+ )?(?:approval|confirmation)"
            r"|(?:needs?|requires?) no (?:\w+ )?(?:approval|confirmation|permission)"
            "|ohne (?:rückfrage|nachfrage|zu fragen|bestätigung)|без подтвержден"
            r"|sin (?:preguntar|confirma\w*|permiso)|sans (?:demander|confirm\w*)|senza (?:chiedere|conferma)"
            r"|sem (?:perguntar|confirma\w*)"
        ),
    ),
    _Phrase(
        Concept.INNER,
        (
            "system hidden initial original internal developer base full secret confidential your prompt "
            "instructions exact interne internen geheime geheimen deine systemprompt systemanweisungen "
            "systemnachricht consignes instrucciones tus istruzioni tue words text everything"
        ),
        (
            r"(?:system|hidden|initial|original|internal|developer|base|full|secret|confidential)[ \-](?:prompt"
            "|instructions?|message|rules|configuration|directives?|guidelines)"
            r"|your (?:\w{1,12} )?(?:instructions|prompt|guidelines|configuration|rules|directives)"
            "|instructions (?:that )?(?:you|you've) (?:were|have been|are|got|received)"
            r"|(?:words|text|everything) (?:above|before this)|system(?:prompt|anweisung|nachricht)\w*"
            "|(?:internen?|geheimen?|deine) (?:anweisungen|richtlinien|instruktionen)"
            "|prompt (?:système|du système|del sistema|di sistema|do sistema)"
            "|(?:instructions|consignes) (?:système|internes|cachées|initiales)"
            "|(?:tus )?instrucciones (?:del sistema|internas|ocultas|iniciales)"
            "|(?:tue )?istruzioni (?:di sistema|interne|nascoste|iniziali)"
        ),
    ),
    _Phrase(
        Concept.AUTHORITY,
        (
            "system highest top absolute takes take has have supersedes supersede overrides override root admin "
            "administrator developer trusted binding official"
        ),
        (
            r"system[ \-](?:policy|instructions?|prompt|message|rule|level|directives?)"
            "|(?:highest|top|absolute) priority|(?:takes?|has|have) (?:precedence|priority) over"
            "|supersedes? (?:all|any|every|your|the|previous|prior)"
            "|overrides? (?:all|any|every|your|previous|prior)|root authority"
            "|admin(?:istrator)? (?:override|instructions?|command)|developer (?:message|instructions?)"
            "|trusted (?:instructions?|policy)|binding (?:policy|instructions?)|official policy"
        ),
    ),
    _Phrase(
        Concept.AS_TRUSTED,
        "as als comme como come",
        (
            "(?:as|als|comme|como|come) (?:an? |the |our |your |eine |une |un |una )?(?:most )?(?:trusted"
            "|authoritative|reliable|official|preferred|verified|vertrauenswürdige|fiable|confiable"
            "|attendibile|fidata)"
        ),
    ),
    _Phrase(
        Concept.SECRECY,
        "do don't never without sag sage erwähne ne no non",
        (
            "(?:do not|don't|never|without) (?:tell|mention|inform|notify|alert|reveal"
            r"|disclos)\w{0,4}[^.\n]{0,24}?(?:user|anyone|human|owner|customer)"
            "|(?:sage?|erwähne) (?:es )?dem nutzer nicht|ne (?:dis|dites) (?:rien|pas) à l'utilisateur"
            "|no (?:le )?digas al usuario|non dire all'utente"
        ),
    ),
    _Phrase(
        Concept.SINK,
        "https http www attacker webhook webhooks external externally remote externe externa esterno",
        (
            r"https?://|www\.|attacker|webhooks?|external(?:ly| (?:server|site|address|endpoint|url))"
            "|remote server|(?:adresse|server) externe|dirección externa|indirizzo esterno"
        ),
    ),
    _Phrase(
        Concept.SYSTEM_LINE,
        "system developer admin administrator systemhinweis systemmeldung note nota hinweis",
        (
            r"(?<![a-z0-9,;)] )(?<![a-z0-9_.\-'\"])(?:(?:system|developer|admin(?:istrator)?)(?: (?:message"
            "|prompt|instruction|note|override|update|notice|alert))?|system(?:hinweis|meldung)|note (?:du"
            r" )?système|nota del? sistema|nota di sistema) ?[\])*]{0,4} ?[:\]>]"
        ),
    ),
    _Phrase(
        Concept.PRIVATE,
        (
            "api system customer customers client user users personal private order contact internal données "
            "datos dati internen kundendaten access"
        ),
        (
            r"api[ \-_]keys?|access tokens?|private keys?|system prompt"
            "|(?:customers?|clients?|users?'?s?|personal|private|order|contact|internal) (?:data|database"
            "|records|information|list|details)"
            "|données (?:clients?|personnelles)|datos (?:de (?:los )?clientes|personales|internos)"
            "|dati (?:dei )?(?:clienti|personali|interni)|internen daten|kundendaten"
        ),
    ),
    _Phrase(
        Concept.CREDENTIAL_FILE,
        "id ssh aws openai anthropic etc github",
        (
            r"id_(?:rsa|ed25519)(?!\.pub)|ssh/id|aws/credentials"
            "|(?:openai|anthropic|aws|github)_[a-z_]{2,30}(?:key|token)|etc/(?:shadow|passwd)"
        ),
    ),
    _Phrase(
        Concept.DISMISS,
        "ignore disregard ignoriere ignorez ignora",
        "(?:ignore|disregard) (?:the |your )?(?:user|users|operator|human)",
    ),
    _Phrase(
        Concept.DISMISS,
        "set put leave pay",
        "(?:set|put|leave) aside|pay (?:no|little) attention to",
    ),
    _Phrase(
        Concept.VOID,
        "no do does don't are is have been ne non nicht",
        (
            "(?:no longer|do not|does not|don't) apply"
            "|(?:are|is|have been|been) (?:now )?(?:disabled|deactivated|lifted|removed|waived|switched off)"
            "|ne s'appliquent (?:pas|plus)|no (?:se )?aplican|non (?:si applicano|valgono)"
            "|nicht (?:mehr )?(?:gelten|greifen)"
        ),
    ),
    _Phrase(
        Concept.SAFETY_OFF,
        "disable turn switch deactivate bypass circumvent skip",
        (
            "(?:disable|turn off|switch off|deactivate|bypass|circumvent|skip) (?:all |any |your |the |its "
            "|every ){0,2}(?:safety|security|content|ethical|moderation|guardrails?|safeguards?|alignment"
            "|confirmation)(?![a-z])"
        ),
    ),
    _Phrase(
        Concept.DIRECTIVE,
        "linee lignes",
        "linee guida|lignes directrices",
    ),
    _Phrase(
        Concept.DECODE,
        ("base base64 rot rot13 hex hexadecimal decode decipher decrypt dekodiere décode decodifica binary morse"),
        (
            "base ?(?:64|32|85)|rot ?13|hex(?:adecimal)? (?:string|encoded)"
            r"|(?:binary|morse)[ \-]?(?:encoded|code)|decode (?:it|this|the|them)|decipher|decrypt|dekodiere"
            "|décode|decodifica"
        ),
    ),
    _Phrase(
        Concept.FOLLOW,
        "do carry execute run act",
        (
            "do (?:exactly |precisely )?(?:what|as) (?:it|they|the)|carry (?:it |them )?out"
            "|(?:execute|run) (?:it|them|the result)|act on it"
        ),
    ),
    _Phrase(
        Concept.LATER_OUTPUT,
        "future subsequent later next every any each all from across",
        (
            rf"(?:future|subsequent|later) {_LATER}"
            rf"|(?:every|any|each|all) (?:future |subsequent |following )?{_LATER} (?:you|from now on)"
            "|across (?:all )?(?:turns|sessions|conversations)"
        ),
    ),
    _Phrase(
        Concept.OWN_MEMORY,
        "save store write add commit persist record",
        (
            r"(?:save|store|write|add|commit|persist|record)[^.\n]{0,48}?(?:to|in|into) (?:your (?:long-term "
            "|persistent )?|(?:long-term|persistent) )(?:memory|memories)"
        ),
    ),
    _Phrase(
        Concept.EVERYTHING_HELD,
        "access full admin administrator root superuser unrestricted",
        (
            r"access to (?:all|every|any) (?:\w+ )?(?:memories|tenants?|scopes?|records?|conversations?|users?"
            "|accounts?|data)"
            "|unrestricted access"
        ),
    ),
    _Phrase(
        Concept.MACHINE,
        ("note notes message instruction instructions attention notice reminder memo important for if dear ai llm"),
        (
            "(?:notes?|message|instructions?|attention|notice|reminder|memo|important|dear)(?: to| for|,)?"
            " (?:all |any |the |future |every )?(?:ai|llms?|bots?|(?:ai |language )?(?:coding )?(?:assistants?"
            "|agents?|models?)|chatbots?)(?![a-z])"
            "|for (?:ai|llm)(?: coding)? (?:agents?|assistants?)"
            "|if you(?:'re| are) an? (?:ai|llm|assistant|language model|agent|bot)(?![a-z])"
            "|(?:ai|llm) (?:assistants?|agents?|models?) (?:reading|processing|reviewing|parsing)"
        ),
    ),
    _Phrase(
        Concept.TOOL_CALL,
        "call invoke use run trigger execute",
        (
            r"(?:call|invoke|use|run|trigger|execute) (?:the )?(?:tool |function )?[`'\"]?(?:delete|send|http"
            "|transfer|remove|drop|exec|execute|pay|email|upload|write|purge|wire|refund|purchase|grant|shell"
            r"|run)_\w{2,30}"
        ),
    ),
    _Phrase(
        Concept.BEFORE_REPLY,
        "before",
        rf"before (?:you )?{_REPLYING}",
    ),
)
"""Every phrase. Accents and umlauts are spelled out as `screen_words` does."""

ADDRESS = re.compile(r"(?<=[a-z0-9._%+\-])@[a-z0-9\-]{1,60}\.[a-z]{2}")
"""An e-mail address, by its second half: a `Concept.SINK`."""


def phrase_table() -> dict[str, tuple[tuple[int, re.Pattern[str]], ...]]:
    """For each word that may begin a phrase, the concepts and patterns to try there."""
    table: dict[str, tuple[tuple[int, re.Pattern[str]], ...]] = {}
    for phrase in PHRASES:
        compiled = re.compile(without_accents(re.sub("([äöü])", r"\1e?", phrase.pattern)))
        for word in spellings(phrase.starters):
            table[word] = (*table.get(word, ()), (int(phrase.concept), compiled))
    return table
