"""Long names where there is little room: they can still be told apart, and nothing is cut by an edge."""

from __future__ import annotations

import pytest

from ppdm_desktop.ui.state.number_words import shorten_common_prefix

LONG = "Fully described property of the person asked (rounded) "


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([LONG + "age", LONG + "sex"], ["…age", "…sex"]),
        ([LONG + "age", LONG + "sex", "town"], ["…age", "…sex", "town"]),
        # One name that all others begin with stays; so do names that share only half a word, and short ones.
        ([LONG.rstrip(), LONG + "sex"], None),
        (["overwhelmingly-a-long-name-1", "overstretched-and-another-2"], None),
        (["native-country", "native-language"], None),
        ([LONG + "age"], None),
        ([], None),
    ],
)
def test_long_names_leave_out_what_all_of_them_begin_with(names: list[str], shown: list[str] | None) -> None:
    found = shorten_common_prefix(names)
    assert len(set(found)) == len(names)
    if shown is not None:
        assert found == shown
    elif LONG.rstrip() not in names:
        assert found == names
