"""Rows of one bar each, which may have parts, as a scene; with an optional line between two rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.report.scene.model import Axis, Bars, Role, Row, Rule, Scene


@dataclass(frozen=True)
class PartsRow:
    """One bar.

    Attributes
    ----------
    label
        At the left.
    parts
        Lengths of its parts in the bars' common unit, from the left; at most two.
    figures
        What stands behind it, the last one the most important.
    level
        Filled bars of a level mark before the label, or None.
    alarming
        Whether the first part is of people who need protection.
    said
        The figures in words, where they say too little without the picture.
    key
        What opens when it is chosen.
    """

    label: str
    parts: tuple[float, ...]
    figures: tuple[str, ...]
    level: int | None = None
    alarming: bool = True
    said: str = ""
    key: str = ""


def parts_scene(title: str, source: str, rows: Sequence[PartsRow], limit: tuple[int, str] | None = None) -> Scene:
    """Return bars from 0, each in its parts.

    Parameters
    ----------
    title, source
        Of the scene.
    rows
        From above.
    limit
        Rows above a line, and what it is.
    """
    most = max((sum(row.parts) for row in rows), default=0.0) or 1.0
    none = (None,) * len(rows)

    def bars(role: Role, values: Sequence[float]) -> Bars:
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
            f"{row.label}: {row.said or ', '.join(row.figures)}",
            (most / 2, index + 0.5),
            (most, 1.0),
            row.key,
            row.level,
        )
        for index, row in enumerate(rows)
    )
    x, y = Axis("", 0.0, float(most)), Axis("", 0.0, float(len(rows)), names=tuple(row.label for row in rows))
    return Scene(title, "", source, x, y, (*marks, *lines), "; ".join(row.words for row in made), made)
