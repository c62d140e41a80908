"""The sweep on the page of benchmarks: the default beside every fixed setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

METRICS = ("R@10", "NDCG@10")
"""What the default is compared by."""

MEANS = (*METRICS, "noise")
"""What is shown of each set: no recall without its noise."""

_WAYS = {"less": "together", "balanced": "alike"}
Table = Callable[[Sequence[str], Sequence[Sequence[str]]], str]


def sweep_section(found: Mapping[str, Any], table: Table) -> str:
    """The section of one sweep; `table` writes a table."""
    sets = list(found["sets"])
    heads = ["fusion, share of meaning", *(f"{name} {metric}" for name in sets for metric in MEANS)]
    heads += [f"{way}: {metric}" for way in _WAYS.values() for metric in METRICS]
    told = ", ".join(
        f"{name} {about['questions']:,} questions (`{about['split']}`, {about['digest']})"
        for name, about in found["sets"].items()
    )
    conditions = found["conditions"]
    return (
        f"## Every fixed fusion\n\n{told}; {conditions['policy']}, {conditions['embedder']} {conditions['space']}. "
        "The right half is the default less that setting, in points with the 95 % interval of a paired bootstrap: over"
        " all questions together, and with the sets weighed alike. Where the interval excludes zero it is bold.\n\n"
        + table(heads, [_row(row, sets) for row in found["settings"]])
        + "\n"
        + _verdict(found)
    )


def _row(row: Mapping[str, Any], sets: Sequence[str]) -> list[str]:
    """One setting."""
    means = [f"{100 * row['means'][name][metric]:.1f}" for name in sets for metric in MEANS]
    gaps = [_gap(row[way][metric]) if way in row else "" for way in _WAYS for metric in METRICS]
    return [str(row["setting"]), *means, *gaps]


def _gap(told: Mapping[str, Any]) -> str:
    """A difference with its interval."""
    text = f"{100 * told['difference']:+.1f} ({100 * told['low']:+.1f}, {100 * told['high']:+.1f})"
    return f"**{text}**" if told["clear"] else text


def _better(told: Mapping[str, Any]) -> bool:
    """Whether the default is clear of a setting: the interval excludes zero, which its rounded end may not show."""
    return bool(told["clear"] and told["difference"] > 0)


def _verdict(found: Mapping[str, Any]) -> str:
    """How many settings the default is clear of, by metric and way, and which it is not."""
    fixed = [row for row in found["settings"] if "less" in row]
    lines = []
    for way, words in _WAYS.items():
        for metric in METRICS:
            open_ = [str(row["setting"]) for row in fixed if not _better(row[way][metric])]
            rest = f"; not of {', '.join(open_)}" if open_ else ""
            lines.append(f"- {words}, {metric}: clear of {len(fixed) - len(open_)} of {len(fixed)}{rest}.\n")
    return "".join(lines)
