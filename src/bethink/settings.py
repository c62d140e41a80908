"""Settings: one frozen tree, read in one place.

Later wins: defaults, ``config.toml`` in the data folder, ``BETHINK_*`` variables, arguments of `bethink.open`.
Nothing else in bethink reads the environment.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

import platformdirs

from bethink.errors import InvalidInput

STORE_FILE = "bethink.db"
"""The store in the data folder, where none is named."""


@dataclass(frozen=True, slots=True)
class CallerSettings:
    """Who asks when nobody says."""

    tenant: str = "default"
    user: str = "local"
    agent: str = "cli"


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """The store: where it is, the wait for its lock, the longest content, a server's connections and its replica."""

    url: str = ""
    lock_timeout_ms: int = 10_000
    content_limit: int = 16_000
    trace: bool = True
    pool_min: int = 1
    pool_max: int = 10
    replica: str = ""


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """The read: how deep each arm looks whatever the count, its deadline, projects, what ranks, whether models help."""

    depth: int = 60
    timeout_ms: int = 2_000
    budget_tokens: int = 1_500
    max_items: int = 20
    project_policy: str = "carry"
    policy: str = "task"
    dense_weight: float = 0.35
    fusion: str = ""
    dense_votes: float = 0.5
    read_models: bool = False
    rerank: str = "off"
    rerank_ms: int = 300
    graph: bool = False


@dataclass(frozen=True, slots=True)
class FormationSettings:
    """How ended sessions are read for beliefs, and what is made of a contradiction.

    `extractor` is ``rules``, ``model``, ``host`` (an agent reads by brief and verdict) or ``none``; `model` names the
    model of ``model``; a session nobody spoke in for `idle_minutes` has ended. A contradiction is settled by
    ``authority``, or by ``delta`` of confidence.
    """

    extractor: str = "rules"
    model: str = ""
    idle_minutes: float = 30.0
    contradiction: str = "authority"


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting. `home` is the data folder, `embedder` is ``builtin``, ``multilingual``, ``hash`` or ``none``."""

    home: Path = field(default_factory=lambda: platformdirs.user_data_path("bethink"))
    language: str = "english"
    embedder: str = "builtin"
    caller: CallerSettings = CallerSettings()
    store: StoreSettings = StoreSettings()
    recall: RecallSettings = RecallSettings()
    formation: FormationSettings = FormationSettings()


_CHOICES: Mapping[str, tuple[str, ...]] = {"formation.contradiction": ("authority", "delta")}
"""What a word may be."""

_LEAST: Mapping[str, float] = {
    "store.lock_timeout_ms": 0,
    "store.content_limit": 1,
    "store.pool_min": 0,
    "store.pool_max": 1,
    "recall.depth": 1,
    "recall.timeout_ms": 1,
    "recall.budget_tokens": 0,
    "recall.max_items": 0,
    "recall.dense_weight": 0,
    "recall.rerank_ms": 1,
    "formation.idle_minutes": 0,
    "recall.dense_votes": 0,
}
"""The least a number may be. An infinite one and one that is no number are refused too."""


def load_settings(overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings.

    Args:
        overrides: dotted names to values, such as ``{"recall.depth": 50}``.
        environ: the environment; the process's own when None.

    Raises:
        InvalidInput: an unknown name, or a value of the wrong type.
    """
    environ = os.environ if environ is None else environ
    given = {
        key.removeprefix("BETHINK_").lower().replace("__", "."): value
        for key, value in environ.items()
        if key.startswith("BETHINK_") and key != "BETHINK_DATA"
    }
    if not given.get("home", "x"):
        del given["home"]  # an empty variable stands for an unset one: the working directory is nobody's data folder
    home = Path(str((overrides or {}).get("home") or given.get("home") or Settings().home)).expanduser()
    settings = replace(Settings(), home=home)
    for name, value in _flatten(_toml(home / "config.toml")).items():
        settings = _set(settings, name, value, name)
    for name, value in given.items():
        settings = _set(settings, name, value, f"BETHINK_{name.upper().replace('.', '__')}")
    for name, value in (overrides or {}).items():
        settings = _set(settings, name, value, name)
    _check_numbers(settings)
    for name, choices in _CHOICES.items():
        if (value := leaves(settings)[name]) not in choices:
            raise InvalidInput(f"Setting {name!r} must be one of {', '.join(choices)}, not {value[:40]!r}.")
    return settings


def _check_numbers(settings: Settings) -> None:
    """Refuse a number nothing could be recalled or stored with.

    Raises:
        InvalidInput: the setting and the least it may be.
    """
    for name, value in leaves(settings).items():
        least = _LEAST.get(name)
        if least is not None and not least <= value < math.inf:
            raise InvalidInput(f"Setting {name!r} must be at least {least}, not {value}.")


def leaves(node: Any = None, prefix: str = "") -> dict[str, Any]:
    """Every setting by its dotted name, with its value (its default when no tree is given)."""
    node = Settings() if node is None else node
    found: dict[str, Any] = {}
    for item in fields(node):
        value = getattr(node, item.name)
        name = prefix + item.name
        found |= leaves(value, name + ".") if is_dataclass(value) else {name: value}
    return found


def _toml(path: Path) -> dict[str, Any]:
    """The file's table, empty when there is none."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        msg = f"{path} cannot be read as TOML: {error}."
        raise InvalidInput(msg) from error


def _flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted names."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        flat |= _flatten(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return flat


def _set(node: Any, name: str, value: Any, whole: str) -> Any:
    """A tree with one leaf replaced; `whole` is the name that an error gives: the dotted one, or the variable's."""
    head, _, rest = name.partition(".")
    hints = get_type_hints(type(node))
    if head not in hints or bool(rest) != is_dataclass(getattr(node, head)):
        msg = f"There is no setting {whole!r}."
        raise InvalidInput(msg, remedy=f"Settings are {', '.join(sorted(leaves()))}.")
    new = _set(getattr(node, head), rest, value, whole) if rest else _convert(hints[head], value, whole)
    return replace(node, **{head: new})


def _convert(kind: type, value: Any, name: str) -> Any:
    """`value` as the leaf's type."""
    try:
        if kind is bool:
            return value if isinstance(value, bool) else {"true": True, "1": True, "false": False, "0": False}[value]
        if kind is int and (isinstance(value, bool) or (isinstance(value, float) and value != int(value))):
            raise TypeError  # noqa: TRY301 - the one message below serves every wrong value
        return kind(value)
    except (TypeError, ValueError, KeyError, OverflowError):
        msg = f"Setting {name!r} must be {kind.__name__}, not {str(value)[:40]!r}."
        raise InvalidInput(msg) from None
