"""One class in one file is all that a new check takes: the gate runs it in its place; its battery."""

from __future__ import annotations

from pathlib import Path

import pytest
from gate_cases import evidence_of, make_candidate

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate
from ppdm_desktop.engine.release.gate.base import CHECKS, Check, Limits, all_checks, register, run_gate
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS, CheckResult, VerdictText
from ppdm_desktop.engine.wording import texts
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import TextEntry
from ppdm_desktop.testing import check_check
from ppdm_desktop.ui.state.session import STEPS

ID, TITLE = "few-rows", "Enough rows"
SAFE = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x", "y"] * 10}
ROLES = {"Q": "q", "C": "c"}
SMALL = {"Q": ["a"] * 3, "C": ["x", "y", "x"]}


class FewRows(Check):
    """A release has at least so many rows."""

    id = ID
    title = TITLE
    order = 105
    cause = KEYS_AND_DRAWS
    source = lazy("Own rule. Of a test")
    fix_on = "columns"
    direction = "at-least"
    figure_unit = "rows"
    on_certificate = True
    many = VerdictText.green("gate.few-rows.green")
    few = VerdictText.amber("gate.few-rows.amber")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        return Limits(10)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Count the rows."""
        rows, least = evidence.judged.rows, self.limits_of(evidence).green
        return self.verdict(self.many if rows >= least else self.few, Figure(rows, unit="rows"), least, rows=rows)


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the check with its sentences, and take it out again."""
    for status, sentence, remedy in (
        ("green", "There are {rows} rows.", ""),
        ("amber", "There are no more than {rows} rows.", "Release more columns, or give a reason."),
    ):
        monkeypatch.setitem(texts._added, f"gate.{ID}.{status}", TextEntry(TITLE, sentence, remedy))
    monkeypatch.setattr(CHECKS, "_entries", dict(all_checks()))
    register(FewRows)


def judged(folder: Path, columns: dict[str, list[str]]) -> Evaluation:
    return evaluate(make_candidate(folder, columns, ROLES), attacks=())


def test_it_passes_the_battery(tmp_path: Path) -> None:
    evidence = [evidence_of(make_candidate(tmp_path / str(len(each)), each, ROLES)) for each in (SAFE, SMALL)]
    given = check_check(FewRows, evidence, {"welcome", *STEPS})
    assert given == {"green", "amber"}


def test_the_battery_finds_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = (evidence_of(make_candidate(tmp_path, SAFE, ROLES)),)
    pages = {"welcome", *STEPS}
    for name, value, words in (
        ("title", "Another title", "is called otherwise"),
        ("source", lazy(""), "says nothing as its source"),
        ("fix_on", "nowhere", "which is no page"),
        ("direction", "at-most", "green at 20"),
        ("figure_unit", "cells", "measures something else"),
        ("order", 100, "place of another check"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(FewRows, name, value)
            with pytest.raises(AssertionError, match=words):
                check_check(FewRows, evidence, pages)
    check_check(FewRows, evidence, pages)


def test_every_check_is_corrected_on_a_page_of_the_window() -> None:
    assert {check.fix_on for check in all_checks().values()} <= {"welcome", *STEPS}


def test_the_gate_runs_it_in_its_place(tmp_path: Path) -> None:
    results = run_gate(evidence_of(make_candidate(tmp_path, SMALL, ROLES)))
    ids = [each.id for each in results]
    assert ids[ids.index(ID) - 1 : ids.index(ID) + 2] == ["class-size", ID, "certain-disclosure"]
    (found,) = (each for each in results if each.id == ID)
    assert (found.status, found.direction, found.limit) == ("amber", "at-least", 10)
