"""Categories of fewer people than the group: what is written in their place."""

from __future__ import annotations

import numpy as np
import pytest

from ppdm_desktop.engine.methods.algorithms.condensation.rare_categories import common_categories, with_replaced
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy


def _shown(texts: list[str], group: int, **more: object) -> list[str]:
    table = Table((Column.from_texts("town", texts, **more),), np.arange(1, len(texts) + 1))
    replaced = common_categories(table, ["town"], np.full(len(texts), group))
    return with_replaced(table, replaced).column("town").values()


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # Together they are enough for a group, so they are put together.
        (["Ulm"] * 6 + ["A", "B", "C", "D", "E"], ["Ulm"] * 6 + ["(other)"] * 5),
        # Together they are too few: drawn from the most frequent one.
        (["Ulm"] * 6 + ["Bonn"] * 5 + ["A", "B", ""], ["Ulm"] * 6 + ["Bonn"] * 5 + ["Ulm", "Ulm", ""]),
        # Codes keep as many characters as enough people share.
        ([f"8907{n}" for n in range(5)] + ["10115"] * 5, ["8907*"] * 5 + ["10115"] * 5),
        # Nobody shares anything.
        (["A", "B", "C", "D", "E"], ["(other)"] * 5),
        (["Ulm"] * 5 + ["Bonn"] * 6, ["Ulm"] * 5 + ["Bonn"] * 6),
    ],
)
def test_names_and_codes(texts: list[str], expected: list[str]) -> None:
    assert _shown(texts, 5) == expected


def test_a_rare_step_of_an_order_becomes_its_nearest_common_neighbour() -> None:
    order = ("low", "middle", "high", "top")
    texts = ["low", *["middle"] * 5, *["high"] * 5, "top"]
    shown = ["middle", *["middle"] * 5, *["high"] * 5, "high"]
    assert _shown(texts, 5, kind="ordinal", order=order) == shown


def test_a_hierarchy_gives_the_narrowest_value_of_enough_people() -> None:
    tree = Hierarchy({"Ulm": ("south", "*"), "Passau": ("south", "*"), "Kiel": ("north", "*")}, 2)
    texts = ["Ulm"] * 3 + ["Passau"] * 2 + ["Kiel"] * 5
    assert _shown(texts, 5, hierarchy=tree) == ["south"] * 5 + ["Kiel"] * 5


def test_what_was_replaced_once_is_replaced_in_records_that_come_later() -> None:
    replaced = {"town": {"Ulm": "Ulm", "Passau": "Ulm"}}
    later = Table((Column.from_texts("town", ["Passau", "Ulm", "Oslo"]),), np.arange(1, 4))
    assert with_replaced(later, replaced).column("town").values() == ["Ulm", "Ulm", "Oslo"]
