"""A release in which two columns move as one: its attacks, its levels, its report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import check, evidence_of, make_candidate

from ppdm_desktop.engine.methods.algorithms.swapping import participants, recount
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.results import RED
from ppdm_desktop.engine.release.measures.level_recount import recount_levels

ROWS = 160
RNG = np.random.default_rng(11)
ILL = RNG.integers(3, size=ROWS)
CARE = np.where(RNG.random(ROWS) < 0.7, ILL % 2, RNG.integers(2, size=ROWS))
COLUMNS = {
    "Age": [str(20 + 10 * int(ill) + int(more)) for ill, more in zip(ILL, RNG.integers(20, size=ROWS), strict=True)],
    "City": [f"c{int(care)}{int(more)}" for care, more in zip(CARE, RNG.integers(4, size=ROWS), strict=True)],
    "Ill": [f"i{each}" for each in ILL],
    "Care": [f"k{each}" for each in CARE],
}
ROLES: dict[str, Any] = {"Age": {"role": "q", "kind": "nominal"}, "City": "q", "Ill": "c", "Care": "c"}


def made(folder: Path, **parameters: Any) -> Candidate:
    step = {"method": "bayes-swap", "parameters": {"together": ["Ill", "Care"], **parameters}}
    return make_candidate(folder, COLUMNS, ROLES, steps=[step])


@pytest.fixture(scope="module")
def candidate(tmp_path_factory: pytest.TempPathFactory) -> Candidate:
    return made(tmp_path_factory.mktemp("together"))


def test_a_combination_put_back_in_the_file_is_short(candidate: Candidate) -> None:
    """Each value of one person, put back to the truth in what is released."""
    record = candidate.steps[0]
    truth = [record.before.column(name) for name in ("Ill", "Care")]
    after = [record.result.table.column(name) for name in ("Ill", "Care")]
    codes = [
        np.array([list(one.texts).index(text) for text in other.texts])[other.codes] for one, other in zip(truth, after)
    ]
    details = list(zip(COLUMNS["Age"], COLUMNS["City"], strict=True))
    alone = np.array([details.count(each) == 1 for each in details])
    moved = np.flatnonzero(alone & ((codes[0] != truth[0].codes) | (codes[1] != truth[1].codes)))[:8]
    back = []
    for one, own in zip(truth, codes, strict=True):
        own = own.astype(np.int32)
        own[moved] = one.codes[moved]
        back.append(replace(one, codes=own))
    table = record.result.table.replacing(*back)
    planted = replace(
        candidate,
        steps=(replace(record, result=replace(record.result, table=table)),),
        final=table,
        released=table.__class__(
            tuple(table.column(column.name).take(candidate.row_order) for column in candidate.released.columns),
            table.row_numbers[candidate.row_order],
        ),
    )
    evidence = evidence_of(planted)
    (line,) = recount_levels(planted, evidence.judged)
    assert line.short == 8
    assert check(evidence, "levels-met").status == RED


def test_the_verdict_sees_a_group_that_one_column_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threes of people with equal details and one illness: a swap of combinations alone left them certain."""
    columns = {name: list(values) for name, values in COLUMNS.items()}
    for group in range(12):
        for member in range(3):
            for name, value in (
                ("Age", f"{100 + group}"),
                ("City", "x"),
                ("Ill", f"i{group % 3}"),
                ("Care", f"k{member % 2}"),
            ):
                columns[name].append(value)
    steps = [{"method": "bayes-swap", "parameters": {"together": ["Ill", "Care"]}}]

    def certain(folder: Path) -> int:
        folder.mkdir()
        result = check(evidence_of(make_candidate(folder, columns, ROLES, steps=steps)), "certain-disclosure")
        return 0 if result.figure is None or result.figure.value is None else int(result.figure.value)

    now = certain(tmp_path / "now")
    known = participants.find_identified_people
    monkeypatch.setattr(
        participants, "find_identified_people", lambda classes, truth, people, views=(): known(classes, truth, people)
    )
    monkeypatch.setattr(
        recount, "count_still_revealed", lambda found, truth, shown, views: np.zeros(len(views), dtype=np.int64)
    )
    before = certain(tmp_path / "before")
    assert now < before
