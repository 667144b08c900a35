"""One list of categories for two versions of a column, against doing it name by name."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility import cells
from ppdm_desktop.engine.utility.cells import merged_categories

NAMES = st.lists(st.sampled_from(["", "a", "b", "c", "dd", "e", "zz"]), min_size=1, max_size=12)


@given(NAMES, NAMES, st.integers(1, 4))
def test_merged_categories_name_by_name(before: list[str], after: list[str], at_once: int) -> None:
    one, other = Column.from_texts("x", before), Column.from_texts("x", after)
    with patch.object(cells, "_NAMES_AT_ONCE", at_once):
        first, second, names = merged_categories(one, other)
    expected = sorted({*before} - {""}) + sorted({*after} - {*before} - {""})
    assert list(names) == expected
    for codes, values in ((first, before), (second, after)):
        assert [names[code] if code >= 0 else "" for code in codes.tolist()] == values
