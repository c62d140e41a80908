"""Before a run of the bench: its ground is filled and its questions are made, in a process that keeps the texts.

What measures gets the questions alone, so that its memory is that of a program that uses the store. In a folder that is
kept, the stores, how far they are filled and the questions stay, and the next run of that size begins at once.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bethink.evaluation.bench_callers import WARM
from bethink.evaluation.bench_ground import Filled, Ground, fill, refuse_filled
from bethink.evaluation.bench_quality import Nearest, brute_force
from bethink.evaluation.corpus import Corpus, Planted

SMALL = 10_000
"""Records of a small scope beside a large one, or a tenth of the large one's where that is less."""

KINDS = ("long", "common")
"""The kinds of questions beside the plain ones."""

_KIND_QUESTIONS, _TRUTH = 60, 50


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """How much to measure, and where.

    `url` names a store that holds no run of these sizes; a passing SQLite file for each size when None. `scope_size` is
    how many records lie in a scope, all in one when 0; a question is asked of one scope. `callers` processes ask at
    once, beside the one that measures. `keep` is a folder in which the files stay and are taken up again.
    `small_scopes` is how many scopes of `SMALL` records come on top, to be asked beside what is large.
    """

    sizes: tuple[int, ...] = (1_000, 10_000, 50_000)
    queries: int = 300
    writes: int = 200
    seed: int = 11
    url: str | None = None
    scope_size: int = 0
    callers: int = 1
    keep: Path | None = None
    small_scopes: int = 0

    def name(self, size: int) -> str:
        """What a size of this plan is called, in the names of files and tenants."""
        parts = [f"bench-{size}"]
        parts += [f"by-{self.scope_size}"] if self.scope_size else []
        return "-".join(parts + ([f"and-{self.small_scopes}"] if self.small_scopes else []))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A filled ground and what to ask in it.

    `asked` are plain questions by scope; those of the first, with the text they were made of, are `planted`. `kinds`
    are the other questions, all for the first scope, `truth` the questions that brute force has answered. `small` is
    the ground of the small scopes and `small_asked` what is asked in each.
    """

    ground: Ground
    filled: Filled
    asked: tuple[tuple[str, ...], ...]
    planted: tuple[Planted, ...]
    kinds: dict[str, tuple[Planted, ...]]
    truth: tuple[Nearest, ...]
    small: Ground | None = None
    small_asked: tuple[tuple[str, ...], ...] = ()


def prepare(plan: BenchPlan, size: int, folder: Path) -> Prepared:
    """Fill a size, or take up what is filled, and make its questions.

    Raises:
        InvalidInput: the store of the plan holds a run of that size.
    """
    name = plan.name(size)
    scopes = -(-size // plan.scope_size) if plan.scope_size else 1
    base = plan.keep or folder
    url = plan.url or str(base / f"{name}-{plan.seed}.db")
    ground = Ground(url, str(folder), f"bench-{size}", scopes)
    small = Ground(url, str(folder), f"bench-{size}", plan.small_scopes, "small") if plan.small_scopes else None
    mark = None if plan.keep is None else plan.keep / f"{name}-{plan.seed}.filled.json"
    notes = None if plan.keep is None else plan.keep / f"{name}-{plan.seed}.questions.json"
    if mark is None or not mark.exists():
        refuse_filled(ground)
    filled = Filled.read(mark)
    made = _read(notes, plan) if filled.whole else None
    if made is None:
        corpus = Corpus(plan.seed)
        texts = list(corpus.texts(size))
        filled = fill(ground, texts, mark)
        made = _questions(plan, corpus, texts, ground) | _beside(plan, size, small, mark)
        if notes is not None:
            notes.write_text(json.dumps(made), "utf-8")
    return _prepared(made, (ground, small), filled)


def _questions(plan: BenchPlan, corpus: Corpus, texts: list[tuple[str, str]], ground: Ground) -> dict[str, Any]:
    """All that is asked of the large scopes, as plain data."""
    count = plan.queries + WARM + 1
    first = ground.share(texts, 0)
    kinds = min(_KIND_QUESTIONS, plan.queries)
    return {
        "count": count,
        "asked": [corpus.questions(ground.share(texts, scope), count) for scope in range(ground.scopes)],
        "planted": [asdict(one) for one in corpus.planted(first, count)],
        "kinds": {
            "long": [asdict(one) for one in corpus.long_questions(first, kinds)],
            "common": [{"question": question, "text": ""} for question in corpus.common_questions(kinds)],
        },
        "truth": [asdict(one) for one in brute_force(ground, texts, corpus.nameless(first, min(_TRUTH, plan.queries)))],
        "small_asked": [],
    }


def _beside(plan: BenchPlan, size: int, small: Ground | None, mark: Path | None) -> dict[str, Any]:
    """Fill the small scopes, with texts of their own, and say what is asked in them; nothing without any."""
    if small is None:
        return {}
    corpus = Corpus(plan.seed + 1)
    texts = list(corpus.texts(small_size(size) * small.scopes))
    fill(small, texts, None if mark is None else mark.with_suffix(".small.json"))
    count = max(2, plan.queries // small.scopes)
    return {"small_asked": [corpus.questions(small.share(texts, scope), count) for scope in range(small.scopes)]}


def small_size(size: int) -> int:
    """Records of each small scope beside so many."""
    return max(1, min(SMALL, size // 10))


def _read(notes: Path | None, plan: BenchPlan) -> dict[str, Any] | None:
    """The kept questions, where they are as many as the plan asks."""
    if notes is None or not notes.exists():
        return None
    made: dict[str, Any] = json.loads(notes.read_text("utf-8"))
    return made if made["count"] == plan.queries + WARM + 1 else None


def _prepared(made: dict[str, Any], grounds: tuple[Ground, Ground | None], filled: Filled) -> Prepared:
    """Plain data as values."""
    return Prepared(
        ground=grounds[0],
        filled=filled,
        asked=tuple(tuple(questions) for questions in made["asked"]),
        planted=tuple(Planted(**one) for one in made["planted"]),
        kinds={kind: tuple(Planted(**one) for one in made["kinds"][kind]) for kind in KINDS},
        truth=tuple(Nearest(one["question"], tuple(one["texts"]), tuple(one["cosines"])) for one in made["truth"]),
        small=grounds[1],
        small_asked=tuple(tuple(questions) for questions in made["small_asked"]),
    )
