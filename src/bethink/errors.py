"""Every error bethink raises: a tree, each with a stable code, an exit code and a remedy.

::

    BethinkError
    ├── InvalidInput            what was passed cannot be used
    │   └── UnknownFormat       an import whose format is not recognised
    ├── NotFound                no such thing in what the caller may read
    ├── AccessDenied            a scope the caller may not write
    ├── IdempotencyMismatch     one key, two different requests
    ├── ChainTooLong            more than ten records replaced one another
    ├── DeadlineExceeded        the time given ran out; nothing was committed
    ├── StoreError
    │   ├── StoreNewer          written by a newer bethink
    │   ├── StoreForeign        not a bethink store, or cut short
    │   ├── StoreCorrupt        damaged inside
    │   ├── StoreReadOnly       cannot be written here
    │   ├── StoreFull           no space left
    │   ├── StoreBusy           another writer held the lock too long
    │   ├── StoreUnsafe         a place that cannot keep the promises (a network file system)
    │   └── StoreUnfinished     a copy into it was begun and not finished
    ├── EmbedderError
    │   ├── WeightsCorrupt      the weights file is missing or changed
    │   └── EmbeddingMismatch   vectors of another model
    ├── AdviserError            a model that was handed in cannot answer
    ├── ModelError              a model that reads sessions gave no usable answer
    ├── SessionBusy             somebody else reads the session now
    └── OutputFailed            a command's answer could not be written

A caller that wants one net catches `BethinkError`. ``str(error)`` says what happened and what to do.
"""

from __future__ import annotations

from typing import ClassVar


class BethinkError(Exception):
    """The root: catch it to catch everything bethink raises on purpose."""

    code: ClassVar[str] = "error"
    remedy: ClassVar[str] = "Read the message; run `bethink check` if the store itself is in doubt."
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        """Keep what happened in `message` and what to do in `advice` (the class's remedy unless given)."""
        super().__init__(message)
        self.message = message
        self.advice = remedy or self.remedy

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()


class InvalidInput(BethinkError):
    """What was passed cannot be used; nothing was stored."""

    code = "invalid_input"
    remedy = "Correct the argument the message names and call again."
    exit_code = 2


class UnknownFormat(InvalidInput):
    """The file is none of the transcript formats bethink reads."""

    code = "unknown_format"
    remedy = "Name the format with --format; `bethink import --help` lists them."


class NotFound(BethinkError):
    """Nothing with that id in what the caller may read. A foreign id and an absent one answer alike."""

    code = "not_found"
    remedy = "Check the id, and the caller it belongs to: user, agent, project and tenant."
    exit_code = 3


class AccessDenied(BethinkError):
    """The caller holds no grant for that scope."""

    code = "access_denied"
    remedy = "The host grants scopes: `bethink grant add --help`."
    exit_code = 4


class IdempotencyMismatch(BethinkError):
    """The idempotency key was used before with a different request."""

    code = "idempotency_mismatch"
    remedy = "Use a new key for a new request; repeat a key only with the same request."


class ChainTooLong(BethinkError):
    """What holds in a record's place lies more than ten replacements on, or the chain comes back to itself."""

    code = "chain_too_long"
    remedy = "Read the whole of it with `bethink chain`, and ask for a later record of it."


class DeadlineExceeded(BethinkError):
    """The time given ran out. Nothing was committed."""

    code = "deadline_exceeded"
    remedy = "Give more time, ask for less, or look at `bethink bench` for what is slow."


class StoreError(BethinkError):
    """The store cannot do what was asked."""

    code = "store_error"


class StoreNewer(StoreError):
    """The store was written by a newer bethink; an older one would damage it."""

    code = "store_newer"
    remedy = "Upgrade bethink to at least the version that wrote the store."


class StoreForeign(StoreError):
    """The file is not a bethink store, or is cut short."""

    code = "store_foreign"
    remedy = (
        "Point at a bethink store, or at a path that does not exist yet to make a new one. The file was not touched."
    )


class StoreCorrupt(StoreError):
    """The database found damage inside itself."""

    code = "store_corrupt"
    remedy = "Keep a copy of the files, then run `bethink check`; restore the last good copy if it reports damage."


class StoreReadOnly(StoreError):
    """The store cannot be written here; reading works."""

    code = "store_read_only"
    remedy = "Make the file and its folder writable, or set BETHINK_HOME to a folder that is."


class StoreFull(StoreError):
    """No space is left on the device; what was acknowledged before is kept."""

    code = "store_full"
    remedy = "Free some space and repeat the call; the same process can go on."


class StoreBusy(StoreError):
    """Another writer held the lock for longer than the deadline."""

    code = "store_busy"
    remedy = "Repeat the call; find the process that holds the lock if it goes on."


class StoreUnsafe(StoreError):
    """The place cannot keep the store's promises, as network file systems cannot."""

    code = "store_unsafe"
    remedy = "Put the store on a local disk."


class StoreUnfinished(StoreError):
    """A copy into the store was begun and not finished; what it holds is only a part."""

    code = "store_unfinished"
    remedy = "Run `bethink copy` with the same source and target again; it goes on where it stopped."


class EmbedderError(BethinkError):
    """The embedder cannot answer; lexical recall goes on and says so."""

    code = "embedder_error"
    remedy = 'Check the embedder setting; `embedder = "none"` recalls by words alone.'


class WeightsCorrupt(EmbedderError):
    """The weights file is missing or its bytes are not the ones that were released."""

    code = "weights_corrupt"
    remedy = 'Reinstall bethink, or set `embedder = "none"` to recall by words alone.'


class EmbeddingMismatch(EmbedderError):
    """The store's vectors were made by another model; the two are never compared."""

    code = "embedding_mismatch"
    remedy = "Use the embedder the store names, or run `bethink repair --reembed` to build vectors for the new one."


class AdviserError(BethinkError):
    """A model the host handed in cannot answer; what rules can decide goes on without it."""

    code = "adviser_error"
    remedy = "Check the model that was handed in; without one, rules decide."


class ModelError(BethinkError):
    """A model that reads sessions or reviews what was read gave no usable answer; nothing of the session was stored."""

    code = "model_error"
    remedy = (
        "The session stays unread and is read again later; check the `formation.model` setting and its credentials."
    )


class SessionBusy(BethinkError):
    """Somebody else reads the session now, or began to and has not finished."""

    code = "session_busy"
    remedy = "Try again when that is done; a claim that nobody finishes runs out by itself after ten minutes."


class OutputFailed(BethinkError):
    """A command's answer could not be written to where it should go; what the command did is done all the same."""

    code = "output_failed"
    remedy = "Give the answer a place with room; look before you repeat a command that writes."
