"""A column of numbers just made: the same whether its texts are asked for or not, and when."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from number_support import number_column

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.digits import shift_column
from ppdm_desktop.engine.methods.algorithms.digits.scaled import replace_values, to_units_of_column
from ppdm_desktop.engine.table.column import Column, NumberStyle

TEXTS = ["5", "5.0", "-0.25", "", "17.5", "5.00", "", "3"]
RELEASED = [500, 700, -25, 99, 1750, 1250, 1, 1250]


def late() -> Column:
    return replace_values(number_column("A", TEXTS), np.array(RELEASED))


QUESTIONS: dict[str, Callable[[Column], object]] = {
    "texts": lambda column: column.texts,
    "codes": lambda column: column.codes.tolist(),
    "missing": lambda column: column.missing.tolist(),
    "numbers": lambda column: [str(number) for number in column.numbers.tolist()],
    "scaled": lambda column: column.scaled.tolist(),
    "category codes": lambda column: column.category_codes.tolist(),
    "categories": lambda column: column.categories,
    "values": lambda column: column.values(),
    "length": len,
}


@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 60),
    uniform=st.booleans(),
    taken=st.booleans(),
    order=st.permutations(list(QUESTIONS)),
)
def test_every_question_in_any_order_is_answered_as_by_a_column_with_texts(
    seed: int, rows: int, uniform: bool, taken: bool, order: list[str]
) -> None:
    rng = np.random.default_rng(seed)
    source = number_column("A", rng.choice(TEXTS, rows).tolist())
    released = np.where(rng.random(rows) < 0.5, source.scaled, rng.integers(-300, 900, rows))
    made = replace_values(source, released, uniform=uniform)
    again = replace_values(source, released, uniform=uniform)
    column = replace(source, codes=again.codes, texts=again.texts, style=again.style)
    if taken:
        chosen = rng.permutation(rows)[: rows // 2]
        made, column = made.take(chosen), column.take(chosen)
    for question in order:
        assert QUESTIONS[question](made) == QUESTIONS[question](column), question


@pytest.mark.parametrize("asked", [False, True])
def test_it_can_be_sent_elsewhere(asked: bool) -> None:
    for column in (late(), late().take(np.array([1, 4])), shift_column(number_column("A", TEXTS), 1, 3)):
        if asked:
            assert column.texts
        sent = pickle.loads(pickle.dumps(column))
        assert sent.has_texts == asked
        assert sent.scaled.tolist() == column.scaled.tolist()
        assert sent.values() == column.values()


def test_what_would_be_read_as_missing_is_refused_without_writing() -> None:
    source = replace(number_column("A", ["1", "2", "17"]), missing_texts=frozenset({"", "9", "NA"}))
    with pytest.raises(InputError) as refused:
        replace_values(source, np.array([1, 9, 17]))
    assert refused.value.id == "error.numeric.becomes-missing"
    assert replace_values(source, np.array([1, 9, 17]), guessed=True).numbers.tolist() == [1, 9, 17]
    with pytest.raises(InputError) as refused:
        replace_values(source, np.array([1, 10**15, 17]))
    assert refused.value.id == "error.numeric.too-many-digits"
    # 17 becomes 18; with three decimals 9 is written 9.000, which does not mean "missing".
    eighteen = replace(source, missing_texts=frozenset({"18"}))
    with pytest.raises(InputError):
        shift_column(eighteen, 1, 0)
    assert shift_column(replace(source, missing_texts=frozenset({"9"})), 1, 3).values() == ["1.111", "2.111", "18.111"]


@pytest.mark.parametrize(
    ("values", "written"),
    [([10**15, 25 * 10**13], ["1.00", "0.25"]), ([10**15, 0], ["1", "0"]), ([10**15 + 1, 0], None)],
)
def test_numbers_that_are_too_long_are_written_without_decimals_that_are_zero(
    values: list[int], written: list[str] | None
) -> None:
    column = Column.from_texts("A", ["0.999999999999999", "0.250000000000000"], kind="numeric")
    column = replace(column, style=NumberStyle.written(15))
    released = np.array(values, dtype=np.int64)
    if written is None:
        with pytest.raises(InputError):
            replace_values(column, released)
        return
    made = replace_values(column, released)
    assert made.values() == written
    assert to_units_of_column(made, column).tolist() == values
