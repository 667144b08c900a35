"""People in classes against golden counts, and against a plain count in Python."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.identifiability.classes import (
    classes_of_codes,
    count_class_people,
    find_anonymity_set_sizes,
    group_people_by_rows,
)
from ppdm_desktop.engine.table.people import People, renumber_by_appearance


def people_of(ids: list[int]) -> People:
    return People(renumber_by_appearance(np.array(ids, dtype=np.int64)), np.zeros(len(ids), dtype=np.bool_))


ROWS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), min_size=1, max_size=60)


def people_and_values(rows: list[tuple[int, int]]) -> tuple[dict[int, set[int]], dict[int, list[int]]]:
    """The people of each value, and the values of each person."""
    who, shown = defaultdict[int, set[int]](set), defaultdict[int, list[int]](list)
    for person, value in rows:
        who[value].add(person)
        shown[person].append(value)
    return who, shown


@given(ROWS, st.booleans())
def test_both_measures_equal_a_plain_count(rows: list[tuple[int, int]], ordered: bool) -> None:
    people = people_of([person for person, _ in rows])
    classes = classes_of_codes([np.array([value for _, value in rows], dtype=np.int64)], len(rows))
    who, shown = people_and_values(rows)
    assert count_class_people(classes, people)[classes.ids].tolist() == [len(who[value]) for _, value in rows]
    alike = {each: tuple(of if ordered else sorted(of)) for each, of in shown.items()}
    counts = Counter(alike.values())
    sizes = group_people_by_rows(classes, people, ordered=ordered).size_of_record
    expected = [counts[alike[person]] for person, _ in rows]
    assert [int(sizes[people.of_row[at]]) for at in range(len(rows))] == expected


@given(ROWS, st.data())
def test_some_rows_keep_their_people(rows: list[tuple[int, int]], data: st.DataObject) -> None:
    people = people_of([person for person, _ in rows])
    chosen = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1))), dtype=np.int64)
    some = people.take(chosen)
    assert some.in_source is not None
    assert some.in_source[some.of_row].tolist() == people.of_row[chosen].tolist()
    assert some.count == len(set(people.of_row[chosen].tolist()))
    back = np.arange(len(chosen))[::-1]
    again = some.take(back)
    assert again.in_source is not None
    assert again.in_source[again.of_row].tolist() == people.of_row[chosen[back]].tolist()


@given(ROWS, st.booleans(), st.booleans())
def test_each_row_gets_the_people_that_judge_its_person(
    rows: list[tuple[int, int]], linked: bool, ordered: bool
) -> None:
    people = people_of([person for person, _ in rows])
    classes = classes_of_codes([np.array([value for _, value in rows], dtype=np.int64)], len(rows))
    who, shown = people_and_values(rows)
    if linked:
        alike = {each: tuple(of if ordered else sorted(of)) for each, of in shown.items()}
        expected = [Counter(alike.values())[alike[person]] for person, _ in rows]
    else:
        expected = [min(len(who[value]) for value in shown[person]) for person, _ in rows]
    assert find_anonymity_set_sizes(classes, people, linked=linked, ordered=ordered).tolist() == expected


@given(ROWS)
def test_who_shows_two_values_is_split_by_them(rows: list[tuple[int, int]]) -> None:
    people, codes = people_of([person for person, _ in rows]), np.array([value for _, value in rows], dtype=np.int32)
    shown: defaultdict[int, set[int]] = defaultdict(set)
    for person, value in zip(people.of_row.tolist(), codes.tolist(), strict=True):
        shown[person] |= {value} - {0}
    split = people.flag_with_different_codes(codes, codes > 0).tolist()
    assert split == [len(shown[person]) > 1 for person in range(people.count)]
