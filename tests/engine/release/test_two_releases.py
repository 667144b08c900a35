"""Two releases side by side: every line in both, what differs, and the share of rows in both sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gate_cases import make_candidate
from support import AUDIT_CHECKS, DISCLOSURE_CHECKS, not_analysed, reasons_for

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.two_releases import Line, compare_releases, compare_with_ledger
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.wording.catalogue import speak_language

ACCEPTS = reasons_for((*DISCLOSURE_CHECKS, "people-counted", "rare-values", *AUDIT_CHECKS, "guessable-key"))
ROLES: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "C": "c"}
MORE: dict[str, Any] = {**ROLES, "D": "o"}


def write(folder: Path, first: int, roles: dict[str, Any], type: str = "internal", **parts: Any) -> Path:
    """Return a release of forty rows, numbered from ``first`` on."""
    numbers = range(first, first + 40)
    columns = {"Q": [str(i // 2) for i in numbers], "C": [f"{i % 3}{i % 5}" for i in numbers]}
    if "D" in roles:
        columns["D"] = [str(i % 2) for i in numbers]
    folder.mkdir()
    candidate = make_candidate(folder / "in", columns, roles, type, **parts)
    ledger = folder.parent / "ledger.json"
    more: dict[str, Any] = {"analyses": not_analysed(), "attacks": (), "ledger": ledger}
    export(candidate, folder / "out", accepts=ACCEPTS, **more)
    return folder / "out"


def differing(lines: list[Line], group: str) -> dict[str, tuple[str, str]]:
    return {line.what: (line.first, line.second) for line in lines if line.group == group and line.differs}


def test_what_is_the_same_and_what_is_not(tmp_path: Path) -> None:
    first = write(tmp_path / "a", 0, ROLES)
    second = write(tmp_path / "b", 10, MORE, steps=[{"method": "random-swap"}])
    ledger = tmp_path / "ledger.json"
    same = compare_releases(first, first, ledger)
    assert {line.what for line in same if line.differs} == set()
    assert same[0].first == "100 %" or same[0].first == "100%"
    lines = compare_releases(first, second, ledger)
    assert differing(lines, "columns").keys() == {"C", "D"}
    assert differing(lines, "columns")["D"] == ("", "Neither, Category, none")
    with speak_language("de"):
        assert "permut" not in differing(compare_releases(first, second), "columns")["C"][1]
    ((before, after),) = differing(lines, "steps").values()
    assert (before, after.endswith(": C")) == ("", True)
    assert len([line for line in lines if line.group == "checks"]) > 30
    # A recipe of the earlier release for another source: a year later ten of forty people are others.
    third = write(tmp_path / "c", 10, ROLES)
    share = float(compare_releases(first, third, ledger)[0].first.rstrip(" %"))
    assert 55 <= share <= 95
    assert [line.first for line in compare_releases(first, third)[:1]] == ["not known"]


def test_the_ledger_knows_the_release_before(tmp_path: Path) -> None:
    first = write(tmp_path / "a", 0, ROLES)
    with pytest.raises(InputError, match="none"):
        compare_with_ledger(first, tmp_path / "ledger.json")
    write(tmp_path / "x", 500, MORE)
    later = write(tmp_path / "b", 5, ROLES)
    lines = compare_with_ledger(later, tmp_path / "ledger.json")
    assert [(line.what, line.first) for line in lines[2:]] == [("Columns released", "Q, C")]
    with pytest.raises(InputError, match="none"):
        compare_with_ledger(first, tmp_path / "ledger.json")
