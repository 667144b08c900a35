"""Releases that leak are stopped, honest ones are not: every case goes through the export, attacks and all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ppdm_desktop.engine.errors import GateBlocked
from tests.corpus.case import Case, candidate_of, exported
from tests.corpus.honest import HONEST
from tests.corpus.leaking import LEAKING


def cases(corpus: tuple[Case, ...]) -> list[Any]:
    """Return the cases as parameters of a test, marked by what they need."""
    found = []
    for case in corpus:
        marks = [mark for mark, wanted in ((pytest.mark.slow, case.slow), (pytest.mark.data, case.data)) if wanted]
        found.append(pytest.param(case, id=case.name, marks=marks))
    return found


def data_of(case: Case, request: pytest.FixtureRequest) -> Path | None:
    return Path(request.getfixturevalue("data_folder")) if case.data else None


@pytest.mark.parametrize("case", cases(LEAKING))
def test_what_leaks_is_stopped(case: Case, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Whatever reasons are written, the checks that the case names stop it, and no file is made."""
    candidate = candidate_of(case, tmp_path, data_of(case, request))
    with pytest.raises(GateBlocked) as stopped:
        exported(candidate, tmp_path / "out")
    report: Any = stopped.value.report
    decision = report["verdict"]["decision"]
    assert not decision["released"]
    red = {check["id"] for check in report["verdict"]["checks"] if check["status"] == "red"}
    assert case.blocked_by <= red
    assert set(decision["blocked_by"]) == red, "every amber check has its reason: red alone stops it"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("case", cases(HONEST))
def test_what_is_honest_is_released_with_reasons(case: Case, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    made = exported(candidate_of(case, tmp_path, data_of(case, request)), tmp_path / "out")
    assert {check.id for check in made.checks if check.status in ("amber", "not-run")} == case.ambers
    assert made.decision.released
    assert set(made.accepted) == case.ambers
    assert (tmp_path / "out" / "release" / "data.csv").is_file()


def test_each_case_stands_once_and_says_what_is_expected() -> None:
    times = Counter((case.leaks, case.name) for case in (*LEAKING, *HONEST))
    assert max(times.values()) == 1
    assert all(case.leaks and not case.ambers for case in LEAKING)
    assert not any(case.leaks for case in HONEST)
