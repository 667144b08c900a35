"""Kinds by proof, and what the recipe may say of a column."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case_rows
from optional import existing

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.kinds import apply_columns, guess_kind
from ppdm_desktop.engine.wording.texts import all_texts, explain, render
from ppdm_desktop.engine.wording.values import Names, Quoted, Terms


def table(**columns: list[str]) -> Table:
    made = []
    for name, texts in columns.items():
        column = Column.from_texts(name, texts)
        guess = guess_kind(column)
        assert guess.reason in all_texts()
        made.append(Column.from_texts(name, texts, kind=guess.kind, style=guess.style))
    rows = len(made[0])
    return Table(tuple(made), np.arange(11, 11 + rows, dtype=np.int64))


def section(**keys: object) -> ColumnSection:
    return ColumnSection.model_validate({"role": "other", **keys})


def refused(made: Table, decimal: str = ".", **sections: ColumnSection) -> PpdmError:
    with pytest.raises(PpdmError) as caught:
        apply_columns(made, sections, decimal)
    assert caught.value.id in all_texts()
    explain(caught.value)
    return caught.value


@pytest.mark.parametrize(("texts", "kind"), case_rows("kinds-guessed-kinds", lists=True))
def test_guessed_kinds(texts: list[str], kind: str) -> None:
    guess = guess_kind(Column.from_texts("x", texts))
    assert guess.kind == kind
    assert guess.reason in all_texts()
    doubtful = texts[0] in ("1/12/2020", "31.1.20")
    assert (guess.warning is not None) == doubtful
    if guess.warning:
        render(guess.warning, {"columns": Names.of(["x"])})


def test_roles_kinds_and_the_star() -> None:
    made = table(a=["1", "2"], b=["x", "y"], c=["3", "4"])
    done = apply_columns(made, {"a": section(role="confidential"), "*": section(role="left-out")})
    assert [column.role for column in done.columns] == ["confidential", "left-out", "left-out"]
    assert [column.kind for column in done.columns] == ["numeric", "nominal", "numeric"]
    some = apply_columns(made, {"a": section(kind="nominal")})
    assert (some.column("a").kind, some.column("a").style, some.column("b").role) == ("nominal", None, None)
    assert made.column("a").role is None
    error = refused(made, d=section())
    assert (error.id, error.column) == ("error.recipe.no-such-column", "d")


def test_order() -> None:
    made = table(n=["10", "9", "9.5", ""], w=["Low", "High", "Low", ""])
    done = apply_columns(made, {"n": section(kind="ordinal"), "w": section(order=["Low", "Med", "High"])})
    assert done.column("n").categories == ("9", "9.5", "10")
    assert (done.column("w").kind, done.column("w").categories) == ("ordinal", ("Low", "High"))
    assert refused(made, w=section(kind="ordinal")).id == "error.columns.order-missing"
    error = refused(made, w=section(order=["Low"]))
    assert (error.id, error.arguments["values"]) == ("error.columns.order-incomplete", Names(("High",)))


def test_numeric_is_refused_with_row_and_value() -> None:
    made = table(n=["1", "", "01", "2", "01"])
    error = refused(made, n=section(kind="numeric"))
    assert isinstance(error, InputError)
    assert (error.id, error.column, error.row) == ("error.columns.not-numeric", "n", 13)
    assert (error.arguments["value"], error.arguments["count"]) == (Quoted("01"), 2)
    assert "01" not in error.log_line()


@pytest.mark.parametrize("text", ["inf", "-Infinity", "NaN", "nan", "+inf", "∞", "1.#INF"])
def test_numbers_that_are_not_finite_are_refused_with_their_rows(text: str) -> None:
    error = refused(table(n=["1", text, "2", text, "x"]), n=section(kind="numeric"))
    assert (error.id, error.row, error.arguments["rows"]) == ("error.columns.not-finite", 12, Terms(("12", "14")))


def test_bounds_step_and_keys_that_mean_nothing() -> None:
    made = table(n=["1", "5", "7.5"], w=["x", "y", "z"])
    done = apply_columns(made, {"n": section(bounds=[0, 10], step=0.5)}).column("n")
    assert (done.bounds, str(done.style.step if done.style else "")) == ((0.0, 10.0), "0.5")
    error = refused(made, n=section(bounds=[0, 7]))
    assert (error.id, error.row) == ("error.columns.outside-bounds", 13)
    for keys in ({"bounds": [0, 1]}, {"step": 1}, {"format": "%Y"}, {"bins": {"method": "cuts", "at": [1]}}):
        error = refused(made, w=section(**keys))
        assert isinstance(error, RecipeError)
        assert error.id == "error.columns.key-without-kind"


def test_dates_by_format() -> None:
    made = table(d=["03/04/2020", "01/12/1999", ""], w=["x", "y", "z"])
    done = apply_columns(made, {"d": section(kind="date", format="%d/%m/%Y")}).column("d")
    assert (done.kind, done.categories) == ("date", ("01/12/1999", "03/04/2020"))
    assert refused(made, d=section(kind="date")).id == "error.columns.date-undecided"
    assert refused(made, w=section(kind="date")).id == "error.columns.not-dates"
    error = refused(made, d=section(kind="date", format="%Y-%m-%d"))
    assert (error.id, error.row, error.arguments["value"]) == ("error.columns.not-date", 11, Quoted("03/04/2020"))
    for bad in ("%q", "%d", "%Y%Y", "year", "%"):
        assert refused(made, d=section(kind="date", format=bad)).id == "error.columns.date-format"


def test_date_formats() -> None:
    words = existing(DateFormat.parse("DD.MM.YYYY hh:mm"))
    assert words.pattern == "%d.%m.%Y %H:%M"
    assert words.read("29.02.2020 23:59") is not None
    assert words.read("29.02.2021 23:59") is None
    short = existing(DateFormat.parse("%d.%m.%y"))
    first, second = short.read("01.01.70"), short.read("01.01.69")
    assert first is not None
    assert second is not None
    assert (first[0].year, second[0].year) == (1970, 2069)
    assert guess_date_format(["10:15", "x"]).format is None
