"""Ladders of columns: what their rungs are, what they lose, and that `generalize` makes the same classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from swap_support import streams

from ppdm_desktop.engine.methods.generalize import Generalize
from ppdm_desktop.engine.release.planning.ladders import ladder_of
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy

TREE = Hierarchy({"Bonn": ("DE", "EU"), "Kiel": ("DE", "EU"), "Lyon": ("FR", "EU"), "Oslo": ("NO", "–")}, 2)
AGES = [*map(str, range(18, 78)), "", "103"]
PAY = ["0"] * 40 + [f"{value}.5" for value in range(1_000, 61_000, 1_000)] + ["9000000"]
FEW = [*["1"] * 10, *["2"] * 14, *["3"] * 10, *["4"] * 4, "5", "8"]
DAYS = [f"20{year:02d}-{month:02d}-1{day}" for year in (19, 20, 23) for month in (1, 2, 5, 9) for day in range(3)]


def numbers(values: list[str]) -> dict[str, Any]:
    return {"kind": "numeric", "style": NumberStyle.seen_in([value for value in values if value])}


def in_bands(*bands: tuple[int, int, int]) -> list[dict[str, Any] | None]:
    """The first and the last rung, and between them bands of (width, lower end, upper end)."""
    return [{}, *({"width": {"x": width}, "ends": {"x": [low, high]}} for width, low, high in bands), None]


CASES: dict[str, tuple[list[str], dict[str, Any], list[dict[str, Any] | None]]] = {
    "bands of numbers on round ends": (
        AGES,
        numbers(AGES),
        in_bands(
            (2, 18, 78),
            (2, 22, 74),
            (2, 24, 74),
            (2, 26, 72),
            (5, 15, 80),
            (5, 25, 75),
            (5, 25, 70),
            (2, 32, 66),
            (10, 10, 80),
            (10, 30, 70),
            (5, 35, 65),
            (2, 38, 60),
            (5, 40, 60),
            (10, 40, 60),
            (20, 0, 80),
            (20, 40, 60),
            (50, 0, 100),
            (500, 0, 50),
        ),
    ),
    "one far number does not stretch the bands": (
        PAY,
        numbers(PAY),
        in_bands(
            (1_000, 0, 57_000),
            (1_000, 0, 56_000),
            (2_000, 0, 62_000),
            (2_000, 2_000, 56_000),
            (1_000, 0, 51_000),
            (2_000, 2_000, 50_000),
            (5_000, 0, 65_000),
            (5_000, 5_000, 55_000),
            (5_000, 5_000, 50_000),
            (1_000, 0, 41_000),
            (2_000, 2_000, 40_000),
            (5_000, 5_000, 40_000),
            (10_000, 0, 70_000),
            (10_000, 10_000, 50_000),
            (10_000, 10_000, 40_000),
            (1_000, 0, 31_000),
            (2_000, 2_000, 30_000),
            (5_000, 5_000, 30_000),
            (10_000, 10_000, 30_000),
            (20_000, 0, 80_000),
            (20_000, 20_000, 40_000),
            (200_000, 0, 20_000),
            (50_000, 0, 100_000),
            (500_000, 0, 50_000),
        ),
    ),
    "few numbers, the rarest merged": (
        FEW,
        numbers(FEW),
        in_bands((1, 1, 4), (2, 0, 6), (2, 0, 4), (1, 1, 3), (10, 1, 3), (20, 0, 2)),
    ),
    "spans of dates, of five people at least": (
        DAYS,
        {"kind": "date", "date_format": "%Y-%m-%d", "order": tuple(sorted(DAYS))},
        [
            {},
            *({key: {"x": span}, "fewest": {"x": 5}} for key, span in (("weeks", 1), ("months", 12), ("months", 60))),
            None,
        ],
    ),
    "beginnings of codes": (
        ["53111", "53112", "53113", "53225", "50667", "10115"],
        {},
        [{}, *({"characters": {"x": kept}} for kept in (4, 2, 1)), None],
    ),
    "levels of a hierarchy": (
        ["Bonn", "Kiel", "Lyon", "Oslo", "Bonn", ""],
        {"hierarchy": TREE},
        [{}, {"level": {"x": 1}}, {"level": {"x": 2}}, None],
    ),
    "rare words together": (
        ["a"] * 50 + ["b"] * 30 + ["c"] * 12 + ["d"] * 4 + ["e"] * 2 + ["f", "g"],
        {},
        [{}, *({"rare": {"x": share}} for share in (0.01, 0.05, 0.1, 0.25, 0.5)), None],
    ),
    "neighbours in order": (
        [*"SMLXY", *"SMLXY", ""],
        {"kind": "ordinal", "order": tuple("SMLXY")},
        [{}, {"ranges": {"x": 3}}, {"ranges": {"x": 2}}, None],
    ),
    "two values": (["yes", "no", "no"], {}, [{}, None]),
    "a word that would read as missing": (
        ["a", "b", "b", "c", "c", "c"],
        {"missing_texts": frozenset({"", "(*)"})},
        [{}, None],
    ),
    "texts, nearly all different": ([f"Main Street {number}" for number in range(40)], {}, [None]),
    "no value at all": (["", ""], {}, [{}, None]),
}


@pytest.mark.parametrize("case", CASES)
def test_rungs_are_the_rules_of_generalize(case: str) -> None:
    values, more, parameters = CASES[case]
    column = Column.from_texts("x", values, role="quasi-identifier", **more)
    table = Table((column,), np.arange(1, len(column) + 1))
    ladder = ladder_of(table, "x")
    assert [rung.parameters for rung in ladder.rungs] == parameters
    losses = [rung.loss for rung in ladder.rungs]
    assert losses == sorted(losses)
    assert losses[-1] == 1.0
    assert ladder.refines.diagonal().all()
    assert ladder.refines[:, -1].sum() == len(losses) or column.missing.any()
    for rung in ladder.rungs:
        shown = column.category_codes
        if rung.parameters:
            settings = Generalize().settings(table, ("x",), rung.parameters)
            shown = Generalize().run(table, settings, streams()).table.column("x").category_codes
        expected = np.zeros(len(column)) if rung.is_left_out else shown
        # The same codes, not only the same classes: where equally few cells could be emptied, their order decides.
        assert rung.codes_of_categories[column.category_codes].tolist() == expected.tolist()


def test_loss_counts_the_values_under_what_is_shown() -> None:
    column = Column.from_texts("x", ["Bonn", "Kiel", "Lyon", "Oslo", "Bonn", ""], hierarchy=TREE)
    # Level 1: Bonn, Kiel and Bonn share two of four values, so (3 x 1) / (5 x 3) is lost; level 2: (4 x 2) / (5 x 3).
    # In pairs the squares are lost, and each pair has two columns.
    rungs = ladder_of(Table((column,), np.arange(1, 7)), "x").rungs
    assert [rung.loss for rung in rungs] == pytest.approx([0, (3 / 15 + 2 * 3 / 45) / 3, (8 / 15 + 2 * 16 / 45) / 3, 1])
    assert [rung.is_rough for rung in rungs] == [False, False, True, True]  # 12 / 15 and 7 / 15 are kept
    assert [str(rung.text) for rung in rungs[::3]] == ["“x” as it is", "“x” left out"]


def test_ends_are_merged_until_they_are_mixed() -> None:
    ages = [age for age in range(20, 90) for _ in range(10)]
    alive = ["no" if age + 4 * (row % 10) > 80 else "yes" for row, age in enumerate(ages)]
    texts = list(map(str, ages))
    columns = (
        Column.from_texts("age", texts, role="quasi-identifier", **numbers(texts)),
        Column.from_texts("alive", alive, role="confidential"),
    )
    rungs = ladder_of(Table(columns, np.arange(1, len(ages) + 1)), "age").rungs
    parameters: list[Any] = [rung.parameters for rung in rungs if rung.parameters]
    ends = {tuple(stated["ends"]["age"]) for stated in parameters}
    merged = {(62, 70), (65, 70), (20, 70)}  # in bands of 2 and of 5 years, and one cut
    assert ends > {(20, 90), (20, 100), (0, 100), *merged}
    for low, high in ends - {(20, 90), (20, 100), (0, 100), *merged}:
        assert sum(age < low for age in ages) in {0, *range(35, 700)}, "one cut has no lower end"
        assert sum(age >= high for age in ages) >= 35
    for low, high in merged:
        for end in (age < low for age in ages), (age >= high for age in ages):
            inside = [value for value, is_in in zip(alive, end, strict=True) if is_in]
            assert not inside or max(map(inside.count, ("yes", "no"))) < 0.9 * len(inside)
