"""What learners keep, in words: sentences and rows of the tab, from the report's own objects. No widget here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analyses import Analyses, analyse
from ppdm_desktop.engine.texts import render
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.ui.charts.model_accuracy import LearnerRow, Mark
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.work.tasks import Work

LEAST_CHANGE = 0.005


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def analysing(candidate: Candidate) -> Work:
    """Return the work of trying out the usual analyses; its result names the candidate they belong to."""

    def work(progress: Progress) -> tuple[Analyses, Candidate]:
        return analyse(candidate, progress), candidate

    return work


@dataclass(frozen=True)
class TaskShown:
    """One thing that learners tell.

    Attributes
    ----------
    target, task
        The column, and what of it is told.
    title
        What the chart says.
    rows, tables
        One for each learner: for the chart, and as texts for the table.
    small
        Number of records and folds, in small print.
    remedy
        What to do where little is kept, or empty.
    """

    target: str
    task: str
    title: str
    rows: tuple[LearnerRow, ...]
    tables: tuple[tuple[str, ...], ...]
    small: str
    remedy: str

    @property
    def measured(self) -> bool:
        """Whether there is any figure to draw."""
        return any(row.original.value is not None or row.truth.value is not None for row in self.rows)


def tasks_shown(analyses: Analyses) -> list[TaskShown]:
    """Return what learners were asked, in the order of the report."""
    groups = groupby(analyses.models, key=lambda each: (each.target, each.task))
    return [_task(target, task, list(results)) for (target, task), results in groups]


def learner_headers() -> tuple[str, ...]:
    """Return the headings of the figures as a table."""
    return (
        _tr("Learner"),
        _tr("Original"),
        _tr("Against the truth"),
        _tr("Against the release"),
        _tr("Commonest"),
        _tr("Leaves"),
        _tr("Result"),
    )


def _task(target: str, task: str, results: Sequence[ModelResult]) -> TaskShown:
    rows = tuple(_row(each) for each in results)
    tables = tuple(_table_row(row, each) for row, each in zip(rows, results, strict=True))
    figures = [each.scores.original for each in results]
    records = max((figure.n or 0 for figure in figures), default=0)
    folds = max((each.scores.folds for each in results), default=0)
    remarks = _notes(results)
    small = _tr("Not measured: {why}.").format(why=remarks) if remarks else ""
    if records:
        small = _tr(
            "Of 100 people who were not learnt from; {n} records, {folds} parts held out in turn (cross-validation). "
            "Bars: 95 % interval. The scale does not begin at 0."
        ).format(n=count(records), folds=folds)
        small = f"{small} {_tr('Remarks:')} {remarks}." if remarks else small
    return TaskShown(target, task, _title(target, rows), rows, tables, small, _remedy(rows))


def _notes(results: Sequence[ModelResult]) -> str:
    """Return what the engine remarks on the figures that count, each remark once."""
    found = [part for each in results for part in (each.scores.released_true_labels.note or "").split("; ") if part]
    return "; ".join(dict.fromkeys(found))


def _row(result: ModelResult) -> LearnerRow:
    scores = result.scores
    severity, word = _result(scores.original, scores.released_true_labels, scores.baseline)
    return LearnerRow(
        render(f"learner.{result.learner}").title,
        _mark(scores.original),
        _mark(scores.released_true_labels),
        _mark(scores.released_labels),
        None if scores.baseline.value is None else float(scores.baseline.value),
        severity,
        word,
    )


def _mark(figure: Figure) -> Mark:
    return Mark(None if figure.value is None else float(figure.value), figure.low, figure.high)


def _half(figure: Figure) -> float:
    return 0.0 if figure.low is None or figure.high is None else (figure.high - figure.low) / 2


def _result(original: Figure, truth: Figure, baseline: Figure) -> tuple[str, str]:
    """Say what became of a learner: a change within the interval of both is none."""
    if original.value is None or truth.value is None:
        return "not-run", _tr("Not measured")
    if baseline.value is not None and original.value - _half(original) <= baseline.value:
        return "not-run", _tr("Nothing to keep")
    spread = max((_half(original) ** 2 + _half(truth) ** 2) ** 0.5, LEAST_CHANGE)
    if truth.value >= original.value - spread:
        return "passed", _tr("Kept")
    if baseline.value is not None and truth.value - _half(truth) <= baseline.value:
        return "blocks", _tr("Lost")
    return "amber", _tr("Less")


def _table_row(row: LearnerRow, result: ModelResult) -> tuple[str, ...]:
    leaves = ""
    if result.leaves is not None:
        ends = [each.value for each in (result.leaves.original, result.leaves.released)]
        leaves = " → ".join("–" if value is None else count(value) for value in ends)
    scores = result.scores
    figures = (scores.original, scores.released_true_labels, scores.released_labels, scores.baseline)
    return (row.name, *map(share_words, figures), leaves, row.word)


def share_words(figure: Figure) -> str:
    """Write a share of 100 with its interval."""
    if figure.value is None:
        return "–"
    half = _half(figure)
    return f"{100 * figure.value:.1f}" + (f" ± {100 * half:.1f}" if half else "")


def _title(target: str, rows: Sequence[LearnerRow]) -> str:
    told = [row for row in rows if row.original.value is not None and row.truth.value is not None]
    if not told:
        return _tr("{column}: nothing could be measured").format(column=target)
    best = max(told, key=lambda row: row.original.value or 0.0)
    best_after = max(told, key=lambda row: row.truth.value or 0.0)
    if all(row.severity == "not-run" for row in told):
        words = _tr("Nobody can tell {column} from the other columns, in the original either")
    elif all(row.severity in ("passed", "not-run") for row in told):
        words = _tr("An analyst learns as much about {column} as from the original")
    elif best_after.severity == "blocks" and _below(best_after):
        words = _tr("An analyst learns nothing about {column} any more: guessing is better")
    elif best_after.severity == "blocks" or all(row.severity == "blocks" for row in told if row.severity != "not-run"):
        words = _tr("An analyst learns nothing about {column} any more: guessing is as good")
    else:
        words = _tr("An analyst learns less about {column}: right for {after} of 100 instead of {before} at best")
    return words.format(
        column=target,
        before=f"{100 * (best.original.value or 0):.0f}",
        after=f"{100 * (best_after.truth.value or 0):.0f}",
    )


def _below(row: LearnerRow) -> bool:
    """Say whether a learner is surely worse than always guessing the commonest."""
    high = row.truth.value if row.truth.high is None else row.truth.high
    return high is not None and row.baseline is not None and high < row.baseline


def _remedy(rows: Sequence[LearnerRow]) -> str:
    if not any(row.severity in ("amber", "blocks") for row in rows):
        return ""
    return _tr("What to do: tell the recipient what these analyses still give, or choose milder settings on Protect.")
