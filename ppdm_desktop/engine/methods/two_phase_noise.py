"""`two-phase-noise`: noise, then a fresh draw from the cell of each record's own level (Liu et al.)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.methods.algorithms.noise_addition.covariance import (
    NoiseCovariance,
    draw_noise,
    noise_covariance,
)
from ppdm_desktop.engine.methods.algorithms.noise_addition.perturbing import released_column
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import ColumnPlan, plan_columns
from ppdm_desktop.engine.methods.algorithms.noise_addition.preview import LevelLoss, plan_losses
from ppdm_desktop.engine.methods.algorithms.noise_addition.recount import (
    Cells,
    NoiseResult,
    noise_proofs,
    off_grid,
    out_of_cell,
    parted_people,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.column_parameters import ColumnBoundsParameter, ColumnNumbersParameter
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, NumberParameter
from ppdm_desktop.engine.methods.base.registry import register
from ppdm_desktop.engine.methods.base.step import Guarantee, Protection, Recount, Settings, StepResult
from ppdm_desktop.engine.methods.base.suggestion import Suggestion
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.texts import Note

BY_RATIO = "by-ratio"


@register
class TwoPhaseNoise(Method):
    """Add noise, and show a value drawn anew from the cell it falls in (Liu et al. 2008, section 4).

    The paper's own faults: the interval it calls "twice the original size" is three cells and
    does not nest, so cells are doubled here; and its tables take nats for bits.
    """

    id = "two-phase-noise"
    title = "Add random noise to numbers"
    paper = (
        "L. Liu, M. Kantarcioglu and B. Thuraisingham, The applicability of the perturbation based privacy "
        "preserving data mining for real-world data, Data & Knowledge Engineering 65(1), 2008, section 4"
    )
    summary = (
        "Adds random noise to every value and then shows, in its place, another value of the same small cell. "
        "The stricter a record's privacy level, the larger the noise and the wider the cell."
    )
    promises = (
        "Every released value lies on the column's grid and in the cell of its own record's level.",
        "How much a reader learns about a value is worked out for each level before anything is drawn.",
        "The distribution of a column can be reconstructed from the release; single values cannot.",
        "No other column changes; missing values stay missing, and are counted.",
    )
    limits = (
        "Noise as large as the spread (ratio 1) still leaves an analyst 29 % better informed about a value.",
        "Cells of 25 and more add almost no privacy: the loss is 0.2910 without cells and 0.2905 with the paper's "
        "mixture of levels. What protects is the noise.",
        "Extremes are not hidden: who stood far out mostly still does.",
        "Several noisy releases of the same data average out.",
        "Independent noise on columns that go together can be filtered out: in the Abalone data the error left "
        "falls from 0.71 to 0.45 of the noise's standard deviation; with matched noise it stays at 0.70.",
        "The paper calls three cells twice the size of one and takes nats for bits; its tables understate "
        "the loss by about a quarter.",
        "Where people have several rows a value that is the same in all of them gets the same noise in all of them; "
        "one that changes gets noise of its own in each, which averages out for whoever can put the rows together.",
    )
    several_rows = "people"
    protects = "attribute"
    correspondence = "record"
    treatment = "randomisation (noise addition)"
    kinds = frozenset({"numeric"})
    reads_levels = ("intervals", "noise")
    public_parameters = frozenset({"noise", "snr", "sd", "phases", "covariance", "mode"})
    attacks = ("noise-filter", "seed-search", "averaging", "inference", "linkage")
    parameters = (
        ChoiceParameter(
            name="noise",
            label="Shape of the noise",
            help="How the noise is distributed.",
            effect="At the same spread, uniform noise says more about a value: it never reaches further than a limit.",
            default="gaussian",
            choices={"gaussian": "Bell-shaped, no limit.", "uniform": "Even, up to 1.7 standard deviations."},
        ),
        NumberParameter(
            name="snr",
            label="Spread of the data against the noise",
            help="Variance of the values divided by the variance of the noise, for the weakest privacy level.",
            effect="Smaller hides each value better and blurs every result more; 1 is noise as large as the spread.",
            default=1.0,
            low=0,
            low_open=True,
        ),
        ColumnNumbersParameter(
            name="sd",
            label="Size of the noise",
            help="Standard deviation of the noise in the column's own unit, in place of the ratio.",
            effect="Larger hides each value better and blurs every result more.",
            default=BY_RATIO,
            words={BY_RATIO: "From the ratio above, column by column."},
        ),
        NumberParameter(
            name="intervals",
            label="Cells",
            help="In how many cells the bounds are cut for phase 2; a stricter privacy level gets fewer.",
            effect="Fewer cells hide a little more; from 25 on the difference can hardly be measured.",
            default=200,
            low=1,
            whole=True,
            unit="cells",
            level_key="intervals",
            advanced=True,
        ),
        ChoiceParameter(
            name="phases",
            label="Phases",
            help="Whether a value is drawn anew from its cell after the noise.",
            effect="The second phase adds little privacy; what protects is the noise.",
            default="two",
            choices={"two": "Noise, then a draw from the cell.", "one": "Noise only, on the column's grid."},
            advanced=True,
        ),
        ColumnBoundsParameter(
            name="bounds",
            label="Bounds",
            help="Lowest and highest possible value by column, where the columns' own description has none.",
            effect="Bounds taken from the data can give away that somebody has an extreme value.",
            default={},
        ),
        ChoiceParameter(
            name="covariance",
            label="Noise of several columns",
            help="Whether the noise of several columns goes together as their values do.",
            effect="Independent noise on columns that go together can be filtered out; matched noise cannot.",
            default="automatic",
            choices={
                "automatic": "Matched where several columns get bell-shaped noise.",
                "independent": "Each column by itself, as in the paper.",
                "matched": "As the values of the columns go together.",
            },
            advanced=True,
        ),
        ChoiceParameter(
            name="mode",
            label="Privacy levels",
            help="What a stricter privacy level gets.",
            effect="Wider cells alone change what a reader learns by about 1 %; larger noise does much more.",
            default="safe",
            choices={"safe": "Larger noise and wider cells.", "faithful": "Wider cells only, as in the paper."},
            advanced=True,
        ),
    )

    def mode(self, settings: Settings) -> Literal["safe", "faithful"]:
        """Say whether every level gets the same noise, as in the paper."""
        return "faithful" if settings.values["mode"] == "faithful" else "safe"

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Refuse columns that cannot be served; say where bounds are missing and what does nothing.

        Raises
        ------
        RecipeError, InputError
            As ``plan_columns`` and ``noise_covariance``.
        """
        plans = plan_columns(table, settings)
        notes = list(noise_covariance(plans, settings).notes)
        guessed = [plan.column.name for plan in plans if plan.bounds.source == "data"]
        if guessed:
            notes.append(Note("note.noise.bounds-from-data", {"columns": ", ".join(guessed)}))
        idle = [plan.column.name for plan in plans if all(level.width == 1 for level in plan.levels)]
        if idle and settings.values["phases"] == "two":
            notes.append(Note("note.noise.phase-2-idle", {"columns": ", ".join(idle)}))
        levels = levels_of(table)
        if settings.values["mode"] == "faithful" and any(level.demand.noise != 1 for level in levels.levels):
            notes.append(Note("note.noise.faithful"))
        if "snr" in settings.written and isinstance(settings.values["sd"], int | float):
            notes.append(Note("note.noise.ratio-unused"))
        return tuple(notes)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return noise as the levels ask, and lighter noise."""
        return (
            Suggestion("Strong noise", after="strong noise"),
            Suggestion("Light noise", {"snr": 16.0}, after="light noise"),
        )

    def effect(self, table: Table, settings: Settings) -> Note:
        """Say how large the noise is and what an analyst learns all the same."""
        plans = plan_columns(table, settings)
        losses = plan_losses(plans, settings.values["noise"])
        least, most = min(losses, key=_loss), max(losses, key=_loss)
        sizes = "; ".join(f"{plan.column.name} ±{plan.levels[0].sd:.3g}" for plan in plans)
        arguments = {"sizes": sizes, "most": f"{100 * most.loss:.2g}", "least": f"{100 * least.loss:.2g}"}
        if arguments["most"] == arguments["least"]:
            return Note("note.noise.effect", arguments)
        return Note("note.noise.effect-levels", arguments)

    def run(self, table: Table, settings: Settings, streams: StepStream, progress: Progress) -> StepResult:
        """Draw noise and cells from the key and release each column on its grid."""
        progress.report(0.0, "progress.noise.draw")
        plans = plan_columns(table, settings)
        covariance = noise_covariance(plans, settings)
        losses = plan_losses(plans, settings.values["noise"])
        noise = draw_noise(plans, covariance, settings.values["noise"], streams, progress.part(0.0, 0.5))
        codes = levels_of(table).codes
        changed: list[Column] = []
        cells: dict[str, Cells] = {}
        for place, plan in enumerate(plans):
            progress.report(0.5 + 0.5 * place / len(plans), "progress.numeric.column")
            released, cell = released_column(plan, codes, noise[place], streams, progress)
            changed.append(released)
            cells[plan.column.name] = cell
        detail = _detail(plans, covariance, losses, settings, table.several)
        protections = tuple(
            Protection(plan.column.name, "noise", plan.known, _treatment(plan.known, codes)) for plan in plans
        )
        progress.report(1.0, "progress.numeric.column")
        return NoiseResult(table.replacing(*changed), protections, detail, cells=cells)

    def foreseen(self, table: Table, settings: Settings) -> Mapping[str, Any]:
        """Return size, cells and losses of the noise: all of the detail is settled beforehand."""
        plans = plan_columns(table, settings)
        losses = plan_losses(plans, settings.values["noise"])
        return _detail(plans, noise_covariance(plans, settings), losses, settings, table.several)

    def recognised(self, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
        """Return the noise: every record that has a value got some."""
        levels = levels_of(before).codes
        known = [(name, ~before.column(name).missing) for name in settings.columns]
        return tuple(Protection(name, "noise", has, _treatment(has, levels)) for name, has in known)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Count from two tables that every value is on the grid and every level has its noise."""
        return _recount(before, after, settings, detail, {})

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Count as well that every value is in the cell its own record's perturbed value fell in."""
        cells = result.cells if isinstance(result, NoiseResult) and result.cells is not None else {}
        return _recount(before, after, settings, result.detail, cells)


def _treatment(known: Bools, levels: AnyInts) -> Ints:
    return np.where(known, levels, -1).astype(np.int64)


def _loss(each: LevelLoss) -> float:
    return each.loss


def _recount(
    before: Table, after: Table, settings: Settings, detail: Mapping[str, Any], cells: Mapping[str, Cells]
) -> Recount:
    off, worst, proofs = 0, None, []
    for plan in plan_columns(before, settings):
        name = plan.column.name
        released = after.column(name)
        wrong = off_grid(plan.column, released) + parted_people(plan, released)
        if name in cells:
            wrong += out_of_cell(released, cells[name])
        lines = noise_proofs(before, plan, detail["columns"][name]["levels"], sound=wrong == 0)
        proofs += lines
        off += wrong + sum(not line.met for line in lines)
        losses = [line.privacy_loss for line in lines if line.privacy_loss is not None]
        worst = max([*losses, worst] if worst is not None else losses, default=None)
    guarantee = Guarantee("run", off == 0, before.rows * len(settings.columns), worst)
    return Recount(guarantee, tuple(proofs))


def _detail(
    plans: Sequence[ColumnPlan],
    covariance: NoiseCovariance,
    losses: Sequence[LevelLoss],
    settings: Settings,
    people: People | None,
) -> dict[str, Any]:
    matrix = covariance.matrix([plan.levels[0].sd for plan in plans])
    found = {(each.column, each.level): each for each in losses}
    columns = {}
    for plan in plans:
        weakest = plan.levels[0].sd
        drawn_for = {} if people is None else {"drawn_for": "rows" if plan.people is None else "people"}
        columns[plan.column.name] = {
            "law": settings.values["noise"],
            "sd": weakest,
            "snr": (plan.spread / weakest) ** 2,
            "origin": plan.origin,
            "step": plan.step,
            "bounds": [plan.bounds.low, plan.bounds.high],
            "bounds_source": plan.bounds.source,
            "h": float(plan.lattice.finest * style_of(plan.column).step),
            "no_value": int(np.count_nonzero(~plan.known)),
            **drawn_for,
            "levels": [
                {
                    "name": level.name,
                    "records": level.records,
                    "noise": level.multiplier,
                    "sd": level.sd,
                    "width": plan.width_of(level),
                    "cells": plan.lattice.cells(level.width),
                    "privacy_loss": found[plan.column.name, level.name].loss,
                    "privacy": found[plan.column.name, level.name].pi,
                }
                for level in plan.levels
            ],
        }
    return {
        "mode": settings.values["mode"],
        "noise": settings.values["noise"],
        "covariance": {
            "kind": covariance.kind,
            "columns": [plan.column.name for plan in plans],
            "matrix": matrix.tolist(),
        },
        "privacy_loss": max(each.loss for each in losses),
        "columns": columns,
    }
