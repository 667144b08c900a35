"""The certificate's page: its first line is the decision, no other line is worse, and nothing can make it long."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from gate_cases import attack_entry, make_candidate
from report_cases import (
    judged_candidate,
    nothing_accepted,
    reasons_for_each_cause,
    with_verdict,
    worst_report,
)

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import label_entries
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.report import certificate
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.figures_and_limits import describe_measured_figure, limit_words
from ppdm_desktop.engine.report.model import DecisionEntry, Report, StepEntry
from ppdm_desktop.engine.wording.texts import render, render_kept, render_title


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


def test_a_blocked_release_names_each_check_against_it(report: Report) -> None:
    blocked = report.verdict.decision.blocked_by
    assert blocked
    found = read(report)
    sentences = {each.id: render_kept(each.sentence.id, each.sentence.arguments) for each in report.verdict.checks}
    # A title alone reads as if the part of the page of this name were not released.
    blocked = [each.id for each in report.verdict.checks if each.id in blocked]
    red = [id for id in blocked if report.verdict.check(id).status == "red"]
    open_ones = [id for id in blocked if id not in red]
    assert re.match(r"Not released: “.+” (stops? it|needs? a written reason)\.", found.first)
    assert all(f"“{sentences[id].title}”" in found.first for ids in (red, open_ones) for id in ids[:4])
    for ids, verbs in ((red, ("stops it.", "stop it.")), (open_ones, ("needs a written", "need a written"))):
        assert sum(verb in found.first for verb in verbs) == bool(ids)
        assert verbs[0] not in found.first or len(ids) == 1
    against = [row for row in found.rows if row and row[0].startswith("Against the release: ")]
    assert [row[0] for row in against] == [f"Against the release: {sentences[id].title}" for id in blocked]
    assert {id for _, id in found.ids} >= set(blocked)
    assert [row[1] for row in against] == [sentences[id].sentence for id in blocked]


# --- figures ----------------------------------------------------------------------------------


def test_six_figures_before_and_after_are_those_of_the_verdicts(report: Report) -> None:
    found = read(report).figures
    assert list(found) == [
        "certain-disclosure",
        "certain-by-all",
        "most-exposed",
        "rare-secret",
        "singling-out",
        "linkage",
    ]
    assert report.original is not None
    for id, (before, after, limit, _) in found.items():
        assert before == describe_measured_figure(report.original.check(id))
        assert after.partition(" (without")[0] == describe_measured_figure(report.verdict.check(id))
        assert limit == limit_words(report.verdict.check(id))
    assert found["most-exposed"][1] == "24 of 24 (without their record: 18 of 24)"
    assert found["certain-disclosure"][:3] == ["24 of 24", "24 of 24", "at most 0"]


def made(folder: Path, **more: Any) -> Report:
    """Return the report of 60 people, three numbers each, two of them known to others."""
    columns = {
        "Age": [str(20 + row % 20) for row in range(60)],
        "Height": [str(150 + 7 * row % 50) for row in range(60)],
        "Pay": [str(1_000 + 100 * (row % 10)) for row in range(60)],
    }
    number = {"kind": "numeric", "role": "q"}
    roles = {"Age": number, "Height": number, "Pay": {**number, "role": "c"}}
    return evaluate(make_candidate(folder, columns, roles, "internal", **more), attacks=()).report


def test_a_step_that_changes_nothing_says_so(tmp_path: Path) -> None:
    idle = made(tmp_path, steps=[{"method": "microaggregation", "columns": ["Pay"], "parameters": {"group": 3}}])
    rows = [row for row in read(idle).rows if row and row[0].startswith("1. ")]
    assert [row[1:] for row in rows] == [["Pay", "nothing changed"]]
    swap = made(tmp_path, steps=[{"method": "two-phase-noise", "columns": ["Pay"]}])
    (row,) = [row for row in read(swap).rows if row and row[0].startswith("1. ")]
    changed = next(each.changed.value for each in swap.columns if each.name == "Pay")
    assert row[-1] == f"{changed} cells changed"
    (step,) = swap.steps

    def effects(*steps: StepEntry) -> list[str]:
        rows = read(swap.model_copy(update={"steps": list(steps)})).rows
        return [row[-1] for row in rows if row and re.match(r"\d\. ", row[0])]

    removed = step.model_copy(update={"detail": {"what": "records", "records": 6}})
    assert effects(removed) == ["6 records removed"]
    both = step.model_copy(update={"index": 2})
    assert effects(step, both) == [f"{changed} cells changed, with other steps"] * 2
    assert effects(step.model_copy(update={"columns": ["Gone"]})) == ["1 column left out"]


def test_made_up_rows_have_no_class_size_anywhere(tmp_path: Path) -> None:
    report = made(tmp_path, steps=[{"method": "condensation"}])
    assert report.verdict.classes is not None
    assert report.verdict.classes.artificial
    assert report.verdict.classes.k is None
    found = read(report)
    assert report.risk.after.scope.quasi_identifiers is not None
    words = r"(?i)class-size|smallest group|look the same|could be recognised|group of|groups? (that|of) \d"
    page = found.text.replace(f"nobody in a group of fewer than {report.release.k_min}", "")
    page = page.replace(render(report.release.threshold_source).sentence, "")
    assert not re.search(words, page), re.search(words, page)


# --- the rest of the page -----------------------------------------------------------------------


def test_a_level_that_is_short_comes_first(report: Report) -> None:
    rows = [row for row in read(worst_report(report, many=12)).rows if len(row) == 5 and "(step " in row[0]]
    assert [row[-1] for row in rows] == ["NO"] * certificate.MOST_LEVELS
    few = worst_report(report, many=3)
    proofs = [
        proof.model_copy(update={"met": n != 1, "covered": 123_456_000, "not_covered": 789 * (n == 2)})
        for n, proof in enumerate(few.verdict.levels[:3])
    ]
    shown = [row for row in read(with_verdict(few, levels=proofs)).rows if len(row) == 5 and "(step " in row[0]]
    assert [row[-1] for row in shown] == ["NO", "yes", "yes, for the 123,456,000 people concerned"]
    assert shown[0][1:4] == ["123,456,789", "0.123", "0.111"]


@pytest.mark.parametrize(
    ("change", "words"),
    case_rows("certificate-a-promised-share-is-kept-in-whole-people"),
)
def test_a_promised_share_is_kept_in_whole_people(
    change: dict[str, Any], words: tuple[str, ...], report: Report
) -> None:
    proof = (
        worst_report(report, many=1)
        .verdict.levels[0]
        .model_copy(
            update={
                "demanded": 0.5,
                "asked": 0.5,
                "least_achieved": 0.5,
                "met": True,
                "covered": 5,
                "not_covered": 0,
                **change,
            }
        )
    )
    steps = [step.model_copy(update={"index": proof.step, "method": "random-swap"}) for step in report.steps[:1]]
    given = with_verdict(report, levels=[proof]).model_copy(update={"steps": steps})
    (row,) = [row for row in read(given).rows if len(row) == 5 and "(step " in row[0]]
    assert tuple(row[2:]) == words


def test_hostile_texts_are_escaped(report: Report) -> None:
    operator = report.operator.model_copy(update={"name": "<script>alert(1)</script>", "note": '<img src="x">'})
    page = render_certificate(report.model_copy(update={"operator": operator})).decode()
    assert "<script" not in page
    assert "<img" not in page


def test_what_too_few_people_leave_open_is_neither_a_success_nor_a_failure(report: Report) -> None:
    found = attack_entry("inference")
    open_, sure = label_entries(
        found.model_copy(update={"severity": "serious", "advantage": Figure(0.2, n=16, low=low, high=0.5)})
        for low in (-0.1, 0.1)
    )
    page = render_certificate(with_verdict(report, attacks=[open_, sure])).decode()
    assert "Failed: 0. Succeeded: 1. Not ruled out: 1. Only forecasts: 0." in page
    assert page.count("Successful attack: “Guessing confidential values”.") == 1
    assert "Successful attack" not in render_certificate(with_verdict(report, attacks=[open_])).decode()


def test_a_figure_beyond_its_limit_is_named_beside_the_attacks_that_failed(report: Report) -> None:
    beyond = report.verdict.figures[0].id
    checks = [
        check.model_copy(update={"status": "red" if check.id == beyond else "green"}) for check in report.verdict.checks
    ]
    found = read(with_verdict(report, checks=checks, attacks=[attack_entry("seed-search")]))
    assert "Succeeded: 0" in found.text
    assert "Beyond the limit, in the table above: 1 (" in " ".join(found.text.split()), found.text[1500:5000]
