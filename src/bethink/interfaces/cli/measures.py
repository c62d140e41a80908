"""What the measuring commands show a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bethink.interfaces.cli.screen import columns, pairs, say

if TYPE_CHECKING:
    from bethink.evaluation.baseline import Change, Compared

_SHOWN = (
    "R@5 R@10 R@50 recall_all@10 hit@1 hit@5 MRR NDCG@10 "
    "candidate_recall ungated_R@10 block_recall noise tokens p50_ms p95_ms"
).split()


def show_retrieval(found: dict[str, Any]) -> None:
    """The metrics by group, where evidence was lost, and the comparison."""
    metrics, failures = found["metrics"], found["failures"]
    groups = {"all": metrics["all"], "answerable": metrics["answerable"], **metrics["by_category"]}
    columns(("", "n", *_SHOWN), [(name, str(group["queries"]), *_cells(group)) for name, group in groups.items()])
    macros = metrics["macro"]
    say()
    columns(("macro", *_SHOWN[:8]), [(name, *_cells(group)[:8]) for name, group in macros.items()])
    say()
    lost = failures["answerable"]
    say(f"evidence lost among the first ten: {lost['lost']} of {lost['evidence']} (answerable questions)")
    pairs([*lost["by_code"].items(), *((f"  {place}", count) for place, count in lost["by_place"].items())])
    if told := found.get("mismatch"):
        say()
        say(
            f"mismatch: AUC {told['auc']:.3f}; told of {told['noted_traps']:.1%} of the traps"
            f" and {told['noted_answerable']:.1%} of the answerable questions"
        )
    for told in found.get("comparisons", {}).values():
        say()
        data = "" if told["same_data"] else ", of other data"
        say(f"against {told['against']}{data} (answerable, paired bootstrap, 95 %)")
        rows = [
            (name, *(f"{gap[key]:+.4f}" for key in ("difference", "low", "high")), "clear" if gap["clear"] else "")
            for name, gap in told["answerable"].items()
        ]
        columns(("", "difference", "low", "high", ""), rows)
    if degraded := found["conditions"]["degraded"]:
        say(f"degraded: {degraded}")


def _cells(group: dict[str, float]) -> list[str]:
    """The metrics of a group that are shown."""
    return [
        "" if name not in group else f"{group[name]:.3f}" if group[name] < 10 else f"{group[name]:.1f}"
        for name in _SHOWN
    ]


def show_scenarios(run: dict[str, Any], compared: Compared) -> None:
    """The integers, the categories, and what is not as it was."""
    pairs([(name, str(value)) for name, value in run["metrics"].items()])
    say()
    heads = (
        "probes",
        "wanted",
        "wanted_formed",
        "recalled_formed",
        "recalled",
        "answerable",
        "answered",
        "returned",
        "noise",
    )
    columns(("", *heads), [(name, *(str(row[key]) for key in heads)) for name, row in run["by_category"].items()])
    say()
    for text in compared.drift:
        say(f"drift: {text}")
    _changes("regression", compared.regressions)
    _changes("improvement", compared.improvements)
    _changes("shift", compared.shifts)
    _changes("moved", compared.rows)
    if compared.same:
        say("the same as the baseline")


def _changes(kind: str, changes: Sequence[Change]) -> None:
    """Changes, one a line."""
    for change in changes:
        say(f"{kind}: {change.name} {change.before} -> {change.after}")
