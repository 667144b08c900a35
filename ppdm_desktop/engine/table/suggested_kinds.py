"""The suggested kind of each column: what its values prove, or what its name and its steps say beyond that.

A postcode is written in digits and has no size; the steps of a scale have an order. Neither is proved by the values, so
that both are suggestions, which a recipe states once somebody confirms them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_names import is_in_list, named_as
from ppdm_desktop.engine.table.kinds import REASONS, guess_kind, present_texts
from ppdm_desktop.engine.table.roles import RoleSuggestion
from ppdm_desktop.engine.table.scales import LEAST_STEPS, MOST_STEPS, order_of_scale
from ppdm_desktop.engine.wording.values import Term, Value

_HIGHEST_STEP = 7
_LEAST_IN_BATTERY = 3
_POSTCODE_DIGITS = (3, 7)
_ITEM = re.compile(r"[\W_]*(?:[0-9]{1,3}|[a-z]|\[[^\[\]]*\]|[-\u2013] [^-\u2013]*)\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class KindSuggestion:
    """The suggested kind of a column.

    Attributes
    ----------
    kind
        As in the recipe.
    reason, arguments
        Text id of why, and its arguments.
    order
        The steps of a scale of words, lowest first; None for other columns.
    """

    kind: str
    reason: str
    arguments: Mapping[str, Value] = field(default_factory=dict)
    order: tuple[str, ...] | None = None


def suggest_kinds(table: Table, roles: Mapping[str, RoleSuggestion], decimal: str) -> dict[str, KindSuggestion]:
    """Return the suggested kind of each column, by name.

    Parameters
    ----------
    table
        As read.
    roles
        The suggested role of each column: kinds that go with a role come first.
    decimal
        The file's decimal mark.
    """
    stems = Counter(_stem(column) for column in table.columns if _steps_in_digits(column))
    batteries = frozenset(stem for stem, columns in stems.items() if columns >= _LEAST_IN_BATTERY)
    return {column.name: _suggest_kind(column, roles[column.name], decimal, batteries) for column in table.columns}


def _suggest_kind(
    column: Column, role: RoleSuggestion, decimal: str, batteries: frozenset[tuple[str, int]]
) -> KindSuggestion:
    """Return the suggested kind of a column; ``batteries`` are what columns of one scale in digits have in common."""
    if role.kind is None and role.role not in ("identifier", "left-out"):
        if (order := _order(column)) is not None:
            ends = {"first": Term(order[0]), "last": Term(order[-1])}
            return KindSuggestion("ordinal", "reason.kind.scale", ends, order)
        if (steps := _steps_in_digits(column)) and (_stem(column) in batteries or _asks_for_answer(column)):
            ends = {"first": Term(steps[0]), "last": Term(steps[-1])}
            return KindSuggestion("ordinal", "reason.kind.scale", ends)
        if _is_postcode(column):
            return KindSuggestion("nominal", "reason.kind.postcodes")
    kind = role.kind or column.kind
    return KindSuggestion(kind, REASONS.get(kind) or guess_kind(column, decimal).reason)


def _order(column: Column) -> tuple[str, ...] | None:
    """Return the steps of a column of words that is a scale, lowest first; None for other columns."""
    if column.kind != "nominal" or len(column.texts) > MOST_STEPS + len(column.missing_texts):
        return None
    return order_of_scale(present_texts(column))


def _steps_in_digits(column: Column) -> tuple[str, ...]:
    """Return the steps of a column of whole numbers from 0 or 1 to at most 7; empty for other columns."""
    if column.kind != "numeric" or column.has_fractions or len(column.texts) > MOST_STEPS + len(column.missing_texts):
        return ()
    values = column.counted_numbers()[0]
    if len(values) < LEAST_STEPS or values[0] not in (0, 1) or not LEAST_STEPS <= values[-1] <= _HIGHEST_STEP:
        return ()
    return tuple(f"{value:.0f}" for value in values)


def _stem(column: Column) -> tuple[str, int]:
    """Return what the columns of a battery of questions share: their name but for the item, and the last step."""
    return _ITEM.sub("", column.header), int(column.counted_numbers()[0][-1]) if column.kind == "numeric" else 0


def _asks_for_answer(column: Column) -> bool:
    """Return whether a column's name means a rating or an answer, and no count or age."""
    named = named_as(column.header, column.label)
    headers = [header for header in (column.header, column.label) if header]
    is_answer = any(is_in_list(header, name) for header in headers for name in ("answer", "question"))
    return is_answer and not (named.amount or named.lasting)


def _is_postcode(column: Column) -> bool:
    """Return whether a column is named as a postcode and holds whole numbers of as many digits as these have."""
    if column.kind != "numeric" or column.has_fractions:
        return False
    if not any(is_in_list(header, "postcode") for header in (column.header, column.label) if header):
        return False
    values = column.counted_numbers()[0]
    low, high = _POSTCODE_DIGITS
    return bool(len(values)) and values[0] >= 10 ** (low - 1) and values[-1] < 10**high
