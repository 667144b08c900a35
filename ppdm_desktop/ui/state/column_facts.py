"""Facts about each column that pages show, computed once when a file is read (no Qt here)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.table.codes import CodesAnswer
from ppdm_desktop.engine.table.column import Column, to_floats
from ppdm_desktop.engine.table.inspect import inspect_table, lowest_number
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.roles import STRONG

BARS = 14
TOP = 8
_SPAN = 0.8


@dataclass(frozen=True)
class ColumnFacts:
    """Facts about one column, with the engine's suggested kind and role.

    Attributes
    ----------
    kind, role, reason
        The suggested kind and role, and why; the role is None if the user has to decide.
    strong
        Whether the suggested role is certain enough to be confirmed together with other columns.
    distinct, missing, rows
        Number of distinct values, of empty cells, and of all cells.
    singles
        Number of values that occur in one row only.
    spread
        Heights (0 to 1) of the small histogram's bars: for numbers from low to high, else most frequent value first.
    top
        The most frequent values with their counts, at most eight.
    repeats
        Names of this and all columns that have its values under other names, value by value; empty if there is no
        other.
    findings
        (kind, number of cells) for each kind of detail that points to a person, such as e-mail addresses.
    person
        Whether the column may be an id of people who have several rows.
    lowest
        Lowest value of a number column, else None.
    not_negative
        Whether name and values suggest that negative values are impossible.
    codes
        Whether the column's few whole numbers are suggested as codes or as numbers; None for any other column.
    order
        The words of a rating scale, lowest first; empty for other columns.
    to_read
        Cache: (number of texts that the user should read, their digest) by (smallest allowed count, columns that
        identify people).
    """

    name: str
    kind: str
    role: str | None
    reason: str
    distinct: int
    missing: int
    rows: int
    singles: int = 0
    spread: tuple[float, ...] = ()
    top: tuple[tuple[str, int], ...] = ()
    repeats: tuple[str, ...] = ()
    strong: bool = True
    findings: tuple[tuple[str, int], ...] = ()
    person: bool = False
    lowest: float | None = None
    not_negative: bool = False
    codes: CodesAnswer | None = None
    order: tuple[str, ...] = ()
    to_read: dict[tuple[int, tuple[str, ...]], tuple[int, str]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def kind_and_order(self) -> dict[str, Any]:
        """Settings for a column's recipe entry: the suggested kind and, for a scale of words, their order."""
        return {"kind": self.kind, **({"order": self.order} if self.order else {})}


def find_facts(reading: Reading) -> dict[str, ColumnFacts]:
    """Return the facts about every column, by name, with the engine's suggestions for kind and role.

    The fact ``repeats`` names the columns whose values can be renamed into each other row by row, this column included.
    It is empty if there is no other such column, and for columns with fewer than two different values, or with a
    different value in each row.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    progress.report(0.0, "doing.read")
    columns = reading.table.columns
    document = {str(entry["name"]): entry for entry in progress.part(0.0, 0.9).run(inspect_table, reading)["columns"]}
    facts: dict[str, ColumnFacts] = {}
    signs: dict[bytes, list[str]] = {}
    for done, column in enumerate(columns):
        progress.report(0.9 + 0.1 * done / max(len(columns), 1), "doing.read")
        about = document[column.name]
        counts = column.text_counts
        is_value = np.array([text not in column.missing_texts for text in column.texts], dtype=np.bool_)
        facts[column.name] = ColumnFacts(
            name=column.name,
            kind=str(about["kind"]),
            role=about["role"],
            strong=about["strength"] == STRONG,
            reason=_capitalise_text(str(about["reason"]["sentence"])),
            findings=tuple(about["findings"].items()),
            person=bool(about["repeats_like_people"]),
            distinct=int(about["distinct"]),
            singles=int(np.count_nonzero(is_value & (counts == 1))),
            missing=int(about["missing"]),
            rows=len(column),
            spread=_compute_histogram(column, counts, is_value),
            top=_find_frequent_values(column, counts, is_value),
            lowest=lowest_number(column),
            not_negative=bool(about["not_negative"]),
            codes=about["codes"] if about["kind"] == "numeric" else None,
            order=tuple(about["order"] or ()),
        )
        if 2 <= facts[column.name].distinct < max(len(column), 3):
            signs.setdefault(_hash_value_pattern(column), []).append(column.name)
    for names in signs.values():
        equal_columns = tuple(names) if len(names) > 1 else ()
        for name in names:
            facts[name] = replace(facts[name], repeats=equal_columns)
    return facts


def _capitalise_text(text: str) -> str:
    """Return a text with a capital first letter; the other letters are unchanged."""
    return text[:1].upper() + text[1:]


def _find_frequent_values(column: Column, counts: Ints, present: Bools) -> tuple[tuple[str, int], ...]:
    """Return the at most eight most frequent values of a column with their counts, the most frequent first.

    ``counts`` (rows with each text) and ``present`` (whether a text is a value, not a sign for a missing one) have
    shape (texts,). Values with equal counts are in alphabetical order.
    """
    draw = np.where(present, counts, 0)
    size = min(TOP, len(draw))
    if not size:
        return ()
    best = np.argpartition(-draw, size - 1)[:size]
    ordered = sorted(best.tolist(), key=lambda code: (-int(draw[code]), column.texts[code]))
    return tuple((column.texts[code], int(draw[code])) for code in ordered if draw[code])


def _compute_histogram(column: Column, counts: Ints, is_value: Bools) -> tuple[float, ...]:
    """Return the heights of at most 14 histogram bars of a column, the highest 1; empty without a value.

    Numbers are in rising order, in ranges of equal width if there are more than 14 different ones; of other values the
    most frequent come first. ``counts`` (rows with each text) and ``is_value`` (False for a sign for a missing value)
    have shape (texts,).
    """
    present = np.flatnonzero(is_value & (counts > 0))
    if not len(present):
        return ()
    weights = counts[present]
    if column.kind == "numeric":
        mark = column.style.decimal if column.style is not None else "."
        values = to_floats((column.texts[code] for code in present.tolist()), mark)
        if len(values) > BARS:
            bars, _ = np.histogram(values, bins=BARS, weights=weights)
        else:
            bars = weights[np.argsort(values, kind="stable")]
    else:
        bars = np.sort(weights)[::-1][:BARS]
    return _scale_bars(bars.astype(np.float64))


def _scale_bars(bars: Floats) -> tuple[float, ...]:
    """Return the heights of histogram bars scaled to a highest of 1, rounded to four decimals.

    If one of at least three bars has more than 80 % of the total, logarithms log(1 + bar) are taken first, so that it
    does not hide the others: 98, 1 and 1 become 1, 0.1508 and 0.1508.
    """
    total, most = float(bars.sum()), float(bars.max())
    scaled = np.log1p(bars) if len(bars) > 2 and most > _SPAN * total else bars
    return tuple((scaled / max(float(scaled.max()), 1e-300)).round(4).tolist())


def _hash_value_pattern(column: Column) -> bytes:
    """Return a digest of 16 bytes that is equal for columns whose values can be renamed into each other row by row.

    "a, b, a" and "x, y, x" have the same digest, "x, x, y" has another.
    """
    codes = column.codes.astype(np.int64)
    first = np.full(len(column.texts), len(codes), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first), dtype=np.int32)
    return hashlib.blake2b(rank[column.codes].tobytes(), digest_size=16).digest()


def count_values_not_shown(facts: ColumnFacts) -> tuple[int, int]:
    """Return the numbers of distinct values, and of cells, that are not among the most frequent values shown."""
    cells = facts.rows - facts.missing - sum(count for _, count in facts.top)
    return max(facts.distinct - len(facts.top), 0), max(cells, 0)
