"""The certificate's page: its first line is the decision, no other line is worse, and nothing can make it long."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from report_cases import judged_candidate, nothing_accepted, reasons_for_each_cause, with_verdict

from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.report import certificate
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.model import DecisionEntry, Report
from ppdm_desktop.engine.wording.texts import render_title


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    report = judged_candidate(tmp_path_factory.mktemp("certificate")).report
    return with_verdict(report, people_known_by="confirmed")


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.first = ""
        self.text = ""
        self._inside = False
        self._strong = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._strong = tag == "strong"
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")
        self._strong = False

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._strong:
            self.first = self.first or data
        if self._inside:
            self.rows[-1][-1] += data

    @property
    def figures(self) -> dict[str, list[str]]:
        """Found before, found after, limit and judgement of each figure, by its id."""
        figures = {row[0]: row[1:] for row in self.rows if len(row) == 5}
        return {id: figures[head] for head, id in self.ids if head in figures}

    @property
    def ids(self) -> list[list[str]]:
        """Title and id of what the first page names, from the second."""
        return [row for row in self.rows if len(row) == 2 and (row[1] in all_checks() or row[1] in CAUSES)]

    @property
    def reasons(self) -> list[list[str]]:
        return [row for row in self.rows if row and row[0].startswith("Reason ")]


def read(report: Report) -> _Text:
    found = _Text()
    found.feed(re.sub(r"(?s)<style>.*?</style>|<head>.*?</head>", "", render_certificate(report).decode()))
    return found


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
    found = read(nothing_accepted(report))
    assert found.first == "Released"
    assert found.reasons == []
    assert found.figures
    assert {row[-1] for row in found.figures.values()} == {"within the limit"}
    assert not re.search(
        r"beyond the limit|stops the release|Against the release|needs a reason|not checked", found.text
    )


def test_under_reasons_exactly_so_many_lines_each_with_its_reason(report: Report) -> None:
    given = accepted(report)
    found = read(given)
    reasons = given.verdict.decision.reasons
    assert len(reasons) > 1
    assert found.first == f"Released with {len(reasons)} written reasons"
    for number, (row, reason) in enumerate(zip(found.reasons, reasons, strict=True), start=1):
        assert row[0] == f"Reason {number}: {render_title(reason.title)}"
        assert [render_title(reason.title), reason.cause] in found.ids
        assert {id for _, id in found.ids} >= set(reason.checks)
        assert row[-1] == reason.reason
    numbers = certificate.number_reasons(given.verdict.decision)
    for id, row in found.figures.items():
        assert row[-1] == (f"reason {numbers[id]}" if id in numbers else row[-1])
        assert row[-1].startswith(("reason", "within", "does not apply", "judged by group size"))
    one = with_verdict(given, decision=given.verdict.decision.model_copy(update={"reasons": reasons[:1]}))
    assert read(one).first == "Released with 1 written reason"


def test_hostile_texts_are_escaped(report: Report) -> None:
    operator = report.operator.model_copy(update={"name": "<script>alert(1)</script>", "note": '<img src="x">'})
    page = render_certificate(report.model_copy(update={"operator": operator})).decode()
    assert "<script" not in page
    assert "<img" not in page
