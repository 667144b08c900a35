"""What the count of impossible rows makes of ranges, broader words, rounded numbers and empty cells."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.benchmarks.believable_truths import Truth

_PAIR = Truth("pair", ("country", "city"), frozenset({("NL", "Delft"), ("NL", "Leiden"), ("BE", "Ghent")}))
_SCALE = Truth("range", ("answer",), low=0, high=10)
_ORDER = Truth("order", ("hired", "left"))
_SUM = Truth("sum", ("pay", "bonus", "total"))
_SOURCE = pd.DataFrame(
    {
        "country": ["NL", "NL", "BE"],
        "city": ["Delft", "Leiden", "Ghent"],
        "answer": ["0", "5", "10"],
        "hired": ["2001-02-03", "2002-03-04", "2003-04-05"],
        "left": ["2004-05-06", "", "2005-06-07"],
        "pay": ["1001", "2002", "3003"],
        "bonus": ["10", "0", "3"],
        "total": ["1011", "2002", "3006"],
    }
)


@pytest.mark.parametrize(
    ("truth", "cells", "is_broken"),
    [
        (_PAIR, ("NL", "Ghent"), True),
        (_PAIR, ("BE", "Ghent"), False),
        (_PAIR, ("NL", "{Delft, Ghent}"), False),
        (_PAIR, ("BE", "{Delft, Leiden}"), True),
        (_PAIR, ("(other)", "Ghent"), False),
        (_PAIR, ("BE", ""), False),
        (_SCALE, ("-1",), True),
        (_SCALE, ("10",), False),
        (_SCALE, ("[8, 13]",), False),
        (_SCALE, ("11-13",), True),
        (_SCALE, ("≥ 11",), True),
        (_SCALE, ("",), False),
        (_ORDER, ("2004-05-06", "2004-05-05"), True),
        (_ORDER, ("2004-05", "2004-05-05"), False),
        (_ORDER, ("2005 to 2009", "2004-12-31"), True),
        (_ORDER, ("2005-Q1", ""), False),
        (_SUM, ("1001", "10", "1011"), False),
        (_SUM, ("1001", "11", "1013"), True),
        (_SUM, ("[1000, 1100]", "10", "1050"), False),
    ],
)
def test_a_row_is_broken_only_if_no_reading_of_its_cells_obeys(
    truth: Truth, cells: tuple[str, ...], is_broken: bool
) -> None:
    assert truth.broken(_SOURCE, pd.DataFrame([cells], columns=list(truth.columns))).tolist() == [is_broken]


def test_numbers_rounded_in_the_whole_column_stand_for_what_they_may_have_been() -> None:
    released = pd.DataFrame({"pay": ["1000", "2000"], "bonus": ["10", "300"], "total": ["1010", "2000"]})
    assert _SUM.broken(_SOURCE, released).tolist() == [False, False]
    assert _SUM.broken(_SOURCE, released.assign(total=["5000", "2000"])).tolist() == [True, False]
