"""The agreement: every clause has its assumption, findings add theirs, and the public has no contract."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from report_cases import judged_candidate, with_verdict

from ppdm_desktop.engine.dossier.agreement import agreement_clauses
from ppdm_desktop.engine.dossier.dossier import DOSSIER, Dossier, Paper, build_dossier
from ppdm_desktop.engine.dossier.facts import FACTS
from ppdm_desktop.engine.dossier.forms import all_forms
from ppdm_desktop.engine.dossier.papers import TEMPLATE
from ppdm_desktop.engine.release.approval import restore_declared_fields
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.report.html import page_of
from ppdm_desktop.engine.report.model import NearEntry, Report, Verdict
from ppdm_desktop.engine.report.report_texts import describe_decision, figure_lines

ALWAYS = 7


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Return a report whose only change is a swapped value, and which no finding adds a clause to but that."""
    report = judged_candidate(tmp_path_factory.mktemp("agreement")).report
    columns = [column.model_copy(update={"treatment": "none"}) for column in report.columns]
    return with_verdict(report.model_copy(update={"columns": columns}), near=[], people_known_by="confirmed")


def treated(treatment: str) -> Callable[[Report], Report]:
    """Return a change that gives the first released column a treatment."""
    return lambda report: report.model_copy(
        update={"columns": [report.columns[0].model_copy(update={"treatment": treatment}), *report.columns[1:]]}
    )


def agreed(report: Report) -> Report:
    """Return the report as if only the agreement let a finding pass, and the release with it."""
    checks = [
        check.model_copy(update={"is_agreed": check.counts_singled, "status": "green"})
        for check in report.verdict.checks
    ]
    decision = report.verdict.decision.model_copy(
        update={"status": "released", "released": True, "blocked_by": [], "accepted": [], "reasons": []}
    )
    return with_verdict(report, checks=checks, decision=decision)


FINDINGS: dict[str, tuple[Callable[[Report], Report], str]] = {
    "swapped": (treated("randomisation (permutation)"), "another release of this source"),
    "exchanged": (treated("permutation (within ranks)"), "another release of this source"),
    "artificial": (treated("synthetic data (condensation)"), "artificial"),
    "near": (lambda report: with_verdict(report, near=[NearEntry(column="Age", alone=3, few=5, people=24)]), "“Age”"),
    "codes": (
        lambda report: report.model_copy(
            update={
                "columns": [
                    *report.columns[1:],
                    report.columns[0].model_copy(update={"role": "pseudonym", "released": True}),
                ]
            }
        ),
        "secret of the codes",
    ),
    "relied on": (agreed, "from elsewhere"),
}


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_adds_its_clause(report: Report, name: str) -> None:
    change, words = FINDINGS[name]
    before, after = agreement_clauses(report), agreement_clauses(change(report))
    assert len(before) == ALWAYS
    assert after[:ALWAYS] == before
    (added,) = after[ALWAYS:]
    assert words in added.text
    assert added.protects
    assert added.text in FACTS["agreement"](change(report))[1].lines


def test_the_paper_has_each_clause_and_no_contract_stands_for_the_public(report: Report, tmp_path: Path) -> None:
    def paper_of(report: Report) -> Paper:
        """Return the agreement of a report."""
        (tmp_path / "internal").mkdir(exist_ok=True)
        (tmp_path / "internal" / DOSSIER).write_bytes(build_dossier(report, {}))
        return Dossier(tmp_path).paper(all_forms()["agreement"])

    page = page_of(TEMPLATE, paper=paper_of(report)).decode()
    assert [page.count(clause.text) for clause in agreement_clauses(report)] == [1] * ALWAYS
    assert 'name="most-pages" content="1"' in page
    public = report.model_copy(update={"release": report.release.model_copy(update={"type": "public"})})
    page = page_of(TEMPLATE, paper=paper_of(public)).decode()
    assert "no contract binds" in page
    assert all(line.title in page for line in figure_lines(report.verdict, report.original))
    assert not re.search(r"\b(anonymous|compliant|safe)\b", page.partition("<body")[2])


def test_a_release_that_needs_the_agreement_says_so_first_also_where_it_is_read_again(report: Report) -> None:
    assert describe_decision(agreed(report).verdict) == "Released, relying on the agreement"
    written = json.loads(agreed(report).to_json())["verdict"]
    for check in written["checks"]:
        if (text := all_checks()[check["id"]].agreed) is not None:
            check["sentence"]["id"] = text.id
    read = restore_declared_fields(Verdict.model_validate(written))
    assert describe_decision(read) == "Released, relying on the agreement"
    assert "by agreement" in [line.limit for line in figure_lines(read, None)]


def test_a_clause_names_every_column_in_which_somebody_is_unique(report: Report) -> None:
    near = [NearEntry(column=f"C{n}", alone=n, few=5, people=24) for n in range(8)]
    (added,) = agreement_clauses(with_verdict(report, near=near))[ALWAYS:]
    assert re.findall(r"C\d", added.text) == [f"C{n}" for n in range(1, 8)]
