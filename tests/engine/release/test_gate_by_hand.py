"""What checks are given, by hand: what is private, what is true of what is shown, and how their work is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gate_cases import HandMade, evidence_of, make_candidate, with_step

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.base import all_checks, to_people_count
from ppdm_desktop.engine.release.gate.environment_terms import collect_host_metadata
from ppdm_desktop.engine.release.gate.evidence import is_quasi_regenerated
from ppdm_desktop.engine.release.gate.results import NOT_APPLICABLE
from ppdm_desktop.engine.wording.catalogue import untranslated

COLUMNS = {
    "Surname": ["Adelheid", "Brunhilde", "Cunegunde", "Dietlinde"],
    "Town": ["Antwerpen", "Antwerpen", "Barcelona", "Barcelona"],
    "Illness": ["influenza", "", "influenza", "bronchitis"],
}

ROLES: dict[str, Any] = {"Surname": "i", "Town": "q", "Illness": "c"}


@pytest.fixture
def candidate(tmp_path: Path) -> Candidate:
    return make_candidate(tmp_path, COLUMNS, ROLES)


def test_what_is_not_released_is_looked_for_and_what_is_released_is_not(candidate: Candidate) -> None:
    private = collect_host_metadata(candidate).private_words
    assert {"Surname", *COLUMNS["Surname"]} <= set(private)
    assert not {"Town", "Illness", *COLUMNS["Town"], "influenza"} & set(private)


class MadeAnew(HandMade):
    """Rows that are nobody's."""

    correspondence = "none"


@pytest.mark.parametrize(
    ("columns", "method", "all_made"),
    [
        (["Town"], MadeAnew, True),
        (["Town", "Illness"], MadeAnew, True),
        (["Illness"], MadeAnew, False),
        (["Town"], HandMade, False),
    ],
)
def test_details_are_made_anew_where_a_step_that_keeps_no_rows_made_all_of_them(
    columns: list[str], method: type[HandMade], all_made: bool, candidate: Candidate
) -> None:
    changed = with_step(candidate, {name: COLUMNS[name] for name in columns}, method=method())
    assert is_quasi_regenerated(evidence_of(changed)) is all_made


@pytest.mark.parametrize(("method", "is_judged"), [(HandMade, True), (MadeAnew, False)])
def test_classes_of_rows_that_are_nobodys_are_not_judged_though_their_details_were_kept(
    method: type[HandMade], is_judged: bool, candidate: Candidate
) -> None:
    alike = ["influenza", "influenza", "bronchitis", "bronchitis"]
    evidence = evidence_of(with_step(candidate, {"Illness": alike}, method=method()))
    assert not is_quasi_regenerated(evidence)
    assert (all_checks()["diversity"].judge(evidence).status != NOT_APPLICABLE) is is_judged


def test_a_share_of_people_who_were_not_counted_stands_for_nobody() -> None:
    assert to_people_count(Figure(0.5, n=8, unit="share")).value == 4.0
    assert to_people_count(Figure(0.5, unit="share")).value == 0.0
    assert to_people_count(Figure.absent(untranslated("nobody"), unit="share")).value == 0.0
