"""Secrecy: secrets leave a request before anything of it is stored, logged or compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bethink.operations.common import Notice
from bethink.operations.remember import RememberRequest
from bethink.text.secrets import redact_secrets


class Redactor:
    """Redacts one text after another and remembers which kinds of secret it met, never the secrets."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self._names: dict[str, str] = {}

    def name(self, name: str) -> str:
        """A name with every secret replaced by a marker; read once, for the same few names come again and again."""
        if name not in self._names:
            self._names[name] = self.text(name)
        return self._names[name]

    def text(self, text: str) -> str:
        """The text with every secret replaced by a marker."""
        redacted = redact_secrets(text)
        self.kinds.update(found.kind for found in redacted.found)
        return redacted.text

    def optional(self, text: str | None) -> str | None:
        """The same for a text that may be absent."""
        return None if text is None else self.text(text)

    def json(self, value: Any) -> Any:
        """The same for every text of a JSON value; a key lends its meaning to its value (``{"password": …}``)."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(key): self._labelled(key, item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.json(item) for item in value]
        return value

    def _labelled(self, key: str, value: Any) -> Any:
        """A value read behind its key, so that a bare password is known by its label."""
        if not isinstance(value, str):
            return self.json(value)
        label = f"{key}: "
        redacted = redact_secrets(label + value)
        inside = [found for found in redacted.found if found.start >= len(label)]
        if len(inside) < len(redacted.found):
            return self.text(value)
        self.kinds.update(found.kind for found in inside)
        return redacted.text[len(label) :]

    @property
    def notices(self) -> tuple[Notice, ...]:
        """One notice naming the kinds, none when nothing was found."""
        if not self.kinds:
            return ()
        kinds = ", ".join(sorted(self.kinds))
        return (Notice("secret_redacted", f"Secrets were replaced by markers before storing: {kinds}."),)


def redacted(request: RememberRequest) -> tuple[RememberRequest, tuple[Notice, ...]]:
    """The request without secrets in any of its texts, and what was found."""
    redactor = Redactor()
    clean = replace(
        request,
        content=redactor.text(request.content),
        subject=redactor.optional(request.subject),
        attribute=redactor.optional(request.attribute),
        evidence=redactor.optional(request.evidence),
        source_ref=redactor.optional(request.source_ref),
        source_revision=redactor.optional(request.source_revision),
        mentions=tuple(replace(mention, name=redactor.text(mention.name)) for mention in request.mentions),
        file_path=redactor.optional(request.file_path),
        tags=tuple(redactor.text(tag) for tag in request.tags),
        metadata=redactor.json(dict(request.metadata)),
    )
    return clean, redactor.notices
