"""One class in one file is all that a new check takes: gate, page, report, certificate and command line show it."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import pytest
from gate_cases import evidence_of, make_candidate
from support import ACCEPTS, PEOPLE, RECIPE, accept_arguments, reason_for

from ppdm_desktop.cli.commands import release as release_command
from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate import Evidence, all_checks, run_gate
from ppdm_desktop.engine.release.gate.base import CHECKS, Check, Limits, register
from ppdm_desktop.engine.release.gate.causes import KEYS_AND_DRAWS
from ppdm_desktop.engine.release.gate.results import CheckResult, VerdictText
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.figures_and_limits import found_words
from ppdm_desktop.engine.report.html import render_report
from ppdm_desktop.engine.wording import texts
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Text
from ppdm_desktop.testing import check_check
from ppdm_desktop.ui.pages.registry import PAGES
from ppdm_desktop.ui.state.gate_rows import OPEN, PASSED, gate_rows
from ppdm_desktop.ui.widgets.gate_card import GateCard

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
    not_run = VerdictText.not_run("gate.few-rows.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        return Limits(10)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the rows."""
        rows, least = evidence.judged.rows, self.limits_of(evidence).green
        return self.verdict(self.many if rows >= least else self.few, Figure(rows, unit="rows"), least, rows=rows)


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the check with its sentences, and take it out again."""
    unread = "First resolve these checks: {checks}."
    for status, sentence, remedy in (
        ("green", "There are {rows} rows.", ""),
        ("amber", "There are no more than {rows} rows.", "Release more columns, or give a reason."),
        ("not-run", "Not checked, because the data file could not be read.", unread),
    ):
        monkeypatch.setitem(texts._added, f"gate.{ID}.{status}", Text(TITLE, sentence, remedy, remedy))
    monkeypatch.setattr(CHECKS, "_found", dict(all_checks()))
    register(FewRows)


def judged(folder: Path, columns: dict[str, list[str]]) -> Evaluation:
    return evaluate(make_candidate(folder, columns, ROLES), attacks=())


def test_it_passes_the_battery(tmp_path: Path) -> None:
    evidence = [evidence_of(make_candidate(tmp_path / str(len(each)), each, ROLES)) for each in (SAFE, SMALL)]
    given = check_check(FewRows, evidence, {page.step for page in PAGES})
    assert given == {"green", "amber"}


def test_the_battery_finds_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = (evidence_of(make_candidate(tmp_path, SAFE, ROLES)),)
    pages = {page.step for page in PAGES}
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
    assert {check.fix_on for check in all_checks().values()} <= {page.step for page in PAGES}


def test_the_gate_runs_it_in_its_place(tmp_path: Path) -> None:
    results = run_gate(evidence_of(make_candidate(tmp_path, SMALL, ROLES)), silent())
    ids = [each.id for each in results]
    assert ids[ids.index(ID) - 1 : ids.index(ID) + 2] == ["class-size", ID, "certain-disclosure"]
    (found,) = (each for each in results if each.id == ID)
    assert (found.status, found.direction, found.limit) == ("amber", "at-least", 10)


def test_the_page_shows_it(tmp_path: Path, qtbot: Any) -> None:
    found = judged(tmp_path / "small", SMALL)
    (row,) = (each for each in gate_rows(found.checks, {}, "", "internal")[0] if each.id == ID)
    assert (row.state, row.title, row.fixed_on) == (OPEN, TITLE, "columns")
    assert (row.sentence, row.remedy) == ("There are no more than 3 rows.", "Release more columns, or give a reason.")
    assert row.figure == "Measured: 3 rows. Limit: at least 10."
    safe = gate_rows(judged(tmp_path / "safe", SAFE).checks, {}, "", "internal")[0]
    (passed,) = (each for each in safe if each.id == ID)
    assert (passed.state, passed.remedy, passed.fixed_on) == (PASSED, "", "")
    card = GateCard({"columns": "Columns"})
    qtbot.addWidget(card)
    card.show_rows([row], [], found.report.verdict)
    assert card.lines[ID].fix.text() == "Go to Columns"


def test_report_and_certificate_name_it(tmp_path: Path) -> None:
    report = judged(tmp_path / "small", SMALL).report
    (entry,) = (each for each in report.document()["verdict"]["checks"] if each["id"] == ID)
    assert (entry["status"], entry["limit"], entry["direction"]) == ("amber", 10, "at-least")
    assert "on_certificate" not in entry
    page = html.unescape(render_report(report, in_full=True).decode())
    assert f"{TITLE} <span" in page
    assert "There are no more than 3 rows." in page
    assert "at least 10" in page
    assert "at least 10" in render_certificate(report).decode()
    # Declared for the certificate, it is named there even where nothing was found; others are not.
    passed = judged(tmp_path / "safe", SAFE).report
    only = [each for each in passed.verdict.checks if each.status == "green"]
    few = report.model_copy(update={"verdict": report.verdict.model_copy(update={"checks": only})})
    written = render_certificate(few).decode()
    assert TITLE in written
    assert f"({ID})" in written
    assert found_words(few.verdict.check(ID)) in written
    assert all_checks()["roles-decided"].title not in written


def test_the_comparison_of_candidates_counts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = Scorecard(judged(tmp_path / "small", SMALL).report.verdict).reasons
    monkeypatch.setattr(CHECKS, "_found", {id: check for id, check in all_checks().items() if id != ID})
    assert with_it == Scorecard(judged(tmp_path / "again", SMALL).report.verdict).reasons + 1


def test_the_command_line_asks_for_a_reason_and_takes_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_command, "pdf_renderers", dict)
    (tmp_path / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    words = ["release", tmp_path / "people.csv", "--recipe", tmp_path / "recipe.toml", "--out", tmp_path / "out"]
    others = [id for id in ACCEPTS if all_checks()[id].cause != FewRows.cause]
    given = [str(each) for each in (*words, "--seed", 1, *accept_arguments(others))]
    assert run(given) == 3
    printed = "".join(capfd.readouterr())
    assert f"Needs a reason: {TITLE} [{ID}]\n  There are no more than 8 rows.\n" in printed
    assert run([*given, "--accept", f"{ID}={reason_for(ID)}"]) == 2
    assert f"--accept {FewRows.cause.id}=REASON" in capfd.readouterr().err
    assert run([*given, *accept_arguments([ID])]) == 0
    assert f"Explained by a written reason: {TITLE} [{ID}]\n" in capfd.readouterr().out
