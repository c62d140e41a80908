"""The breaks: in which file of the package, which text is replaced by which, and which tests have to notice.

A test is named by its path below ``tests``, with ``::`` and its name. Those of a store run on SQLite alone here.
"""

from __future__ import annotations

from typing import NamedTuple


class Break(NamedTuple):
    """One break. `find` stands once in the file."""

    file: str
    find: str
    put: str
    tests: tuple[str, ...]


def _unit(name: str, *tests: str) -> tuple[str, ...]:
    """Tests of one file of the read's unit tests."""
    return tuple(f"unit/recall/test_{name}.py::{test}" if test else f"unit/recall/test_{name}.py" for test in tests)


BREAKS = (
    Break("domain/fence.py", '"scope": entry.scope in self.scopes,', '"scope": True,', ("store/test_fence.py",)),
    Break(
        "domain/fence.py",
        '"ceiling": entry.sensitivity <= self.ceiling,',
        '"ceiling": True,',
        ("behaviour/test_filter.py", "store/test_fence.py"),
    ),
    Break(
        "domain/scope.py",
        "    return same and not grant.scope.private",
        "    return same",
        ("behaviour/test_grants.py",),
    ),
    Break(
        "domain/scope.py",
        "g.scope for g in grants if g.read and",
        "g.scope for g in grants if",
        ("behaviour/test_grants.py",),
    ),
    Break(
        "domain/scope.py",
        "return tuple(names) if all(",
        "return tuple(names) if any(",
        ("behaviour/test_modes.py::test_read_scopes_narrow_what_grants_open_and_an_unusable_list_reads_nothing",),
    ),
    Break("recall/filter.py", "    return wanted - {Status.PROVISIONAL}", "    return wanted", _unit("filter", "")),
    Break("recall/filter.py", "wanted = HISTORICAL if", "wanted = LIVE if", _unit("filter", "")),
    Break(
        "recall/gated.py",
        "return min(caller.ceiling, Sensitivity.NORMAL) if unasked or request.gate else caller.ceiling",
        "return caller.ceiling",
        ("behaviour/test_modes.py::test_an_agents_question_sees_restricted_records_and_a_passive_recall_does_not",),
    ),
    Break(
        "recall/arms.py",
        "snapshot.search, reader.settings.depth",
        "snapshot.search, asked.limit",
        _unit("pipeline", ""),
    ),
    Break("recall/fuse.py", "weight / (K + hit.rank)", "weight / hit.rank", _unit("fuse", "")),
    Break("recall/lift.py", "(1 - SESSION) * before + SESSION * top", "before", _unit("fuse", "")),
    Break("recall/lift.py", "before += IN_TIME *", "before += 0 *", _unit("fuse", "")),
    Break("recall/pool.py", "kept[np.searchsorted(found, looked_up)] = True", "pass", _unit("pool", "")),
    Break("recall/rank.py", "candidate.confidence * PROVISIONAL if", "candidate.confidence if", _unit("rank", "")),
    Break("recall/rank.py", "key=lambda item: (-item.score,", "key=lambda item: (item.score,", _unit("rank", "")),
    Break("recall/rank.py", "return volume * math.exp(", "return volume + 0 * math.exp(", _unit("rank", "")),
    Break("recall/rank.py", "    return CARRIED[candidate.portability]", "    return 1.0", _unit("rank", "")),
    Break(
        "recall/composite.py",
        "COSINE, RECENCY, CONFIDENCE = 0.5, 0.3, 0.2",
        "COSINE, RECENCY, CONFIDENCE = 0.5, 0.2, 0.3",
        _unit("policies", ""),
    ),
    Break(
        "recall/composite.py",
        "EPISODE_DAYS if candidate.kind is Kind.EPISODIC else BELIEF_DAYS",
        "BELIEF_DAYS",
        _unit("policies", ""),
    ),
    Break("recall/prior.py", "1.0 if distance < window else", "1.0 if distance <= window else", _unit("policies", "")),
    Break(
        "recall/policies.py", 'request.order or ("best_last"', 'request.order or ("best_first"', _unit("policies", "")
    ),
    Break("recall/gate.py", "found.match < rule.relative * best:", "found.match < 0:", _unit("gate", "")),
    Break("recall/gate.py", "max(best, found.match) < rule.answer:", "max(best, found.match) < 0:", _unit("gate", "")),
    Break("recall/gate.py", 'if context.on_weak == "empty":', 'if context.on_weak == "none":', _unit("gate", "")),
    Break("recall/collapse.py", "if candidate.id in superseded and not history:", "if False:", _unit("collapse", "")),
    Break(
        "recall/collapse.py",
        "counts.get(candidate.subject_key, 0) >= per_subject",
        "counts.get(candidate.subject_key, 0) > per_subject",
        _unit("collapse", ""),
    ),
    Break("recall/collapse.py", "        partners.update(candidate.conflicts)", "        pass", _unit("collapse", "")),
    Break(
        "recall/narrow.py",
        "ENOUGH = 3",
        "ENOUGH = 2",
        (
            "behaviour/test_taxonomy.py::test_three_filed_are_enough_to_leave_the_rest_out_and_two_bring_it_back_flagged",
        ),
    ),
    Break(
        "recall/narrow.py",
        'WEAK = {"composite": 0.35}',
        'WEAK = {"composite": 0.25}',
        (
            "behaviour/test_taxonomy.py::test_the_bound_below_which_everything_is_ranked_again_is_thirty_five_hundredths",
        ),
    ),
    Break(
        "session/cooldown.py",
        "if now - at < REST_TURNS}",
        "if now - at <= REST_TURNS}",
        ("unit/session/test_cooldown.py",),
    ),
    Break(
        "recall/hops.py",
        "MAX_HOPS = 10",
        "MAX_HOPS = 11",
        ("behaviour/test_chain.py::test_a_chain_resolves_within_ten_steps_and_errs_at_the_eleventh",),
    ),
    Break("recall/rerank.py", "    if asked.profile.gate == closed:", "    if True:", _unit("rerank", "")),
    Break("recall/safety.py", "if candidate.sensitivity > ceiling:", "if False:", _unit("safety", "")),
    Break("recall/safety.py", 'elif "quarantined" in candidate.flags:', "elif False:", _unit("safety", "")),
    Break(
        "recall/budget.py",
        "if _bytes(text) + 1 <= left else None",
        "if _bytes(text) + 1 <= left + 400 else None",
        _unit("budget", ""),
    ),
    Break("recall/budget.py", "if one is None and not placed:", "if one is None:", _unit("budget", "")),
    Break(
        "recall/render.py", 'lines if order == "best_first" else tuple(reversed(lines))', "lines", _unit("render", "")
    ),
    Break(
        "recall/render.py",
        "return origin is not None and origin != project",
        "return origin is not None",
        _unit("render", ""),
    ),
    Break(
        "recall/trace.py",
        "rendered_sha256=rendered_hash(account.rendered),",
        'rendered_sha256=rendered_hash(""),',
        _unit("pipeline", ""),
    ),
    Break(
        "recall/profiles.py",
        "return replace(profile, provisional=False, per_subject=max(profile.per_subject, limit))",
        "return replace(profile, per_subject=max(profile.per_subject, limit))",
        ("behaviour/test_snapshot.py",),
    ),
    Break(
        "recall/profiles.py",
        "return replace(profile, provisional=True, confirmed=False)",
        "return profile",
        ("behaviour/test_delta.py",),
    ),
    Break(
        "recall/lasting.py",
        "return lasting, limit - lasting",
        "return limit, limit - lasting",
        ("behaviour/test_snapshot.py",),
    ),
    Break(
        "recall/lasting.py",
        "return (*durable, *brought[:primed])",
        "return tuple(durable)",
        ("behaviour/test_snapshot.py",),
    ),
    Break("session/snapshot.py", "without=request.persona,", "without=(),", ("behaviour/test_snapshot.py",)),
    Break(
        "recall/lift.py",
        "before *= 1 - ELSEWHERE * (1 - spread)",
        "before *= 1 - 0 * ELSEWHERE * (1 - spread)",
        ("unit/recall/test_lift.py",),
    ),
    Break("recall/lift.py", "** -REPEATED, 1.0)", "** 0, 1.0)", ("unit/recall/test_lift.py",)),
    Break("store/bm25f.py", "    shares[0] = 0.0\n", "    shares[:] = 1.0\n", ("store/search/test_covered.py",)),
    Break(
        "session/snapshot.py",
        "return not unreadable(ids, reader.caller.ceiling, reader, snapshot)",
        "return True",
        ("behaviour/test_snapshot.py",),
    ),
    Break("session/snapshot.py", "position=result.position,", "position=0,", ("behaviour/test_snapshot.py",)),
    Break(
        "session/delta.py",
        "        include_owned_resources=False,",
        "        text=asked.text,",
        ("behaviour/test_delta.py",),
    ),
    Break("session/delta.py", "project_policy=asked.project_policy,", "", ("behaviour/test_delta.py",)),
    Break("session/delta.py", "after_position=known.position,", "after_position=0,", ("behaviour/test_delta.py",)),
    Break(
        "session/context.py",
        'YIELDING: tuple[BodyKind, ...] = ("knowledge", "changes", "recall", "tool_result", "history")',
        'YIELDING: tuple[BodyKind, ...] = ("knowledge", "tool_result", "history", "corrections", "recall")',
        ("unit/session/test_context.py",),
    ),
    Break("session/context.py", "and _BLOCK.search(part.text):", "and False:", ("unit/session/test_context.py",)),
    Break("session/gaps.py", "if words and words <= self.said:", "if False:", ("behaviour/test_gaps.py",)),
    Break(
        "session/gaps.py",
        "gaps = _planned(text, reader) if request.gaps is None else _given(request.gaps)",
        'gaps = (Gap("personal", text),) if request.gaps is None else _given(request.gaps)',
        ("behaviour/test_gaps.py",),
    ),
    Break(
        "ports/search.py",
        "places[np.lexsort((keys[places], -scores[places]))[:wanted]]",
        "np.argsort(-keys)[:wanted]",
        ("behaviour/test_depth.py::test_what_is_nominated_is_what_answers_and_not_what_is_new",),
    ),
    Break(
        "recall/arms.py",
        "self._search.structured(self._fence, self._query, self._depth)",
        "self._search.structured(self._fence, self._query, 60)",
        ("behaviour/test_depth.py",),
    ),
    Break(
        "recall/arms.py", "leading(text, keys, self._depth)", "leading(text, keys, 60)", ("behaviour/test_depth.py",)
    ),
    Break(
        "recall/policies.py",
        'request.order or ("best_last" if base(ranker) in BEST_LAST else "best_first")',
        'request.order or "best_last"',
        ("behaviour/test_depth.py::test_a_block_is_small_and_its_best_item_stands_first_or_beside_what_follows",),
    ),
    Break("recall/lean.py", "MOST = 0.5\n", "MOST = 0.6\n", ("behaviour/test_rank.py",)),
    Break(
        "recall/reader.py",
        "return Mix(self.settings.dense_weight, own",
        "return Mix(self.settings.dense_weight * self.calibration.stretch, own",
        _unit("lean", "test_no_share_of_an_arm_is_tied_to_a_model_a_profile_or_a_kind_of_question"),
    ),
    Break(
        "domain/types.py",
        '"fact": TypeRule(_S, 30, _CONTEXTUAL, 0.45,',
        '"fact": TypeRule(_S, 30, _CONTEXTUAL, 0.35,',
        ("unit/evaluation/test_floor.py",),
    ),
    Break(
        "evaluation/order.py",
        'ADMITTING = frozenset({"gate", "collapse", "rerank"})',
        'ADMITTING = frozenset({"collapse", "rerank"})',
        ("interfaces/test_eval_retrieval.py::test_what_was_found_and_not_admitted_is_found_and_lost_to_the_gate",),
    ),
    Break(
        "evaluation/runner.py",
        "order, wanted = ranked(trace, counted)",
        "order, wanted = ranked(trace, counted)[: len(result.items)]",
        ("interfaces/test_eval_retrieval.py::test_how_many_items_a_block_holds_moves_no_rank_and_no_miss",),
    ),
    Break(
        "evaluation/failures.py",
        'max(cuts, key=lambda one: one.stage != "gate")',
        "cuts[0]",
        ("unit/evaluation/test_failures.py",),
    ),
    Break(
        "evaluation/tallies.py",
        '"foreign_returned": len(back & set(probe.foreign))',
        '"foreign_returned": 0',
        ("unit/evaluation/test_scenarios.py::test_what_belongs_to_another_is_counted_when_it_comes_back",),
    ),
    Break(
        "evaluation/tallies.py",
        "and all(text in one.result.rendered for text in probe.answer)",
        "and bool(back)",
        ("unit/evaluation/test_scenarios.py::test_an_answer_that_is_not_in_the_block_is_no_effect",),
    ),
    Break(
        "evaluation/publishing.py",
        '"candidates": list(one.pool),',
        '"candidates": list(one.returned),',
        ("unit/evaluation/test_scenarios.py::test_a_run_can_be_laid_open_question_by_question_under_its_versions",),
    ),
    Break(
        "evaluation/bench.py",
        "result.stages_ms.get(name, 0.0)",
        "0.0",
        ("behaviour/test_parts.py::test_the_bench_measures_every_stage_of_what_it_promises",),
    ),
)
"""Every break, in the order of the read, then those of how it is measured."""
