"""The composition root: a URL and settings in, a wired `Memory` out. Only this file knows concrete classes."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bethink.directory import Directory, ServedMemory, read_directory
from bethink.domain.calibration import CALIBRATIONS, Calibration, calibrated
from bethink.embedding.cache import CachedEmbedder
from bethink.embedding.canary import canary, unrelated, verify_canary
from bethink.embedding.choose import make_embedder
from bethink.errors import EmbedderError, EmbeddingMismatch, InvalidInput, ModelError, StoreError
from bethink.formation.extract_rules import RulesExtractor
from bethink.formation.review import RulesReviewer
from bethink.memory import Memory, Parts, Steps
from bethink.operations.copying import CopyResult
from bethink.ports.advice import Advisers
from bethink.ports.clock import Clock
from bethink.ports.embedder import Embedder
from bethink.ports.files import FileReader
from bethink.ports.ids import Ids
from bethink.ports.models import Readers
from bethink.ports.store import Store
from bethink.ports.traces import TraceStore
from bethink.recall.forming.rewrite import Rewrites
from bethink.recall.outside import Nominations
from bethink.settings import STORE_FILE, Settings, load_settings
from bethink.store.copying import Progress, Side
from bethink.store.copying import copy_store as copy_sides
from bethink.store.sqlite_store import open_sqlite, sqlite_side
from bethink.system import DiskFiles, RandomIds, SystemClock

if TYPE_CHECKING:
    from bethink.models.structured import StructuredModel

_CONFIGURED: Any = object()
_URLS = "Give a path, sqlite:///relative/path, sqlite:////absolute/path or postgresql://user@host/database."
SERVERS = ("postgresql://", "postgres://")
QUERY_CACHE = 256
"""Query vectors kept; 1.5 KB each, without their texts."""


def open_memory(  # noqa: PLR0913 - the one place where everything can be replaced
    url: str | Path | None = None,
    *,
    settings: Settings | None = None,
    embedder: Embedder | str | None = _CONFIGURED,
    clock: Clock | None = None,
    ids: Ids | None = None,
    readers: Readers | None = _CONFIGURED,
    any_space: bool = False,
    owner: bool = True,
    steps: Steps | None = None,
    advisers: Advisers | None = None,
    files: FileReader | None = None,
    **named: Any,
) -> Memory:
    """Open a store and wire a `Memory` over it; see `bethink.open`."""
    overrides = {name.replace("__", "."): value for name, value in named.items()}
    settings = settings or load_settings(overrides)
    clock, ids = clock or SystemClock(), ids or RandomIds()
    store, traces = _store(settings.store.url or None if url is None else url, settings, clock, ids)
    with ExitStack() as undo:
        undo.callback(store.close)
        undo.callback(traces.close)
        chosen, problem = _embedder(settings.embedder if embedder is _CONFIGURED else embedder)
        space, problem = _space(store, chosen, clock, any_space=any_space) if chosen is not None else (None, problem)
        readers = _readers(settings) if readers is _CONFIGURED else readers
        undo.pop_all()
    steps = steps or Steps()
    rewrites = None if steps.rewriter is None else Rewrites(steps.rewriter)
    parts = Parts(store, traces, clock, ids, settings, chosen, space, problem, canary, owner)
    nominations = None if steps.provider is None else Nominations(steps.provider)
    given = replace(parts, advisers=advisers or Advisers(), files=files or DiskFiles(), readers=readers)
    if chosen is not None and space is not None:
        given = replace(given, calibration=_calibration(store, chosen))
    return Memory(replace(given, steps=steps, rewrites=rewrites, nominations=nominations))


def open_servers(servers: Directory | str | Path, **settings: Any) -> ServedMemory:
    """Open a memory over several stores; see `bethink.open_directory`."""
    directory = servers if isinstance(servers, Directory) else read_directory(Path(servers))
    return ServedMemory(directory, lambda url: open_memory(url, **settings))


def copy_store(
    source: str | Path, target: str | Path, *, settings: Settings | None = None, progress: Progress | None = None
) -> CopyResult:
    """Copy a whole store into another database that holds nothing yet; between any two of those bethink opens.

    A copy that was interrupted goes on where it stopped when it is asked for again.

    Args:
        source: path or URL of the store, which is only read, and must not be written until all is copied.
        target: path or URL of the database.
        settings: those of the environment unless given.
        progress: told how many rows are copied, and of how many.

    Raises:
        InvalidInput: there is no source, both are one store, or the target holds something else.
        StoreUnfinished: the source was written since the copy into this target began.
        StoreError: its other kinds say why one of them cannot be used.
    """
    settings, clock = settings or load_settings(), SystemClock()
    with _side(source, settings, clock, made=True) as one, _side(target, settings, clock, made=False) as other:
        return copy_sides(one, other, progress or (lambda _done, _total: None))


def _side(url: str | Path, settings: Settings, clock: Clock, *, made: bool) -> AbstractContextManager[Side]:
    """One side of a copy, closed on leaving; `made` says that there has to be a store.

    Raises:
        InvalidInput: there is none.
    """
    if _on_server(url):
        side: AbstractContextManager[Side] = _postgres().postgres_side(
            str(url), settings=settings.store, clock=clock, made=made
        )
        return side
    path = _path(url, settings)
    if made and not path.exists():
        raise InvalidInput(f"There is no store at {path}.", remedy="Name the file or URL of a store.")
    return sqlite_side(path, settings=settings.store, clock=clock)


def _store(url: str | Path | None, settings: Settings, clock: Clock, ids: Ids) -> tuple[Store, TraceStore]:
    """The store a URL names, and its traces."""
    parts: dict[str, Any] = {"settings": settings.store, "language": settings.language, "clock": clock, "ids": ids}
    if _on_server(url):
        opened: tuple[Store, TraceStore] = _postgres().open_postgres(str(url), **parts)
        return opened
    return open_sqlite(_path(url, settings), **parts)


def _on_server(url: str | Path | None) -> bool:
    """Whether a URL names a database of a server."""
    return isinstance(url, str) and url.startswith(SERVERS)


def _postgres() -> ModuleType:
    """The store on PostgreSQL."""
    try:
        # Here and not above: the driver is an extra, and who keeps a file should not wait for it.
        from bethink.store import postgres_store  # noqa: PLC0415 - see the line above
    except ImportError as error:
        msg = f"PostgreSQL needs a driver that is not installed ({error.name})."
        raise StoreError(msg, remedy="Install it: pip install 'bethink[postgres]'.") from error
    return postgres_store


def _path(url: str | Path | None, settings: Settings) -> Path:
    """The file a URL names."""
    text = str(url) if url is not None else str(settings.home / STORE_FILE)
    if text in {"", ":memory:"} or "\0" in text:
        msg = f"{text[:60]!r} names no file."
        raise InvalidInput(msg, remedy="Give the path of a file; a passing store can lie in a temporary folder.")
    scheme, separator, rest = text.partition("://")
    if not separator:
        return Path(text).expanduser()
    if scheme == "sqlite" and rest.startswith("/") and rest != "/":
        return Path(rest[1:]).expanduser()
    msg = f"The URL {text[:60]!r} is no store bethink opens."
    raise InvalidInput(msg, remedy=_URLS)


def _readers(settings: Settings) -> Readers | None:
    """Who reads ended sessions.

    Raises:
        InvalidInput: there is no such extractor.
    """
    match settings.formation.extractor:
        case "rules":
            return Readers(RulesExtractor(), RulesReviewer())
        case "model":
            model = _structured(settings.formation.model)
            return Readers(model, model)
        case "host" | "none":
            return None
        case other:
            msg = f"There is no extractor {other[:40]!r}."
            raise InvalidInput(msg, remedy="Set `formation.extractor` to rules, model, host or none.")


def _structured(name: str) -> StructuredModel:
    """The model that reads sessions.

    Raises:
        InvalidInput: none is named.
        ModelError: the extra is not installed.
    """
    if not name:
        raise InvalidInput(
            "The extractor `model` has no model.", remedy="Set `formation.model`, as openai:gpt-4.1-mini."
        )
    try:
        # Here and not above: the library is an extra, and who reads by rules should not wait for it.
        from bethink.models.structured import StructuredModel  # noqa: PLC0415 - see the line above
    except ImportError as error:
        msg = f"Reading sessions by a model needs a library that is not installed ({error.name})."
        raise ModelError(msg, remedy="Install it: pip install 'bethink[llm]'.") from error
    return StructuredModel(name)


def _embedder(choice: Embedder | str | None) -> tuple[Embedder | None, str]:
    """The embedder chosen, or None with the reason recall goes by words alone."""
    if choice is None:
        return None, "no embedder is configured"
    if not isinstance(choice, str):
        return choice, ""
    try:
        made = make_embedder(choice)
    except EmbedderError as error:
        return None, str(error)
    if made is None:
        return None, "no embedder is configured"
    return CachedEmbedder(made, QUERY_CACHE), ""


def _calibration(store: Store, embedder: Embedder) -> Calibration:
    """How the cosines of the store's space read: as measured for its model, else as the space's canary tells."""
    model = embedder.spec.model
    kept = None if model in CALIBRATIONS else store.vectors.canary()
    return calibrated(model, () if kept is None else unrelated(kept))


def _space(store: Store, embedder: Embedder, clock: Clock, *, any_space: bool) -> tuple[str | None, str]:
    """The store's space for this embedder, registered when the store has none.

    A model whose weights carry a hash proves itself when they load; any other proves itself here by its canary.

    Raises:
        EmbeddingMismatch: the store's vectors are another model's, unless `any_space` says that words will do.
    """
    mine, active = embedder.spec, store.vectors.active()
    if active is not None and active.space_id != mine.space_id:
        msg = (
            f"The store's vectors were made by {active.provider}:{active.model} ({active.space_id}), and the embedder "
            f"set here is {mine.provider}:{mine.model} ({mine.space_id})."
        )
        if any_space:
            return None, msg
        raise EmbeddingMismatch(msg)
    try:
        if active is None and store.read_only:
            return None, "the store holds no vectors and cannot be written"
        if active is None:
            store.vectors.register(mine, canary(embedder), clock.now())
        elif mine.weights_sha256 is None and (kept := store.vectors.canary()) is not None:
            verify_canary(embedder, kept)
    except EmbeddingMismatch:
        raise
    except EmbedderError as error:
        return None, str(error)
    return mine.space_id, ""
