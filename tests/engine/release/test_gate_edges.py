"""What checks seldom meet: no user, no host, nobody left, no quasi-identifier, text where a number was."""

from __future__ import annotations

import getpass
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import PropertyMock, patch

import numpy as np
import pytest
from gate_cases import check, evidence_of, make_candidate

from ppdm_desktop.engine.attacks.doubt import rare_secret
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate import surroundings
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.reasons import bound, lapsed
from ppdm_desktop.engine.release.gate.registry import find_check

SAFE: dict[str, Any] = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x", "y"] * 10}
ROLES: dict[str, Any] = {"Q": "q", "C": "c"}


def test_a_user_and_a_home_that_nobody_knows_are_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    monkeypatch.setattr(getpass, "getuser", lambda: "somebody-here")
    monkeypatch.setattr(Path, "home", lambda: Path("/homes/of-somebody"))
    known = surroundings(candidate)
    assert {"somebody-here", "/homes/of-somebody"} <= set(known.machine_words)

    def nobody() -> str:
        raise OSError("no name")

    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(getpass, "getuser", nobody)
    monkeypatch.setattr(Path, "home", nowhere)
    unknown = surroundings(candidate)
    assert set(known.machine_words) - set(unknown.machine_words) >= {"somebody-here", "/homes/of-somebody"}
    assert str(tmp_path / "people-list.csv") in unknown.machine_words


def test_without_a_quasi_identifier_class_size_is_corrected_where_roles_are_given(tmp_path: Path) -> None:
    evidence = evidence_of(make_candidate(tmp_path, {"Q": ["1", "2"], "C": ["x", "y"]}, {"Q": "o", "C": "c"}))
    found = check(evidence, "class-size")
    assert [each.page for each in find_check("class-size").remedy(found, evidence)] == ["columns"]


def test_an_identifier_that_nobody_has_is_given_away_by_nothing(tmp_path: Path) -> None:
    columns = {**SAFE, "Id": [""] * 20, "O": [str(place) for place in range(20)]}
    candidate = make_candidate(tmp_path, columns, {**ROLES, "Id": "i", "O": "o"})
    assert check(candidate, "identifiers-gone").status == "green"
    numbers = [str(place) for place in range(20)]
    told = make_candidate(tmp_path, {**columns, "Id": numbers}, {**ROLES, "Id": "i", "O": "o"})
    assert check(told, "identifiers-gone").status == "red"


@pytest.mark.parametrize(("right", "status"), [(4, "red"), (1, "amber")])
def test_of_few_people_a_rare_value_is_judged_by_the_count(tmp_path: Path, right: int, status: str) -> None:
    few = {name: values[5:15] for name, values in SAFE.items()}
    evidence = evidence_of(make_candidate(tmp_path, few, ROLES))
    found = rare_secret("gout", np.arange(10) < 4, np.arange(10) < right)
    belief = replace(evidence.beliefs[0], rare=(found,))
    with patch.object(Evidence, "beliefs", new_callable=PropertyMock, return_value=(belief,)):
        result = check(evidence, "rare-secret")
    assert (result.status, result.figure.value if result.figure else None) == (status, right)
    assert (result.hits, result.of) == (right, 4)
    assert result.sentence.id == f"gate.rare-secret.{status}-few"


def test_a_reason_holds_while_a_limit_in_words_is_the_same(tmp_path: Path) -> None:
    result = replace(check(make_candidate(tmp_path, SAFE, ROLES), "class-size"), limit="every one", figure=None)
    section = bound("a reason of some length", result, "research", "ab" * 32)
    assert lapsed(section, result, "research", "ab" * 32) is None
    other = lapsed(section, replace(result, limit="every other"), "research", "ab" * 32)
    assert other is not None
    assert other.id == "warning.accept.other-limit"
    number = replace(result, figure=Figure(3.0, unit="records"))
    worse = lapsed(section, number, "research", "ab" * 32)
    assert worse is not None
    assert worse.id == "warning.accept.other-figure"
