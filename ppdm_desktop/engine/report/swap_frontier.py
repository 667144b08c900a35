"""The frontier of a swap: what each search loses of the relations, against what an attempt to undo it gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.report.report_words import SEARCHES
from ppdm_desktop.engine.report.scene.model import Axis, Label, Mark, Points, Role, Row, Rule, Scene
from ppdm_desktop.engine.wording.catalogue import later, say
from ppdm_desktop.engine.wording.values import Name, Number, Term
from ppdm_desktop.engine.wording.values import Points as PercentagePoints


def calibrations(detail: Mapping[str, Any]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """Return what a step's detail holds of calibrated swaps.

    Parameters
    ----------
    detail
        The step's ``detail``.

    Returns
    -------
    Of each column, and of those that moved as one: its name, the way to it inside the detail, and what stands there.
    """
    columns = detail.get("columns")
    found = (
        [(str(name), f"columns.{name}", own) for name, own in columns.items()] if isinstance(columns, Mapping) else []
    )
    joint = detail.get("together")
    if isinstance(joint, Mapping):
        found.append((", ".join(joint["together"]), "together", joint))
    return [(name, path, own) for name, path, own in found if isinstance(own, Mapping) and "calibration" in own]


def beyond(point: Mapping[str, Any]) -> float:
    """Return by how much the more successful attempt exceeds its control's 95 % interval, a difference of shares.

    Negative inside the interval.

    Parameters
    ----------
    point
        An entry of ``detail.columns[].calibration.frontier``.
    """
    attacks = [point[name] for name in ("bayes", "boosting") if point[name] is not None]
    return max(float(each["success"] - each["high"]) for each in attacks)


def swap_frontier_chart(column: str, points: Sequence[Mapping[str, Any]]) -> tuple[Scene, ...]:
    """Show each search as a point: to the right it can be undone, and upwards it loses relations.

    Parameters
    ----------
    column
        The swapped column.
    points
        The frontier of its calibration; at least one.
    """
    gains = [beyond(point) for point in points]
    losses = [float(point["divergence"]) for point in points]
    x = Axis(
        say("report", "Found beyond the control’s 95% interval, in percentage points"),
        100 * min(-0.01, *gains),
        100 * max(0.01, *gains),
    )
    y = Axis(say("report", "Divergence (nats)"), 0.0, max(losses) or 1.0)
    marks: list[Mark] = [Rule("limit", 0.0, "")]
    rows = []
    for point, gained, lost in zip(points, gains, losses, strict=True):
        search = SEARCHES.get(point["search"], Term(str(point["search"])))
        role: Role = "released" if point["search"] == "calibrated" else "third"
        marks += [Points(role, "", np.array([100 * gained]), np.array([lost])), Label(100 * gained, lost, str(search))]
        one = later("report", "{name}: divergence {lost}, found beyond the interval {gained}")
        said = one.said(name=search, lost=Number(lost), gained=PercentagePoints(gained))
        rows.append(Row((str(search),), said, (100 * gained, lost)))
    title = say("report", "What swaps of {column} lose, and what undoing them would find", column=Name(column))
    caption = say(
        "report",
        "The lower a point, the less the swap changes the relationships between columns. Right of the dashed line, an "
        "intruder who undoes the swap finds more true values than chance explains.",
    )
    sentence = "; ".join(row.words for row in rows)
    return (Scene(title, "", caption, x, y, tuple(marks), sentence, tuple(rows)),)
