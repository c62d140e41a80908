"""A run as data: one JSON object with every mean, and a row for each question. Neither holds a text of the data set."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import bethink
from bethink.errors import InvalidInput, NotFound
from bethink.evaluation.cases import Dataset
from bethink.evaluation.compare import Difference
from bethink.evaluation.failures import case_code, tally
from bethink.evaluation.metrics import BLOCK, POOL, RETRIEVAL, Values, auc, macro, micro, percentile
from bethink.evaluation.plain import as_lines, make_folder, write_text
from bethink.evaluation.runner import Answer, Plan, Run
from bethink.opening import SERVERS
from bethink.settings import Settings, leaves

DIGITS = 4
KIND = "retrieval"
_KINDS = {
    KIND: frozenset({"label", "dataset", "split", "level", "metrics", "failures", "conditions"}),
    "scenarios": frozenset({"scenarios", "metrics", "by_category", "policy", "corpus"}),
    "sweep": frozenset({"sets"}),
}
"""What a result of each kind has at least."""

_PUBLISHED = frozenset({"dataset", "level", "system", "metrics", "source", "conditions"})
_MACHINE = frozenset({"home", "store.replica", "store.url"})
"""Settings that say where and not how."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A run with what it measured and how: all that a result says."""

    dataset: Dataset
    plan: Plan
    run: Run


def result(measured: Measured, label: str) -> dict[str, Any]:
    """The result object.

    ``metrics`` holds ``all`` questions, the ``answerable`` ones and each category, means over questions (micro) with
    the latency of recall; ``macro`` the means over categories. ``failures`` counts lost evidence by code, by stage and
    by failed question. ``mismatch``, where the set has traps, says how well the signal of that name tells them from the
    answerable questions. ``conditions`` is all that decides the numbers.
    """
    dataset, plan, run = measured.dataset, measured.plan, measured.run
    answers = run.answers
    fine = answerable(answers)
    categories = sorted({answer.case.category for answer in answers})
    groups = {name: [answer for answer in answers if answer.case.category == name] for name in categories}
    return {
        "kind": KIND,
        "label": label,
        "dataset": dataset.name,
        "split": dataset.split,
        "level": plan.level,
        "metrics": {
            "all": _group(answers),
            "answerable": _group(fine),
            "by_category": {name: _group(found) for name, found in groups.items()},
            "macro": {
                "all": _rounded(macro(map(_values, groups.values()))),
                "answerable": _rounded(
                    macro(kept for found in groups.values() if (kept := _values(answerable(found))))
                ),
            },
        },
        "failures": {
            "all": _failures(answers),
            "answerable": _failures(fine),
            "by_category": {name: _failures(found) for name, found in groups.items()},
        },
        **({"mismatch": _mismatch(answers)} if len(fine) < len(answers) else {}),
        "conditions": conditions(measured),
    }


def conditions(measured: Measured) -> dict[str, Any]:
    """All that decides the numbers, and the machine that decides the times.

    ``settings`` names those that differ from the defaults. Times leave the embed stage out, for vectors are kept
    between runs; ``embedded_now`` says how many were not kept yet.
    """
    dataset, plan, run = measured.dataset, measured.plan, measured.run
    chosen, default = leaves(plan.settings), leaves(Settings())
    stages = {name: [answer.stages.get(name, 0.0) for answer in run.answers] for name in run.answers[0].stages}
    return {
        "version": bethink.__version__,
        "policy": run.policy,
        "embedder": plan.settings.embedder,
        "space": run.space,
        "model": run.model,
        "layout": plan.layout,
        "settings": {name: chosen[name] for name in chosen if name not in _MACHINE and chosen[name] != default[name]},
        "conversations": len(dataset.conversations),
        "turns": run.turns,
        "questions": len(run.answers),
        "left_out": run.left_out,
        "digest": dataset.digest,
        "store": "postgres" if str(plan.store or "").startswith(SERVERS) else "sqlite",
        "present": "the end of each conversation's last session" if plan.layout == "apart" else "the latest of all",
        "warm": True,
        "candidates": round(fmean(answer.candidates for answer in run.answers), 1),
        "stages_p50_ms": {name: round(percentile(spent, 0.5), 3) for name, spent in stages.items() if name != "embed"},
        "degraded": dict(Counter(reason for answer in run.answers for reason in answer.degraded)),
        "embedded_now": run.computed,
        "seconds": round(run.seconds, 1),
        "machine": machine(),
    }


def machine() -> str:
    """What the times were measured on."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"


def rows(run: Run) -> list[dict[str, Any]]:
    """A row for each question: its metrics, the first of its order by id, and where each missed piece was lost."""
    return [
        {
            "id": answer.case.id,
            "scope": answer.case.scope,
            "category": answer.case.category,
            "answerable": answer.case.answerable,
            "metrics": dict(answer.values),
            "order": list(answer.order),
            "mismatch": answer.mismatch,
            "failure": case_code(answer.lost),
            "lost": [{key: value for key, value in asdict(lost).items() if value is not None} for lost in answer.lost],
            "ms": round(answer.milliseconds, 3),
        }
        for answer in run.answers
    ]


def check_out(path: Path) -> None:
    """Refuse a place where a result cannot be written, before anything is measured.

    Raises:
        InvalidInput: its name does not end in ``.json``, beside which the rows lie, or it is a folder.
        OutputFailed: its folder cannot be made or written.
    """
    if path.suffix != ".json" or path.is_dir():
        raise InvalidInput(f"{path} is no file whose name ends in .json.", remedy="Write it as --out RUN.json.")
    make_folder(path)


def write(path: Path, found: Mapping[str, Any], run: Run) -> None:
    """Write a result, and its rows beside it under the same name with ``.jsonl``.

    Raises:
        OutputFailed: there is no room, or no right to.
    """
    write_text(path, as_lines(found))
    write_text(rows_of(path), "".join(json.dumps(row) + "\n" for row in rows(run)))


def rows_of(path: Path) -> Path:
    """Where the rows of a result lie."""
    return path.with_suffix(".jsonl")


def read_result(path: Path) -> dict[str, Any]:
    """A result as it was written.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is no result, or not a whole one.
    """
    found = parsed(path, json.loads)
    needed = _KINDS.get(str(found.get("kind"))) if isinstance(found, dict) else None
    if needed is None or not found.keys() >= needed:
        raise InvalidInput(f"{path} is no result of an evaluation.", remedy="Give a file that `bethink eval` wrote.")
    return dict(found)


def result_files(given: Sequence[Path]) -> list[Path]:
    """The result files named: a folder stands for those in it that are results, in the order of their names.

    Raises:
        NotFound: there is none.
    """
    found = [inner for path in given for inner in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    kept = [path for path in found if path in given or _is_result(path)]
    if not kept:
        raise NotFound("There is no result there.", remedy="Write one with `bethink eval retrieval --out`.")
    return kept


def read_published(path: Path) -> list[dict[str, Any]]:
    """Numbers of others from a JSON list.

    Raises:
        NotFound: there is no such file.
        InvalidInput: an entry lacks a field.
    """
    found = parsed(path, json.loads)
    if not isinstance(found, list) or not all(isinstance(one, dict) and one.keys() >= _PUBLISHED for one in found):
        msg = f"{path} is no list of objects with {', '.join(sorted(_PUBLISHED))}."
        raise InvalidInput(msg)
    return found


def _is_result(path: Path) -> bool:
    """Whether a file holds a result."""
    found = parsed(path, json.loads)
    return isinstance(found, dict) and found.get("kind") in _KINDS


def parsed(path: Path, parse: Any) -> Any:
    """A file of ours, parsed.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it cannot be read.
    """
    try:
        return parse(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise NotFound(f"There is no {path}.", remedy="Write it with `bethink eval retrieval --out`.") from error
    except (ValueError, OSError, RecursionError) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error


def _values(answers: Iterable[Answer]) -> list[Values]:
    return [answer.values for answer in answers]


def answerable(answers: Iterable[Answer]) -> list[Answer]:
    """The questions that have an answer."""
    return [answer for answer in answers if answer.case.answerable]


def _group(answers: Sequence[Answer]) -> dict[str, float]:
    """The means of a group, its size, and the latency of its recalls."""
    means, spent = micro(_values(answers)), [answer.milliseconds for answer in answers]
    named = {name: means[name] for name in (*RETRIEVAL, *POOL, *BLOCK) if name in means}
    times = {"p50_ms": percentile(spent, 0.5), "p95_ms": percentile(spent, 0.95), "mean_ms": fmean(spent or [0.0])}
    return {"queries": len(answers), **_rounded(named | times)}


def _failures(answers: Sequence[Answer]) -> dict[str, Any]:
    """Lost evidence by code and by place, and failed questions by their code."""
    lost = [item for answer in answers for item in answer.lost]
    places = Counter(f"{item.stage}: {item.reason}" for item in lost)
    questions = Counter(code for answer in answers if (code := case_code(answer.lost)))
    return {
        "evidence": sum(answer.wanted for answer in answers),
        "lost": len(lost),
        "by_code": tally(lost),
        "by_place": dict(sorted(places.items(), key=lambda item: (-item[1], item[0]))),
        "questions": dict(sorted(questions.items())),
    }


def _mismatch(answers: Sequence[Answer]) -> dict[str, float]:
    """The area under the curve of the score, traps against answerable questions, and the share of each told of one."""
    traps, others = ([one for one in answers if one.case.answerable is fine] for fine in (False, True))
    told = {
        f"noted_{name}": _share(one.noted for one in found)
        for name, found in (("traps", traps), ("answerable", others))
    }
    return _rounded({"auc": auc([one.mismatch for one in traps], [one.mismatch for one in others]), **told})


def _share(held: Iterable[bool]) -> float:
    """How many of them hold, as a share; 0 of none."""
    return fmean(map(float, found)) if (found := list(held)) else 0.0


def difference(gap: Difference) -> dict[str, Any]:
    """A difference as data."""
    return {**{k: round(v, DIGITS) for k, v in asdict(gap).items()}, "clear": gap.clear}


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    """To a ten-thousandth: more says nothing about a few hundred questions."""
    return {name: round(value, DIGITS) for name, value in values.items()}
