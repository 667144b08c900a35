"""The verdict: one object of the bytes judged, equal on a second run, the original's the same for every candidate."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import make_candidate
from optional import existing
from support import not_analysed, reasons_for

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.writing.export import evaluate, export
from ppdm_desktop.engine.report.model import ARTIFICIAL, Report

ROWS = 150
RNG = np.random.default_rng(3)
COLUMNS: dict[str, Any] = {
    "Age": [str(value) for value in RNG.integers(20, 40, ROWS)],
    "Hours": [str(value) for value in RNG.integers(10, 60, ROWS)],
    "Pay": [str(value) for value in RNG.integers(1_000, 5_000, ROWS)],
}
NUMBER = {"kind": "numeric"}
ROLES: dict[str, Any] = {
    "Age": {"role": "q", **NUMBER},
    "Hours": {"role": "o", **NUMBER},
    "Pay": {"role": "c", "bounds": [0, 6_000], **NUMBER},
}
NOISE = {"method": "two-phase-noise", "columns": ["Pay"]}
MADE = {"method": "condensation"}


def judged(folder: Path, *steps: Any, key: Key | None = None, roles: dict[str, Any] = ROLES, **more: Any) -> Report:
    candidate = make_candidate(folder, COLUMNS, roles, "internal", key=key, steps=list(steps), **more)
    return evaluate(candidate).report


@pytest.mark.parametrize("steps", [(), (NOISE,), (MADE,)])
def test_a_second_run_on_the_same_bytes_gives_an_equal_object(tmp_path: Path, steps: tuple[Any, ...]) -> None:
    one, two = (judged(tmp_path / folder, *steps) for folder in ("a", "b"))
    assert one.verdict == two.verdict
    assert one.original == two.original
    assert one.verdict.model_dump_json() == two.verdict.model_dump_json()


def test_the_original_is_judged_as_a_candidate_without_a_step_is(tmp_path: Path) -> None:
    found = judged(tmp_path)
    ours, theirs = found.verdict, existing(found.original)
    for name in ("certain_by_others", "certain_by_all", "beliefs", "singled", "classes"):
        assert getattr(ours, name) == getattr(theirs, name), name
    for one, other in zip(ours.figures, theirs.figures, strict=True):
        assert (one.figure, one.hits, one.of, one.status) == (other.figure, other.hits, other.of, other.status)


def test_the_digest_is_of_the_very_bytes_judged(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path / "in", COLUMNS, ROLES, "internal", steps=[NOISE])
    out = tmp_path / "out"
    made = export(candidate, out, accepts=reasons_for(all_checks()), analyses=not_analysed())
    verdict = made.report["verdict"]
    assert verdict["data_sha256"] == hashlib.sha256((out / "release/data.csv").read_bytes()).hexdigest()
    assert verdict["input_sha256"] == hashlib.sha256(candidate.prepared.path.read_bytes()).hexdigest()
    assert verdict["recipe_sha256"] == made.report["recipe_sha256"]
    assert json.loads((out / "internal/report.json").read_bytes())["verdict"] == verdict


@pytest.mark.parametrize(("said", "known_by"), [(True, "confirmed"), (False, "assumed")])
def test_who_says_that_a_row_is_a_person(tmp_path: Path, said: bool, known_by: str) -> None:
    verdict = judged(tmp_path, input={"one_row_per_person": said}).verdict
    assert (verdict.people_known_by, verdict.counts_rows) == (known_by, not said)


def test_where_rows_are_nobodys_there_is_no_class_size(tmp_path: Path) -> None:
    unknown = {**ROLES, "Age": {"role": "o", **NUMBER}}
    for roles in (ROLES, unknown):
        classes = existing(judged(tmp_path, MADE, roles=roles).verdict.classes)
        assert (classes.k, classes.below, classes.why, classes.artificial) == (None, None, ARTIFICIAL, True)
    for roles, known in ((ROLES, True), (unknown, False)):
        classes = existing(judged(tmp_path, NOISE, roles=roles).verdict.classes)
        assert not classes.artificial
        assert (classes.k is not None, classes.why is None) == (known, known)
