"""Identifiability and risk against brute force, pycanon and the paper's example."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycanon import anonymity

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING, OWN_VALUE, RiskFigures, table_risk
from ppdm_desktop.engine.table.column import Column, Table


def table_of(rows: list[tuple[str, ...]], roles: str) -> Table:
    """Build a table: one letter a column, q quasi-identifier, c confidential, o other."""
    names = {"q": "quasi-identifier", "c": "confidential", "o": "other"}
    columns = tuple(
        Column.from_texts(f"{letter}{i}", [row[i] for row in rows], role=names[letter])
        for i, letter in enumerate(roles)
    )
    return Table(columns, np.arange(1, len(rows) + 1))


def brute(rows: list[tuple[str, ...]], roles: str, rule: str) -> dict[str, object]:
    """Count by comparing every record with every other."""
    quasi = [i for i, letter in enumerate(roles) if letter == "q"]
    secret = [i for i, letter in enumerate(roles) if letter == "c"]

    def match(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
        return all(a[i] == b[i] or (rule == MATCHES_ANYTHING and "" in (a[i], b[i])) for i in quasi)

    sizes, unique, collective = [], 0, 0
    for a in rows:
        others = [b for b in rows if match(a, b)]
        sizes.append(len(others))
        values = [{b[i] for b in others} for i in secret]
        known = any(len(v) == 1 and "" not in v for v in values)
        unique += known and len(others) == 1
        collective += known and len(others) > 1
    return {"sizes": sizes, "unique": unique, "collective": collective}


ROWS = st.lists(
    st.tuples(*[st.sampled_from(["", "a", "b"])] * 3, *[st.sampled_from(["", "x", "y"])] * 2),
    min_size=1,
    max_size=14,
)


@pytest.mark.parametrize("rule", [OWN_VALUE, MATCHES_ANYTHING])
@given(rows=ROWS)
def test_counts_agree_with_brute_force(rule: str, rows: list[tuple[str, ...]]) -> None:
    risk, expected = table_risk(table_of(rows, "qqqcc"), rule), brute(rows, "qqqcc", rule)
    assert risk.overall is not None
    assert risk.matches.tolist() == expected["sizes"]
    assert risk.overall.uniquely == expected["unique"]
    assert risk.overall.collectively == expected["collective"]
    assert risk.overall.identifiable + risk.overall.unidentifiable == len(rows)
    assert risk.k == min(expected["sizes"])  # type: ignore[call-overload]


@given(rows=st.lists(st.tuples(*[st.sampled_from("abc")] * 3, st.sampled_from("xyz")), min_size=1, max_size=40))
def test_k_and_l_agree_with_pycanon(rows: list[tuple[str, ...]]) -> None:
    risk = table_risk(table_of(rows, "qqqc"))
    frame = pd.DataFrame(rows, columns=["q0", "q1", "q2", "c3"])
    assert risk.k == anonymity.k_anonymity(frame, ["q0", "q1", "q2"])
    assert risk.distinct_l["c3"] == anonymity.l_diversity(frame, ["q0", "q1", "q2"], ["c3"])


def figures(text: str, roles: str) -> RiskFigures:
    return table_risk(table_of([tuple(line.split()) for line in text.strip().splitlines()], roles))


def test_life_insurance_table_by_hand() -> None:
    risk = figures(
        """
        a f ca med
        a f ny low
        a f ny low
        b f ny med
        b f ny high
        """,
        "qqqc",
    )
    assert risk.overall is not None
    assert (risk.overall.uniquely, risk.overall.collectively, risk.overall.groups) == (1, 2, 1)
    assert (risk.overall.unidentifiable, risk.k, risk.classes.count) == (2, 1, 3)
    assert risk.prosecutor_max == 1
    assert risk.prosecutor_mean == pytest.approx(3 / 5)
    assert risk.share_over(2) == pytest.approx(1 / 5)
    assert risk.class_sizes() == [(1, 1, 1), (2, 2, 4)]


def test_no_confidential_column_counts_records_alone() -> None:
    risk = figures("a b\na b\na c", "qq")
    assert risk.overall is None
    assert risk.alone == 1


def test_no_quasi_identifier_is_refused() -> None:
    with pytest.raises(RecipeError, match="no-quasi-identifier"):
        table_risk(table_of([("a", "x")], "oc"))


def test_numbers_are_compared_by_value_and_texts_exactly() -> None:
    def with_kind(kind: str) -> Table:
        return Table((Column.from_texts("q", ["5", "5.0", "7"], role="quasi-identifier", kind=kind),), np.arange(1, 4))

    assert table_risk(with_kind("numeric")).classes.count == 2
    assert table_risk(with_kind("nominal")).classes.count == 3


def test_many_wide_columns_do_not_overflow() -> None:
    rows = [tuple(str(i * j % 997) for j in range(1, 13)) for i in range(997)]
    risk = table_risk(table_of(rows, "q" * 12))
    assert risk.classes.count == len(set(rows))
