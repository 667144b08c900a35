"""Axis, curves, table and sentences of the tab "Ranges", made from the engine's results; no widgets.

A range is tried by one run for each value and each key; a key determines the random draws of a run.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.evaluate.scorecard import RISKS
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.sweep.curves import Curve, Proposal, curves_of
from ppdm_desktop.engine.release.sweep.run import (
    ATTACK,
    BLOCKED,
    LEVELS,
    MEASURES,
    REFUSED,
    RELEASED,
    WITH_REASONS,
    SweepMeasure,
    SweepRow,
    Value,
)
from ppdm_desktop.engine.release.sweep.texts import OUTCOMES, describe_proposal, format_sweep_figure, list_check_titles
from ppdm_desktop.engine.report.setting_texts import format_value
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Name, Term, Terms
from ppdm_desktop.ui.charts.ranges import RangeAxis, RangePanel, RangePoint
from ppdm_desktop.ui.state.number_texts import format_rounded_count, percent
from ppdm_desktop.ui.state.tried_range import RUNNING, TriedRange

NOTHING = ""
"""Entry in the list of measures for "no lower chart"."""
_WORST = (REFUSED, BLOCKED, WITH_REASONS, RELEASED)
_BY_ID = {measure.id: measure for measure in MEASURES}


def axis_of(tried: TriedRange) -> RangeAxis:
    """Return the axis of a setting's tried values: numbers at their own position, other values at 0, 1, 2 ...

    If any value is no number, all values are placed at 0, 1, 2 and so on.
    """
    values = tried.sweep.grid.values
    numbers = [float(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    named = len(numbers) < len(values)
    at = tuple(float(index) for index in range(len(values))) if named else tuple(numbers)
    parameter = tried.parameter
    labels = tuple(format_value(parameter, value) for value in values)
    return RangeAxis(f"{parameter.label_text} ({tried.method.title})", labels, at, named)


def list_measures(rows: Sequence[SweepRow]) -> list[SweepMeasure]:
    """Return the measures that have a figure for at least one value, in the engine's order."""
    return [_BY_ID[curve.measure] for curve in curves_of(rows)]


def first_choices(sweep_measures: Sequence[SweepMeasure]) -> tuple[str, str]:
    """Return the ids of the two measures that are drawn first, for the upper and the lower chart.

    The upper chart has the first measure. The lower one has the first other measure that is of an attack or of
    protection levels. ``NOTHING`` stands for a chart that has no such measure.
    """
    above = next((measure.id for measure in sweep_measures), NOTHING)
    return above, next(
        (
            sweep_measure.id
            for sweep_measure in sweep_measures
            if sweep_measure.kind in (ATTACK, LEVELS) and sweep_measure.id != above
        ),
        NOTHING,
    )


def panel_of(tried: TriedRange, measure: str) -> RangePanel:
    """Return the curve of one measure over the tried values, with the limit of the check on this measure.

    A point has the mean, lowest and highest figure over the keys. Values without a figure have no point.
    """
    sweep_measure = _BY_ID[measure]
    values = tried.sweep.grid.values
    curve = next((curve for curve in curves_of(tuple(tried.rows)) if curve.measure == measure), Curve(measure, ()))
    points = tuple(
        RangePoint(
            values.index(point.value), point.mean, point.low, point.high,
            _format_mean_range(sweep_measure, point.mean, point.low, point.high),
        )
        for point in curve.points
    )  # fmt: skip
    limit = limit_of(tried.sweep.recipe, measure)
    text = "" if limit is None else _("limit {limit}", limit=Term(format_sweep_figure(sweep_measure, limit)))
    return RangePanel(str(sweep_measure.title), points, sweep_measure.is_share, limit, text)


def limit_of(recipe: Recipe, measure: str) -> float | None:
    """Return the limit of the check on a measure, up to which a release needs no written reason.

    None if no check judges the measure or no release type is chosen, and for the check on restored values, which has
    two different limits: a share and, for noise, the residual error.
    """
    if measure not in RISKS or recipe.release.type is None:
        return None
    check, type = find_check(RISKS[measure]), RELEASE_TYPES[recipe.release.type]
    return None if "ratio" in check.figure_unit else float(check.limits(type, type.k_min).green)


def _format_mean_range(measure: SweepMeasure, mean: float, low: float, high: float) -> str:
    """Return a mean with its range over the keys, such as "12 (10 to 14)", or the mean alone if all are equal.

    A key is the secret from which the random numbers of a run are drawn; each value is run with several.
    """
    terms = [Term(format_sweep_figure(measure, figure)) for figure in (mean, low, high)]
    if low == high:
        return str(terms[0].text)
    return _("{mean} ({low} to {high})", mean=terms[0], low=terms[1], high=terms[2])


# --- sentences --------------------------------------------------------------------------


def find_worst_outcome(rows: Sequence[SweepRow], value: Value) -> str:
    """Return the worst outcome of a value over its keys, where "refused" is worst; "" if the value has no run yet."""
    outcomes = [row.outcome for row in rows if row.value == value]
    return min(outcomes, key=_WORST.index, default="")


def title_of(tried: TriedRange, proposal: Proposal) -> str:
    """Return the title: which value is proposed and what it keeps, or why none is; during the runs what is being tried.

    Afterwards it is "" without a result of any run.
    """
    if tried.status == RUNNING:
        return _("Trying {setting}", setting=Name(str(tried.parameter.label_text)))
    if not tried.rows:
        return ""
    sentences = describe_proposal(
        proposal, lambda value: format_value(tried.parameter, value), attacked=tried.sweep.attacked
    )
    return " ".join(sentence.format() for sentence in sentences)


def caption_of(tried: TriedRange) -> str:
    """Return how many of all runs were made, as text: "3 of 20 runs"."""
    return _("{done} of {all} {all:run|runs}", done=tried.done, all=tried.sweep.trials)


def note_beyond_limit(tried: TriedRange, measures: Sequence[str]) -> str:
    """Return a note if a drawn measure of some value is beyond its limit although no check stops this value; else "".

    A measure counts by its highest figure over the keys.
    """
    values, rows = tried.sweep.grid.values, tuple(tried.rows)
    for panel in (panel_of(tried, measure) for measure in measures):
        for point in panel.points:
            stopped = find_worst_outcome(rows, values[point.index]) in (BLOCKED, REFUSED)
            if panel.limit is not None and point.high > panel.limit and not stopped:
                return _(
                    "Some values lie beyond a limit and are not stopped. The check asks for a written reason there, or "
                    "does not apply to this step."
                )
    return ""


def describe_failed_values(tried: TriedRange) -> str:
    """Return a sentence on the values whose runs so far all failed and that so have no point; "" if there are none."""
    refused = {row.value for row in tried.rows if row.outcome == REFUSED}
    run = {row.value for row in tried.rows if row.outcome != REFUSED}
    names = tuple(format_value(tried.parameter, value) for value in tried.sweep.grid.values if value in refused - run)
    if not names:
        return ""
    return _(
        "Without a dot: {values}. {n:This value|These values} could not be run. “Show as table” says why.",
        values=Terms(names),
        n=len(names),
    )


def value_choices(tried: TriedRange) -> list[tuple[str, str]]:
    """Return the values to choose from, also failed ones: (index from 0 as text, value with its outcome, if any).

    The outcome is the worst over the keys.
    """
    choices = []
    for index, value in enumerate(tried.sweep.grid.values):
        outcome = find_worst_outcome(tuple(tried.rows), value)
        text = format_value(tried.parameter, value)
        choices.append((str(index), f"{text} · {OUTCOMES[outcome]}" if outcome else text))
    return choices


def explain_range_curves(tried: TriedRange) -> str:
    """Return the small print below the curves, which also says whether attacks were run."""
    if tried.sweep.attacked:
        return _("Dots: mean over the keys. Attack tests: upper end of the 95% interval.")
    return _("Dots: mean over the keys. Attack tests were left out.")


# --- the table --------------------------------------------------------------------------


def headers_of(sweep_measures: Sequence[SweepMeasure]) -> tuple[str, ...]:
    """Return the headings of the table of runs: value, key, outcome, each measure, and what stops the run's release."""
    return (
        _("Value"),
        _("Key"),
        _("Outcome"),
        *(str(sweep_measure.title) for sweep_measure in sweep_measures),
        _("Stopped by"),
    )


def table_rows(tried: TriedRange, sweep_measures: Sequence[SweepMeasure]) -> list[tuple[str, ...]]:
    """Return a table row for each run, by value and key: both, outcome, figures (or a dash), and what stops it.

    The key is its number from 1, or a dash if the run draws nothing at random and was not refused. What stops it are
    titles of checks, or why it was refused; "" if nothing does.
    """
    values = tried.sweep.grid.values
    rows = sorted(tried.rows, key=lambda row: (values.index(row.value), row.repeat))
    return [
        (
            format_value(tried.parameter, row.value),
            format_rounded_count(row.repeat) if row.drawn or row.outcome == REFUSED else percent(None),
            str(OUTCOMES[row.outcome]),
            *(
                format_sweep_figure(measure, row.figures[measure.id]) if measure.id in row.figures else percent(None)
                for measure in sweep_measures
            ),
            row.why or numbers_of(language()).list([str(text) for text in list_check_titles(row.blocking).texts]),
        )
        for row in rows
    ]  # fmt: skip
