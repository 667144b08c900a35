"""Judging looks at the stop sign wherever it goes through all rows, and finds the same with and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from gate_cases import evidence_of, make_candidate

from ppdm_desktop.engine.attacks import reversal
from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.identifiability import ranks
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit.base import (
    is_released_unchanged,
    list_attacks_not_made,
    pair_released_columns,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.singled_out import count_singled_out, list_identifying_columns
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.utility.models.features import paired_records

ROWS = 60
RNG = np.random.default_rng(1)
COLUMNS = {
    "Age": [str(value) for value in RNG.integers(20, 90, ROWS)],
    "City": [str(name) for name in RNG.choice(["Delft", "Bonn", "Ghent"], ROWS)],
    "Born": [f"19{60 + place % 30}-01-{1 + place % 28:02}" for place in range(ROWS)],
    "Pay": [str(value) for value in RNG.integers(1000, 9000, ROWS)],
}
ROLES = {
    "Age": {"role": "q", "kind": "numeric"},
    "City": "q",
    "Born": {"role": "q", "kind": "date", "format": "%Y-%m-%d"},
    "Pay": {"role": "c", "kind": "numeric"},
}
STEPS = [{"method": "microaggregation", "columns": ["Age"]}]


@pytest.fixture
def candidate(tmp_path: Path) -> Candidate:
    return make_candidate(tmp_path, COLUMNS, ROLES, steps=STEPS)


def checks_of(work: Callable[[], object]) -> int:
    """Count how often some work looks at the stop sign, and prove that it stops at every one of these places."""
    work()  # what columns keep is found only once
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1

    Progress(give_way=count).run(work)
    for place in range(seen):
        left = iter(range(place))

        def stop(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Cancelled

        with pytest.raises(Cancelled):
            Progress(give_way=stop).run(work)
    return seen


@pytest.mark.parametrize("id", ["linkage", "inference", "reversal", "audit-complete"])
def test_checks_on_attacks_that_were_left_out_can_be_stopped(candidate: Candidate, id: str) -> None:
    check = find_check(id)
    evidence = evidence_of(candidate)
    assert evidence.attacks == ()
    assert checks_of(lambda: check.run(evidence)) > 5
    assert check.judge(evidence) == Progress(give_way=lambda: None).run(check.judge, evidence)


def test_what_attacks_begin_with_can_be_stopped(candidate: Candidate) -> None:
    names = ["Age", "City", "Born"]
    assert checks_of(lambda: pair_released_columns(candidate, names)) >= 2 * len(names)
    assert checks_of(lambda: is_released_unchanged(candidate, names)) >= 2 * len(names)
    assert checks_of(lambda: list_attacks_not_made(candidate, ())) > len(names)
    before, after = pair_released_columns(candidate, names)
    assert checks_of(lambda: paired_records(before, after)) >= 3 * len(names)


def test_what_people_are_picked_out_by_can_be_stopped_column_by_column(candidate: Candidate) -> None:
    released = evidence_of(candidate).disclosed
    columns = len(list_identifying_columns(released))
    assert columns >= 3
    assert checks_of(lambda: count_singled_out(released)) >= 2 * columns


def test_classes_of_what_others_know_and_of_everything_are_found_with_looks_between(candidate: Candidate) -> None:
    released = evidence_of(candidate).disclosed

    def fresh() -> Released:
        found = replace(released)
        _ = found.by_others, found.by_all
        return found

    assert checks_of(fresh) >= 2 * 2
    found = fresh()
    assert (found.by_others.ids == released.by_others.ids).all()
    assert (found.by_all.ids == released.by_all.ids).all()


def test_undone_values_are_scored_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = np.where(RNG.random(ROWS) < 0.1, np.nan, RNG.integers(0, 50, ROWS)).astype(np.float64)
    guess, shown = np.add(truth, RNG.integers(0, 2, ROWS), dtype=np.float64), truth[::-1]
    whole = reversal.compare_with_controls(truth, guess, shown, 0.5)
    monkeypatch.setattr(ranks, "_LOOKED_UP", 10)
    parts_of_ten = -(-int(np.count_nonzero(~np.isnan(truth))) // 10)
    looks = checks_of(lambda: reversal.compare_with_controls(truth, guess, shown, 0.5))
    assert looks == 2 * parts_of_ten + 1
    parts = reversal.compare_with_controls(truth, guess, shown, 0.5)
    assert (parts.blind == whole.blind).all()
    assert whole.blind.mean() == pytest.approx(
        np.mean([(shown[~np.isnan(shown)] == t).mean() for t in truth if t == t])
    )


def test_works_that_follow_one_another_share_a_span_by_their_weights() -> None:
    told: list[float] = []
    whole = Progress(lambda share, doing: told.append(share))
    one, nothing, other = whole.part(0.5, 1.0).parts(1.0, 0.0, 3.0)
    for part in (one, nothing, other):
        part.report(0.0)
        part.report(1.0)
    assert told == [0.5, 0.625, 0.625, 0.625, 0.625, 1.0]
    assert whole.parts(0.0)


def test_judging_tells_of_progress_that_only_rises_and_ends_with_all(candidate: Candidate) -> None:
    told: list[float] = []
    Progress(lambda share, doing: told.append(share)).run(evaluate, candidate)
    assert told == sorted(told)
    assert told[-1] > 0.95
    assert max(np.diff(told)) < 0.25
