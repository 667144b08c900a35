"""Charts of the search for a swap's setting.

They show how much is lost of the relations between columns, and how well the swap can be undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.report.report_texts import SEARCHES
from ppdm_desktop.engine.report.scene.model import Axis, Label, Mark, Points, Role, Row, Rule, Scene
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Name, Number, Term
from ppdm_desktop.engine.wording.values import Points as PercentagePoints

_SPARE = 0.04
"""Share of an axis that stays free at its ends."""


@dataclass(frozen=True)
class SearchMark:
    """One tried setting of a swap, as a point of the chart.

    Attributes
    ----------
    role
        Colour of the point: ``released`` for the setting used, ``third`` for others; on the screen also ``alarming``
        and ``stopped`` where undoing succeeds more often than chance explains.
    name
        Label next to the point.
    lost
        Divergence from the original relations between columns, in nats.
    gained
        By how much an attempt to undo the swap exceeds the upper end of its control's interval, as a difference of
        shares; negative inside the interval.
    text
        Loss and gain in words.
    """

    role: Role
    name: str
    lost: float
    gained: float
    text: str


def list_calibrations(detail: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return the entries of a step's detail that record a search for a swap's setting; empty if there is none.

    Parameters
    ----------
    detail
        The step's ``detail``.

    Returns
    -------
    For each column, or group of columns swapped together: its name (of a group, all names with commas), its path inside
    the detail, and its entry.
    """
    columns = detail.get("columns")
    joints = (
        [(str(name), f"columns.{name}", column) for name, column in columns.items()]
        if isinstance(columns, Mapping)
        else []
    )
    joint = detail.get("together")
    if isinstance(joint, Mapping):
        joints.append((", ".join(joint["together"]), "together", joint))
    return [
        (name, path, entry) for name, path, entry in joints if isinstance(entry, Mapping) and "calibration" in entry
    ]


def compute_undo_excess(point: Mapping[str, Any]) -> float:
    """Return by how much the best attempt to undo a swap exceeds the 95 % interval of its control.

    It is a difference of shares, negative inside the interval. At least one attempt must have been made.

    Parameters
    ----------
    point
        An entry of ``detail.columns[].calibration.frontier``.
    """
    attacks = [point[name] for name in ("bayes", "boosting") if point[name] is not None]
    return max(float(attack["success"] - attack["high"]) for attack in attacks)


def swap_frontier_chart(column: str, points: Sequence[Mapping[str, Any]]) -> tuple[Scene, ...]:
    """Return one chart with a point for each tried swap: further right it is easier to undo, further up more is lost.

    The axes are those of `searches_scene`. The point of the calibrated swap, which is the setting used, has the role
    ``released``, all others ``third``.

    Parameters
    ----------
    column
        The swapped column.
    points
        The tried settings from the report (``calibration.frontier``); at least one, each with at least one attempt to
        undo it.
    """
    marks = []
    for point in points:
        search = SEARCHES.get(point["search"], Term(str(point["search"])))
        sentence = lazy("{name}: divergence {lost}, found beyond the interval {gained}")
        gained, lost = compute_undo_excess(point), float(point["divergence"])
        sentence_text = sentence.format(name=search, lost=Number(lost), gained=PercentagePoints(gained))
        role: Role = "released" if point["search"] == "calibrated" else "third"
        marks.append(SearchMark(role, str(search), lost, gained, sentence_text))
    title = _("What swaps of {column} lose, and what undoing them would find", column=Name(column))
    caption = _(
        "The lower a point, the less the swap changes the relationships between columns. Right of the dashed line, an "
        "intruder who undoes the swap finds more true values than chance explains."
    )
    return (searches_scene(title, caption, marks),)


def searches_scene(title: str, source: str, searches: Sequence[SearchMark]) -> Scene:
    """Return a chart of tried swaps as points: further right they are easier to undo, further up more is lost.

    To the right is by how many percentage points undoing exceeds the control's 95 % interval, with a limit at 0;
    upwards the divergence from the original relations, in nats. The rows of the scene are in the order of ``searches``.

    Parameters
    ----------
    title, source
        Title of the chart, and the text below it.
    searches
        At least one point; the labels of those with the role ``released`` or ``alarming`` are placed first.
    """
    gains, losses = [search.gained for search in searches], [search.lost for search in searches]
    left, right = 100 * min(-0.01, *gains), 100 * max(0.01, *gains)
    # A mark at an end is whole within the axes.
    spare = _SPARE * (right - left)
    x = Axis(_("Found beyond the control’s 95% interval, in percentage points"), left - spare, right + spare)
    y = Axis(_("Divergence (nats)"), 0.0, (max(losses) or 1.0) * (1 + 2 * _SPARE))
    marks: list[Mark] = [Rule("limit", 0.0, "")]
    rows = []
    for mark in searches:
        at = (100 * mark.gained, mark.lost)
        is_highlighted = mark.role in ("released", "alarming")
        marks += [
            Points(mark.role, "", np.array([at[0]]), np.array([at[1]])),
            Label(*at, mark.name, int(is_highlighted)),
        ]
        rows.append(Row((mark.name,), mark.text, at))
    return Scene(title, "", source, x, y, tuple(marks), "; ".join(row.text for row in rows), tuple(rows))
