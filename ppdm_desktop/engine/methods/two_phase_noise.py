"""`two-phase-noise`: adds noise, then draws a value from the cell in which the noisy value lies (Liu et al.)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.methods.algorithms.noise_addition.covariance import (
    NoiseCovariance,
    draw_noise,
    noise_covariance,
    plan_losses,
    preview_losses,
    released_column,
)
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import ColumnPlan, plan_columns
from ppdm_desktop.engine.methods.algorithms.noise_addition.recount import (
    Cells,
    NoiseResult,
    count_beyond_ends,
    count_inconstant_people,
    count_off_grid,
    count_out_of_cell,
    noise_proofs,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import Family, Knob, KnobKind, Method, register
from ppdm_desktop.engine.methods.base.kept_rules import KEPT, RULES_PARAMETER
from ppdm_desktop.engine.methods.base.level_losses import LevelLoss
from ppdm_desktop.engine.methods.base.parameters import (
    LARGER_HIDES_MORE,
    ChoiceParameter,
    ColumnBoundsParameter,
    ColumnNumbersParameter,
    NumberParameter,
)
from ppdm_desktop.engine.methods.base.step import (
    PAPER,
    SAFE,
    Guarantee,
    Profiles,
    Protection,
    Recount,
    Settings,
    StepResult,
    Suggestion,
    Used,
    Why,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Number, Ratio, Terms, Value

BY_RATIO = "by-ratio"


@register
class TwoPhaseNoise(Method):
    """Add noise, and show a value drawn from the cell in which the noisy value lies (Liu et al. 2008, section 4).

    Faults of the paper: the interval it calls "twice the original size" is three cells and does not nest, so cells are
    doubled here; and its Tables 7 to 9 fit nats inserted for bits (Table 2 does not).
    """

    id = "two-phase-noise"
    title = lazy("Add random noise to numbers")
    paper = lazy(
        "L. Liu, M. Kantarcioglu and B. Thuraisingham, The applicability of the perturbation based privacy "
        "preserving data mining for real-world data, Data & Knowledge Engineering 65(1), 2008, section 4"
    )
    summary = lazy(
        "Adds a random amount to every number, then replaces the result by another value nearby. "
        "People with a higher protection level get more noise."
    )
    promises = (
        lazy(
            "Every released value is written like the column’s own values and lies in the band that "
            "the protection level asks for."
        ),
        lazy("For each protection level, what a reader can learn about a value is calculated before the run."),
        lazy("The distribution of a column can be reconstructed from the release, but single values cannot."),
        lazy("With the recommended settings no value falls below zero if none was, and steps such as tens are kept."),
        lazy("No other column changes, and missing values stay missing."),
    )
    limits = (
        lazy(
            "Even when the noise is as large as the spread of the values (ratio 1), a released value "
            "narrows down the true one: the range it can lie in becomes 29% smaller on average."
        ),
        lazy("If the same data is released several times with noise, the noise averages out."),
        lazy("Extreme values are not hidden: unusually high or low values mostly stay so."),
        lazy(
            "If people have several rows, values that are the same in all of them get the same "
            "noise. Other values get separate noise, which averages out if rows are linked."
        ),
        lazy("Separate noise on related columns can be filtered out; matched noise cannot."),
    )
    expert = (
        lazy(
            "25 or more bands add almost no privacy: the loss is 0.2910 without bands and 0.2905 "
            "with the paper’s mixture of levels."
        ),
        lazy(
            "The paper calls three cells twice the size of one. Its Tables 7 to 9 fit nats put for bits, which "
            "understates the loss by about a quarter. Table 2 fits bits."
        ),
    )
    several_rows = "people"
    recipients_learn = lazy("Every value contains random noise. Use many values together, never a single one.")
    protects = "attribute"
    family = Family.NOISE
    knobs = (Knob(KnobKind.NOISE, "snr", (16.0, 4.0, 1.0, 0.5)),)
    record_by_record = True
    adds_known_noise = True
    invents_numbers = True
    values_label = lazy("with noise")
    keeps_rules = True
    unknown_file_parameters: ClassVar[Mapping[str, Any] | None] = {}
    treatment = lazy("randomisation (noise addition)")
    kinds = frozenset({"numeric"})
    reads_levels = ("intervals", "noise")
    public_parameters = frozenset({"noise", "snr", "sd", "phases", "covariance", "mode", "rules"})
    counts = "values"
    worst_is = "privacy"
    attacks = ("noise-filter", "row-averaging", "seed-search", "averaging", "inference", "linkage")
    profiles: ClassVar[Profiles] = {
        PAPER: {"mode": "faithful", "covariance": "independent"},
        SAFE: {RULES_PARAMETER.name: KEPT},
    }
    paper_fault = lazy(
        "Separate noise on related columns can be filtered out. In the Abalone data the remaining error falls from "
        "0.71 to 0.45 times the noise. Wider bands alone reduce what can be learnt at higher levels by only 1%."
    )
    paper_price = lazy("At the strictest level, an average needs five times as many people to be as exact (ratio 1).")
    parameters = (
        ChoiceParameter(
            name="noise",
            label=lazy("Shape of the noise"),
            help=lazy("How the noise is distributed."),
            effect=lazy("With the same strength, even noise reveals more about a value: it never goes beyond a limit."),
            default="gaussian",
            choices={
                "gaussian": lazy("Bell-shaped, without a limit."),
                "uniform": lazy("Even, up to 1.7 standard deviations."),
            },
            names={"gaussian": lazy("bell-shaped"), "uniform": lazy("even")},
        ),
        NumberParameter(
            name="snr",
            label=lazy("Spread of the data compared with the noise"),
            help=lazy(
                "The variance of the values divided by the variance of the noise, for the weakest protection level."
            ),
            effect=lazy(
                "A smaller number hides each value better, but makes every result less exact. At 1 the "
                "noise is as large as the spread."
            ),
            default=1.0,
            low=0,
            low_open=True,
        ),
        ColumnNumbersParameter(
            name="sd",
            label=lazy("Strength of the noise"),
            help=lazy("The standard deviation of the noise in the unit of the column, instead of the ratio."),
            effect=LARGER_HIDES_MORE,
            default=BY_RATIO,
            words={BY_RATIO: lazy("From the ratio to the spread of the data, column by column.")},
            names={BY_RATIO: lazy("from the ratio")},
        ),
        NumberParameter(
            name="intervals",
            label=lazy("Bands"),
            help=lazy(
                "Into how many bands the possible values are divided for phase 2. A higher protection level gets fewer."
            ),
            effect=lazy("Fewer bands hide a little more. From 25 bands on, there is hardly any difference."),
            default=200,
            low=1,
            whole=True,
            unit=lazy("bands"),
            level_key="intervals",
            advanced=True,
        ),
        ChoiceParameter(
            name="phases",
            label=lazy("Phases"),
            help=lazy("Whether a value is replaced by another of its band after the noise."),
            effect=lazy("The second phase adds little privacy. The noise is what protects."),
            default="two",
            choices={
                "two": lazy("Noise, then another value of the band."),
                "one": lazy("Noise only, rounded as in the column."),
            },
            names={"two": lazy("both"), "one": lazy("noise only")},
            advanced=True,
        ),
        ColumnBoundsParameter(
            name="bounds",
            label=lazy("Lowest and highest possible value"),
            help=lazy("The lowest and highest possible value of each column, if they are not set on the Columns page."),
            effect=lazy("If they are taken from the data, they can reveal that someone has an extreme value."),
            default={},
            of_file=True,
        ),
        ChoiceParameter(
            name="covariance",
            label=lazy("Noise of several columns"),
            help=lazy("Whether the noise of related columns is related in the same way."),
            effect=lazy("Separate noise on related columns can be filtered out; matched noise cannot."),
            default="automatic",
            choices={
                "automatic": lazy("Matched, if several columns get bell-shaped noise."),
                "independent": lazy("Each separately, as in the paper."),
                "matched": lazy("Matched to the relationships between the columns."),
            },
            names={
                "automatic": lazy("automatic"),
                "independent": lazy("separately"),
                "matched": lazy("matched"),
            },
            advanced=True,
        ),
        ChoiceParameter(
            name="mode",
            label=lazy("Protection of higher levels"),
            public_label=lazy("How noise was added"),
            help=lazy("What a higher protection level gets."),
            effect=lazy("The second phase adds little privacy. The noise is what protects."),
            default="safe",
            choices={
                "safe": lazy("More noise and wider bands."),
                "faithful": lazy("Wider bands only, as in the paper."),
            },
            names={"safe": lazy("recommended"), "faithful": lazy("as in the paper")},
            advanced=True,
        ),
        RULES_PARAMETER,
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on settings that protect less or have no effect.

        Raise an error for columns that cannot get noise. The notes are on bounds that are taken from the data, fewer
        decimals, noise that is independent between columns, settings without effect, and the paper's mode if privacy
        levels demand more noise.

        Raises
        ------
        RecipeError, InputError
            When the noise, its bounds or its covariance do not fit a column.
        """
        plans = plan_columns(table, settings)
        notes = list(noise_covariance(plans, settings).notes)
        guessed = [plan.column.name for plan in plans if plan.bounds.source == "data"]
        if guessed:
            notes.append(Note("note.noise.bounds-from-data", {"columns": Names.of(guessed)}))
        for plan in plans:
            if plan.style.decimals < style_of(plan.column).decimals:
                arguments: dict[str, Value] = {"column": Name(plan.column.name), "decimals": plan.style.decimals}
                notes.append(Note("note.numbers.rounded", arguments))
        unbinned_columns = [plan.column.name for plan in plans if all(level.width == 1 for level in plan.levels)]
        if unbinned_columns and settings.values["phases"] == "two":
            notes.append(Note("note.noise.phase-2-idle", {"columns": Names.of(unbinned_columns)}))
        levels = levels_of(table)
        if settings.values["mode"] == "faithful" and any(level.demand.noise != 1 for level in levels.levels):
            notes.append(Note("note.noise.faithful"))
        if "snr" in settings.written and isinstance(settings.values["sd"], int | float):
            notes.append(Note("note.noise.ratio-unused"))
        return tuple(notes)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return two suggestions: noise as the privacy levels demand, and lighter noise with a variance ratio of 16."""
        return (
            Suggestion(lazy("Strong noise")),
            Suggestion(lazy("Light noise"), {"snr": 16.0}),
        )

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the standard deviation of the noise of each column, and on the privacy loss.

        The standard deviation is that of the weakest privacy level; if losses differ between columns or levels, the
        note names the smallest and the largest. The errors are those of ``check``, except those on the covariance.
        """
        plans = plan_columns(table, settings)
        losses = plan_losses(plans, settings.values["noise"])
        least, most = min(losses, key=attrgetter("loss")), max(losses, key=attrgetter("loss"))
        sizes = tuple(
            lazy("{column} ±{size}", column=Name(plan.column.name), size=Number(plan.levels[0].sd)) for plan in plans
        )
        arguments: dict[str, Value] = {"sizes": Terms(sizes), "most": Ratio(most.loss), "least": Ratio(least.loss)}
        if f"{most.loss:.2g}" == f"{least.loss:.2g}":
            return Note("note.noise.effect", arguments)
        return Note("note.noise.effect-levels", arguments)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the values used for parameters.

        With two phases, they begin with the number of bands that each privacy level demands. After a run follow, for
        each column, the noise of each level and the bounds, then the variance ratios, if columns use them, and the
        covariance, if the program chose it.
        """
        if settings.values["phases"] == "two":
            yield from super()._list_used_values(table, settings, detail)
        if not detail:
            return
        ratio, single = float(settings.values["snr"]), len(detail["columns"]) == 1
        by_ratio = _list_ratio_columns(settings)
        for name, column_detail in detail["columns"].items():
            column = None if single else name
            for level in column_detail["levels"]:
                why: Why = "data" if name in by_ratio else "levels"
                yield Used("sd", level["sd"], why, level["name"], column)
            source = column_detail["bounds_source"]
            yield Used("bounds", column_detail["bounds"], "columns" if source == "declared" else "data", column=name)
        if by_ratio:
            for level in next(iter(detail["columns"].values()))["levels"]:
                more = float(level["noise"])
                yield Used("snr", ratio / more**2, "levels" if more != 1 else "set", level["name"])
        if len(detail["columns"]) > 1 and settings.values["covariance"] == "automatic":
            yield Used("covariance", detail["covariance"]["kind"], "program")

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the names of parameters that have no effect.

        They are the variance ratio if the recipe sets the noise of all columns, the bands without phase 2 (in which
        values are drawn anew inside bands), and the covariance for a single column.
        """
        ineffective_parameters = set() if _list_ratio_columns(settings) else {"snr"}
        if settings.values["phases"] == "one":
            ineffective_parameters.add("intervals")
        if len(settings.columns) == 1:
            ineffective_parameters.add("covariance")
        return frozenset(ineffective_parameters)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with random noise in each column; values keep to the column's grid.

        With two phases, another value of the cell in which a noisy value lies is shown. All rows with a value count as
        protected; missing values stay missing. The step's figures are those of ``preview``; the cells of the noisy
        values are kept in memory for ``recount_run``. The errors are those of ``check``, and InputError if a released
        number has too many digits or would be read as a missing value.
        """
        progress.report(0.0, "progress.method.write")
        plans = plan_columns(table, settings)
        covariance = noise_covariance(plans, settings)
        losses = plan_losses(plans, settings.values["noise"])
        noise = progress.part(0.0, 0.5).run(draw_noise, plans, covariance, settings.values["noise"], streams)
        codes = levels_of(table).codes
        changed: list[Column] = []
        cells: dict[str, Cells] = {}
        for index, plan in enumerate(plans):
            progress.report(0.5 + 0.5 * index / len(plans), "progress.method.write")
            released, cell = released_column(plan, codes, noise[index], streams)
            changed.append(released)
            cells[plan.column.name] = cell
        detail = _build_detail(plans, covariance, losses, settings, table.persons)
        protections = tuple(
            Protection(plan.column.name, "noise", plan.known, _find_record_levels(plan.known, codes)) for plan in plans
        )
        progress.report(1.0, "progress.method.write")
        return NoiseResult(table.replacing(*changed), protections, detail, cells=cells)

    def level_losses(self, table: Table, settings: Settings) -> tuple[LevelLoss, ...]:
        """Return the privacy loss, from 0 to 1, by column and, within a column, by privacy level, weakest first.

        The errors are those of ``check``, except those on the covariance.
        """
        return preview_losses(table, settings)

    def change_by_cells(self, table: Table, settings: Settings) -> float | None:
        """Return the largest change of a privacy loss by phase 2, over all columns and levels; None without phase 2.

        In phase 2, noisy values are drawn anew inside cells of neighbouring values. The change has no sign; losses are
        shares, so 0.02 means two percentage points up or down. InputError if a column cannot get noise, as in
        ``check``.
        """
        if settings.values["phases"] == "one":
            return None
        without = replace(settings, values={**settings.values, "phases": "one"})
        pairs = zip(preview_losses(table, settings), preview_losses(table, without), strict=True)
        return max((abs(loss.loss - loss_by_cells.loss) for loss, loss_by_cells in pairs), default=0.0)

    def preview(self, table: Table, settings: Settings) -> Mapping[str, Any]:
        """Return all figures of the step's report (noise, cells, covariance, losses), as they are known before a run.

        The errors are those of ``check``.
        """
        plans = plan_columns(table, settings)
        losses = plan_losses(plans, settings.values["noise"])
        return _build_detail(plans, noise_covariance(plans, settings), losses, settings, table.persons)

    def infer_protections(self, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
        """Return a protection by noise for each column; every record that has a value counts as protected."""
        levels = levels_of(before).codes
        present_by_name = [(name, ~before.column(name).missing) for name in settings.columns]
        return tuple(Protection(name, "noise", has, _find_record_levels(has, levels)) for name, has in present_by_name)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether every value is on the column's grid and every privacy level has its noise.

        ``worst`` is the largest privacy loss of any column and level.
        """
        return _recount_noise(before, after, settings, detail, {})

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return the same as ``recount``, and also whether every value lies in the cell of its noisy value.

        Only the run knows the cells. ``worst`` is the largest privacy loss of any column and level.
        """
        cells = result.cells if isinstance(result, NoiseResult) and result.cells is not None else {}
        return _recount_noise(before, after, settings, result.detail, cells)


def _list_ratio_columns(settings: Settings) -> tuple[str, ...]:
    """Return the names of the columns whose noise follows from the variance ratio, not from the recipe."""
    sd = settings.values["sd"]
    written = tuple(sd) if isinstance(sd, Mapping) else settings.columns if isinstance(sd, int | float) else ()
    return tuple(name for name in settings.columns if name not in written)


def _find_record_levels(present: Bools, levels: AnyInts) -> Ints:
    """Return the index of each record's privacy level, int64, shape (records,); -1 for records without a value."""
    return np.where(present, levels, -1).astype(np.int64)


def _recount_noise(
    before: Table, after: Table, settings: Settings, detail: Mapping[str, Any], cells: Mapping[str, Cells]
) -> Recount:
    """Return whether values are on their column's grid and in their cells, and every privacy level has its noise.

    The noise itself is not measured: its standard deviation and the cells' width, as the run reported them in
    ``detail``, must be those that each level demands or larger. Values must also lie within ends at which noise is
    reflected, and be constant within people where they were. ``cells`` are the cells by column; for columns that it
    lacks, cells are not checked. ``worst`` is the largest privacy loss that the run reported, None if it reported none.
    """
    off, worst, proofs = 0, None, []
    for plan in plan_columns(before, settings):
        name = plan.column.name
        released = after.column(name)
        wrong = count_off_grid(plan.column, released) + count_inconstant_people(plan, released)
        if name in cells:
            wrong += count_out_of_cell(released, cells[name])
        wrong += count_beyond_ends(plan, released)
        lines = noise_proofs(before, plan, detail["columns"][name]["levels"], sound=wrong == 0)
        proofs += lines
        off += wrong + sum(not line.met for line in lines)
        losses = [line.privacy_loss for line in lines if line.privacy_loss is not None]
        worst = max([*losses, worst] if worst is not None else losses, default=None)
    guarantee = Guarantee("run", off == 0, before.rows * len(settings.columns), worst)
    return Recount(guarantee, tuple(proofs))


def _build_detail(
    plans: Sequence[ColumnPlan],
    covariance: NoiseCovariance,
    losses: Sequence[LevelLoss],
    settings: Settings,
    people: People,
) -> dict[str, Any]:
    """Return the figures for the report as plain data: the covariance, the largest privacy loss, and figures by column.

    The settings ``mode`` and ``noise`` are copied. The covariance matrix and a column's own ``sd`` and ``snr`` are
    those of the weakest privacy level; under ``levels``, each column has the figures of every level.
    """
    matrix = covariance.matrix([plan.levels[0].sd for plan in plans])
    loss_of = {(loss.column, loss.level): loss for loss in losses}
    columns = {}
    for plan in plans:
        weakest = plan.levels[0].sd
        drawn_for = {"drawn_for": "people" if plan.drawn_for.with_several else "rows"} if people.with_several else {}
        mirror = {"reflected_at": plan.origin} if plan.reflected else {}
        if plan.period is not None:
            mirror["period"] = plan.period
        columns[plan.column.name] = {
            "law": settings.values["noise"],
            "sd": weakest,
            "snr": (plan.spread / weakest) ** 2,
            "origin": plan.origin,
            "step": plan.step,
            "bounds": [plan.bounds.low, plan.bounds.high],
            "bounds_source": plan.bounds.source,
            "h": float(plan.lattice.finest * plan.style.step),
            "no_value": int(np.count_nonzero(~plan.known)),
            **mirror,
            **drawn_for,
            "levels": [
                {
                    "name": level.name,
                    "records": level.records,
                    "noise": level.multiplier,
                    "sd": level.sd,
                    "width": plan.width_of(level),
                    "cells": plan.lattice.cells(level.width),
                    "privacy_loss": loss_of[plan.column.name, level.name].loss,
                    "privacy": loss_of[plan.column.name, level.name].pi,
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
        "privacy_loss": max(loss.loss for loss in losses),
        "columns": columns,
    }
