r"""The shapes of secrets: tokens that providers mark, and values that a label gives away.

Edges are ASCII look-arounds, never ``\b``: beside Chinese or Korean letters there is no word boundary. Repetitions are
bounded, or end the pattern, so each pattern is linear. Where a pattern has a group ``secret``, only that is hidden.
Bank account numbers (IBAN) are no secrets: they are printed on invoices and open nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from bethink.text.language import LANGUAGES, words_of


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret.

    Args:
        kind: its name in the marker and in reports. pattern: what it looks like. hints: lower-case pieces of which
        every match holds one; a text without any is not searched. confirm: a further test on the text found, such as
        a checksum. any_case: whether the pattern, itself in lower case, is searched in the lowered text (faster than
        ignoring case).
    """

    kind: str
    pattern: re.Pattern[str]
    hints: tuple[str, ...] = ("",)
    confirm: Callable[[str], bool] = bool
    any_case: bool = False
    unbroken: bool = False


def luhn_valid(number: str) -> bool:
    """Whether a payment card's number has its check digit right (ISO/IEC 7812); separators are ignored."""
    digits = [int(digit) for digit in number if digit.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def looks_chosen(value: str) -> bool:
    """Whether a labelled value looks like a secret: letters mixed with digits or signs, or letters in random case.

    Words, names in code, paths, addresses, versions, dates, placeholders and our own markers do not.
    """
    if len(value) < 6 or _ORDINARY.match(value):
        return False
    joined = re.sub(r"[-_./:]", "", value)
    if joined.isalpha():
        rises = sum(before.islower() and after.isupper() for before, after in pairwise(joined))
        return len(joined) >= 16 and rises >= 4
    return any(map(str.isalpha, value))


def is_key(value: str) -> bool:
    """Whether a value labelled as a key is one: as it is chosen, or long behind a provider's short mark."""
    marked = len(value) >= 24 and re.match(r"[a-z]{2}[-_][A-Za-z0-9_-]+$", value) is not None
    return looks_chosen(value) or (marked and not re.search("your|example|here|placeholder", value))


def looks_like_passphrase(value: str) -> bool:
    """Whether a password is made of words: four of three letters or more, or three of four, all in one case."""
    parts = re.split(r"[-_.+]", value.rstrip(".!?"))
    if not all(part.isalpha() for part in parts) or value not in (value.lower(), value.upper(), value.title()):
        return False
    shortest = min(map(len, parts))
    return (len(parts) >= 4 and shortest >= 3) or (len(parts) >= 3 and shortest >= 4)


def are_chosen_words(value: str) -> bool:
    """Whether words behind a label are a phrase somebody chose, and no sentence: no function word is among them."""
    return not LANGUAGES["english"].function_words & frozenset(value.split())


def is_password(value: str) -> bool:
    """Whether a value labelled as a password is one: a code, a word as it is chosen, or words joined by signs."""
    return is_code_number(value) or (looks_like_passphrase(value) and not _ORDINARY.match(value))


def is_code_number(value: str) -> bool:
    """Whether the value of a PIN or one-time code is one: 4 to 8 digits, or as a password is chosen."""
    return (value.isdigit() and 4 <= len(value) <= 8) or looks_chosen(value)


def is_no_placeholder(value: str) -> bool:
    """Whether the password inside an address is a real one."""
    return (
        value.casefold() not in _PLACEHOLDERS
        and not value.startswith(("$", "{", "<", "%", "["))
        and set(value) != {"*"}
    )


def is_no_template(token: str) -> bool:
    """Whether a provider's token is a real one and not ``xoxb-your-token-here``."""
    return any(character.isdigit() or character.isupper() for character in token)


_PLACEHOLDERS = words_of("password pass pwd secret passwd xxx xxxx xxxxxx your_password yourpassword user token")
_ORDINARY = re.compile(
    r"\[?redacted:|https?:|[/~$%<{*]|\./|[^@\s]{1,64}@[^@\s]{1,64}\.[a-z]{2,10}$|v?\d+(?:\.\d+)+$|[xX*•.]+$|[\d\W_]+$"
    r"|(?i:your[_-]|my[_-]|example|changeme|placeholder|<)"
    r"|(?i:\w{1,20}-(?:digit|letter|character|byte|bit|factor|time|day|hour|minute|week|month|year)s?$)"
)
_SEPARATOR = (
    r"(?:['\"]?\s{0,3}(?:=>|:=|[:=：＝])\s{0,3}"  # noqa: RUF001 - other scripts are the subject
    r"|(?: (?:for|to|of|on|at|für|para|pour|per) [^\n.:=]{1,30}?)?\s(?:is|was|ist|lautet|es|est|é|è|это)\s{1,3}"
    r"|\s?(?:は|是|为|為|는|은)\s?)"
)
_VALUE = r"['\"“「]?(?P<secret>[^\s\"'`<>,;，。；、“”「」()\[\]{}]{4,})"  # noqa: RUF001 - other scripts are the subject
_PHRASE_HINTS = (
    "pass",
    "kennwort",
    "contrase",
    "mot de",
    "senha",
    "wacht",
    "парол",
    "hasło",
    "密",
    "パス",
    "비밀",
    "pw",
)
_PHRASE_LABEL = (
    r"(?:pass(?:word|wd|phrase|code|wort)|kennwort|contrase[ñn]a|mot de passe|senha|wachtwoord|пароль|hasło"
    r"|密码|密碼|パスワード|비밀번호|pwd?(?<![a-z]pw)(?<![a-z]pwd))"
)
_OWNERS = ("api", "access", "auth", "secret", "private", "encryption", "signing", "account", "client", "bot", "refresh")
_KEY = (
    "(?:"
    + "|".join(rf"{owner}[ _\-]?(?:key|token|secret)" for owner in (*_OWNERS, "session"))
    + "|secret(?<![a-z]secret)|token(?<![a-z]token))"
)
"""Labels in lower case. Every alternative begins with a letter, which lets the search skip to it."""

_VENDORS = {
    "aws-access-key": ("akia asia", r"(?:AKIA|ASIA)[A-Z0-9]{16}"),
    "github-token": (
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}",
    ),
    "gitlab-token": (
        "glpat- glptt- gldt- glrt- glcbt- glft- glimt- glagent- glsoat-",
        r"gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|soat)-[A-Za-z0-9_\-]{20,200}",
    ),
    "slack-token": ("xox xapp-", r"xox[abeoprs]-[A-Za-z0-9\-]{16,250}|xapp-\d-[A-Za-z0-9\-]{16,250}"),
    "stripe-key": ("k_live_ k_test_ whsec_", r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,200}|whsec_[A-Za-z0-9]{24,100}"),
    "anthropic-key": ("sk-ant-", r"sk-ant-[A-Za-z0-9_\-]{20,250}"),
    "openai-key": ("sk-", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_\-]{20,250}|sk-[A-Za-z0-9]{32,100}"),
    "google-api-key": ("aiza", r"AIza[A-Za-z0-9_\-]{35}"),
    "google-oauth": ("ya29. gocspx-", r"ya29\.[A-Za-z0-9_\-]{20,500}|GOCSPX-[A-Za-z0-9_\-]{28}"),
    "jwt": ("eyj", r"eyJ[A-Za-z0-9_\-]{10,2000}\.eyJ[A-Za-z0-9_\-]{10,8000}\.[A-Za-z0-9_\-]{10,2000}"),
    "npm-token": ("npm_", r"npm_[A-Za-z0-9]{36}"),
    "pypi-token": ("pypi-", r"pypi-[A-Za-z0-9_\-]{50,500}"),
    "twilio-key": ("sk", r"SK[0-9a-f]{32}"),
    "sendgrid-key": ("sg.", r"SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{16,64}"),
    "digitalocean-token": ("_v1_", r"do[oprt]_v1_[0-9a-f]{64}"),
    "huggingface-token": ("hf_", r"hf_[A-Za-z0-9]{34}"),
    "telegram-token": (":aa", r"\d{8,10}:AA[A-Za-z0-9_\-]{33}"),
    "discord-token": (".", r"[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,40}"),
    "shopify-token": ("shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    "mail-key": ("key- -us", r"key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}"),
    "square-token": ("sq0", r"sq0(?:atp|csp)-[A-Za-z0-9_\-]{22,43}"),
    "databricks-token": ("dapi", r"dapi[0-9a-f]{32}"),
    "vault-token": ("hvb. hvs.", r"hv[bs]\.[A-Za-z0-9_\-]{24,250}"),
    "docker-token": ("dckr_pat_", r"dckr_pat_[A-Za-z0-9_\-]{27}"),
    "age-key": ("age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    "supabase-token": ("sbp_ sb_secret_", r"sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_\-]{20,60}"),
    "service-token": (
        "gsk_ r8_ xai- pplx- lin_api_ ntn_ figd_ pmak- nrak- glsa_ sntry dt0c01. atatt3 hrku- rubygems_ tvly-",
        (
            r"gsk_[A-Za-z0-9]{50,60}|r8_[A-Za-z0-9]{37}|xai-[A-Za-z0-9]{70,90}|pplx-[A-Za-z0-9]{40,60}|lin_api_[A-Za-z0-9]{40}"
            r"|ntn_[A-Za-z0-9]{40,50}|figd_[A-Za-z0-9_\-]{40,60}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|NRAK-[A-Z0-9]{27}"
            r"|glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|sntry[su]_[A-Za-z0-9+/=_\-]{40,250}|dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"
            r"|ATATT3[A-Za-z0-9_\-=]{60,250}|HRKU-[A-Za-z0-9_\-]{30,70}|rubygems_[0-9a-f]{48}|tvly-[A-Za-z0-9\-]{20,60}"
        ),
    ),
}
"""Tokens with a mark of their provider: hints, pattern."""

SHAPES: tuple[Shape, ...] = (
    Shape(
        "private-key",
        re.compile(
            r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
            r"[A-Za-z0-9+/=\s\\:,.]*(?:-[A-Za-z0-9+/=\s\\:,.]+)*"
            r"(?:-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
        ("-----begin",),
    ),
    *(
        Shape(
            kind,
            re.compile(rf"(?<![A-Za-z0-9_\-])(?:{body})(?![A-Za-z0-9_])", re.ASCII),
            tuple(hints.split()),
            is_no_template,
            unbroken=True,
        )
        for kind, (hints, body) in _VENDORS.items()
    ),
    Shape(
        "webhook",
        re.compile(
            r"https://(?:hooks\.slack\.com/services/[A-Za-z0-9/_]{20,120}"
            r"|(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/[0-9]{10,25}/[A-Za-z0-9_\-]{40,120})"
        ),
        ("hooks.slack.com", "/api/webhooks/"),
        unbroken=True,
    ),
    Shape(
        "azure-key",
        re.compile(r"(?:AccountKey|SharedAccessKey|SharedAccessSignature)=(?P<secret>[A-Za-z0-9+/=%&]{30,400})"),
        ("accountkey=", "sharedaccess"),
        unbroken=True,
    ),
    Shape(
        "aws-secret-key",
        re.compile(r"(?:aws|secret.?access)[^\n]{0,40}?[=:\"'\s](?P<secret>[a-z0-9/+]{40})(?![a-z0-9/+=])"),
        ("aws", "secret"),
        is_no_template,
        any_case=True,
    ),
    Shape(
        "bearer-token",
        re.compile(r"(?:bearer|basic)\s{1,3}(?P<secret>[a-z0-9._~+/=\-]{16,4000})"),
        ("bearer", "basic"),
        looks_chosen,
        any_case=True,
    ),
    Shape(
        "url-password",
        re.compile(r"(?<![A-Za-z])[A-Za-z][A-Za-z0-9+.\-]{1,20}://[^\s:@/]{0,80}:(?P<secret>[^\s:@/]{3,200})@"),
        ("://",),
        is_no_placeholder,
    ),
    Shape("password", re.compile(_PHRASE_LABEL + _SEPARATOR + _VALUE), _PHRASE_HINTS, is_password, any_case=True),
    Shape(
        "password",
        re.compile(
            r"(?:pass|seed|recovery|backup|mnemonic)[ \-]?(?:phrase|words)['\"]?\s{0,3}[:=]\s{0,3}"
            r"['\"\u201c]?(?P<secret>[a-z]{3,12}(?: [a-z]{3,12}){3,23})(?![a-z])"
        ),
        ("phrase", "words"),
        are_chosen_words,
        any_case=True,
    ),
    Shape(
        "password",
        re.compile(rf"--(?:password|passwd|token|secret|api-key)[ =]{_VALUE}"),
        ("--",),
        looks_chosen,
        any_case=True,
    ),
    Shape(
        "code",
        re.compile(rf"(?:pin(?<![a-z]pin)|otp(?<![a-z]otp))(?:[ \-]?(?:code|number))?{_SEPARATOR}{_VALUE}"),
        ("pin", "otp"),
        is_code_number,
        any_case=True,
    ),
    Shape("key", re.compile(_KEY + _SEPARATOR + _VALUE), ("key", "token", "secret"), is_key, any_case=True),
    Shape(
        "card-number",
        re.compile(
            r"(?<![0-9.\-])(?:(?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6011|65[0-9]{2}|35[0-9]{2})"
            r"([ \-]?)[0-9]{4}\1[0-9]{4}\1[0-9]{4}|3[47][0-9]{2}([ \-]?)[0-9]{6}\2[0-9]{5})(?![0-9])"
        ),
        confirm=luhn_valid,
    ),
)
"""Every shape, the most telling first: where two overlap, the earlier names the kind."""
