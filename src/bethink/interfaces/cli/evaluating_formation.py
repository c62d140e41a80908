"""`eval formation`: what the readers of sessions make of a labelled workload, precision and recall side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bethink.interfaces.cli.command import Call
from bethink.interfaces.cli.screen import columns, pairs, say

if TYPE_CHECKING:
    from bethink.evaluation.formation_playing import Tally

ReaderName = Literal["rules", "scripted", "all"]


@dataclass(frozen=True, slots=True)
class FormationOptions:
    """What `eval formation` takes."""

    reader: Annotated[ReaderName, typer.Option(help="Which reader of sessions.")] = "all"


@dataclass(frozen=True, slots=True)
class Formed:
    """What each reader made of the workload, and what it did not hold."""

    readers: dict[str, dict[str, object]]
    failures: dict[str, tuple[str, ...]]
    held: bool


def formation(call: Call, options: FormationOptions) -> int:
    """Read the labelled sessions that come along, by the rules and by a script, and count what was formed.

    Nothing is needed and nothing is left to chance. The script suggests every labelled statement and every trap; what
    keeps the traps out are the rules of formation. Ends with 1 when anything is stored that should not be, when a
    correction did not supersede, or when too little was formed.
    """
    # the store loads with the workload, so that other commands start fast.
    from bethink.evaluation.formation_corpus import workload  # noqa: PLC0415 - the reason stands above
    from bethink.evaluation.formation_playing import READERS, as_row, measured  # noqa: PLC0415 - the reason stands above

    spoken = workload()
    names = [name for name in READERS if options.reader in {name, "all"}]
    tallies = {name: measured(spoken, name) for name in names}
    failures = {name: READERS[name].failures(tally) for name, tally in tallies.items()}
    held = not any(failures.values())
    result = Formed({name: as_row(tally) for name, tally in tallies.items()}, failures, held)
    call.answer(result, lambda: _show(tallies, failures))
    return 0 if held else 1


def _show(tallies: dict[str, Tally], failures: dict[str, tuple[str, ...]]) -> None:
    """A row a reader, then what was dropped and what does not hold."""
    rows = [
        (
            name,
            f"{tally.precision:.1%}",
            f"{tally.recall:.1%}",
            f"{tally.formed} of {tally.labelled}",
            str(tally.junk),
            f"{tally.superseded} of {tally.corrections}",
            f"{tally.reinforced} of {tally.repeats}",
            str(tally.invalidated),
        )
        for name, tally in tallies.items()
    ]
    head = ("reader", "precision", "recall", "formed", "junk", "corrected", "reinforced", "invalidated")
    columns(head, rows)
    for name, tally in tallies.items():
        if tally.dropped:
            say(f"dropped by {name}:")
            pairs([(reason.replace("_", " "), count) for reason, count in tally.dropped.items()])
    for name, words in failures.items():
        for text in words:
            say(f"{name}: {text}")
