"""Risk where people have several rows: golden figures, pandas, and comparing everybody with everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import examples

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.measures import Measure
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING, OWN_VALUE, RiskFigures, risk_figures, table_risk
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People, renumber_by_appearance
from ppdm_desktop.engine.table.person_ids import identify_people
from tests.golden.people import VISIT_HEAD, visits

PERSON, SECRET = "person_nbr", "outcome"
WIDE, NARROW = ("region", "sex", "age", "days"), ("region", "sex", "age")


def frame_of_visits() -> pd.DataFrame:
    return pd.DataFrame(visits(), columns=list(VISIT_HEAD)).astype(str)


def risk_of(frame: pd.DataFrame, quasi: tuple[str, ...], *, in_order: bool = False) -> RiskFigures:
    """Count by the engine, the confidential column being the outcome."""
    columns = {name: Column.from_texts(name, frame[name]) for name in frame.columns}
    table = Table(tuple(columns.values()), np.arange(2, len(frame) + 2))
    people = identify_people(table, [PERSON])
    people = people.released_in_order() if in_order else people
    known = [columns[name] for name in quasi]
    return risk_figures(known, [columns[SECRET]], people)


@dataclass(frozen=True)
class Golden:
    """One column of the golden table.

    ``rows_alone`` is what a count of rows says. ``one_row``: people alone, classes of one person, rows in them;
    people below 5 and 11. ``all_rows``: people alone, those of them with several rows, classes, people below 5 and 11.
    The secrets: people alone, people in a group with one value, these groups.
    """

    quasi: tuple[str, ...]
    rows_alone: int
    one_row: tuple[int, int, int]
    below: tuple[int, int]
    prosecutor: float
    all_rows: tuple[int, int, int, int, int]
    ordered: int
    secret_one_row: tuple[int, int, int]
    secret_all_rows: tuple[int, int, int]


GOLDEN = [
    Golden(
        quasi=WIDE,
        rows_alone=217,
        one_row=(192, 226, 237),
        below=(718, 1_225),
        prosecutor=0.250159,
        all_rows=(616, 419, 918, 1_112, 1_672),
        ordered=437,
        secret_one_row=(192, 139, 69),
        secret_all_rows=(616, 131, 60),
    ),
    Golden(
        quasi=NARROW,
        rows_alone=6,
        one_row=(8, 8, 10),
        below=(67, 170),
        prosecutor=0.040874,
        all_rows=(119, 111, 270, 329, 562),
        ordered=116,
        secret_one_row=(8, 12, 5),
        secret_all_rows=(119, 35, 17),
    ),
]


def secret(measure: Measure) -> tuple[int, int, int]:
    counts = measure.per_confidential[SECRET]
    assert measure.overall == counts
    assert counts.uniquely + counts.collectively + counts.unidentifiable == measure.people
    return counts.uniquely, counts.collectively, counts.groups


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda each: f"{len(each.quasi)} columns")
def test_golden_visits(golden: Golden) -> None:
    found = risk_of(frame_of_visits(), golden.quasi)
    people = found.people
    assert people is not None
    assert (found.rows, found.records, people.with_several, people.most_rows) == (2_864, 2_000, 467, 40)
    assert int((found.classes.sizes == 1).sum()) == golden.rows_alone
    one, sets = found.one_row, found.all_rows
    of_one = int((one.sizes == 1).sum())
    assert (one.unique_people, of_one, int((one.sizes[found.classes.ids] == 1).sum())) == golden.one_row
    assert (one.below(5), one.below(11)) == golden.below
    assert round(one.prosecutor_mean, 6) == golden.prosecutor
    several = int(((sets.matches == 1) & (people.sizes > 1)).sum())
    assert (sets.unique_people, several, sets.classes, sets.below(5), sets.below(11)) == golden.all_rows
    assert (secret(one), secret(sets)) == (golden.secret_one_row, golden.secret_all_rows)
    ordered = risk_of(frame_of_visits(), golden.quasi, in_order=True)
    assert int(((ordered.all_rows.matches == 1) & (people.sizes > 1)).sum()) == golden.ordered


def test_people_whose_age_band_changes() -> None:
    frame = frame_of_visits()
    table = Table(tuple(Column.from_texts(name, frame[name]) for name in (PERSON, "age")), np.arange(len(frame)))
    people = identify_people(table, [PERSON])
    assert people.varying(table.column("age").category_codes) == 43
    assert people.varying(table.column(PERSON).category_codes) == 0


def test_which_measure_judges() -> None:
    shuffled, in_order = risk_of(frame_of_visits(), NARROW), risk_of(frame_of_visits(), NARROW, in_order=True)
    assert shuffled.judged is shuffled.one_row
    assert shuffled.unjudged is shuffled.all_rows
    assert in_order.judged is in_order.all_rows
    assert in_order.unjudged is in_order.one_row
    assert shuffled.unique_people == 8 < in_order.unique_people
    assert int((in_order.matches == 1).sum()) > in_order.unique_people  # rows of these people


RANDOM = st.lists(
    st.tuples(
        st.sampled_from("pqrstuv"),
        st.sampled_from(["", "a", "b"]),
        st.sampled_from(["", "x", "y"]),
        st.sampled_from(["", "1", "2"]),
    ),
    min_size=1,
    max_size=24,
)


def people_of(ids: list[str]) -> People:
    _, codes = np.unique(ids, return_inverse=True)
    return People(renumber_by_appearance(codes.astype(np.int64)), np.zeros(len(ids), dtype=np.bool_))


def columns_of(rows: Sequence[tuple[str, ...]]) -> list[Column]:
    return [Column.from_texts(str(place), [row[place] for row in rows]) for place in range(len(rows[0]))]


def fits(one: tuple[str, ...], other: tuple[str, ...], rule: str) -> bool:
    return all(a == b or (rule == MATCHES_ANYTHING and "" in (a, b)) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("rule", [OWN_VALUE, MATCHES_ANYTHING])
@examples(100)
@given(rows=RANDOM)
def test_one_row_agrees_with_comparing_all(rule: str, rows: list[tuple[str, ...]]) -> None:
    ids = [row[0] for row in rows]
    _, one, two, secrets = columns_of(rows)
    found = risk_figures([one, two], [secrets], people_of(ids), rule).one_row
    matches: dict[str, int] = {}
    chances: dict[str, float] = {}
    unique, collective = set(), set()
    for who, *known, _ in rows:
        alike = [row for row in rows if fits((known[0], known[1]), row[1:3], rule)]
        others = {row[0] for row in alike}
        matches[who] = min(matches.get(who, len(rows)), len(others))
        chances[who] = max(chances.get(who, 0.0), sum(row[0] == who for row in alike) / len(alike))
        values = {row[3] for row in alike}
        if others == {who} and values != {""}:
            unique.add(who)
        if len(others) > 1 and len(values) == 1 and "" not in values:
            collective.add(who)
    order = list(dict.fromkeys(ids))
    assert found.matches.tolist() == [matches[who] for who in order]
    assert found.prosecutor.tolist() == pytest.approx([chances[who] for who in order])
    assert found.unique.tolist() == [who in unique for who in order]
    assert found.collective.tolist() == [who in collective - unique for who in order]
    assert found.overall is not None
    assert (found.overall.uniquely, found.overall.collectively) == (len(unique), len(collective - unique))


@given(rows=RANDOM)
def test_all_rows_are_never_more_alike_than_one(rows: list[tuple[str, ...]]) -> None:
    _, one, two, secrets = columns_of(rows)
    people = people_of([row[0] for row in rows])
    for rule in (OWN_VALUE, MATCHES_ANYTHING):
        for whose in (people, people.released_in_order()):
            found = risk_figures([one, two], [secrets], whose, rule)
            assert (found.all_rows.matches <= found.one_row.matches).all()
            assert found.all_rows.unique_people >= found.one_row.unique_people


def most_held(members: list[tuple[str, str]]) -> int:
    """Return the most values that as many different people hold, one each, trying all ways."""
    people = sorted({who for who, _ in members})
    values = sorted({value for _, value in members})
    few, many = sorted((people, values), key=len)
    pairs = {(one, other) for one, other in members} | {(other, one) for one, other in members}
    return max(
        sum((one, other) in pairs for one, other in zip(few, chosen, strict=False))
        for chosen in permutations(many, len(few))
    )


@given(
    rows=st.lists(
        st.tuples(st.sampled_from("pqrs"), st.sampled_from("ab"), st.sampled_from(["", "1", "2", "3"])),
        min_size=1,
        max_size=14,
    )
)
def test_values_count_that_different_people_hold(rows: list[tuple[str, str, str]]) -> None:
    _, known, secrets = columns_of(rows)
    found = risk_figures([known], [secrets], people_of([row[0] for row in rows]))
    classes = {row[1] for row in rows}
    expected = min(most_held([(row[0], row[2]) for row in rows if row[1] == each]) for each in classes)
    assert found.one_row.distinct_l == {"2": expected}


def test_many_rows_of_few_people_are_few_people() -> None:
    rows = [(f"p{place // 12}", "x" if place < 12 else "y", str(place % 5)) for place in range(36)]
    ids, known, secrets = columns_of(rows)
    people = identify_people(Table((ids, known, secrets), np.arange(36)), ["0"])
    found = risk_figures([known], [secrets], people)
    assert int(found.classes.sizes.min()) == 12
    assert (found.k, found.unique_people, found.judged.prosecutor_max) == (1, 1, 1.0)
    assert (found.one_row.overall, found.matches.tolist()[:13]) == (found.judged.overall, [1] * 12 + [2])


def test_codes_for_people_put_their_rows_together() -> None:
    rows = [("p", "x", "1"), ("p", "y", "1"), ("q", "x", "1"), ("q", "x", "1"), ("r", "y", "1")]
    ids, known, secrets = columns_of(rows)
    known = replace(known, role="quasi-identifier")
    people = identify_people(Table((ids,), np.arange(5)), ["0"])
    plain = Table((known, secrets), np.arange(5), people=people)
    assert (table_risk(plain).k, table_risk(plain).unique_people) == (2, 0)
    coded = Table((replace(ids, role="pseudonym"), known, secrets), np.arange(5), people=people)
    assert (table_risk(coded).k, table_risk(coded).unique_people) == (1, 3)


# --- identifiability and risk against brute force, pycanon and the paper's example ----------------


def table_of(rows: list[tuple[str, ...]], roles: str) -> Table:
    """Build a table: one letter a column, q quasi-identifier, c confidential, o other."""
    names = {"q": "quasi-identifier", "c": "confidential", "o": "other"}
    columns = tuple(
        Column.from_texts(f"{letter}{i}", [row[i] for row in rows], role=names[letter])
        for i, letter in enumerate(roles)
    )
    return Table(columns, np.arange(1, len(rows) + 1))


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
    assert risk.judged.overall is not None
    assert (risk.judged.overall.uniquely, risk.judged.overall.collectively, risk.judged.overall.groups) == (1, 2, 1)
    assert (risk.judged.overall.unidentifiable, risk.k, risk.classes.count) == (2, 1, 3)
    assert risk.judged.prosecutor_max == 1
    assert risk.judged.prosecutor_mean == pytest.approx(3 / 5)
    assert risk.judged.share_below(2) == pytest.approx(1 / 5)
    assert risk.class_sizes() == [(1, 1, 1), (2, 2, 4)]


def test_no_confidential_column_counts_records_alone() -> None:
    risk = figures("a b\na b\na c", "qq")
    assert risk.judged.overall is None
    assert risk.unique_people == 1


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
