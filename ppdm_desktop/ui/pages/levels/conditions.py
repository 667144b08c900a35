"""Turn what was typed into the rule editor into a condition of a rule; no widget here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from ppdm_desktop.engine.recipe.models import Condition, Scalar
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Quoted
from ppdm_desktop.ui.state.typed_numbers import no_number_words, number_typed

STATUS = "\0status"


def tests_for(column: Column | None) -> list[tuple[str, str]]:
    """Return the comparisons offered for a column, each as (key, label); None stands for the risk of the person."""
    if column is None:
        return [
            ("unique", _("are unique")),
            ("collective", _("are in a group with the same confidential value")),
        ]
    same = [("equals", _("is")), ("in", _("is one of"))]
    order = [
        ("at_least", _("is at least")),
        ("at_most", _("is at most")),
        ("between", _("is between")),
    ]
    missing = [("missing", _("is missing"))]
    if column.kind in ("numeric", "date") or (column.kind == "ordinal" and column.order is not None):
        return [*order, *same, *missing]
    return [*same, *missing]


def condition_test(condition: Condition) -> str:
    """Return the key of the comparison that a condition makes, as ``tests_for`` names it."""
    if condition.status is not None:
        return condition.status
    for key, name in (
        ("equals", "equals"),
        ("in_", "in"),
        ("at_least", "at_least"),
        ("at_most", "at_most"),
        ("between", "between"),
    ):
        if getattr(condition, key) is not None:
            return name
    return "missing"


def condition_values(condition: Condition) -> tuple[Scalar, ...]:
    """Return the values that a condition compares a column with, empty where it compares with none."""
    for value in (condition.equals, condition.at_least, condition.at_most):
        if value is not None:
            return (value,)
    return tuple(condition.in_ or condition.between or ())


def build_condition(column: Column | None, test: str, values: Sequence[str]) -> Condition | str:
    """Return the condition for a column, a comparison and typed values, or a sentence saying what is missing."""
    if column is None:
        return Condition.model_validate({"status": test})
    if test == "missing":
        return Condition(column=column.name, missing=True)
    if not values or not all(values):
        return _("Tick at least one value.") if test == "in" else _("Type a value.")
    read: list[Scalar] = []
    for text in values:
        value = _read(column, text, test)
        if value is None:
            return _unfit(column, text)
        read.append(value)
    if test == "between":
        if not _rises(column, read[0], read[1]):
            return _("Type the lowest value first.")
        return Condition(column=column.name, between=(read[0], read[1]))
    if test == "in":
        return Condition.model_validate({"column": column.name, "in": tuple(read)})
    return Condition.model_validate({"column": column.name, test: read[0]})


def _read(column: Column, text: str, test: str) -> Scalar | None:
    """Return the typed value for a comparison with a column, None if it does not fit the column."""
    if column.kind == "numeric":
        return number_typed(text, column.style.decimal if column.style else ".")
    if column.kind == "date" and test not in ("equals", "in"):
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            return None
    if column.kind == "ordinal" and test not in ("equals", "in") and text not in (column.order or ()):
        return None
    return text


def _unfit(column: Column, text: str) -> str:
    """Return why a typed text does not fit a column."""
    if column.kind == "numeric":
        return no_number_words(text)
    if column.kind == "date":
        return _("Write the day as year-month-day, for example 2001-12-31.")
    return _("{text} is not a value of {column}.", text=Quoted(text), column=Name(column.name))


def _rises(column: Column, low: Scalar, high: Scalar) -> bool:
    """Return whether two values of a column are in rising order."""
    if column.kind == "ordinal" and column.order is not None:
        return column.order.index(str(low)) <= column.order.index(str(high))
    if isinstance(low, int | float) and isinstance(high, int | float):
        return low <= high
    return str(low) <= str(high)
