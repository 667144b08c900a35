"""Attacks on tables too small, too empty or too plain for them: figures or silence, never a fault."""

from __future__ import annotations

from pathlib import Path

import gate_cases
import numpy as np
import pytest
from gate_cases import make_candidate

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.attack_audit.base import AttackEvidence, audit, find_attack
from ppdm_desktop.engine.wording.texts import render_kept

RECORDS = (1, 2, 3, 8, 40)


def table(rows: int, manner: str) -> dict[str, list[str]]:
    rng = np.random.default_rng(rows)
    age = [str(value) for value in rng.integers(20, 80, rows)]
    city = [str(value) for value in rng.choice(["a", "b", "c"], rows)]
    pay = [str(value) for value in rng.integers(1000, 9000, rows)]
    ill = [str(value) for value in rng.choice(["x", "y", "z"], rows)]
    if manner == "gaps":
        for column in (age, city, pay, ill):
            for row in rng.choice(rows, max(1, rows // 4), replace=False):
                column[row] = ""
    if manner == "constant":
        age, city = ["40"] * rows, ["a"] * rows
    if manner == "one value":
        ill = ["x"] * rows
    wish = ["paranoid" if row % 5 == 0 else "cautious" if row % 3 == 0 else "" for row in range(rows)]
    return {"Age": age, "City": city, "Pay": pay, "Ill": ill, "Wish": wish}


@pytest.mark.thorough
@pytest.mark.parametrize("manner", ["plain", "gaps", "constant", "one value"])
@pytest.mark.parametrize("method", [None, *all_methods()])
def test_no_table_is_too_odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str | None, manner: str) -> None:
    monkeypatch.setitem(gate_cases.ROLES, "p", "privacy-level")
    roles = {
        "Age": {"role": "q", "kind": "numeric"},
        "City": "q",
        "Pay": {"role": "c", "kind": "numeric"},
        "Ill": "c",
        "Wish": "p",
    }
    attacked = 0
    for rows in RECORDS:
        steps = [{"method": method}] if method else []
        try:
            candidate = make_candidate(tmp_path / str(rows), table(rows, manner), roles, "internal", steps=steps)
        except PpdmError:
            continue  # The method refuses such a table, in words.
        entries = list(audit(candidate))
        for id in ("singling-out", "linkage", "inference"):
            entries += find_attack(id).run(AttackEvidence(candidate))
        for entry in entries:
            assert render_kept(entry.sentence.id, entry.sentence.arguments).sentence
            assert render_kept(entry.knows.id, entry.knows.arguments).sentence
            for figure in (entry.success, entry.control, entry.chance):
                assert figure.value is None or figure.value >= 0
        attacked += len(entries)
    assert attacked or method is not None
