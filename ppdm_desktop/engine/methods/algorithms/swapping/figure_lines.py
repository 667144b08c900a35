"""The figures that a swap reports of itself, as lines of a label and a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ppdm_desktop.engine.methods.algorithms.swapping.report import details_of
from ppdm_desktop.engine.methods.base.figure_lines import FigureLine, labelled_lines
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.values import Number, Ratio, Term

_LABELS = {
    "unique": later("compare", "Unique records"),
    "groups": later("compare", "Groups where everyone has the same value"),
    "m": later("compare", "Unique records changed"),
    "group_members_changed": later("compare", "Records in groups changed"),
    "p": later("compare", "Share of unique records changed"),
    "status": later("compare", "Best possible swap"),
    "no_value": later("compare", "Records without a value"),
    "unidentifiable": later("compare", "Unchanged records"),
}
_STATUS = {
    "proven": later("compare", "found and proven"),
    "bounded": later("compare", "not proven; see the note for the largest possible difference"),
    "heuristic": later("compare", "good, but not proven to be the best"),
    "random": later("compare", "not searched: random choice"),
    "nothing": later("compare", "nothing to swap"),
}
_SEARCHES = {
    "calibrated": later("compare", "This swap"),
    "random": later("compare", "A random swap"),
    "exact": later("compare", "The exact search"),
    "greedy": later("compare", "The rounds of the paper"),
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
    calibration, status = figures.get("calibration"), figures.get("status")
    # What the calibrated search proves is the best of blurred costs: it says nothing of what is kept.
    shown_status = None if status is None or calibration is not None else _STATUS.get(status, status)
    yield from labelled_lines({**figures, "status": shown_status}, _LABELS)
    if calibration is not None:
        yield from _frontier(calibration)
    if "departure" in figures:
        yield FigureLine(later("compare", "Records by which the totals changed"), figures["departure"] // 2)
    yield from _largest_flows(figures)


def _frontier(calibration: Mapping[str, Any]) -> Iterator[FigureLine]:
    """Return what a calibrated swap kept, and what each search would have kept and given away."""
    if calibration["kept"] is not None:
        label = later("compare", "Relationships kept, of those that a random swap loses")
        yield FigureLine(label, Ratio(max(0.0, calibration["kept"])))
    for point in calibration["frontier"]:
        attacks = [attack for attack in (point["bayes"], point["boosting"]) if attack is not None]
        worst = max(attacks, key=lambda attack: float(attack["success"] - attack["control"]))
        cost = later(
            "compare",
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
