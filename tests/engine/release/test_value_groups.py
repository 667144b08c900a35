"""Values that mean the same, neighbouring values, empty cells and settings that lower figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import check, make_candidate

from ppdm_desktop.engine.release.disclosure.beliefs import values_of
from ppdm_desktop.engine.release.disclosure.value_groups import (
    exceeds_chance,
    groups_of_classes,
    list_value_groups,
    meaning_of,
)
from ppdm_desktop.engine.table.column import Column

WARDS = {"role": "q", "kind": "nominal"}


@pytest.mark.parametrize(("one", "other", "is_same"), case_rows("value-groups-texts-with-the-same-words-mean-the-same"))
def test_texts_with_the_same_words_mean_the_same(one: str, other: str, is_same: bool) -> None:
    assert (meaning_of(one) == meaning_of(other)) is is_same


def test_codes_are_grouped_by_their_beginning_and_words_are_not() -> None:
    codes = Column.from_texts("c", ["C50.0", "C50.1", "J45.0", "I10"])
    (groups,) = list_value_groups(codes, codes.categories)
    assert dict(zip(codes.categories, groups.codes.tolist(), strict=True)) == {
        "C50.0": 0,
        "C50.1": 0,
        "I10": 1,
        "J45.0": 2,
    }
    words = Column.from_texts("c", ["flue", "flux", "gout"])
    assert list_value_groups(words, words.categories) == []


EIGHT_CLASSES, EVENLY = np.repeat(np.arange(8), 20), np.tile(np.arange(4), 40)
TENTHS = np.tile(np.arange(10), 16)


@pytest.mark.parametrize(
    ("codes", "width", "k_min", "is_ordered", "groups"),
    [
        (np.where(EIGHT_CLASSES == 3, 4 + EVENLY, EVENLY), 8, 5, False, [{4, 5, 6, 7}]),
        (EVENLY, 4, 5, False, []),
        (EIGHT_CLASSES * 4 + EVENLY, 32, 5, False, []),
        (np.where(EIGHT_CLASSES == 3, 8 + EVENLY % 2, TENTHS), 10, 5, True, [{8, 9}]),
        (np.where(EIGHT_CLASSES == 3, 8 + EVENLY % 2, TENTHS), 10, 21, True, []),
        (np.where(EIGHT_CLASSES == 3, 2 + 6 * (EVENLY % 2), TENTHS), 10, 5, False, [{2, 8}]),
        (np.where(EIGHT_CLASSES == 3, 2 + 6 * (EVENLY % 2), TENTHS), 10, 5, True, []),
        (np.where(EIGHT_CLASSES == 3, 5 + EVENLY % 2, TENTHS % 2 + 4), 7, 5, True, []),
        (np.where(EIGHT_CLASSES < 2, EIGHT_CLASSES + 7 + EVENLY % 2, TENTHS % 8), 10, 5, True, [{7, 8}, {8, 9}]),
    ],
    ids=[
        "values of one class",
        "evenly",
        "each class has its own",
        "top of a scale",
        "class too small",
        "two values apart",
        "two values apart are no neighbours",
        "half of the others hold them",
        "overlapping groups",
    ],
)
def test_values_that_nearly_all_of_a_class_and_few_others_hold_are_a_group(
    codes: Any, width: int, k_min: int, is_ordered: bool, groups: list[set[int]]
) -> None:
    found = groups_of_classes(codes, range(width), EIGHT_CLASSES, 8, k_min, is_ordered=is_ordered)
    together = [
        set(np.flatnonzero(grouping.codes == group).tolist())
        for grouping in found
        for group in np.flatnonzero(grouping.sizes > 1)
    ]
    assert sorted(together, key=min) == groups


def test_what_chance_explains_does_not_stand_out() -> None:
    sizes = np.full(20, 40.0)
    evenly = np.full(20, 3.0)
    assert not exceeds_chance(evenly, sizes).any()
    assert exceeds_chance(np.where(np.arange(20) == 7, 38.0, 3.0), sizes).tolist() == [
        place == 7 for place in range(20)
    ]
    assert not exceeds_chance(np.where(np.arange(20) == 7, 38.0, 24.0), sizes).any()


def test_neighbours_of_ordered_words_and_dates_are_as_good() -> None:
    def reach(column: Column) -> list[int]:
        values = values_of(column)
        return [int(width) for width in values.high - values.low]

    ranks = tuple(f"{rank:02d}" for rank in range(20))
    assert reach(Column.from_texts("c", ranks, kind="ordinal", order=ranks)) == [2, *[3] * 18, 2]
    assert reach(Column.from_texts("c", ranks[:9], kind="ordinal", order=ranks[:9])) == [1] * 9
    days = [f"{day:02d}.01.2024" for day in (1, 2, 3, 9)] + ["10.02.2023"]
    dates = values_of(Column.from_texts("c", days, kind="date", date_format="%d.%m.%Y"))
    assert dates.names == ("10.02.2023", *days[:4])
    assert (dates.high - dates.low).tolist() == [1, 3, 3, 4, 2]


def test_an_interval_that_holds_nearly_everybody_is_no_guess() -> None:
    days = ["2024-01-01"] * 50 + ["2024-01-02"] * 45 + ["2023-06-01"] * 5
    values = values_of(Column.from_texts("c", days, kind="date", date_format="%Y-%m-%d"))
    assert values.says_nothing.tolist() == [False, True, True]


def _wards(folder: Path, type: str, first: list[str], others: list[str]) -> Any:
    """Release ten wards of forty people, the first with its own values."""
    values = [first[place % len(first)] for place in range(40)] + [others[place % len(others)] for place in range(360)]
    columns = {"Q": [f"w{place // 40}" for place in range(400)], "C": values}
    return make_candidate(folder, columns, {"Q": WARDS, "C": {"role": "c", "kind": "nominal"}}, type)


@pytest.mark.parametrize(
    ("type", "first", "others", "disclosure", "diversity"),
    case_rows("value-groups-one-ward-with-values-of-its-own", lists=True),
)
def test_one_ward_with_values_of_its_own(
    tmp_path: Path, type: str, first: list[str], others: list[str], disclosure: str, diversity: str
) -> None:
    candidate = _wards(tmp_path, type, first, others)
    assert check(candidate, "certain-disclosure").status == disclosure
    assert check(candidate, "diversity").status == diversity


@pytest.mark.parametrize(("proved", "status"), [(30, "red"), (3, "amber")])
def test_a_value_proved_of_too_many_holders_is_red(tmp_path: Path, proved: int, status: str) -> None:
    columns = {
        "Q": [f"w{place % 4}" for place in range(400)],
        "C": ["positive" if place < 60 else "negative" for place in range(400)],
        "Seen": ["yes" if place < proved else "no" for place in range(400)],
    }
    roles = {"Q": WARDS, "C": {"role": "c", "kind": "nominal"}, "Seen": {"role": "o", "kind": "nominal"}}
    result = check(make_candidate(tmp_path, columns, roles, "public"), "certain-by-all")
    assert result.status == status
    assert (result.hits, result.of) == ((proved, 60) if status == "red" else (proved, 400))


@pytest.mark.parametrize(
    ("type", "tolerance", "lowered", "disclosure"),
    case_rows("value-groups-a-tolerance-below-the-rule-s"),
)
def test_a_tolerance_below_the_rule_s(
    tmp_path: Path, type: str, tolerance: float | None, lowered: str, disclosure: str
) -> None:
    pay = [str(5200 + place) for place in range(40)] + [str(1000 + 23 * place) for place in range(360)]
    columns = {"Q": [f"w{place // 40 if place < 40 else 1 + place % 9}" for place in range(400)], "C": pay}
    section = {"role": "c", "kind": "numeric"} | ({} if tolerance is None else {"tolerance": tolerance})
    candidate = make_candidate(tmp_path, columns, {"Q": WARDS, "C": section}, type)
    assert check(candidate, "lowered-figures").status == lowered
    if tolerance != 500:
        assert check(candidate, "certain-disclosure").status == disclosure
