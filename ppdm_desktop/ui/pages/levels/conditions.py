"""Building a rule's condition from what was typed; no widget here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.recipe.models import Condition, Scalar
from ppdm_desktop.engine.table.column import Column

STATUS = "\0status"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Levels", text)


def tests_for(column: Column | None) -> list[tuple[str, str]]:
    """Return the tests that fit a column (None: how identifiable people are)."""
    if column is None:
        return [
            ("unique", _tr("are the only one of their kind")),
            ("collective", _tr("are in a group where all have one confidential value")),
        ]
    same = [("equals", _tr("is")), ("in", _tr("is one of"))]
    order = [("at_least", _tr("is at least")), ("at_most", _tr("is at most")), ("between", _tr("is between"))]
    missing = [("missing", _tr("is missing"))]
    if column.kind in ("numeric", "date") or (column.kind == "ordinal" and column.order is not None):
        return [*order, *same, *missing]
    return [*same, *missing]


def condition_test(condition: Condition) -> str:
    """Return which test a condition makes."""
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
    """Return the values a condition compares with."""
    for value in (condition.equals, condition.at_least, condition.at_most):
        if value is not None:
            return (value,)
    return tuple(condition.in_ or condition.between or ())


def typed_words(value: Scalar) -> str:
    """Write a value as it would be typed."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def number_typed(text: str, mark: str = ".") -> int | float | None:
    """Read a number as a person types it: in the manner of the file first, then of the system."""
    plain = text.replace("\u00a0", "").replace(" ", "")
    candidates: list[float] = []
    try:
        candidates.append(float(plain.replace(",", ".") if mark == "," and "." not in plain else plain))
    except ValueError:
        value, ok = QLocale().toDouble(text)
        if ok:
            candidates.append(value)
    if not candidates or candidates[0] != candidates[0] or abs(candidates[0]) == float("inf"):
        return None
    found = candidates[0]
    return int(found) if found.is_integer() and abs(found) < 2**53 else found


def build_condition(column: Column | None, test: str, values: Sequence[str]) -> Condition | str:
    """Return a condition, or what is still missing in words."""
    if column is None:
        return Condition.model_validate({"status": test})
    if test == "missing":
        return Condition(column=column.name, missing=True)
    if not values or not all(values):
        return _tr("Tick at least one value.") if test == "in" else _tr("Type a value.")
    read: list[Scalar] = []
    for text in values:
        value = _read(column, text, test)
        if value is None:
            return _unfit(column, text)
        read.append(value)
    if test == "between":
        if not _rises(column, read[0], read[1]):
            return _tr("The lowest value comes first.")
        return Condition(column=column.name, between=(read[0], read[1]))
    if test == "in":
        return Condition.model_validate({"column": column.name, "in": tuple(read)})
    return Condition.model_validate({"column": column.name, test: read[0]})


def _read(column: Column, text: str, test: str) -> Scalar | None:
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
    if column.kind == "numeric":
        return _tr("“{text}” is not a number.").format(text=text)
    if column.kind == "date":
        return _tr("Write the day as year-month-day, such as 2001-12-31.")
    return _tr("“{text}” is not a value of {column}.").format(text=text, column=column.name)


def _rises(column: Column, low: Scalar, high: Scalar) -> bool:
    if column.kind == "ordinal" and column.order is not None:
        return column.order.index(str(low)) <= column.order.index(str(high))
    if isinstance(low, int | float) and isinstance(high, int | float):
        return low <= high
    return str(low) <= str(high)
