"""How a command is made: options from a dataclass, the caller's options beside them, one way to answer and to fail."""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
from collections.abc import Callable, Collection, Iterable
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_type_hints

import typer

import bethink
from bethink.domain.scope import Sensitivity
from bethink.errors import BethinkError, InvalidInput, OutputFailed
from bethink.interfaces.cli.screen import put, remark
from bethink.interfaces.codec import to_object
from bethink.operations.common import Notice

if TYPE_CHECKING:
    from bethink.memory import BoundMemory, Memory

Options = TypeVar("Options")

Ceiling = Literal["public", "normal", "restricted", "secret"]


@dataclass(frozen=True, slots=True)
class Common:
    """The options that commands share: who calls, where the store is, how to answer."""

    user: Annotated[str | None, typer.Option(help="The user; the settings' caller.user unless given.")] = None
    agent: Annotated[str | None, typer.Option(help="The agent; the settings' caller.agent unless given.")] = None
    project: Annotated[str | None, typer.Option(help="The current project.")] = None
    task: Annotated[str | None, typer.Option(help="The current task.")] = None
    tenant: Annotated[str | None, typer.Option(help="The tenant; the settings' caller.tenant unless given.")] = None
    ceiling: Annotated[Ceiling, typer.Option(help="The most sensitive record to show.")] = "normal"
    home: Annotated[Path | None, typer.Option(help="The data folder; BETHINK_HOME unless given.")] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notices and no progress bars.")] = False


EVERY = tuple(item.name for item in fields(Common))
"""Every shared option, for a command that acts for a caller."""

STORE = ("home", "as_json", "quiet")
"""Those of a command that acts on a store as a whole."""

TENANT = ("tenant", *STORE)
"""Those of a command that acts on one tenant as a whole."""

TARGET = "Which of your scopes owns it."
"""What the option ``--target`` says of itself."""

ALONE = ("as_json", "quiet")
"""Those of a command that opens no store of the user's."""


class Call:
    """One run of a command. The store is opened when it is first asked for."""

    def __init__(self, name: str, common: Common) -> None:
        self.name = name
        self.common = common
        self._memory: Memory | None = None

    def memory(self, **options: Any) -> Memory:
        """The store, opened with these options the first time; that there was none before is told."""
        if self._memory is None:
            # The settings load with the store, so that what opens none starts fast.
            from bethink.settings import STORE_FILE, load_settings  # noqa: PLC0415 - the reason stands above

            settings = load_settings({} if self.common.home is None else {"home": self.common.home})
            path = settings.home / STORE_FILE
            new = not settings.store.url and not path.exists()
            self._memory = bethink.open(settings=settings, **options)
            self.tell([Notice("new_store", f"There was no store; this one is new: {path}")] if new else [])
        return self._memory

    def bound(self, **surroundings: Any) -> BoundMemory:
        """The store as the caller sees it: a person at a terminal, unless the surroundings say otherwise."""
        common = self.common
        ceiling = Sensitivity[common.ceiling.upper()]
        given = {"surface": "cli", "voice": "user", "task": common.task, "ceiling": ceiling} | surroundings
        return self.memory().bind(common.user, common.agent, common.project, tenant=common.tenant, **given)

    def answer(self, result: Any, show: Callable[[], None]) -> None:
        """Print a result: as JSON when asked, else by `show`.

        ``status`` says whether the command did its work, so a result's own status is called ``record_status``.
        """
        if self.common.as_json:
            told = {"record_status" if key == "status" else key: value for key, value in to_object(result).items()}
            print_json({"status": "success", "command": self.name, **told})
        else:
            show()

    def tell(self, notices: Iterable[Notice]) -> None:
        """Print notices beside the data."""
        if not self.common.quiet:
            for notice in notices:
                remark(f"note: {notice.text}")

    def close(self) -> None:
        """Release the store."""
        if self._memory is not None:
            self._memory.close()


def command(
    group: typer.Typer, name: str, options: type[Options], shared: Collection[str] = EVERY
) -> Callable[[Callable[[Call, Options], int | None]], None]:
    """Register a function as a command.

    Args:
        group: where it goes.
        name: what the user types, with the words of the groups above.
        options: a dataclass whose fields are the command's arguments and options.
        shared: which of the shared options it takes; one that would change nothing is not offered.

    The function takes the call and its options, prints its answer through the call, and returns an exit code or None
    for 0. A typed error ends the command with the error's own exit code.
    """

    def register(function: Callable[[Call, Options], int | None]) -> None:
        def run(**values: Any) -> None:
            common = Common(**{item: values.pop(item) for item in shared})
            call = Call(name, common)
            try:
                code = function(call, options(**values)) or 0
            except BethinkError as error:
                fail(name, error, as_json=common.as_json)
                code = error.exit_code
            finally:
                call.close()
            if code:
                raise typer.Exit(code)

        parameters = [*_parameters(options), *(one for one in _parameters(Common) if one.name in shared)]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # a function may carry one
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        run.__doc__ = function.__doc__
        group.command(name.rpartition(" ")[2])(run)

    return register


def confirm_erase(call: Call, question: str, dry_run: str) -> None:
    """Ask before an erase.

    Args:
        call: who would be asked.
        question: what would go.
        dry_run: what ``--dry-run`` shows instead.

    Raises:
        InvalidInput: nobody is there to ask, or the answer was no.
    """
    remedy = f"Add --yes to erase, or --dry-run to see {dry_run}."
    if call.common.as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput("An erase cannot be undone and nobody is here to confirm it.", remedy=remedy)
    remark(f"{question} This cannot be undone.")
    if not typer.confirm("Erase", err=True):
        raise InvalidInput("Nothing was erased.", remedy=remedy)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on standard output, in ASCII, so that no terminal misreads what a memory holds."""
    put(json.dumps(value, allow_nan=False) + "\n")


def fail(name: str, error: BethinkError, *, as_json: bool) -> None:
    """Print an error: as JSON on standard output when asked and possible, else in words on standard error."""
    if as_json:
        told = {"code": error.code, "message": error.message, "remedy": error.advice}
        with contextlib.suppress(OutputFailed):
            print_json({"status": "error", "command": name, "error": told})
            return
    remark(f"Error: {error.message}\n{error.advice}")


def _parameters(options: type[Any]) -> list[inspect.Parameter]:
    """The fields of a dataclass as the parameters of a command."""
    hints = get_type_hints(options, include_extras=True)
    return [
        inspect.Parameter(
            item.name, inspect.Parameter.KEYWORD_ONLY, default=_default(item), annotation=hints[item.name]
        )
        for item in fields(options)
    ]


def _default(item: Field[Any]) -> Any:
    """A field's default as a parameter's."""
    return inspect.Parameter.empty if item.default is MISSING else item.default
