"""Distributions of noisy columns: original, released, and as a recipient can reconstruct them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.noise.kernels import Channel, NoiseLaw, cell_counts
from ppdm_desktop.engine.noise.reconstruction import MOST, CellSystem, Reconstruction, reconstruct_by_class
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord, list_treated_columns
from ppdm_desktop.engine.report.charts_usefulness import Curve
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Ratio, Terms

MOST_CELLS = 40
MOST_CLASSES = 12
"""A column with more values has too few records of each for a reconstruction."""
_BEYOND = 0.001  # share of the perturbed values that may lie outside the drawing, on either side,
_SIDES = 3  # and more where there would be over this many times the cells of the bounds on a side


def reconstruction_curves(
    candidate: Candidate, *, level_known: bool = False, by: str | None = None
) -> tuple[Curve, ...]:
    """Return the true, released and reconstructed distribution of every released noisy column, in file order.

    Columns count if a step added noise of known law to them and some value is left; if several steps did, the last one
    is reconstructed.

    Parameters
    ----------
    candidate
        The candidate; nothing is drawn.
    level_known
        Whether to use each record's privacy level, as an insider could. Not used if a later step made groups or
        synthetic rows.
    by
        A released column with few values: the rows of each value are reconstructed separately, and their distributions
        averaged by rows. None for all at once.
    """
    steps = {
        name: step
        for step in candidate.steps
        if step.method.adds_known_noise
        for name in step.settings.columns
        if name in candidate.released_names and not candidate.final.column(name).missing.all()
    }
    names = [name for name in candidate.released_names if name in steps]
    curves = []
    for index, name in enumerate(names):
        progress.report(index / len(names), "doing.utility")
        curves.append(_reconstruct_curve(candidate, steps[name], name, level_known, by))
    progress.report(1.0, "doing.utility")
    return tuple(curves)


def support_edges(detail: Mapping[str, Any]) -> Floats:
    """Return the edges of at most 41 cells of equal width over a column's bounds, shape (cells + 1,).

    A cell is one or several cells of the noise's lattice if these are narrow enough, else one or several steps; edges
    lie half a step off the grid in both cases. For reflected noise the lattice starts below zero, and the cells start
    with the one that holds the lower bound. Without reflection there are at most 40.

    Parameters
    ----------
    detail
        The column's entry in the step's detail: ``origin``, ``step``, ``bounds`` and ``h``.
    """
    step, (low, high) = float(detail["step"]), detail["bounds"]
    steps = round((high - low) / step) + 1
    finest = max(round(float(detail["h"]) / step), 1)
    unit = finest if finest * MOST_CELLS <= steps else 1
    width = unit * math.ceil(steps / (unit * MOST_CELLS))
    origin = float(detail["origin"])
    if "reflected_at" not in detail:
        return np.asarray(origin + step * width * np.arange(math.ceil(steps / width) + 1))
    start = round(origin / step + 0.5)
    first, last = (math.floor((round(end / step) - start) / width) for end in (low, high))
    return np.asarray(origin + step * width * np.arange(first, last + 2))


def classes_to_reconstruct(candidate: Candidate) -> tuple[str, ...]:
    """Return the released nominal and ordinal columns with 2 to 12 values, by which noisy columns can be split.

    Columns that got noise themselves are left out.
    """
    noisy = {name for step in candidate.steps if step.method.adds_known_noise for name in step.settings.columns}
    columns = (candidate.final.column(name) for name in candidate.released_names if name not in noisy)
    return tuple(
        column.name
        for column in columns
        if column.kind in ("nominal", "ordinal") and 2 <= len(column.categories) <= MOST_CLASSES
    )


def noise_systems(candidate: Candidate, names: Collection[str], *, level_known: bool = False) -> dict[str, CellSystem]:
    """Return the cells and noise kernels of noisy columns by name, for learners that use reconstructed distributions.

    Parameters
    ----------
    candidate
        The candidate release.
    names
        Columns that got noise and nothing else; any other has no entry in the result.
    level_known
        Whether to return a kernel for each privacy level; else one averaged over levels, as a recipient has it.
    """
    systems = {}
    for step in candidate.steps:
        if not step.method.adds_known_noise:
            continue
        for name, detail in step.result.detail["columns"].items():
            if name in names:
                systems[name] = CellSystem.of(
                    _build_channels(step, name, detail),
                    support_edges(detail),
                    origin=float(detail["origin"]),
                    known=level_known,
                    reflected="reflected_at" in detail,
                )
    return systems


def levels_of_noise(candidate: Candidate) -> Ints | None:
    """Return the index of the privacy level of each row of ``final``, shape (rows,); all 0 if no levels are set.

    None if some step made groups or synthetic rows.
    """
    if not all(step.method.correspondence == "record" for step in candidate.steps):
        return None
    return levels_of(candidate.final).codes.astype(np.int64)


def _reconstruct_curve(candidate: Candidate, step: StepRecord, name: str, level_known: bool, by: str | None) -> Curve:
    """Return the true, the released and the reconstructed distribution of one noisy column, as a share for each cell.

    The cells are those of `support_edges`, and more of them where released values lie beyond. The share of released
    values outside all of them is stated separately. ``level_known`` and ``by`` are as in `reconstruction_curves`. The
    result also has the sum of absolute differences from the true distribution, for the released and for the
    reconstructed one, and notes on what limits the curve.
    """
    detail = step.result.detail["columns"][name]
    source, released = candidate.prepared.table.column(name), candidate.final.column(name)
    present = ~released.missing
    perturbed = released.numbers[present]
    progress.check()
    support = support_edges(detail)
    aligned = candidate.keeps_rows_after(step)
    channels = _build_channels(step, name, detail)
    level_of = levels_of(step.before).codes[present] if level_known and aligned else None
    system = CellSystem.of(
        channels,
        support,
        origin=float(detail["origin"]),
        known=level_of is not None,
        reflected="reflected_at" in detail,
    )
    if by is None:
        reconstruction = system.reconstruct(perturbed, level_of)
    else:
        classes = candidate.final.column(by).category_codes[present]
        reconstruction = _add_up_classes(reconstruct_by_class(perturbed, classes, system, level_of=level_of), classes)
    progress.check()
    edges, first = _extended_edges(support, perturbed)
    inside = (perturbed >= edges[0]) & (perturbed < edges[-1])
    released_counts = cell_counts(perturbed[inside], edges) / len(perturbed)
    beyond = 1.0 - float(np.count_nonzero(inside)) / len(perturbed)
    original, reconstructed = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    reconstructed[first : first + len(reconstruction.shares)] = reconstruction.shares
    original[first : first + len(reconstruction.shares)] = _compute_cell_shares(source, support)
    return Curve(
        column=name,
        edges=edges,
        records=len(perturbed),
        original=original,
        perturbed=released_counts,
        reconstructed=reconstructed,
        beyond=beyond,
        iterations=reconstruction.iterations,
        settled=reconstruction.settled,
        l1_perturbed=float(np.abs(released_counts - original).sum()) + beyond,
        l1_reconstructed=float(np.abs(reconstructed - original).sum()),
        level_known=level_of is not None,
        notes=_list_curve_notes(candidate, step, name, reconstruction),
        by=by,
    )


def _add_up_classes(by_class: Mapping[int, Reconstruction], classes: AnyInts) -> Reconstruction:
    """Return one reconstruction for all classes: the averages of their shares and unexplained shares, by records.

    Iterations are the most of any class, and it has settled if every class has. ``classes`` are the class codes of all
    records, each of them a key of ``by_class``.
    """
    weights = {code: float(np.count_nonzero(classes == code)) / len(classes) for code in by_class}
    return Reconstruction(
        np.asarray(sum(weights[code] * reconstruction.shares for code, reconstruction in by_class.items())),
        max(reconstruction.iterations for reconstruction in by_class.values()),
        all(reconstruction.settled for reconstruction in by_class.values()),
        sum(weights[code] * reconstruction.unexplained for code, reconstruction in by_class.items()),
    )


def _compute_cell_shares(column: Column, edges: Floats) -> Floats:
    """Return the share of a column's present values in each cell between the edges, shape (cells,)."""
    values = column.numbers[~column.missing]
    return cell_counts(values, edges) / max(len(values), 1)


def _build_channels(step: StepRecord, name: str, detail: Mapping[str, Any]) -> list[Channel]:
    """Return the noise at each privacy level, weakest first, with the level's share of the records with a value.

    Shares are of the step's input and sum to 1; a level without such records has 0. ``detail`` has the step's figures
    of the column ``name``.
    """
    levels = levels_of(step.before)
    present = ~step.before.column(name).missing
    counts = np.bincount(levels.codes[present], minlength=len(detail["levels"]))
    total = float(counts.sum())
    return [
        Channel(
            float(count) / total,
            NoiseLaw(detail["law"], float(level["sd"]), detail.get("period")),
            float(level["width"]),
        )
        for count, level in zip(counts, detail["levels"], strict=True)
    ]


def _extended_edges(support: Floats, values: Floats) -> tuple[Floats, int]:
    """Return cell edges extended to the range of the values, and the index at which ``support`` starts in them.

    ``support`` are the edges of equally wide cells. The lowest and the highest 0.1 % of the values do not extend it,
    and neither side gets more than 3 times as many cells as it has.
    """
    width = float(support[1] - support[0])
    low, high = np.quantile(values, [_BEYOND, 1 - _BEYOND])
    most = _SIDES * (len(support) - 1)
    below = min(max(math.ceil((float(support[0]) - float(low)) / width), 0), most)
    above = min(max(math.ceil((float(high) - float(support[-1])) / width), 0), most)
    return np.asarray(support[0] + width * np.arange(-below, len(support) + above)), below


def _list_curve_notes(
    candidate: Candidate, step: StepRecord, name: str, reconstruction: Reconstruction
) -> tuple[Note, ...]:
    """Return notes on a curve, in this order: other steps on the column, no convergence, unexplained values.

    Empty if none applies.
    """
    notes = []
    other_steps = [
        other_step.method.title
        for other_step in candidate.steps
        if other_step.index != step.index and name in list_treated_columns(candidate, other_step.index)
    ]
    if other_steps:
        notes.append(Note("note.reconstruction.other-steps", {"steps": Terms(tuple(dict.fromkeys(other_steps)))}))
    if not reconstruction.settled:
        notes.append(Note("note.reconstruction.not-settled", {"rounds": MOST}))
    if reconstruction.unexplained > 0:
        notes.append(Note("note.reconstruction.unexplained", {"share": Ratio(reconstruction.unexplained)}))
    return tuple(notes)
