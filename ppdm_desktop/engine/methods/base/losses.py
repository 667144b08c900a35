"""Phrases for what generalised values no longer show."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Exact, Name

_PERIODS = (
    (re.compile(r"[0-9]{4}-[0-9]{2}"), lazy("{column} (month kept)")),
    (re.compile(r"[0-9]{4}-Q[0-9]"), lazy("{column} (quarter kept)")),
    (re.compile(r"[0-9]{4}"), lazy("{column} (year kept)")),
)


def broader_losses(before: Sequence[Column], after: Sequence[Column]) -> Iterator[Sentence]:
    """Yield for each column with generalised values what it still shows, such as ``Age (ranges of 10 kept)``.

    It is the period of dates or the width of numbers where all values agree in it, else the number of values.

    Parameters
    ----------
    before, after
        Two versions of the same columns; a column of the same kind without new values is left out.
    """
    for column, broader in zip(before, after, strict=True):
        same_kind = column.kind == broader.kind
        if broader is column or (same_kind and set(broader.categories) <= set(column.categories)):
            continue
        name = Name(column.name)
        period = next((name for form, name in _PERIODS if all(map(form.fullmatch, broader.categories))), None)
        width = _common_width(broader) if column.kind == "numeric" else None
        if column.kind == "date" and period is not None:
            yield Sentence(period.english, {"column": name})
        elif width is not None:
            yield lazy("{column} (ranges of {width} kept)", column=name, width=Exact(width))
        else:
            count = len(broader.categories)
            yield lazy("{column} ({n} broader {n:value|values} kept)", column=name, n=count)


def _common_width(column: Column) -> float | None:
    """Return the width of all ranges between numbers; None where they differ or there is none."""
    ends = [range_ends(text) for text in column.categories]
    widths = {round(high - low, 9) for low, high in filter(None, ends) if high > low and math.isfinite(high - low)}
    return widths.pop() if len(widths) == 1 and None not in ends else None
