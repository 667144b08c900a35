"""Releases that leak are stopped, honest ones are not: every case goes through the export, attacks and all."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ppdm_desktop.engine.errors import GateBlocked
from ppdm_desktop.engine.release.evaluate.release_files import data_bytes
from tests.corpus.case import Case, candidate_of, earlier_of, exported, ledger_of, names_of_every_run
from tests.corpus.fresh import FRESH_HONEST, FRESH_LEAKS, people_found
from tests.corpus.honest import HONEST
from tests.corpus.leaking import LEAKING


def cases(corpus: tuple[Case, ...]) -> list[Any]:
    """Return the cases as parameters of a test, marked by what they need and by when they run."""
    always = names_of_every_run(corpus)
    parameters = []
    for case in corpus:
        wanted = {"slow": case.slow, "data": case.data, "thorough": case.name not in always}
        marks = [getattr(pytest.mark, mark) for mark, is_wanted in wanted.items() if is_wanted]
        parameters.append(pytest.param(case, id=case.name, marks=marks))
    return parameters


def data_of(case: Case, request: pytest.FixtureRequest) -> Path | None:
    return Path(request.getfixturevalue("data_folder")) if case.data else None


FRESH_STOPPED, FRESH_WRITTEN = (
    tuple(case for case in FRESH_LEAKS if case.written is written) for written in (False, True)
)


@pytest.mark.parametrize("case", cases((*LEAKING, *FRESH_STOPPED)))
def test_what_leaks_is_stopped(case: Case, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Whatever reasons are written, the checks that the case names stop it, and no file is made."""
    data = data_of(case, request)
    ledger = ledger_of(case, tmp_path, data)
    candidate = candidate_of(case, tmp_path, data)
    with pytest.raises(GateBlocked) as stopped:
        exported(candidate, tmp_path / "out", ledger, earlier_of(case, tmp_path))
    report: Any = stopped.value.report
    decision = report["verdict"]["decision"]
    assert not decision["released"]
    red = {check["id"] for check in report["verdict"]["checks"] if check["status"] == "red"}
    assert case.blocked_by <= red
    assert set(decision["blocked_by"]) == red, "every amber check has its reason: red alone stops it"
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("case", cases((*HONEST, *FRESH_HONEST)))
def test_what_is_honest_is_released_with_reasons(case: Case, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    data = data_of(case, request)
    ledger = ledger_of(case, tmp_path, data)
    made = exported(candidate_of(case, tmp_path, data), tmp_path / "out", ledger, earlier_of(case, tmp_path))
    ambers = {check.id for check in made.checks if check.status in ("amber", "not-run")}
    assert case.expects(ambers), ambers
    assert made.decision.released
    assert set(made.accepted) == ambers
    assert (tmp_path / "out" / "release" / "data.csv").is_file()


@pytest.mark.parametrize("case", FRESH_WRITTEN, ids=[case.name for case in FRESH_WRITTEN])
def test_a_leak_that_is_known_to_be_written_is_still_written(case: Case, tmp_path: Path) -> None:
    """What stops one of them takes ``written`` out of its recipe."""
    assert exported(candidate_of(case, tmp_path), tmp_path / "out").decision.released


@pytest.mark.thorough
@pytest.mark.parametrize("case", FRESH_LEAKS, ids=[case.name for case in FRESH_LEAKS])
def test_an_intruder_finds_people_in_each_leak_of_the_fresh_set(case: Case, tmp_path: Path) -> None:
    data = data_bytes(candidate_of(case, tmp_path)).data
    released, source = (
        pd.read_csv(file, dtype=str, keep_default_na=False) for file in (io.BytesIO(data), tmp_path / "people.csv")
    )
    assert people_found(case, released, source) >= 10


def test_each_case_stands_once_and_says_what_is_expected() -> None:
    times = Counter((case.leaks, case.name) for case in (*LEAKING, *HONEST, *FRESH_LEAKS, *FRESH_HONEST))
    assert max(times.values()) == 1
    assert all(case.leaks and not (case.ambers or case.may) for case in LEAKING)
    assert not any(case.leaks for case in HONEST)


@pytest.mark.parametrize("corpus", [LEAKING, HONEST], ids=["leaking", "honest"])
def test_about_a_third_of_the_cases_always_run(corpus: tuple[Case, ...]) -> None:
    assert 0.25 <= len(names_of_every_run(corpus)) / len(corpus) <= 0.45
