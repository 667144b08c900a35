"""Charts and sentences on each column before and after, made from the report and its measures; no widgets."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.release.measures.generalised_columns import GeneralisedColumn
from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.engine.report.charts import Marginal
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Ratio, Term
from ppdm_desktop.ui.state.number_texts import format_rounded_count


@dataclass(frozen=True)
class Before:
    """The distribution of a column before and after.

    Attributes
    ----------
    severity, word
        ``passed`` Kept, ``amber`` Changed, or ``note`` Broader.
    shift
        Total variation distance of both distributions; None if ranges cannot be compared with values.
    labels, before, after
        Values and their shares before and after; empty if ``spans`` is used.
    spans
        (label, share): shares of released ranges by how many values of the original they cover.
    records
        Number of records behind the shares, before and after; with ``spans``, of those drawn.
    small
        Small print: unit, source, numbers of records.
    remedy
        What to do, or empty.
    """

    name: str
    title: str
    severity: str
    word: str
    shift: float | None
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    spans: tuple[tuple[str, float], ...]
    records: tuple[int, int]
    small: str
    remedy: str = ""


KEPT_BELOW = 0.01


def list_marginal_charts(judged: Evaluation) -> list[Before]:
    """Return the charts of the treated columns that changed most, at most 12, largest change first.

    Treated are columns that a step was applied to. Each chart shows the distribution before and after, or, if values
    were released as ranges of various widths, how wide these are.
    """
    report = judged.report
    shifts = {column.name: column.total_variation.value for column in report.utility.columns}
    generalised = {column.name: column for column in judged.measures.generalised}
    numbers = _("Original n = {before}, released n = {after}.", before=report.input.records, after=report.release.rows)
    charts = []
    for chart in judged.measures.marginals:
        generalised_column = generalised.get(chart.name)
        if generalised_column is not None and generalised_column.marginal is None:
            charts.append(_build_range_width_chart(generalised_column, numbers))
        elif generalised_column is not None:
            title, small = (
                _generalised_title(generalised_column),
                _format_small_print(generalised_column.shift, numbers),
            )
            charts.append(_build_column_chart(chart, "note", _("Broader"), title, generalised_column.shift, small))
        else:
            value = shifts.get(chart.name)
            charts.append(_build_comparable_chart(chart, None if value is None else float(value), numbers))
    return charts


def _build_column_chart(
    chart: Marginal, severity: str, word: str, title: str, shift: float | None, small: str, remedy: str = ""
) -> Before:
    """Return the chart of a column, with its shares before and after.

    Parameters
    ----------
    chart
        The measured distribution.
    severity, word, title
        Judgement of the change, its label, and the title of the chart.
    shift
        Total variation between both distributions; None if unknown.
    small, remedy
        Small print, and what to do ("" for nothing).
    """
    labels = tuple(map(str, chart.labels))
    shares = (labels, chart.before, chart.after, ())
    return Before(chart.name, title, severity, word, shift, *shares, chart.records, small, remedy)


def _build_comparable_chart(chart: Marginal, shift: float | None, numbers: str) -> Before:
    """Return the chart of a column whose released values can be compared with the original values, and its judgement.

    It is judged "Kept", or "Changed" with a remedy if the shift is large or unknown.

    Parameters
    ----------
    chart
        The measured distribution.
    shift
        Total variation between both distributions; above ``KEPT_BELOW``, or if unknown (None), it counts as changed.
    numbers
        A sentence on the numbers of records.
    """
    severity, word, remedy = "passed", _("Kept"), ""
    if shift is None or shift > KEPT_BELOW:
        severity, word = "amber", _("Changed")
        remedy = _("What to do: inform the recipient, or choose settings on the Protect page that change less.")
    column = Name(chart.name)
    title = _("{column}: the shares of its values changed by {shift}", column=column, shift=Ratio(shift))
    if shift == 0:
        title = _("{column}: the shares of its values are unchanged", column=column)
    return _build_column_chart(chart, severity, word, title, shift, _format_small_print(shift, numbers), remedy)


def _generalised_title(generalised_column: GeneralisedColumn) -> str:
    """Return a generalised column's title: how many values became how many broader ones, and how shares changed."""
    return _(
        "{column}: {after} broader {after:value|values} instead of {before}; their shares changed by {shift}",
        column=Name(generalised_column.name),
        after=generalised_column.values_after,
        before=generalised_column.values_before,
        shift=Ratio(generalised_column.shift),
    )


def summarise_changes(judged: Evaluation) -> str:
    """Return a sentence on how many of all released columns have unchanged shares of values.

    They are counted as by ``count_unchanged_columns``: a column that was not measured counts as unchanged.
    """
    return _(
        "The shares of values are unchanged in {same} of {every} released {every:column|columns}.",
        same=count_unchanged_columns(judged),
        every=len(judged.report.utility.columns),
    )


def _format_small_print(shift: float | None, numbers: str) -> str:
    """Return the small print of a column: numbers of records, and total variation.

    Parameters
    ----------
    shift
        Total variation, 0 to 1; None if unknown.
    numbers
        A sentence on the numbers of records.
    """
    return _("Share of the records. {numbers} Total variation {shift}.", numbers=Term(numbers), shift=Ratio(shift))


def _build_range_width_chart(generalised_column: GeneralisedColumn, numbers: str) -> Before:
    """Return the chart of a column whose values were released as various ranges: shares by width of the range.

    The width is the number of different original values that a range covers. Bands of widths above the number of the
    column's original values are left out, except a last band without upper end that has a share. ``numbers`` is a
    sentence on the numbers of records.
    """
    title = _(
        "{column}: broader values in {share} of the rows; no value became a different one",
        column=Name(generalised_column.name),
        share=Ratio(generalised_column.generalised / max(generalised_column.records, 1)),
    )
    spans = []
    for span in generalised_column.spans:
        if span.high is not None and span.low > generalised_column.values_before:
            continue
        if span.high is None:
            text = f"≥ {format_rounded_count(span.low)}"
        else:
            text = _("{low} to {high}", low=span.low, high=span.high)
        if span.share > 0 or span.low <= generalised_column.values_before:
            spans.append((text, span.share))
    small = _(
        "Share of the records shown, by how many of the {values} original values their released range covers. "
        "{numbers}",
        values=generalised_column.values_before,
        numbers=Term(numbers),
    )
    records = (generalised_column.records, generalised_column.records)
    return Before(generalised_column.name, title, "note", _("Broader"), None, (), (), (), tuple(spans), records, small)


def count_unchanged_columns(judged: Evaluation) -> int:
    """Return the number of released columns whose shares of values are unchanged (total variation 0, or not measured).

    A generalised column counts only if its shares of broader values were compared and are unchanged.
    """
    totals = {column.name: column.total_variation.value or 0.0 for column in judged.report.utility.columns}
    ranges = {column.name: column.shift for column in judged.measures.generalised}
    return sum(shift == 0.0 for shift in {**totals, **ranges}.values())
