"""The check of what was removed: records and cells, by the contract's two limits."""

from __future__ import annotations

from pathlib import Path

import pytest
from gate_cases import check, make_candidate, with_step
from optional import existing

QUASI = {"Q": "q", "C": "c"}


def people(alone: int, rows: int = 100) -> dict[str, list[str]]:
    """So many records that stand out among a hundred."""
    return {"Q": [f"x{at}" for at in range(alone)] + ["a"] * (rows - alone), "C": ["u", "v"] * (rows // 2)}


@pytest.mark.parametrize("what", ["records", "cells"])
@pytest.mark.parametrize(("alone", "expected"), [(0, "green"), (5, "green"), (6, "amber"), (50, "amber"), (51, "red")])
def test_suppression(tmp_path: Path, what: str, alone: int, expected: str) -> None:
    steps = [{"method": "suppress", "parameters": {"what": what, "most": 0.6}}]
    candidate = make_candidate(tmp_path, people(alone), QUASI, "internal", steps=steps)
    found = check(candidate, "suppression")
    assert found.status == expected
    assert existing(found.figure).value == pytest.approx(alone / 100)


def test_cells_are_counted_against_those_that_had_a_value(tmp_path: Path) -> None:
    values = ["", ""] * 40 + ["a"] * 20
    candidate = make_candidate(tmp_path, {"Q": values, "C": ["u", "v"] * 50}, QUASI, "internal")
    assert existing(check(candidate, "suppression").figure).value == 0
    emptied = with_step(candidate, {"Q": ["", ""] * 45 + ["a"] * 10})
    found = check(emptied, "suppression")
    assert found.status == "amber"
    assert existing(found.figure).value == pytest.approx(0.5)
    assert '"Q"' in str(found.sentence.arguments["column"])
