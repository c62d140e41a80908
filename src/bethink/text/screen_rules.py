"""The rules of the screen: what must stand together, and what is suspicious by its shape alone.

`strong` rules are enough to keep a text from an untrusted channel out of recall until somebody looked at it; the others
only put a label on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bethink.text.screen_words import Concept as C  # noqa: N817 - read forty times in one table


@dataclass(frozen=True, slots=True)
class Together:
    """Concepts that must occur within some characters of each other.

    Args:
        name: the rule's id.
        needs: the concepts; one of each group.
        window: characters from the beginning of the first to the end of the last.
        ordered: whether they must come in this order.
        strong: whether it quarantines.
    """

    name: str
    needs: tuple[C, ...]
    window: int
    ordered: bool = False
    strong: bool = True


@dataclass(frozen=True, slots=True)
class Shaped:
    """A pattern that is suspicious as it stands; it is tried when one of its hints occurs in the folded text."""

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    strong: bool = True


TOGETHER: tuple[Together, ...] = (
    Together("override", (C.DISMISS, C.PRIOR | C.SAFETY, C.DIRECTIVE), 70),
    Together("override", (C.PRIOR, C.DIRECTIVE, C.VOID), 60, ordered=True),
    Together("override", (C.SAFETY, C.DIRECTIVE, C.VOID), 70),
    Together("override", (C.DISMISS, C.EVERYTHING, C.ABOVE), 50, ordered=True),
    Together("persona", (C.ROLE, C.UNBOUND), 120),
    Together("persona", (C.ANSWER, C.UNBOUND), 60),
    Together("exfiltration", (C.SEND, C.PRIVATE, C.SINK), 170, ordered=True),
    Together("exfiltration", (C.PRIVATE, C.SEND, C.SINK), 170, ordered=True),
    Together("exfiltration", (C.REVEAL, C.PRIVATE, C.SINK), 110, ordered=True),
    Together("exfiltration", (C.COPY, C.EVERY, C.OUTPUT, C.SEND, C.SINK), 170, ordered=True),
    Together("exfiltration", (C.TOOL_CALL, C.SINK), 120, ordered=True),
    Together("exfiltration", (C.COPY | C.SEND | C.REVEAL, C.CREDENTIAL_FILE), 80, ordered=True),
    Together("tool_call", (C.TOOL_CALL, C.BEFORE_REPLY), 120),
    Together("autonomy", (C.UNASKED, C.RISKY, C.STANDING), 140),
    Together("autonomy", (C.PERMIT, C.RISKY | C.MONEY, C.UNASKED), 120),
    Together("autonomy", (C.PERMIT, C.SAFETY_OFF), 80, ordered=True),
    Together("autonomy", (C.SAFETY_OFF, C.UNASKED), 120),
    Together("escalation", (C.GRANT, C.EVERYTHING_HELD), 70, ordered=True),
    Together("delayed_trigger", (C.WHEN, C.ASKED | C.SAYS, C.SEND | C.OPEN, C.SINK | C.PRIVATE), 200, ordered=True),
    Together("delayed_trigger", (C.WHEN, C.USER, C.SEND | C.OPEN, C.SINK), 200, ordered=True),
    Together("delayed_trigger", (C.WHEN, C.USER, C.SAYS, C.RUN | C.REMEMBER), 120, ordered=True),
    Together("replicate", (C.COPY, C.THIS, C.EVERY, C.OUTPUT), 140, ordered=True),
    Together("replicate", (C.COPY, C.LATER_OUTPUT), 120),
    Together("replicate", (C.OWN_MEMORY,), 120),
    Together("reveal", (C.REVEAL, C.INNER), 80, ordered=True),
    Together("promote", (C.TREAT, C.THIS, C.AUTHORITY), 90),
    Together("recommend", (C.REMEMBER | C.TREAT | C.RECOMMEND, C.AS_TRUSTED), 90, ordered=True),
    Together("recommend", (C.RECOMMEND, C.FIRST, C.ASKED), 110),
    Together("norm_drift", (C.POLICY, C.CHANGED, C.PERMIT, C.PRIVATE | C.UNASKED | C.RISKY), 150),
    Together("redirect", (C.INSTEAD, C.MONEY, C.SINK | C.STANDING), 140),
    Together("secrecy", (C.SECRECY,), 80),
    Together("system_line", (C.SYSTEM_LINE, C.MUST | C.DIRECTIVE | C.RISKY | C.SEND | C.REVEAL), 120, ordered=True),
    Together("decode_and_follow", (C.DECODE, C.FOLLOW), 80),
    Together("machine_address", (C.MACHINE, C.COPY | C.SEND, C.OUTPUT | C.SINK), 200, ordered=True),
    Together("machine_address", (C.MACHINE, C.DISMISS | C.SECRECY | C.TOOL_CALL), 160, ordered=True),
    Together("machine_note", (C.MACHINE,), 80, strong=False),
    Together("safety_off", (C.SAFETY_OFF,), 80, strong=False),
    Together("steer", (C.COPY, C.EVERY | C.MUST, C.OUTPUT), 80, strong=False),
    Together("steer", (C.WHEN, C.ASKED, C.INSTEAD), 120, strong=False),
)

_HELD = r"chat|conversation|history|secret|password|memor(?:y|ies)|prompt|transcript|context|credential|everything"

SHAPED: tuple[Shaped, ...] = (
    Shaped(
        "role_tag",
        ("<|", "[inst", "[/inst", "<<sys", "_of_turn>", "###"),
        re.compile(
            r"<\|[a-z_ ]{2,30}\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>"
            r"|(?:^|\n)### ?(?:instruction|response|system|human|assistant) ?:"
        ),
    ),
    Shaped(
        "role_tag",
        ("<",),
        re.compile(
            r"<[ \t]{0,3}/?[ \t]{0,3}"
            r"(?:system(?:[_\- ]?(?:prompt|message|instructions?|note|override|reminder|update))?"
            r"|assistant|developer|admin(?:istrator)?(?:[_\- ]?\w{1,20})?|instructions?|memor(?:y|ies)"
            r"|tool[_\-]?(?:results?|calls?|outputs?|response)|function[_\-]?(?:calls?|results?)|untrusted\w{0,20}"
            r"|important)(?![a-z0-9])[^<>\n]{0,100}>"
        ),
    ),
    Shaped(
        "delimiter",
        ("begin", "end", "start", "new", "stop"),
        re.compile(
            r"[\-=#*~\[<]{2,8} {0,2}(?:begin|end|start|new|stop) (?:of )?(?:the )?(?:system|user"
            r"|untrusted|external|tool|context|instructions?|input|prompt|admin|hidden|retrieved|search|conversation|memory)(?![a-z])"
        ),
    ),
    Shaped(
        "override",
        ("instruction", "rules", "prompt", "guidelines", "polic", "directives"),
        re.compile(
            r"(?:ignore|disregard|forget|override|bypass)[_\-]?(?:(?:all|any|the|your|my|of|every|these|those|previous|prior|above"
            r"|earlier|system|safety)[_\-]?){1,6}(?:instructions?|rules|prompts?|guidelines|directives|polic)"
        ),
    ),
    Shaped(
        "override",
        (
            "指",
            "命",
            "规",
            "規",
            "提示",
            "限制",
            "说明",
            "ルール",
            "プロンプト",
            "制約",
            "설정",
            "지시",
            "명령",
            "규칙",
            "지침",
            "프롬프트",
        ),
        re.compile(
            r"(?:忽略|无视|無視|忘记|忘記|不要遵守|绕过|忽視)[^。！？\n]{0,14}(?:指令|指示|说明|說明|提示|规则|規則|命令|限制|设定)"  # noqa: RUF001 - other scripts are the subject
            r"|(?:指示|命令|ルール|プロンプト|設定|制約)[^。\n]{0,10}(?:無視|忘れ|破棄)"
            r"|(?:지시|명령|규칙|지침|프롬프트|설정)[^.\n]{0,10}(?:무시|잊)"
        ),
    ),
    Shaped(
        "reveal",
        ("提示", "指令", "プロンプト", "内部", "프롬프트", "지침"),
        re.compile(
            r"(?:显示|输出|透露|告诉我|打印|泄露|顯示|輸出)[^。\n]{0,10}(?:系统提示|系統提示|提示词|隐藏指令|初始指令)"
            r"|(?:システムプロンプト|内部指示)[^。\n]{0,12}(?:表示|教え|出力|開示|見せ)"
            r"|(?:시스템 ?프롬프트|내부 지침)[^.\n]{0,12}(?:보여|출력|알려|공개)"
        ),
    ),
    Shaped(
        "exfiltration",
        ("发", "發", "传", "送", "보내", "전송"),
        re.compile(
            r"(?:聊天记录|对话|對話|密码|密碼|历史|履歴|会話|パスワード|대화|비밀번호)[^。\n]{0,24}"
            r"(?:发送|發送|发给|转发|上传|送信|送って|送る|보내|전송)"
            r"|(?:发送|發送|转发|上传)[^。\n]{0,24}(?:聊天记录|对话|對話|密码|密碼|历史)"
        ),
    ),
    Shaped(
        "new_task",
        ("task", "objective", "mission", "instruction", "orders", "anweisung", "instruc", "istruzion", "override"),
        re.compile(
            r"your (?:new|real|actual|only|true|updated) (?:task|objective|mission|instructions?) (?:is|are)(?![a-z])"
            r"|(?:^|[\n.!?*#\[(>]) ?(?:new|updated|revised|neue|nouvelles|nuevas|nuove|novas) (?:instructions?|orders"
            r"|anweisungen|instrucciones|istruzioni|instrucoes)[*\])]{0,3} ?:"
            r"|(?:^|[\n*#\[(>]) ?(?:system |admin |security |safety )?override[*\])]{0,3} ?:"
        ),
    ),
    Shaped(
        "persona",
        (" mode",),
        re.compile(
            r"you(?:'re| are) (?:now )?in (?:developer|dan|god|jailbreak|sudo|unrestricted) mode"
            r"|(?:dan|god|jailbreak|unrestricted)[ \-]mode (?:is )?(?:now )?(?:enabled|activated|on)(?![a-z])"
        ),
    ),
    Shaped(
        "template_url",
        ("://",),
        re.compile(
            rf"https?://[^\s\"'?]{{1,300}}\?[^\s\"'{{<\[$]{{0,80}}(?:\$?\{{|<|\[)(?:[^\s{{}}<>\[\]]{{0,20}}(?:{_HELD})"
            r"|[a-z'_\-]{1,24} [a-z'_\- ]{1,40}[}>\]])"
        ),
    ),
    Shaped(
        "image_data",
        ("![", "<img", "<iframe"),
        re.compile(
            r"!\[[^\]\n]{0,200}\]\([^)\s]{0,300}\?[^)\s=]{1,60}="
            r"|<(?:img|iframe)[^<>]{0,300}\?[^<>\s=]{1,60}="
        ),
    ),
    Shaped(
        "shell",
        ("|", "rm -rf", "iex", "invoke-expression", "powershell", "/dev/tcp", "atob"),
        re.compile(
            r"(?:curl|wget) [^\n|]{0,200}\| {0,3}(?:sudo )?(?:ba|z|da|k)?sh(?![a-z])"
            r"|base64 (?:-d|--decode)[^\n|]{0,60}\| {0,3}(?:ba)?sh"
            r"|rm -rf (?:/|~|\*|\$home)|(?:iex|invoke-expression)[^\n]{0,80}(?:iwr|webrequest|downloadstring|http)"
            r"|powershell[^\n]{0,40} -e(?:nc|ncodedcommand)? [a-z0-9+/=]{20}|/dev/tcp/|eval\(atob"
        ),
    ),
    Shaped(
        "protected_key",
        (
            "_prompt",
            "_message",
            "_instruct",
            "trust",
            "admin",
            "safe",
            "guardrail",
            "bypass_",
            "_approve",
            "__proto",
            "_filter",
            "_level",
            "_all",
            "role",
        ),
        re.compile(
            r"(?:system_prompt|system_message|developer_message|system_instructions?|trust_(?:level|tier)|is_?admin"
            r"|is_trusted|is_verified|safe(?:ty)?_mode|guardrails?_\w{1,20}|content_filter|permission_level|allow_all|bypass_\w{3,20}"
            r"|auto_approve|__proto__|security_level|clearance_level)[\"']?\s{0,3}[:=]"
            r"|[\"']role[\"']\s{0,3}:\s{0,3}[\"'](?:system|developer)[\"']"
        ),
    ),
)

STRONG: frozenset[str] = frozenset(
    [rule.name for rule in TOGETHER if rule.strong]
    + [rule.name for rule in SHAPED if rule.strong]
    + ["hidden_text", "forged_close"]
)
"""The rules that quarantine."""

CLOSING = re.compile(
    r"</ {0,3}(context|documents?|data|conversation|input|content|text|results?|quote|evidence|block|item|records?"
    r"|user\w{0,20}|retrieved\w{0,20}|search\w{0,20})[^<>\n]{0,20}>"
)
"""A closing tag. Without its opening one in the same text it tries to leave the envelope it will be rendered in."""
