"""What the tests of the swapping methods share: tables, random problems and slow oracles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp

from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.methods.algorithms.swapping import calibration
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Unit, unit_input
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER, SwapProblem
from ppdm_desktop.engine.methods.algorithms.swapping.start import count_changeable_records
from ppdm_desktop.engine.randomness import Key, RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "li-sarkar.json").read_text(encoding="utf-8")
)
CATEGORIES: list[str] = GOLDEN["categories"]


def few_temperatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the calibrated search try three temperatures, not thirteen, where their number is not what is tested."""
    monkeypatch.setattr(calibration, "_EVERY", ((5_000, 6), (100_000, 6)))
    monkeypatch.setattr(calibration, "_EVERY_WHEN_ROUGH", 12)


def streams(seed: int = 1, step: int = 1) -> StepStream:
    return StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, step)


def stream(seed: int = 1) -> RandomStream:
    return streams(seed).stream("test")


def life_insurance() -> Table:
    """The paper's Table 1."""
    rows = GOLDEN["table1"]
    columns = [
        Column.from_texts(name, [row[name] for row in rows], role="quasi-identifier")
        for name in ("age", "gender", "location")
    ]
    amounts = Column.from_texts(
        "amount",
        [row["amount"] for row in rows],
        role="confidential",
        kind="ordinal",
        order=tuple(CATEGORIES),
    )
    return Table((*columns, amounts), np.arange(1, 17), RecordLevels.same_for_all(16))


def random_table(
    rng: np.random.Generator,
    rows: int,
    categories: int = 3,
    *,
    width: int = 4,
    attributes: int = 3,
    missing: float = 0.0,
    levels: int = 1,
    columns: int = 1,
) -> Table:
    """A table with unique, grouped and mixed records, the confidential value leaning on the others."""
    made = []
    lean = np.zeros(rows, dtype=np.int64)
    for index in range(attributes):
        codes = rng.integers(width, size=rows)
        lean += codes
        texts = [f"q{code}" if rng.random() >= missing else "" for code in codes]
        made.append(Column.from_texts(f"Q{index}", texts, role="quasi-identifier"))
    for index in range(columns):
        noisy = np.where(rng.random(rows) < 0.5, lean % categories, rng.integers(categories, size=rows))
        values = [f"v{code}" if rng.random() >= missing else "" for code in noisy]
        # Every category is there, so that nothing is refused.
        values[:categories] = [f"v{code}" for code in range(categories)]
        made.append(Column.from_texts(f"S{index}", values, role="confidential"))
    made.append(Column.from_texts("Other", [f"o{n % 3}" for n in range(rows)], role="other"))
    given_levels = RecordLevels(
        DEFAULT_LEVELS[:levels], rng.integers(levels, size=rows).astype(np.int32), {"default": rows}
    )
    return Table(tuple(made), np.arange(1, rows + 1), given_levels)


@st.composite
def problems(draw: st.DrawFn, most_records: int = 9, most_categories: int = 4, most_classes: int = 3) -> SwapProblem:
    """A small phase II problem of least departure, often with equal costs."""
    categories = draw(st.integers(2, most_categories))
    classes = draw(st.integers(1, most_classes))
    records = draw(st.integers(1, most_records))
    truth = np.array(draw(st.lists(st.integers(0, categories - 1), min_size=records, max_size=records)))
    demand = np.array(draw(st.lists(st.integers(-1, classes - 1), min_size=records, max_size=records)))
    fine = draw(st.sampled_from([4, 10_000]))
    cells = draw(st.lists(st.integers(-fine, fine), min_size=records * categories, max_size=records * categories))
    cost = np.array(cells).reshape(records, categories) / fine
    if draw(st.booleans()):
        cost[np.arange(records), truth] = 0.0
    sizes = np.bincount(demand + 1, minlength=classes + 1)[1:]
    changes = np.array([draw(st.integers(0, int(size))) for size in sizes])
    available, forced = count_changeable_records(truth, demand, classes, categories)
    slack = least_departure(available, changes, forced) // 2
    return SwapProblem(cost, truth, demand, changes, slack)


def milp_departure(available: np.ndarray, changes: np.ndarray, forced: np.ndarray) -> int:
    """Least departure by an integer programme over all flows n[class, k, h]."""
    classes, categories = available.shape
    sources = classes + 1
    cells = [(g, k, h) for g in range(sources) for k in range(categories) for h in range(categories) if k != h]
    width = len(cells) + 2 * categories
    cost = np.r_[np.zeros(len(cells)), np.ones(2 * categories)]
    rows, low, high = [], [], []

    def add(row: np.ndarray, least: float, most: float) -> None:
        rows.append(row)
        low.append(least)
        high.append(most)

    for g in range(classes):
        add(_row(width, [at for at, c in enumerate(cells) if c[0] == g]), changes[g], changes[g])
        for k in range(categories):
            add(_row(width, [at for at, c in enumerate(cells) if c[:2] == (g, k)]), 0, available[g, k])
    for k in range(categories):
        add(_row(width, [at for at, c in enumerate(cells) if c[:2] == (classes, k)]), forced[k], forced[k])
        balance = _row(width, [at for at, c in enumerate(cells) if c[1] == k])
        balance -= _row(width, [at for at, c in enumerate(cells) if c[2] == k])
        balance[len(cells) + k], balance[len(cells) + categories + k] = 1, -1
        add(balance, 0, 0)
    result = milp(
        cost,
        constraints=LinearConstraint(np.array(rows), low, high),
        integrality=np.ones(width),
        bounds=Bounds(0, np.inf),
        options={"mip_rel_gap": 0},
    )
    least: float = result.fun
    return round(least)


def _row(width: int, ones: Sequence[int]) -> np.ndarray:
    row = np.zeros(width)
    row[list(ones)] = 1
    return row


def milp_optimum(problem: SwapProblem) -> float:
    """Phase II as one integer programme over all records and categories."""
    records, categories = problem.cost.shape
    width = records * categories + 2 * categories
    rows, due = [], []
    for i in range(records):
        rows.append(_row(width, range(i * categories, (i + 1) * categories)))
        due.append(1)
    for c in range(categories):
        row = _row(width, range(c, records * categories, categories))
        row[records * categories + c], row[records * categories + categories + c] = 1, -1
        rows.append(row)
        due.append(int(problem.marginal()[c]))
    for g, m in enumerate(problem.changes):
        inside = np.flatnonzero(problem.demand == g)
        rows.append(_row(width, inside * categories + problem.truth[inside]))
        due.append(len(inside) - int(m))
    for at in (0, categories):
        first = records * categories + at
        rows.append(_row(width, range(first, first + categories)))
        due.append(problem.slack)
    upper = np.ones(width)
    upper[records * categories :] = problem.slack
    members = np.flatnonzero(problem.demand == GROUP_MEMBER)
    upper[members * categories + problem.truth[members]] = 0
    cost = np.r_[problem.cost.reshape(-1), np.zeros(2 * categories)]
    result = milp(
        cost,
        constraints=LinearConstraint(np.array(rows), due, due),
        integrality=np.ones(width),
        bounds=Bounds(0, upper),
        options={"mip_rel_gap": 0},
    )
    return float(result.fun)


def column_input(table: Table, name: str, classes: Classes) -> ColumnInput:
    """Return what a swap reads of one column, as ``unit_input``."""
    return unit_input(table, Unit((name,)), classes)
