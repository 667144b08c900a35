"""The certificate's page: its first line is the decision, no other line is worse, and nothing can make it long."""

from __future__ import annotations

import re

import pytest
from contradictions import Page
from report_cases import judged_candidate, nothing_accepted, reasons_for_each_cause, with_verdict

from ppdm_desktop.engine.report import certificate
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.model import DecisionEntry, Report
from ppdm_desktop.engine.wording.texts import render_title


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    report = judged_candidate(tmp_path_factory.mktemp("certificate")).report
    return with_verdict(report, people_known_by="confirmed")


def read(report: Report) -> Page:
    return Page(render_certificate(report).decode())


def figures_of(page: Page, report: Report) -> dict[str, list[str]]:
    """Return what was found before and after, the limit and the judgement of each figure, by its id."""
    return {page.id_of(row[0], report.verdict): row[1:] for row in page.table("figures")[1:]}


def accepted(report: Report, *, without: tuple[str, ...] = ("red",)) -> Report:
    """Return the report as if each amber check had its reason, checks of some colours left out."""
    checks = [each for each in report.verdict.checks if each.status not in without]
    ids = [each.id for each in checks if each.status in ("amber", "not-run")]
    reasons = reasons_for_each_cause([each for each in checks if each.id in ids], "because")
    decision = DecisionEntry(
        status="released-with-reasons", released=True, blocked_by=[], accepted=ids, reasons=reasons
    )
    return with_verdict(report, checks=checks, decision=decision)


# --- the decision ---------------------------------------------------------------------------


def test_under_released_no_figure_stands_beyond_a_limit(report: Report) -> None:
    given = nothing_accepted(report)
    found = read(given)
    assert found.first == "Released"
    assert found.table("reasons") == []
    assert {row[-1] for row in figures_of(found, given).values()} == {"within the limit"}
    assert not re.search(
        r"beyond the limit|stops the release|Against the release|needs a reason|not checked", found.text
    )


def test_under_reasons_exactly_so_many_lines_each_with_its_reason(report: Report) -> None:
    given = accepted(report)
    found = read(given)
    reasons = given.verdict.decision.reasons
    assert len(reasons) > 1
    assert found.first == f"Released with {len(reasons)} written reasons"
    named = [row for _, row in found.rows]
    for number, (row, reason) in enumerate(zip(found.table("reasons"), reasons, strict=True), start=1):
        assert row[0] == f"Reason {number}: {render_title(reason.title)}"
        assert [render_title(reason.title), reason.cause] in named
        assert {row[-1] for row in named if row} >= set(reason.checks)
        assert row[-1] == reason.reason
    numbers = certificate.number_reasons(given.verdict.decision)
    for id, row in figures_of(found, given).items():
        assert row[-1] == (f"reason {numbers[id]}" if id in numbers else row[-1])
        assert row[-1].startswith(("reason", "within", "does not apply", "judged by group size"))
    one = with_verdict(given, decision=given.verdict.decision.model_copy(update={"reasons": reasons[:1]}))
    assert read(one).first == "Released with 1 written reason"


def test_hostile_texts_are_escaped(report: Report) -> None:
    operator = report.operator.model_copy(update={"name": "<script>alert(1)</script>", "note": '<img src="x">'})
    page = render_certificate(report.model_copy(update={"operator": operator})).decode()
    assert "<script" not in page
    assert "<img" not in page
