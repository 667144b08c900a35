"""What counts as learnt: averages of one person, values that nearly everybody holds, and what an agreement forbids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import check, make_candidate

from ppdm_desktop.engine.release.gate.results import CheckResult

ROWS = 100
NOMINAL: dict[str, Any] = {"role": "q", "kind": "nominal"}
PAY = {"role": "c", "kind": "numeric"}


def _result(folder: Path, id: str, columns: dict[str, list[str]], roles: dict[str, Any], *where: Any) -> CheckResult:
    type, more = where
    return check(make_candidate(folder, columns, roles, type, **more), id)


@pytest.mark.parametrize(
    ("largest", "type", "expected"),
    [
        (900_000, "public", "red"),
        (900_000, "research", "amber"),
        (3_100, "public", "green"),
    ],
)
def test_an_average_of_which_one_person_has_nearly_all(tmp_path: Path, largest: int, type: str, expected: str) -> None:
    pay = [str(3_000 + row) for row in range(ROWS - 1)] + [str(largest)]
    columns = {"ward": [f"w{row % 2}" for row in range(ROWS)], "pay": pay}
    steps = [{"method": "microaggregation", "parameters": {"group": 11}, "columns": ["pay"]}]
    more = {"steps": steps}
    assert _result(tmp_path, "dominance", columns, {"ward": NOMINAL, "pay": PAY}, type, more).status == expected
    as_it_is = _result(tmp_path, "dominance", columns, {"ward": NOMINAL, "pay": PAY}, type, {})
    assert as_it_is.status == "not-applicable", "no average is released"


def test_the_pay_of_a_group_names_nobody_in_it(tmp_path: Path) -> None:
    """Averages of eleven show who earns most only to someone who knows whose row it is."""
    columns = {"ward": [f"w{row % 2}" for row in range(600)], "pay": [str(3_000 + 7 * row) for row in range(600)]}
    steps = [{"method": "microaggregation", "parameters": {"group": 11}, "columns": ["pay"]}]
    for key, expected in (("ward", "green"), ("number", "red")):
        table = {**columns, "number": [str(row) for row in range(600)]}
        roles = {"ward": NOMINAL, "number": "l", "pay": PAY} | {key: NOMINAL}
        assert _result(tmp_path, "rare-secret", table, roles, "public", {"steps": steps}).status == expected, key


@pytest.mark.parametrize(
    ("ill", "section", "type", "expected"),
    case_rows("reach-and-agreement-a-value-that-nine-in-ten-hold"),
)
@pytest.mark.parametrize("kind", ["nominal", "numeric"])
def test_a_value_that_nine_in_ten_hold(
    tmp_path: Path, kind: str, ill: int, section: dict[str, Any], type: str, expected: str
) -> None:
    columns = {
        "ward": [f"w{row // 50}" for row in range(ROWS)],
        "days": [str(10 + row) if row < ill else "0" for row in range(ROWS)],
    }
    roles = {"ward": NOMINAL, "days": {"role": "c", "kind": kind, **section}}
    for id in ("certain-disclosure", "certain-by-all"):
        found = _result(tmp_path, id, columns, roles, type, {})
        assert (found.status, found.hits) == (expected, 50), id
    if type == "research":
        assert _result(tmp_path, "levels-met", columns, roles, type, {}).status == expected


@pytest.mark.parametrize("id", ["certain-by-all", "singling-out", "near-identifiers"])
def test_what_an_agreement_forbids(tmp_path: Path, id: str) -> None:
    columns = {
        "ward": [f"w{row % 4}" for row in range(ROWS)],
        "ferritin": [str(value) for value in np.random.default_rng(3).integers(60, 4_000, ROWS)],
        "ill": [f"i{row % 5}" for row in range(ROWS)],
    }
    number: dict[str, Any] = {"role": "o", "kind": "numeric"}
    roles = {"ward": NOMINAL, "ferritin": number, "ill": {"role": "c", "kind": "nominal"}}
    signed = {"release": {"agreement": True}}
    assert _result(tmp_path, id, columns, roles, "research", {}).status == "amber"
    agreed = _result(tmp_path, id, columns, roles, "research", signed)
    assert (agreed.status, agreed.sentence.id) == ("green", f"gate.{id}.green-agreed")
    assert _result(tmp_path, id, columns, roles, "public", signed).status == "red", "the public signs nothing"
    known = {"postcode" if name == "ferritin" else name: values for name, values in columns.items()}
    roles = {**roles, "postcode": number}
    del roles["ferritin"]
    assert _result(tmp_path, id, known, roles, "research", signed).status == "red", "others know it by any role"
