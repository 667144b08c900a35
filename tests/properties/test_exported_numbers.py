"""What the methods for numbers promise, recounted on the exported file and judged by the gate."""

from __future__ import annotations

import tempfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from gate_cases import make_candidate
from hypothesis import given
from hypothesis import strategies as st
from number_support import GOLDEN, released_rows
from thoroughness import examples

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.writing.export import evaluate

LEVELS = st.sampled_from(["", "normal", "cautious"])
NUMBER_ROW = st.tuples(
    st.sampled_from("abc"),
    st.one_of(st.just(""), st.integers(-999, 9_999).map(str)),
    st.integers(10, 9_999).map(lambda n: f"{n // 100}.{n % 100:02}"),
    LEVELS,
)
NUMBER_ROWS = st.lists(NUMBER_ROW, min_size=4, max_size=30)


@examples(12)
@given(rows=NUMBER_ROWS, seed=st.integers(0, 2**40))
def test_total_in_the_exported_file(rows: list[tuple[str, ...]], seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            lines, report = released_rows(Path(folder), rows, [{"method": "additive-noise"}], seed)
        except PpdmError as refused:
            if refused.id in ("error.additive-noise.constant", "error.additive-noise.zero-mean"):
                return
            raise
    for at, (name, step) in enumerate((("pay", Decimal(1)), ("tax", Decimal("0.01"))), start=1):
        before = {f"r{i}": row[at] for i, row in enumerate(rows)}
        assert {row for row, text in before.items() if not text} == {row for row in lines if not lines[row][name]}
        released = [Decimal(line[name]) for line in lines.values() if line[name]]
        assert all(value % step == 0 for value in released)
        total = sum((Decimal(text) for text in before.values() if text), Decimal(0))
        assert abs(sum(released, Decimal(0)) - total) < step
    assert report["steps"][0]["guarantee"]["holds"] is True


# --- the gate -------------------------------------------------------------------------------

PEOPLE: dict[str, Any] = {
    "area": ["north", "south"] * 5,
    "pay": [str(value) for value in GOLDEN["original"]],
}
ROLES: dict[str, Any] = {"area": "q", "pay": {"role": "c", "kind": "numeric"}}


def status_of(folder: Path, type: str, *steps: dict[str, Any]) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    candidate = make_candidate(folder, PEOPLE, ROLES, type, steps=list(steps))
    return {check.id: check.status for check in evaluate(candidate).checks}


@pytest.mark.parametrize("method", ["bit-plus-plus", "bit-minus-minus"])
def test_a_digit_shift_alone_is_red_but_for_internal(method: str, tmp_path: Path) -> None:
    for type in ("public", "public-high-harm", "research"):
        assert status_of(tmp_path / type, type, {"method": method})["reversible-method"] == "red"
    assert status_of(tmp_path / "internal", "internal", {"method": method})["reversible-method"] == "amber"


def test_a_digit_shift_beside_a_firm_method_is_amber(tmp_path: Path) -> None:
    found = status_of(tmp_path, "public", {"method": "additive-noise"}, {"method": "bit-plus-plus"})
    assert found["reversible-method"] == "amber"


@pytest.mark.parametrize(("rounding", "expected"), [("step", "green"), ("paper", "red"), ("none", "red")])
def test_additive_noise_is_reversible_unless_rounded_by_steps(rounding: str, expected: str, tmp_path: Path) -> None:
    step: dict[str, Any] = {"method": "additive-noise", "parameters": {"rounding": rounding}}
    assert status_of(tmp_path, "research", step)["reversible-method"] == expected


def test_a_digit_shift_hides_nothing_from_the_count_of_certain_records(tmp_path: Path) -> None:
    columns = {"area": [f"a{i}" for i in range(10)], "pay": PEOPLE["pay"]}
    candidate = make_candidate(tmp_path, columns, ROLES, "public", steps=[{"method": "bit-plus-plus"}])
    checks = {check.id: check for check in evaluate(candidate).checks}
    assert checks["certain-disclosure"].status == "red"
    assert checks["certain-disclosure"].figure is not None
    assert checks["certain-disclosure"].figure.value == 10


# --- microaggregation -----------------------------------------------------------------------

GROUPS: dict[str, Any] = {"": 5, "normal": 5, "cautious": 10}


@examples(12)
@given(
    rows=st.lists(NUMBER_ROW, min_size=5, max_size=40),
    seed=st.integers(0, 2**40),
    mode=st.sampled_from(["univariate", "multivariate"]),
    centre=st.sampled_from(["mean", "median"]),
)
def test_groups_in_the_exported_file(rows: list[tuple[str, ...]], seed: int, mode: str, centre: str) -> None:
    step: dict[str, Any] = {
        "method": "microaggregation",
        "columns": ["pay", "tax"],
        "parameters": {"mode": mode, "centre": centre},
    }
    with tempfile.TemporaryDirectory() as folder:
        try:
            lines, report = released_rows(Path(folder), rows, [step], seed)
        except PpdmError as refused:
            if refused.id in ("error.step.unfit-kind", "error.method.too-few"):
                return
            raise
    shown = [(lines[f"r{i}"]["pay"], lines[f"r{i}"]["tax"]) for i in range(len(rows))]
    for i, (_, pay, tax, level) in enumerate(rows):
        assert (not shown[i][0], not shown[i][1]) == (not pay, not tax)
        for at in (0, 1):
            assert not shown[i][at] or sum(each[at] == shown[i][at] for each in shown) >= GROUPS[level]
        if mode == "multivariate":
            alike = sum(all(not old or new == old for new, old in zip(each, shown[i])) for each in shown)
            assert alike >= GROUPS[level]
    assert all(not text or Decimal(text) % step == 0 for text, step in ((pay, 1) for pay, _ in shown))
    if centre == "mean":
        for at, grid in enumerate((Decimal(1), Decimal("0.01"))):
            moved = sum((Decimal(each[at]) for each in shown if each[at]), Decimal(0))
            before = sum((Decimal(row[at + 1]) for row in rows if row[at + 1]), Decimal(0))
            assert abs(moved - before) <= grid * len(rows) / 2
    assert report["steps"][0]["guarantee"]["holds"] is True
    assert all(line["met"] for line in report["verdict"]["levels"])


def test_microaggregation_counts_as_grouped(tmp_path: Path) -> None:
    columns = {"area": [f"a{i}" for i in range(30)], "pay": [str(100 + 7 * i) for i in range(30)]}
    for type, least in (("research", 5), ("public", 11)):
        steps = [{"method": "microaggregation"}]
        candidate = make_candidate(tmp_path / type, columns, ROLES, type, steps=steps)
        found = {check.id: check.status for check in evaluate(candidate).checks}
        assert found["certain-disclosure"] == "green"
        assert found["class-size"] == "amber"
        assert found["levels-met"] == "green"
        assert found["reversible-method"] == "green"
        released = candidate.final.column("pay").values()
        assert min(released.count(text) for text in released) >= least


def test_a_digit_shift_beside_microaggregation_is_amber(tmp_path: Path) -> None:
    found = status_of(tmp_path, "internal", {"method": "microaggregation"}, {"method": "bit-minus-minus"})
    assert found["reversible-method"] == "amber"


# --- two-phase noise ------------------------------------------------------------------------


def test_neither_bounds_from_data_nor_levels_reach_the_recipient(tmp_path: Path) -> None:
    rows = [("a", str(7313 + 11 * i), "1.00", ["", "cautious"][i % 2]) for i in range(40)]
    _, report = released_rows(tmp_path, rows, [{"method": "two-phase-noise", "columns": ["pay"]}])
    bounds = report["steps"][0]["detail"]["columns"]["pay"]["bounds"]
    dictionary = (tmp_path / "out" / "release" / "data-dictionary.csv").read_text(encoding="utf-8")
    assert [str(all_methods()["two-phase-noise"].recipients_learn) in line for line in dictionary.splitlines()] == [
        line.startswith("pay,") for line in dictionary.splitlines()
    ]
    for file in (tmp_path / "out" / "release").iterdir():
        if file.name == "data.csv":
            continue
        text = file.read_text(encoding="utf-8")
        assert "cautious" not in text
        for secret in (*bounds, 7313, 7742):
            assert f"{secret:.0f}" not in text, (file.name, secret)
