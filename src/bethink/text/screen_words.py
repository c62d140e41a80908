"""The words the screen listens for: concepts, each with its words in eleven languages, and phrases as patterns.

A word ending in ``*`` stands for every word that begins so. The list holds everyday verbs and nouns of command, not the wording
of known attacks. Accents may be written; they are folded away as `views.fold` folds them.
"""

from __future__ import annotations

import re
import unicodedata
from enum import IntFlag, auto


class Concept(IntFlag):
    """What a word or phrase can mean to a rule."""

    DISMISS = auto()
    PRIOR = auto()
    DIRECTIVE = auto()
    VOID = auto()
    SAFETY = auto()
    SAFETY_OFF = auto()
    EVERYTHING = auto()
    ABOVE = auto()
    NEGATION = auto()
    FOLLOW = auto()
    ROLE = auto()
    UNBOUND = auto()
    ANSWER = auto()
    SEND = auto()
    PRIVATE = auto()
    CREDENTIAL_FILE = auto()
    SINK = auto()
    WHEN = auto()
    USER = auto()
    SAYS = auto()
    RUN = auto()
    OPEN = auto()
    UNASKED = auto()
    RISKY = auto()
    STANDING = auto()
    REMEMBER = auto()
    COPY = auto()
    THIS = auto()
    EVERY = auto()
    OUTPUT = auto()
    LATER_OUTPUT = auto()
    OWN_MEMORY = auto()
    REVEAL = auto()
    INNER = auto()
    TREAT = auto()
    AUTHORITY = auto()
    AS_TRUSTED = auto()
    RECOMMEND = auto()
    FIRST = auto()
    ASKED = auto()
    POLICY = auto()
    CHANGED = auto()
    PERMIT = auto()
    GRANT = auto()
    EVERYTHING_HELD = auto()
    INSTEAD = auto()
    MONEY = auto()
    MACHINE = auto()
    SECRECY = auto()
    SYSTEM_LINE = auto()
    MUST = auto()
    DECODE = auto()
    TOOL_CALL = auto()
    BEFORE_REPLY = auto()


_C = Concept

WORDS: dict[Concept, str] = {
    _C.DISMISS: """
        ignore ignoring disregard override bypass discard forget neglect dismiss
        ignorier* missacht* vergiss vergesst vergessen umgehe umgehen ignorez ignorer oublie oubliez oublier négligez
        ignora ignorad ignoren olvida olvide olviden olvidar descarta desestima omite dimentica dimenticate scarta trascura
        ignorare ignorate esqueça esquece desconsidere desconsidera negeer vergeet
        игнорир* проигнорир* забудь забудьте zignoruj ignoruj zapomnij yoksay تجاهل انس
    """,
    _C.PRIOR: """
        previous prior earlier preceding above foregoing former existing original initial old all any every your current system
        vorherig* bisherig* obig* vorig* früher* alle allen deine ihre
        précédent* antérieur* toutes tous vos tes anterior* previ* todas todos tus sus tutte tutti tue tuoi suas seus
        vorige eerdere bovenstaande jouw предыдущ* прежн* все ваши твои poprzedni* wszystkie önceki السابقة
    """,
    _C.DIRECTIVE: """
        instruct* instrucc* instruz* instruç* directive* direction directions guideline* rule rules prompt prompts policy policies
        constraint* restriction* safeguard* guardrail* programming training orders command commands protocol*
        anweisung* regel regeln vorgabe* richtlinie* sicherheitsrichtlinie* befehl* systemprompt consigne* règles reglas directrices
        indicaciones órdenes istruzion* istruzioni regole direttive indicazioni regras diretrizes orientações opdracht* aanwijzing*
        инструкци* указани* правил* instrukcj* polecen* talimat* التعليمات
    """,
    _C.VOID: "void cancelled canceled obsolete invalid superseded revoked null suspended lifted ungültig anulad* annulé*",
    _C.SAFETY: "safety security content ethical moderation sicherheit* sécurité seguridad sicurezza segurança veiligheid*",
    _C.EVERYTHING: "everything anything all alles tout todo tutto tudo всё все",
    _C.ABOVE: """
        above before previously prior earlier told said learned taught know
        zuvor vorher oben gesagt besprochen avant précède anterior antes dicho prima detto disse eerder ранее выше
    """,
    _C.NEGATION: "not never don't dont doesn't cannot can't nicht niemals nie jamais pas nunca non não niet nooit не никогда no",
    _C.FOLLOW: "follow obey adhere comply heed respect befolge befolgen beachte suivez sigas siga seguire volg",
    _C.ROLE: """
        act acting operate operating pretend roleplay simulate become behave imagine persona character
        verhalte spiele agis comporte* actúa finge compórt* comportati fingi aja finja gedraag веди притворись
    """,
    _C.UNBOUND: """
        unrestricted unfiltered uncensored jailbroken jailbreak lawless amoral unethical dan uneingeschränkt* unzensiert*
    """,
    _C.ANSWER: """
        respond answer comply output proceed reply antworte antworten réponds répondez répondre responde responder rispondi rispondere
        responda antwoord отвечай
    """,
    _C.SEND: """
        send sends sending forward forwards upload transmit email mail leak exfiltrate deliver submit share copy bcc cc export
        sende senden schick* leite weiterleiten übermittl* envoie envoyez envoyer transmets transmettez
        envía enviar envíe envíen reenvía manda mandar invia inviare inoltra mandare stuur verstuur doorsturen
        отправ* перешл* пошли wyślij gönder ارسل أرسل
    """,
    _C.PRIVATE: """
        conversation conversations chat chats history transcript* password* credential* secret secrets memory memories confidential
        passport ssn verlauf gespräch* passwort* passwört* zugangsdaten historique conversación historial contraseña*
        conversazione cronologia conversa histórico senha* gesprek geschiedenis wachtwoord* переписк* истори* парол*
    """,
    _C.WHEN: "when whenever if once wenn sobald falls quand lorsque si cuando se quando als wanneer zodra когда если",
    _C.USER: """
        user users user's customer someone anyone nutzer* benutzer* kunde utilisateur client usuari* cliente utente gebruiker*
        пользовател*
    """,
    _C.ASKED: """
        ask asks asked asking question questions query queries searches requests inquir* fragt frage* demande* question pregunta*
        pide domanda* chiede pergunta* vraagt vraag* спрос* вопрос*
    """,
    _C.SAYS: "says say types replies answers responds confirms thanks agrees sagt antwortet dit répond dice diz zegt",
    _C.RUN: "save store run execute invoke speichere guarda salva führe ejecuta esegui",
    _C.REMEMBER: "remember memorize memorise note merke recuerda ricorda souviens onthoud lembre запомни",
    _C.OPEN: "open visit fetch navigate browse load call click öffne ouvre abre apri открой",
    _C.RISKY: """
        delete deletes transfer transfers pay pays payment payments wire purchase buy execute run deploy push merge approve approves
        install disable grant refund refunds drop wipe erase withdraw sign sudo release
        lösche überweise bezahle supprime paie transfiere paga elimina trasferisci cancella pague exclua
    """,
    _C.STANDING: """
        always whenever automatically every any all future assistant agent ai you immer künftig toujours siempre sempre altijd всегда
    """,
    _C.COPY: """
        copy repeat include append insert propagate embed reproduce carry replicate paste prepend add appear included appended
        kopiere copie copia füge angehängt anhängen ajouté ajoutez añade añadir añadirse aggiunto aggiungi adicione
    """,
    _C.THIS: "this these itself following diese* folgende* cette ces este esta questo questa dit deze это",
    _C.EVERY: "every each all future any subsequent jede* alle chaque toute toutes cada cualquier todas ogni tutte iedere elke каждый",
    _C.OUTPUT: """
        summary summaries response responses reply replies answer answers output outputs email emails message messages memory memories
        note notes report reports document documents review footer
        antwort* zusammenfassung* réponse* respuesta* risposta risposte resumen* resposta*
    """,
    _C.REVEAL: """
        reveal show print repeat output display tell give leak dump disclose expose recite quote summarize translate write list
        printing revealing
        zeig* gib verrat* nenn* wiederhol* drucke montre* affiche* révèle* donne* dis répète* muestra* revela* dime imprime repite
        mostra* rivela* dimmi ripeti stampa mostre revele diga repita toon geef herhaal покажи* раскрой выведи повтори
    """,
    _C.TREAT: "treat consider regard accept interpret handle store promote elevate classify behandle traite trata considera",
    _C.RECOMMEND: "recommend suggest promote prefer cite endorse favor favour rank empfiehl empfehle recommande recomienda consiglia",
    _C.FIRST: "first always exclusively only top foremost zuerst immer toujours premier primero siempre prima sempre",
    _C.POLICY: "policy policies guideline* procedure procedures norm norms rule rules richtlinie* politique política",
    _C.CHANGED: "now new updated effective henceforth longer revised immediately ab neu désormais ahora nuova nueva",
    _C.PERMIT: "allow allows allowed permit permits permitted permission authoris* authoriz* approved granted exempt waived requires",
    _C.GRANT: "grant grants granted give gives gave assign assigned elevate elevated promote",
    _C.INSTEAD: "instead rather anstatt stattdessen plutôt invece lugar",
    _C.MONEY: "payment payments invoice invoices transfer transfers refund refunds payroll wallet iban deposit money",
    _C.MUST: """
        must you your always never shall muss musst müssen doit devez debe debes deve devi dever moet должен must
    """,
}
"""The words of each concept. A word may carry several."""

_LIMITS = (
    r"(?:restrictions?|limits?|limitations?|filters?|rules|guidelines|guardrails|safeguards|censorship|constraints|boundaries"
    r"|ethics|morals|content polic|regeln|richtlinien|einschränkungen|limites|filtro|filtros|restricciones|reglas|restrizioni"
    r"|regole|restrições|regras)"
)
_OBJECT = r"(?:all |any |the |your |its |no |ethical |moral |safety |content |usage |usual )"
_LATER = (
    r"(?:responses?|repl(?:y|ies)|answers?|summar(?:y|ies)|outputs?|messages?|reports?|turns?|conversations?|sessions?|tasks?|emails?)"
)
_REPLYING = r"(?:respond|repl|answer|continu|proceed|summar|return)\w{0,8}"

PHRASES: tuple[tuple[Concept, str, str], ...] = (
    (_C.UNBOUND, "without no free bound exempt lift remove ohne keine sans aucune sin senza sem nessuna developer dan god jailbreak sudo",
     rf"(?:developer|dan|god|jailbreak|sudo|unrestricted) mode|(?:without|no|free of|free from|bound by no|exempt from|lift|remove|ohne|keine|sans|aucune|sin|senza|sem|nessuna) {_OBJECT}{{0,3}}{_LIMITS}"),
    (_C.ROLE, "you you're from as du vous tu eres ahora ora sei você теперь estás",
     r"you(?:'re| are) (?:now|no longer|going to|actually|an? ai)|you will (?:now )?(?:act|be)|from now on,? you|as if you"
     r"|du bist (?:jetzt|nun|ab)|(?:vous êtes|tu es) (?:maintenant|désormais)|eres ahora|ahora (?:eres|estás)|estás en modo"
     r"|ora sei|sei ora|você agora|теперь ты"),
    (_C.UNASKED, "without don't do never no need needs requires auto ohne sin sans senza sem без",
     r"without (?:asking|confirm\w*|approval|permission|review|prompting|checking|verif\w*|telling|notifying|consent)"
     r"|(?:don't|do not|never|no need to) (?:ask|confirm|prompt|check|verify|wait)|no (?:confirmation|approval|questions)"
     r"|auto-?approve|never needs? (?:an? |any )?(?:\w+ )?(?:approval|confirmation)"
     r"|(?:needs?|requires?) no (?:\w+ )?(?:approval|confirmation|permission)"
     r"|ohne (?:rückfrage|nachfrage|zu fragen|bestätigung)|без подтвержден"
     r"|sin (?:preguntar|confirma\w*|permiso)|sans (?:demander|confirm\w*)|senza (?:chiedere|conferma)|sem (?:perguntar|confirma\w*)"),
    (_C.INNER,
     "system hidden initial original internal developer base full secret confidential your prompt instructions exact interne internen "
     "geheime geheimen deine systemprompt systemanweisungen systemnachricht consignes instrucciones tus istruzioni tue words text everything",
     r"(?:system|hidden|initial|original|internal|developer|base|full|secret|confidential)[ \-](?:prompt|instructions?|message|rules"
     r"|configuration|directives?|guidelines)|your (?:\w{1,12} )?(?:instructions|prompt|guidelines|configuration|rules|directives)"
     r"|instructions (?:that )?(?:you|you've) (?:were|have been|are|got|received)|(?:words|text|everything) (?:above|before this)"
     r"|system(?:prompt|anweisung|nachricht)\w*|(?:internen?|geheimen?|deine) (?:anweisungen|richtlinien|instruktionen)"
     r"|prompt (?:système|du système|del sistema|di sistema|do sistema)|(?:instructions|consignes) (?:système|internes|cachées|initiales)"
     r"|(?:tus )?instrucciones (?:del sistema|internas|ocultas|iniciales)|(?:tue )?istruzioni (?:di sistema|interne|nascoste|iniziali)"),
    (_C.AUTHORITY, "system highest top absolute takes take has have supersedes supersede overrides override root admin administrator developer "
     "trusted binding official",
     r"system[ \-](?:policy|instructions?|prompt|message|rule|level|directives?)|(?:highest|top|absolute) priority"
     r"|(?:takes?|has|have) (?:precedence|priority) over|supersedes? (?:all|any|every|your|the|previous|prior)"
     r"|overrides? (?:all|any|every|your|previous|prior)|root authority|admin(?:istrator)? (?:override|instructions?|command)"
     r"|developer (?:message|instructions?)|trusted (?:instructions?|policy)|binding (?:policy|instructions?)|official policy"),
    (_C.AS_TRUSTED, "as als comme como come",
     r"(?:as|als|comme|como|come) (?:an? |the |our |your |eine |une |un |una )?(?:most )?(?:trusted|authoritative|reliable|official|preferred"
     r"|verified|vertrauenswürdige|fiable|confiable|attendibile|fidata)"),
    (_C.SECRECY, "do don't never without sag sage erwähne ne no non",
     r"(?:do not|don't|never|without) (?:tell|mention|inform|notify|alert|reveal|disclos)\w{0,4}[^.\n]{0,24}?(?:user|anyone|human|owner"
     r"|customer)|(?:sage?|erwähne) (?:es )?dem nutzer nicht|ne (?:dis|dites) (?:rien|pas) à l'utilisateur|no (?:le )?digas al usuario"
     r"|non dire all'utente"),
    (_C.SINK, "https http www attacker webhook webhooks external externally remote externe externa esterno",
     r"https?://|www\.|attacker|webhooks?|external(?:ly| (?:server|site|address|endpoint|url))|remote server"
     r"|(?:adresse|server) externe|dirección externa|indirizzo esterno"),
    (_C.SYSTEM_LINE, "system developer admin administrator systemhinweis systemmeldung note nota hinweis",
     r"(?<![a-z0-9,;)] )(?<![a-z0-9_.\-'\"])(?:(?:system|developer|admin(?:istrator)?)(?: (?:message|prompt|instruction|note|override|update|notice"
     r"|alert))?|system(?:hinweis|meldung)|note (?:du )?système|nota del? sistema|nota di sistema) ?[\])*]{0,4} ?[:\]>]"),
    (_C.PRIVATE, "api system customer customers client user users personal private order contact internal données datos dati internen kundendaten "
     "access",
     r"api[ \-_]keys?|access tokens?|private keys?|system prompt|(?:customers?|clients?|users?'?s?|personal|private|order|contact|internal)"
     r" (?:data|database|records|information|list|details)|données (?:clients?|personnelles)|datos (?:de (?:los )?clientes|personales|internos)"
     r"|dati (?:dei )?(?:clienti|personali|interni)|internen daten|kundendaten"),
    (_C.CREDENTIAL_FILE, "id ssh aws openai anthropic etc github",
     r"id_(?:rsa|ed25519)(?!\.pub)|ssh/id|aws/credentials|(?:openai|anthropic|aws|github)_[a-z_]{2,30}(?:key|token)|etc/(?:shadow|passwd)"),
    (_C.DISMISS, "ignore disregard ignoriere ignorez ignora", r"(?:ignore|disregard) (?:the |your )?(?:user|users|operator|human)"),
    (_C.VOID, "no do does don't are is have been ne non nicht",
     r"(?:no longer|do not|does not|don't) apply|(?:are|is|have been|been) (?:now )?(?:disabled|deactivated|lifted|removed|waived|switched off)"
     r"|ne s'appliquent (?:pas|plus)|no (?:se )?aplican|non (?:si applicano|valgono)|nicht (?:mehr )?(?:gelten|greifen)"),
    (_C.SAFETY_OFF, "disable turn switch deactivate bypass circumvent skip",
     r"(?:disable|turn off|switch off|deactivate|bypass|circumvent|skip) (?:all |any |your |the |its |every ){0,2}(?:safety|security|content"
     r"|ethical|moderation|guardrails?|safeguards?|alignment|confirmation)(?![a-z])"),
    (_C.DIRECTIVE, "linee lignes", r"linee guida|lignes directrices"),
    (_C.DECODE, "base base64 rot rot13 hex hexadecimal decode decipher decrypt dekodiere décode decodifica binary morse",
     r"base ?(?:64|32|85)|rot ?13|hex(?:adecimal)? (?:string|encoded)|(?:binary|morse)[ \-]?(?:encoded|code)|decode (?:it|this|the|them)"
     r"|decipher|decrypt|dekodiere|décode|decodifica"),
    (_C.FOLLOW, "do carry execute run act",
     r"do (?:exactly |precisely )?(?:what|as) (?:it|they|the)|carry (?:it |them )?out|(?:execute|run) (?:it|them|the result)|act on it"),
    (_C.LATER_OUTPUT, "future subsequent later next every any each all from across",
     rf"(?:future|subsequent|later) {_LATER}|(?:every|any|each|all) (?:future |subsequent |following )?{_LATER} (?:you|from now on)"
     r"|across (?:all )?(?:turns|sessions|conversations)"),
    (_C.OWN_MEMORY, "save store write add commit persist record",
     r"(?:save|store|write|add|commit|persist|record)[^.\n]{0,48}?(?:to|in|into) (?:your (?:long-term |persistent )?|(?:long-term|persistent) )"
     r"(?:memory|memories)"),
    (_C.EVERYTHING_HELD, "access full admin administrator root superuser unrestricted",
     r"access to (?:all|every|any) (?:\w+ )?(?:memories|tenants?|scopes?|records?|conversations?|users?|accounts?|data)|unrestricted access"),
    (_C.MACHINE, "note notes message instruction instructions attention notice reminder memo important for if dear ai llm",
     r"(?:notes?|message|instructions?|attention|notice|reminder|memo|important|dear)(?: to| for|,)? (?:all |any |the |future |every )?"
     r"(?:ai|llms?|bots?|(?:ai |language )?(?:coding )?(?:assistants?|agents?|models?)|chatbots?)(?![a-z])"
     r"|for (?:ai|llm)(?: coding)? (?:agents?|assistants?)|if you(?:'re| are) an? (?:ai|llm|assistant|language model|agent|bot)(?![a-z])"
     r"|(?:ai|llm) (?:assistants?|agents?|models?) (?:reading|processing|reviewing|parsing)"),
    (_C.TOOL_CALL, "call invoke use run trigger execute",
     r"(?:call|invoke|use|run|trigger|execute) (?:the )?(?:tool |function )?[`'\"]?(?:delete|send|http|transfer|remove|drop|exec|execute|pay|email"
     r"|upload|write|purge|wire|refund|purchase|grant|shell|run)_\w{2,30}"),
    (_C.BEFORE_REPLY, "before", rf"before (?:you )?{_REPLYING}"),
)
"""Concepts that need more than one word: concept, the words it can begin with, pattern."""

ADDRESS = re.compile(r"(?<=[a-z0-9._%+\-])@[a-z0-9\-]{1,60}\.[a-z]{2}")
"""An e-mail address, by its second half: a `Concept.SINK`."""


def without_accents(text: str) -> str:
    """The text with the accents of Latin letters gone, as views have it."""
    apart = re.sub("([A-Za-z])[\u0300-\u036f]+", r"\1", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", apart)


def _spellings(words: str) -> dict[str, None]:
    """The words without accents, umlauts also written out (für, fuer)."""
    return dict.fromkeys([*without_accents(words).split(), *without_accents(re.sub("([äöü])", r"\1e", words)).split()])


def concept_tables() -> tuple[dict[str, int], dict[str, int]]:
    """Whole words, and beginnings of words, with their concepts as plain bits (flags are slow to combine)."""
    exact: dict[str, int] = {}
    prefix: dict[str, int] = {}
    for concept, words in WORDS.items():
        for word in _spellings(words):
            table, key = (prefix, word[:-1]) if word.endswith("*") else (exact, word)
            table[key] = table.get(key, 0) | int(concept)
    return exact, prefix


def phrase_table() -> dict[str, tuple[tuple[int, re.Pattern[str]], ...]]:
    """For each word that may begin a phrase, the concepts and patterns to try there."""
    table: dict[str, tuple[tuple[int, re.Pattern[str]], ...]] = {}
    for concept, starters, pattern in PHRASES:
        compiled = re.compile(without_accents(re.sub("([äöü])", r"\1e?", pattern)))
        for word in _spellings(starters):
            table[word] = (*table.get(word, ()), (int(concept), compiled))
    return table
