"""The page of benchmarks, written from result files: what was measured, under which conditions, and what is worse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from bethink.evaluation.report_sweep import sweep_section

Result = Mapping[str, Any]

OURS = "default"
"""The label of the run that the others stand beside."""

HEAD = """# Benchmarks

Written by `bethink eval report` from the result files in [benchmarks/](benchmarks/); what each number means stands in
[measuring](measuring.md). No generative model is asked, and recall never stands without its noise.
"""

METRICS = (
    "R@5 R@10 R@50 recall_all@10 hit@1 hit@5 MRR NDCG@10 candidate_recall ungated_R@10 block_recall noise tokens"
).split()
_LESS = frozenset({"noise"})
_WORSE = "R@5 R@10 R@50 recall_all@10 hit@1 MRR NDCG@10 noise".split()
_COUNTS = frozenset({"tokens"})


def page(results: Iterable[Result], published: Sequence[Result]) -> str:
    """The page as Markdown.

    Args:
        results: what `eval retrieval`, `eval sweep` and `eval scenarios` wrote, in any order.
        published: numbers of others, each with ``dataset``, ``level``, ``system``, ``metrics``, ``source`` and
            ``conditions``.
    """
    known = list(results)
    runs = sorted((one for one in known if one["kind"] == "retrieval"), key=_place)
    parts = [HEAD]
    for (dataset, split, level), found in groupby(runs, key=lambda one: _place(one)[:3]):
        group = list(found)
        elsewhere = [one for one in published if (one["dataset"], one["level"]) == (dataset, level)]
        parts += [
            f"## {dataset}, {level} level, split `{split}`\n",
            _overall(group),
            _categories(group),
            _differences(group),
            _lost(group),
            _mismatches(group),
            _worse(group),
            _elsewhere(elsewhere),
            _conditions(group),
        ]
    parts += [sweep_section(one, _table) for one in known if one["kind"] == "sweep"]
    parts += [_scenarios(one) for one in known if one["kind"] == "scenarios"]
    return "\n".join(part for part in parts if part)


def _place(run: Result) -> tuple[str, str, str, bool, str]:
    """Where a run stands on the page: with its set, split and level, ours first."""
    return str(run["dataset"]), str(run["split"]), str(run["level"]), run["label"] != OURS, str(run["label"])


def _overall(runs: Sequence[Result]) -> str:
    """Every run over the questions with an answer, and over all."""
    rows = [[str(run["label"]), *_cells(run["metrics"]["answerable"])] for run in runs]
    count = runs[0]["metrics"]["answerable"]["queries"]
    text = f"Questions that have an answer ({count}), means over questions; `R@k` and the like in percent.\n\n"
    text += _table(["run", *METRICS], rows)
    macros = [[str(run["label"]), *_cells(run["metrics"]["macro"]["all"])] for run in runs]
    return text + "\nMeans over categories, all of them.\n\n" + _table(["run", *METRICS], macros)


def _categories(runs: Sequence[Result]) -> str:
    """R@10 and NDCG@10 of each category."""
    groups = [run["metrics"]["by_category"] for run in runs]
    names = list(dict.fromkeys(name for found in groups for name in found))
    if len(names) < 2:
        return ""
    sizes = {name: max(found[name]["queries"] for found in groups if name in found) for name in names}
    heads = [f"{name} ({sizes[name]})" for name in names]
    rows = [
        [f"{run['label']}, {metric}", *(_number(metric, run["metrics"]["by_category"].get(name, {})) for name in names)]
        for metric in ("R@10", "NDCG@10", "noise")
        for run in runs
    ]
    return "By category.\n\n" + _table(["run", *heads], rows)


def _differences(runs: Sequence[Result]) -> str:
    """The paired comparisons that a run was made with."""
    rows = [
        [
            f"{run['label']} less {told['against']}",
            metric,
            *(f"{100 * gap[key]:+.1f}" for key in ("difference", "low", "high")),
            str(gap["queries"]),
            "yes" if gap["clear"] else "no",
        ]
        for run in runs
        for told in run.get("comparisons", {}).values()
        for metric, gap in told["answerable"].items()
        if metric in {"R@10", "hit@1", "NDCG@10", "noise"}
    ]
    if not rows:
        return ""
    heads = ["runs", "metric", "difference", "low", "high", "questions", "clear"]
    return "Differences in points, question by question, with the 95 % interval of a paired bootstrap.\n\n" + _table(
        heads, rows
    )


def _lost(runs: Sequence[Result]) -> str:
    """Where each run lost evidence that is not among the first ten."""
    codes = list(dict.fromkeys(code for run in runs for code in run["failures"]["answerable"]["by_code"]))
    rows = [
        [
            str(run["label"]),
            f"{told['lost']} of {told['evidence']}",
            *(str(told["by_code"].get(code, 0)) for code in codes),
            "; ".join(f"{place} {count}" for place, count in list(told["by_place"].items())[:4]),
        ]
        for run in runs
        for told in (run["failures"]["answerable"],)
    ]
    return "Evidence that is not among the first ten, by the code of what lost it.\n\n" + _table(
        ["run", "lost", *codes, "places"], rows
    )


def _mismatches(runs: Sequence[Result]) -> str:
    """How well each run tells a question that credits the wrong one from one that has an answer."""
    told = [(str(run["label"]), run["mismatch"]) for run in runs if "mismatch" in run]
    if not told:
        return ""
    rows = [
        [label, f"{found['auc']:.3f}", *(f"{100 * found[f'noted_{name}']:.1f}" for name in ("traps", "answerable"))]
        for label, found in told
    ]
    text = "Questions that credit the wrong one: the area under the curve of `mismatch`, and the share told of one.\n\n"
    return text + _table(["run", "AUC", "of the traps", "of the answerable"], rows)


def _worse(runs: Sequence[Result]) -> str:
    """Where our default is worse than another run, by group and metric."""
    ours = next((run for run in runs if run["label"] == OURS), None)
    if ours is None or len(runs) < 2:
        return ""
    rows = [
        [group, metric, str(other["label"]), _number(metric, mine[group]), _number(metric, theirs[group])]
        for other in runs
        if other is not ours
        for mine, theirs in ((_groups(ours), _groups(other)),)
        for group in mine.keys() & theirs.keys()
        for metric in _WORSE
        if metric in mine[group] and metric in theirs[group] and _is_worse(metric, mine[group], theirs[group])
    ]
    rows.sort()
    text = f"Where `{OURS}` is worse, by more than half a point: "
    if not rows:
        return text + "nowhere among these runs.\n"
    return text.rstrip() + "\n\n" + _table(["group", "metric", "than", OURS, "that run"], rows)


def _groups(run: Result) -> dict[str, Mapping[str, float]]:
    """The answerable questions and each category."""
    return {"answerable": run["metrics"]["answerable"], **run["metrics"]["by_category"]}


def _is_worse(metric: str, ours: Mapping[str, float], theirs: Mapping[str, float]) -> bool:
    """Whether ours is worse by more than half a point."""
    gap = theirs[metric] - ours[metric]
    return (-gap if metric in _LESS else gap) > 0.005


def _elsewhere(published: Sequence[Result]) -> str:
    """Numbers of others, with what makes them comparable or not."""
    if not published:
        return ""
    names = [name for name in METRICS if any(name in one["metrics"] for one in published)]
    rows = [
        [
            str(one["system"]),
            *(_number(name, one["metrics"]) for name in names),
            f"{one['conditions']} ({one['source']})",
        ]
        for one in published
    ]
    return "Published or measured elsewhere; compare only under the same conditions.\n\n" + _table(
        ["system", *names, "conditions"], rows
    )


def _conditions(runs: Sequence[Result]) -> str:
    """What decides the numbers of each run."""
    rows = []
    for run in runs:
        told = run["conditions"]
        settings = ", ".join(f"`{name}={value}`" for name, value in told["settings"].items()) or "defaults"
        degraded = "; ".join(f"{reason} ({count})" for reason, count in told["degraded"].items()) or "nothing"
        rows.append(
            [
                str(run["label"]),
                f"{told['embedder']} {told['space'] or ''}".strip(),
                settings,
                f"{told['turns']:,} of {told['conversations']}",
                f"{told['questions']:,} ({told['left_out']} left out)",
                f"{run['metrics']['all']['p50_ms']:.0f} / {run['metrics']['all']['p95_ms']:.0f}",
                told["layout"],
                degraded,
                told["policy"],
                told["digest"],
            ]
        )
    heads = [
        "run",
        "embedder",
        "settings",
        "turns",
        "questions",
        "p50 / p95 ms",
        "layout",
        "degraded",
        "policy",
        "data",
    ]
    presents = dict.fromkeys((str(run["conditions"]["present"]), str(run["conditions"]["layout"])) for run in runs)
    alone = len(presents) == 1
    present = " or ".join(told if alone else f"{told} (layout {layout})" for told, layout in presents)
    stores = " and ".join(dict.fromkeys(str(run["conditions"]["store"]) for run in runs))
    text = f"Conditions: {stores}, warm, the present is {present}. Times are those of a machine "
    return f"{text}that did other work beside; `bethink bench` measures them alone.\n\n" + _table(heads, rows)


def _scenarios(run: Result) -> str:
    """The integers of the scenarios."""
    heads = list(next(iter(run["by_category"].values())))
    rows = [[name, *(str(row[key]) for key in heads)] for name, row in run["by_category"].items()]
    totals = ", ".join(f"{name} {value}" for name, value in run["metrics"].items())
    return (
        f"## Scenarios\n\n{run['scenarios']} stories of ours by words alone, policy {run['policy']}, corpus "
        f"{run['corpus']}: {totals}.\n\n" + _table(["category", *heads], rows)
    )


def _cells(means: Mapping[str, float]) -> list[str]:
    """The metrics of a table's row."""
    return [_number(name, means) for name in METRICS]


def _number(name: str, means: Mapping[str, float]) -> str:
    """A metric as the page writes it: shares in percent, a dash where there is none."""
    if name not in means:
        return "-"
    return f"{means[name]:.0f}" if name in _COUNTS else f"{100 * means[name]:.1f}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; a bar in a cell would end it."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |\n" for line in lines)
