"""The reported figures of a swap, as lines of a label and a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ppdm_desktop.engine.methods.algorithms.swapping.report import details_of, worst_attack
from ppdm_desktop.engine.methods.base.declaration import FigureLine, labelled_lines
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Number, Ratio, Term

_LABELS = {
    "unique": lazy("Unique records"),
    "groups": lazy("Groups where everyone has the same value"),
    "m": lazy("Unique records changed"),
    "group_members_changed": lazy("Records in groups changed"),
    "p": lazy("Share of unique records changed"),
    "status": lazy("Best possible swap"),
    "no_value": lazy("Records without a value"),
    "unidentifiable": lazy("Unchanged records"),
}
_STATUS = {
    "proven": lazy("found and proven"),
    "bounded": lazy("not proven; see the note for the largest possible difference"),
    "heuristic": lazy("good, but not proven to be the best"),
    "random": lazy("not searched: random choice"),
    "nothing": lazy("nothing to swap"),
}
_SEARCHES = {
    "calibrated": lazy("This swap"),
    "random": lazy("A random swap"),
    "exact": lazy("The exact search"),
    "greedy": lazy("The rounds of the paper"),
}
_MOST_FLOWS = 6


def swap_lines(detail: Mapping[str, Any]) -> list[FigureLine]:
    """Return the figures of each swapped column, and of columns that were swapped together."""
    swapped = details_of(detail)
    return [
        line._replace(column=name if len(swapped) > 1 else "")
        for name, figures in swapped
        for line in _column_lines(figures)
    ]


def _column_lines(figures: Mapping[str, Any]) -> Iterator[FigureLine]:
    """Yield the labelled figures of one swapped column."""
    calibration, status = figures.get("calibration"), figures.get("status")
    # What the calibrated search proves is the best of blurred costs: it says nothing of what is kept.
    shown_status = None if status is None or calibration is not None else _STATUS.get(status, status)
    yield from labelled_lines({**figures, "status": shown_status}, _LABELS)
    if calibration is not None:
        yield from _frontier(calibration)
    if "departure" in figures:
        yield FigureLine(lazy("Records by which the totals changed"), figures["departure"] // 2)
    yield from _largest_flows(figures)


def _frontier(calibration: Mapping[str, Any]) -> Iterator[FigureLine]:
    """Yield what a calibrated swap kept, and what each search would have kept and revealed."""
    if calibration["kept"] is not None:
        label = lazy("Relationships kept, of those that a random swap loses")
        yield FigureLine(label, Ratio(max(0.0, calibration["kept"])))
    for point in calibration["frontier"]:
        worst = worst_attack(point)
        cost = lazy(
            "divergence {lost}; undoing the swap finds {right} of the true values, {control} without the person’s "
            "record",
            lost=Number(point["divergence"]),
            right=Ratio(worst["success"]),
            control=Ratio(worst["control"]),
        )
        yield FigureLine(_SEARCHES.get(point["search"]) or Term(point["search"]), cost)


def _largest_flows(figures: Mapping[str, Any]) -> list[FigureLine]:
    """Return the largest numbers of records that moved from one value to another."""
    names = figures.get("categories", [])
    moves = [
        (int(moved), f"{names[before]} → {names[after]}")
        for before, row in enumerate(figures.get("flows", []))
        for after, moved in enumerate(row)
        if moved
    ]
    largest = sorted(moves, key=lambda move: -move[0])[:_MOST_FLOWS]
    return [FigureLine(Term(label), moved) for moved, label in largest]
