"""A chart of horizontal bars of up to two parts each, with a line between two rows if wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.report.scene.model import Axis, Bars, Role, Row, Rule, Scene


@dataclass(frozen=True)
class PartsRow:
    """One horizontal bar with its texts.

    Attributes
    ----------
    label
        Text at the left.
    parts
        Lengths of the bar's parts (at most two) from the left, in the unit common to all bars.
    figures
        Texts behind the bar; the last is the most important.
    level
        Number of filled bars in the mark of a privacy level before the label; None without a mark.
    alarming
        Whether the first part stands for people who need protection.
    key
        Key that is sent when the row is opened.
    """

    label: str
    parts: tuple[float, ...]
    figures: tuple[str, ...]
    level: int | None = None
    alarming: bool = True
    key: str = ""


def parts_scene(title: str, source: str, rows: Sequence[PartsRow], limit: tuple[int, str] | None = None) -> Scene:
    """Return the description (scene) of a chart of horizontal bars that start at 0, each of up to two parts.

    The first part of a row marked as ``alarming`` stands out; its other parts together, or all parts of any other row,
    are one plain part.

    Parameters
    ----------
    title, source
        Title and source of the chart.
    rows
        Bars from the top.
    limit
        (number of rows above a line, label of the line); None without a line.
    """
    most = max((sum(row.parts) for row in rows), default=0.0) or 1.0
    none = (None,) * len(rows)

    def bars(role: Role, values: Sequence[float]) -> Bars:
        """Return one part of all bars, as stacked bars; a part of length 0 is not drawn."""
        return Bars(role, "", tuple(float(value) or None for value in values), none, stacked=True)

    first = [row.parts[0] if row.alarming else 0.0 for row in rows]
    marks = [
        bars("alarming", first),
        bars("plain", [sum(row.parts) - part for row, part in zip(rows, first, strict=True)]),
    ]
    lines = [] if limit is None else [Rule("limit", float(limit[0]), limit[1], level=True)]
    made = tuple(
        Row(
            (row.label, *row.figures),
            f"{row.label}: {', '.join(row.figures)}",
            (most / 2, index + 0.5),
            (most, 1.0),
            row.key,
            row.level,
        )
        for index, row in enumerate(rows)
    )
    x, y = Axis("", 0.0, float(most)), Axis("", 0.0, float(len(rows)), names=tuple(row.label for row in rows))
    return Scene(title, "", source, x, y, (*marks, *lines), "; ".join(row.text for row in made), made)
