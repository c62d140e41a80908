"""The words the screen listens for: concepts, each with its words in eleven languages.

A word ending in ``*`` stands for every word that begins so. The list holds everyday verbs and nouns of command, not
the wording of known attacks. Accents may be written; they are folded away as `views.fold` folds them.
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
        ignore ignoring disregard override bypass discard forget neglect dismiss ignorier* missacht* vergiss vergesst
        vergessen umgehe umgehen ignorez ignorer oublie oubliez oublier négligez ignora ignorad ignoren olvida olvide
        olviden olvidar descarta desestima omite dimentica dimenticate scarta trascura ignorare ignorate esqueça
        esquece desconsidere desconsidera negeer vergeet игнорир* проигнорир* забудь забудьте zignoruj ignoruj
        zapomnij yoksay تجاهل انس
    """,
    _C.PRIOR: """
        previous prior earlier preceding above foregoing former existing original initial old all any every your
        current system vorherig* bisherig* obig* vorig* früher* alle allen deine ihre précédent* antérieur* toutes
        tous vos tes anterior* previ* todas todos tus sus tutte tutti tue tuoi suas seus vorige eerdere bovenstaande
        jouw предыдущ* прежн* все ваши твои poprzedni* wszystkie önceki السابقة
    """,
    _C.DIRECTIVE: """
        instruct* instrucc* instruz* instruç* directive* direction directions guideline* rule rules prompt prompts
        policy policies constraint* restriction* safeguard* guardrail* programming training orders command commands
        protocol* anweisung* regel regeln vorgabe* richtlinie* sicherheitsrichtlinie* befehl* systemprompt consigne*
        règles reglas directrices indicaciones órdenes istruzion* istruzioni regole direttive indicazioni regras
        diretrizes orientações opdracht* aanwijzing* инструкци* указани* правил* instrukcj* polecen* talimat*
        التعليمات
    """,
    _C.VOID: """
        void cancelled canceled obsolete invalid superseded revoked null suspended lifted ungültig anulad* annulé*
    """,
    _C.SAFETY: """
        safety security content ethical moderation sicherheit* sécurité seguridad sicurezza segurança veiligheid*
    """,
    _C.EVERYTHING: "everything anything all alles tout todo tutto tudo всё все",
    _C.ABOVE: """
        above before previously prior earlier told said learned taught know
        zuvor vorher oben gesagt besprochen avant précède anterior antes dicho prima detto disse eerder ранее выше
    """,
    _C.NEGATION: """
        not never don't dont doesn't cannot can't nicht niemals nie jamais pas nunca non não niet nooit не никогда
        no
    """,
    _C.FOLLOW: "follow obey adhere comply heed respect befolge befolgen beachte suivez sigas siga seguire volg",
    _C.ROLE: """
        act acting operate operating pretend roleplay simulate become behave imagine persona character
        verhalte spiele agis comporte* actúa finge compórt* comportati fingi aja finja gedraag веди притворись
    """,
    _C.UNBOUND: """
        unrestricted unfiltered uncensored jailbroken jailbreak lawless amoral unethical dan uneingeschränkt*
        unzensiert*
    """,
    _C.ANSWER: """
        respond answer comply output proceed reply antworte antworten réponds répondez répondre responde responder
        rispondi rispondere responda antwoord отвечай
    """,
    _C.SEND: """
        send sends sending forward forwards upload transmit email mail leak exfiltrate deliver submit share copy bcc
        cc export sende senden schick* leite weiterleiten übermittl* envoie envoyez envoyer transmets transmettez
        envía enviar envíe envíen reenvía manda mandar invia inviare inoltra mandare stuur verstuur doorsturen отправ*
        перешл* пошли wyślij gönder ارسل أرسل
    """,
    _C.PRIVATE: """
        conversation conversations chat chats history transcript* password* credential* secret secrets memory memories
        confidential passport ssn verlauf gespräch* passwort* passwört* zugangsdaten historique conversación historial
        contraseña* conversazione cronologia conversa histórico senha* gesprek geschiedenis wachtwoord* переписк*
        истори* парол*
    """,
    _C.WHEN: "when whenever if once wenn sobald falls quand lorsque si cuando se quando als wanneer zodra когда если",
    _C.USER: """
        user users user's customer someone anyone nutzer* benutzer* kunde utilisateur client usuari* cliente utente
        gebruiker* пользовател*
    """,
    _C.ASKED: """
        ask asks asked asking question questions query queries searches requests inquir* fragt frage* demande*
        question pregunta* pide domanda* chiede pergunta* vraagt vraag* спрос* вопрос*
    """,
    _C.SAYS: "says say types replies answers responds confirms thanks agrees sagt antwortet dit répond dice diz zegt",
    _C.RUN: "save store run execute invoke speichere guarda salva führe ejecuta esegui",
    _C.REMEMBER: "remember memorize memorise note merke recuerda ricorda souviens onthoud lembre запомни",
    _C.OPEN: "open visit fetch navigate browse load call click öffne ouvre abre apri открой",
    _C.RISKY: """
        delete deletes transfer transfers pay pays payment payments wire purchase buy execute run deploy push merge
        approve approves install disable grant refund refunds drop wipe erase withdraw sign sudo release lösche
        überweise bezahle supprime paie transfiere paga elimina trasferisci cancella pague exclua
    """,
    _C.STANDING: """
        always whenever automatically every any all future assistant agent ai you immer künftig toujours siempre
        sempre altijd всегда
    """,
    _C.COPY: """
        copy repeat include append insert propagate embed reproduce carry replicate paste prepend add appear included
        appended kopiere copie copia füge angehängt anhängen ajouté ajoutez añade añadir añadirse aggiunto aggiungi
        adicione
    """,
    _C.THIS: "this these itself following diese* folgende* cette ces este esta questo questa dit deze это",
    _C.EVERY: """
        every each all future any subsequent jede* alle chaque toute toutes cada cualquier todas ogni tutte iedere
        elke каждый
    """,
    _C.OUTPUT: """
        summary summaries response responses reply replies answer answers output outputs email emails message messages
        memory memories note notes report reports document documents review footer antwort* zusammenfassung* réponse*
        respuesta* risposta risposte resumen* resposta*
    """,
    _C.REVEAL: """
        reveal show print repeat output display tell give leak dump disclose expose recite quote summarize translate
        write list printing revealing zeig* gib verrat* nenn* wiederhol* drucke montre* affiche* révèle* donne* dis
        répète* muestra* revela* dime imprime repite mostra* rivela* dimmi ripeti stampa mostre revele diga repita
        toon geef herhaal покажи* раскрой выведи повтори
    """,
    _C.TREAT: """
        treat consider regard accept interpret handle store promote elevate classify behandle traite trata
        considera
    """,
    _C.RECOMMEND: """
        recommend suggest promote prefer cite endorse favor favour rank empfiehl empfehle recommande recomienda
        consiglia
    """,
    _C.FIRST: "first always exclusively only top foremost zuerst immer toujours premier primero siempre prima sempre",
    _C.POLICY: "policy policies guideline* procedure procedures norm norms rule rules richtlinie* politique política",
    _C.CHANGED: "now new updated effective henceforth longer revised immediately ab neu désormais ahora nuova nueva",
    _C.PERMIT: """
        allow allows allowed permit permits permitted permission authoris* authoriz* approved granted exempt
        waived requires
    """,
    _C.GRANT: "grant grants granted give gives gave assign assigned elevate elevated promote",
    _C.INSTEAD: "instead rather anstatt stattdessen plutôt invece lugar",
    _C.MONEY: "payment payments invoice invoices transfer transfers refund refunds payroll wallet iban deposit money",
    _C.MUST: """
        must you your always never shall muss musst müssen doit devez debe debes deve devi dever moet должен must
    """,
}
"""The words of each concept. A word may carry several."""


def without_accents(text: str) -> str:
    """The text with the accents of Latin letters gone, as views have it."""
    apart = re.sub("([A-Za-z])[\u0300-\u036f]+", r"\1", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", apart)


def spellings(words: str) -> dict[str, None]:
    """The words without accents, umlauts also written out (für, fuer)."""
    return dict.fromkeys([*without_accents(words).split(), *without_accents(re.sub("([äöü])", r"\1e", words)).split()])


def concept_tables() -> tuple[dict[str, int], dict[str, int]]:
    """Whole words, and beginnings of words, with their concepts as plain bits (flags are slow to combine)."""
    exact: dict[str, int] = {}
    prefix: dict[str, int] = {}
    for concept, words in WORDS.items():
        for word in spellings(words):
            table, key = (prefix, word[:-1]) if word.endswith("*") else (exact, word)
            table[key] = table.get(key, 0) | int(concept)
    return exact, prefix
