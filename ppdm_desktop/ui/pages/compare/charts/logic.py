"""What Before and after says of each column, from the report's and the measures' own figures. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.release.measures.generalised_columns import GeneralisedColumn
from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.engine.texts import plural
from ppdm_desktop.ui.state.number_words import count, of_hundred, percent


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


@dataclass(frozen=True)
class Before:
    """A column's values before and after.

    Attributes
    ----------
    severity, word
        ``passed`` Kept, ``amber`` Shifted, or ``note`` Coarser.
    shift
        Total variation of what is drawn; None where ranges cannot be set against values.
    labels, before, after
        Shares by value; of a column with ``spans`` empty.
    spans
        (words, share) by how many values of the original a released range stands for.
    small
        Unit, source, numbers.
    remedy
        What to do, where something is to be done.
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
    small: str
    remedy: str = ""


KEPT_BELOW = 0.01


def marginals(judged: Evaluation) -> list[Before]:
    """Return the charts of treated columns, largest shift first, columns that are only coarser last."""
    report = judged.report
    shifts = {each.name: each.total_variation.value for each in report.utility.columns}
    generalised = {each.name: each for each in judged.measures.generalised}
    numbers = _tr("Original n = {before}; released n = {after}.").format(
        before=count(report.input.records), after=count(report.release.rows)
    )
    found = []
    for chart in judged.measures.marginals:
        value = shifts.get(chart.name)
        by_value = None if value is None else float(value)
        told = generalised.get(chart.name)
        if told is not None and told.marginal is None:
            found.append(_local(told, by_value, numbers))
            continue
        if told is not None:
            severity, word, shift = "note", _tr("Coarser"), told.shift
            title, small, remedy = _generalised_title(told), _generalised_print(by_value, shift, numbers), ""
        else:
            shift = by_value
            kept = shift is not None and shift <= KEPT_BELOW
            severity, word = ("passed", _tr("Kept")) if kept else ("amber", _tr("Shifted"))
            if not kept:
                pattern = _tr("{column} shifted: its totals moved by {shift}")
            elif shift == 0:
                pattern = _tr("{column} keeps its totals: every share is as before")
            else:
                pattern = _tr("{column} keeps its totals: they moved by {shift}")
            title = pattern.format(column=chart.name, shift=percent(shift))
            small = _tr("Share of records. {numbers} Total variation {shift}.").format(
                numbers=numbers, shift=percent(shift)
            )
            remedy = (
                "" if kept else _tr("What to do: tell the recipient, or choose settings on Protect that change less.")
            )
        found.append(
            Before(chart.name, title, severity, word, shift, chart.labels, chart.before, chart.after, (), small, remedy)
        )
    order = {"amber": 0, "passed": 1, "note": 2}
    return sorted(found, key=lambda each: (order[each.severity], -(each.shift or 0)))


def _generalised_title(told: GeneralisedColumn) -> str:
    generalised = plural(
        told.values_after,
        _tr("{column} is written coarser, 1 value instead of {before}"),
        _tr("{column} is written coarser, {after} values instead of {before}"),
    )
    if told.shift is not None and told.shift > KEPT_BELOW:
        totals = _tr("its totals moved by {shift}").format(shift=percent(told.shift))
    else:
        totals = _tr("its totals are as before")
    words = generalised.format(column=told.name, after=count(told.values_after), before=count(told.values_before))
    return f"{words}; {totals}"


def summary_words(judged: Evaluation, shown: int) -> str:
    """Say how many released columns are as they were, and how many are drawn."""
    same, every = untouched(judged), len(judged.report.utility.columns)
    if same == every and not shown:
        return _tr("Every released column has the values it had, so there is none to show here.")
    kept = plural(
        same,
        _tr("1 of {every} released columns has the values it had"),
        _tr("{same} of {every} released columns have the values they had"),
    )
    if same == 0:
        kept = _tr("None of the {every} released columns has all the values it had")
    drawn = plural(shown, _tr("1 is shown here"), _tr("{n} are shown here, largest shift first"))
    if not shown:
        drawn = _tr("none is shown here")
    return f"{kept.format(same=count(same), every=count(every))}; {drawn.format(n=count(shown))}."


def _generalised_print(by_value: float | None, shift: float | None, numbers: str) -> str:
    return _tr(
        "Share of records, both sides in the released words. {numbers} Total variation {shift}; set against single "
        "values it is {by_value}, because every range then counts as another value."
    ).format(numbers=numbers, shift=percent(shift), by_value=percent(by_value))


def _local(told: GeneralisedColumn, by_value: float | None, numbers: str) -> Before:
    """Describe a column in which one value has several ranges: only their width can be drawn."""
    share = of_hundred(told.generalised / max(told.records, 1))
    title = _tr("{column} is written coarser for {share} people; no value became another one").format(
        column=told.name, share=share
    )
    spans = []
    for span in told.spans:
        if span.high is not None and span.low > told.values_before:
            continue
        if span.low == 1 and span.high == 1:
            words = _tr("one value")
        elif span.high is None:
            words = _tr("{low} values and more").format(low=span.low)
        else:
            words = _tr("{low} to {high} values").format(low=span.low, high=span.high)
        if span.share > 0 or span.low <= told.values_before:
            spans.append((words, span.share))
    small = _tr(
        "Share of the people shown, by how many of the {values} values of the original their released range stands "
        "for. {numbers} Set against single values the total variation is {by_value}, because every range then counts "
        "as another value."
    ).format(values=count(told.values_before), numbers=numbers, by_value=percent(by_value))
    return Before(told.name, title, "note", _tr("Coarser"), None, (), (), (), tuple(spans), small)


def untouched(judged: Evaluation) -> int:
    """Return how many released columns have the values they had."""
    drawn = {chart.name for chart in judged.measures.marginals}
    return sum(
        each.name not in drawn and not (each.total_variation.value or 0) for each in judged.report.utility.columns
    )
