"""The certificate's page: what stands on it, and that nothing can make it long."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from report_cases import LONG, WORDY, attack, judged_candidate, nothing_accepted, worst_report

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report import certificate
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.documents import PAGES
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.html import Drawn
from ppdm_desktop.engine.report.model import Report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return judged_candidate(tmp_path_factory.mktemp("certificate")).report


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.text = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self.rows[-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._inside:
            self.rows[-1][-1] += data


def read(report: Report, first: Sequence[str] = ()) -> _Text:
    found = _Text()
    found.feed(re.sub(r"(?s)<style>.*?</style>", "", render_certificate(report, first).decode()))
    return found


def test_it_says_what_was_released_and_for_whom(report: Report) -> None:
    operator = report.operator.model_copy(
        update={"name": "A. Officer", "approver": "B. Approver", "review_date": "2027-11-21", "note": "Yearly"}
    )
    text = read(report.model_copy(update={"operator": operator})).text
    for words in (
        report.input.sha256,
        report.recipe_sha256,
        "research under an agreement",
        f"{report.release.rows} records, {report.release.columns} columns",
        "2026-11-21",
        "A. Officer",
        "B. Approver",
        "To be looked at again on: 2027-11-21",
        "Yearly",
        "Signature",
        report.program.version,
        "not a legal finding",
    ):
        assert words in text, words


def test_risk_rows_are_the_reports(report: Report) -> None:
    rows = {row[0]: row[1:] for row in read(report).rows if len(row) == 4}
    before = report.risk.before.scope.quasi_identifiers
    after = report.risk.after.scope.quasi_identifiers
    assert before is not None
    assert after is not None
    assert rows["Most exposed person is found (prosecutor, maximum)"] == [
        percent(before.prosecutor_max), percent(after.prosecutor_max), percent(1 / report.release.k_min),
    ]  # fmt: skip
    assert rows["Smallest group (k)"][:2] == [str(before.k), str(after.k)]
    assert rows["Records alone in their group (sample uniques)"][:2] == [str(before.unique), str(after.unique)]
    assert rows["Records whose confidential value is certain"][:2] == [
        str(report.risk.before.certain), str(report.risk.after.certain),
    ]  # fmt: skip


def test_every_amber_check_stands_there_with_its_reason(report: Report) -> None:
    open_ones = [check for check in report.gate if check.status in ("amber", "red", "not-run")]
    assert open_ones
    rows = [row for row in read(report).rows if row and row[-1].endswith((" amber", " red", " not-run"))]
    assert len(rows) == min(len(open_ones), certificate.MOST_CHECKS)
    assert {row[2] for row in rows} == {"no reason given"}
    worst = read(worst_report(report, many=3))
    reasons = [row[2] for row in worst.rows if row[-1].endswith(" amber")]
    assert [reason[:12] for reason in reasons] == [f"{n} {WORDY}"[:12] for n in range(3)]


def test_a_release_without_any_reason_says_so(report: Report) -> None:
    text = read(nothing_accepted(report)).text
    assert "Released. Every check was passed." in text
    assert "Checks: " in text
    assert "amber" not in text


def test_blocked_and_draft_are_not_called_released(report: Report) -> None:
    assert report.decision.blocked_by
    assert "Not released" in read(report).text
    draft = report.decision.model_copy(update={"blocked_by": [], "released": False})
    assert "Draft. Nothing was released." in read(report.model_copy(update={"decision": draft})).text


def test_long_lists_are_cut_and_say_so(report: Report) -> None:
    found = read(worst_report(report))
    for most in (certificate.MOST_CHECKS, certificate.MOST_LEVELS, certificate.MOST_ATTACKS):
        assert f"… and {30 - most} more, see the report." in found.text
    assert LONG not in found.text
    assert WORDY not in found.text
    assert max(len(cell) for row in found.rows for cell in row) < 260
    assert len(found.rows) < 50


def test_a_level_that_is_not_met_comes_first(report: Report) -> None:
    worst = worst_report(report, many=12)
    heads = [row for row in read(worst).rows if row[-1].startswith(("✓", "✕"))]
    assert [row[-1] for row in heads] == ["✕ NO"] * certificate.MOST_LEVELS
    few = worst_report(report, many=3)
    proofs = [proof.model_copy(update={"met": n != 0}) for n, proof in enumerate(few.levels_proof[:3])]
    shown = [
        row for row in read(few.model_copy(update={"levels_proof": proofs})).rows if row[-1].startswith(("✓", "✕"))
    ]
    assert [row[-1][0] for row in shown] == ["✕", "✓", "✓"]
    assert shown[0][3].endswith(": 0.1111 of 0.1235")


def test_those_asked_for_first_come_first_then_the_gravest(report: Report) -> None:
    attacks = [
        attack(0, id="rank", severity="none"),
        attack(1, id="rank", severity="total"),
        attack(2, id="inference", severity="none"),
        attack(3, id="linkage", severity="some"),
        attack(4, id="singling-out", severity="serious"),
        attack(5, id="singling-out", severity="total"),
    ]
    found = read(report.model_copy(update={"attacks": attacks}), ("singling-out", "linkage", "inference"))
    rows = [row for row in found.rows if row and "(report:" in row[0]]
    assert [re.findall(r"\(report: (\d)\)$", row[0])[0] for row in rows] == ["6", "4", "3", "2", "5", "1"]
    assert rows[0][1] == "70.5 % (60.0 % to 90.0 %)"


def test_errors_are_not_shown_as_shares(report: Report) -> None:
    noise = Figure(0.548, unit="noise sd")
    entry = attack(0, id="noise-filter", success=noise, control=noise, chance=noise)
    text = read(report.model_copy(update={"attacks": [entry]})).text
    assert "left: 0.55 × noise" in text
    assert "54.8 %" not in text


def test_no_attack_is_said(report: Report) -> None:
    assert "No attack was made" in read(report.model_copy(update={"attacks": None})).text


def test_hostile_texts_are_escaped(report: Report) -> None:
    operator = report.operator.model_copy(update={"name": "<script>alert(1)</script>", "note": '<img src="x">'})
    page = render_certificate(report.model_copy(update={"operator": operator})).decode()
    assert "<script" not in page
    assert "<img" not in page


def test_each_document_has_a_page_with_its_time(report: Report) -> None:
    assert set(PAGES) == {"certificate.pdf", "report.pdf"}
    for make in PAGES.values():
        assert f'<meta name="created" content="{report.created}">'.encode() in make(report, Drawn())


def test_no_promise_is_made_that_no_program_can_keep(report: Report, tmp_path: Path) -> None:
    text = read(report).text.casefold()
    assert "anonym" not in text
    assert "gdpr" not in text
