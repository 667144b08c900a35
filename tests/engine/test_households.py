"""Households by hand and by plain counting; diversity counted in people."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.identifiability.diversity import (
    ValueCounts,
    closeness_nominal,
    entropy_values,
)
from ppdm_desktop.engine.identifiability.risk import measure_households, risk_figures
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People, renumber_by_appearance


def people_of(persons: list[int], homes: list[int] | None = None) -> People:
    found = People(renumber_by_appearance(np.array(persons, dtype=np.int64)), np.zeros(len(persons), dtype=np.bool_))
    return found if homes is None else found.in_households(np.array(homes, dtype=np.int64))


def test_two_members_among_five_and_ten() -> None:
    # Fifteen people in two classes; one household has a member in each, everybody else lives alone.
    people = people_of(list(range(15)), [0, 1, 2, 3, 4, 0, *range(5, 14)])
    classes = classes_of_codes([np.repeat([0, 1], [5, 10])], 15)
    found = existing(measure_households(classes, people, classes.size_of_record))
    assert (found.count, found.with_several, found.unique) == (14, 1, 1)
    assert found.found_max == pytest.approx(0.28)
    assert found.found_mean == pytest.approx((0.28 + 4 * 0.2 + 9 * 0.1) / 14)


def test_nobody_said_who_lives_together() -> None:
    people = people_of([0, 0, 1])
    classes = classes_of_codes([np.array([0, 0, 1])], 3)
    assert measure_households(classes, people, np.array([1, 1])) is None


ROWS = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 2), st.integers(0, 3), st.sampled_from("uvw")), min_size=1, max_size=24
)


@given(ROWS)
def test_households_equal_a_plain_count(rows: list[tuple[int, int, int, str]]) -> None:
    persons, values, homes, secrets = (list(each) for each in zip(*rows, strict=True))
    column = Column.from_texts("q", map(str, values))
    people = people_of(persons, homes)
    risk = risk_figures([column], [Column.from_texts("c", secrets)], people)
    found = existing(risk.households)
    shown = {who: tuple(sorted(value for other, value, _, _ in rows if other == who)) for who in persons}
    members = {home: sorted({who for who, _, other, _ in rows if other == home}) for home in homes}
    kinds = {home: tuple(sorted(shown[who] for who in whom)) for home, whom in members.items()}
    same = Counter(kinds.values())
    order = list(dict.fromkeys(homes))
    assert found.members.tolist() == [len(members[home]) for home in order]
    assert found.equivalent.tolist() == [same[kinds[home]] for home in order]
    alike = {who: min(len({p for p, v, _, _ in rows if v == value}) for value in shown[who]) for who in persons}
    chances = [1 - np.prod([1 - 1 / alike[who] for who in members[home]]) for home in order]
    assert found.chance.tolist() == pytest.approx(chances)


@given(ROWS)
def test_a_person_counts_once_in_each_class(rows: list[tuple[int, int, int, str]]) -> None:
    persons, values, _, secrets = (list(each) for each in zip(*rows, strict=True))
    classes = classes_of_codes([np.array(values)], len(rows))
    column = Column.from_texts("c", secrets)
    counted = ValueCounts.of_people(classes, column.category_codes, people_of(persons))
    shares = {}
    for at, value in enumerate(values):
        whom = sorted({who for who, other, _, _ in rows if other == value})
        parts: Counter[str] = Counter()
        for who in whom:
            own = [secret for other, shown, _, secret in rows if (other, shown) == (who, value)]
            for secret in own:
                parts[secret] += 1 / len(own)  # type: ignore[assignment]
        shares[int(classes.ids[at])] = {secret: part / len(whom) for secret, part in parts.items()}
    entropy = [-sum(part * np.log(part) for part in shares[at].values()) for at in range(classes.count)]
    assert np.log(entropy_values(counted)).tolist() == pytest.approx(entropy)
    whole: Counter[str] = Counter()
    for who, _, _, secret in rows:
        whole[secret] += 1 / persons.count(who) / len(set(persons))  # type: ignore[assignment]
    apart = [
        sum(abs(shares[at].get(secret, 0.0) - part) for secret, part in whole.items()) / 2
        for at in range(classes.count)
    ]
    assert closeness_nominal(counted).tolist() == pytest.approx(apart)
