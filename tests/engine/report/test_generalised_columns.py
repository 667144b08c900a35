"""Columns with broader values are said to have them on every page, not to have changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import case_rows

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.public.columns import is_generalised_column, public_column, signs_in
from ppdm_desktop.engine.report.public.note import public_utility
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.distributions import column_utility

GENERALISED = "generalisation (one rule for the column)"


@pytest.mark.parametrize(
    ("treatment", "generalised"), case_rows("generalised-columns-what-was-done-says-whether-a-column-has")
)
def test_what_was_done_says_whether_a_column_has_broader_values(treatment: str, generalised: bool) -> None:
    assert is_generalised_column(treatment) == generalised


@pytest.mark.parametrize(
    ("text", "signs"), case_rows("generalised-columns-signs-that-stand-for-several-values", lists=True)
)
def test_signs_that_stand_for_several_values_are_explained(text: str, signs: list[str]) -> None:
    assert [sign for sign, _ in signs_in([text])] == signs


def test_the_note_says_so_where_ranges_took_the_place_of_values() -> None:
    before = Column.from_texts("age", ["31", "34", "47"], role="quasi-identifier")
    after = Column.from_texts("age", ["[30, 40)", "[30, 40)", "[40, 50)"], role="quasi-identifier")
    measured = column_utility(before, after)
    assert measured.total_variation.value == pytest.approx(1)
    ways = {}
    for treatment in (GENERALISED, "randomisation (permutation)"):
        column = public_column(after, treatment=treatment, note="Broader.", bounds=None, k_min=1)
        ways[treatment] = public_utility([measured], [column])[0].shares
    assert ways[GENERALISED] == "values are broader"
    assert ways["randomisation (permutation)"] == "changed by more than 25%"
    still = replace(measured, total_variation=Figure(0.0))
    column = public_column(before, treatment="none", note="As it was.", bounds=None, k_min=1)
    assert public_utility([still], [column])[0].shares == "unchanged"
