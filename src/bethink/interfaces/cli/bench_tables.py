"""What `bench` shows a person."""

from __future__ import annotations

from typing import Any

from bethink.interfaces.cli.screen import columns, say


def show_bench(found: dict[str, Any]) -> None:
    """The figures as tables: one column for each size, then the slopes from each to the next."""
    runs = found["runs"]
    heads = ("p50 / p95 ms", *(f"{run['records']:,}" for run in runs))
    names = list(runs[0]["recall"]["stages"])
    rows = [
        ("recall", *(_spread(run["recall"]) for run in runs)),
        *((f"- {name}", *(_spread(run["recall"]["stages"][name]) for run in runs)) for name in names),
        *((f"recall, {kind} questions", *(_spread(run["questions"][kind]) for run in runs)) for kind in _kinds(runs)),
        ("recall in small scopes", *(_spread(run.get("small")) for run in runs)),
        ("remember", *(_spread(run["remember"]) for run in runs)),
        ("get", *(_spread(run["get"]) for run in runs)),
        ("open to first recall, ms", *(str(run["open_ms"]) for run in runs)),
        ("writes per second", *(str(run["remember"]["per_second"]) for run in runs)),
        ("peak memory, MB", *(str(run["rss_mb"]) for run in runs)),
        ("files, MB", *(str(run["file_mb"] or "") for run in runs)),
        ("tokens of a block", *(f"{run['tokens']['p50']:g} / {run['tokens']['p95']:g}" for run in runs)),
        ("planted answers, R@10", *(_percent(run["quality"]["planted"]["R@10"]) for run in runs)),
        ("nearest by brute force, R@10", *(_percent(run["quality"]["nearest"]["R@10"]) for run in runs)),
        ("scopes", *(str(run["scopes"]) for run in runs)),
        ("first recall in a scope", *(_spread(run["recall"]["first_in_scope"]) for run in runs)),
        ("recalls of callers at once", *(f"{run['callers']['count']}: {_spread(run['callers'])}" for run in runs)),
        ("recalls per second", *(str(run["callers"]["recalls_per_second"]) for run in runs)),
        ("traces stored at once", *(str(run["callers"]["traces_stored"]) for run in runs)),
    ]
    columns(heads, rows)
    _show_slopes(found["slopes"])
    encoder = found.get("encoder", {})
    if encoder.get("available"):
        say()
        say(f"encoder: query {_spread(encoder['query'])} ms, {encoder['bulk_per_second']} turns a second")
        say(f"remember with it: {_spread(encoder['remember'])} ms")


def _show_slopes(slopes: list[dict[str, Any]]) -> None:
    """How each number grows from size to size."""
    if not slopes:
        return
    say()
    say("slopes: powers of the records (0 stays, 1 grows with them); tokens and R@10 move by so much a tenfold")
    names = [name for name in slopes[0] if name not in {"from", "to"}]
    heads = ("", *(f"{one['from']:,} to {one['to']:,}" for one in slopes))
    columns(heads, [(name, *("" if one[name] is None else f"{one[name]:+g}" for one in slopes)) for name in names])


def _kinds(runs: list[dict[str, Any]]) -> list[str]:
    """The kinds of questions beside the plain ones."""
    return list(runs[0]["questions"])


def _percent(share: float | None) -> str:
    """A share, nothing where nothing was measured."""
    return "" if share is None else f"{share:.1%}"


def _spread(figures: dict[str, Any] | None) -> str:
    """Median and tail, nothing where nothing was measured."""
    return "" if figures is None else f"{figures['p50_ms']} / {figures['p95_ms']}"
