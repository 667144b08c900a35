"""What analyses keep, in words: sentences and rows of the tab, from the report's own objects. No widget here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.analyses import Analyses, analyse
from ppdm_desktop.engine.release.candidate import Candidate
from ppdm_desktop.engine.texts import render
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.utility.separability import SAYS_NOTHING
from ppdm_desktop.ui.charts.learners import LearnerRow, Mark
from ppdm_desktop.ui.charts.numbers import strength
from ppdm_desktop.ui.pages.compare_standings import hundred
from ppdm_desktop.ui.tasks import Work
from ppdm_desktop.ui.words import count

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


def tasks_shown(analyses: Analyses) -> list[TaskShown]:
    """Return what learners were asked, in the order of the report."""
    groups = groupby(analyses.models, key=lambda each: (each.target, each.task))
    return [_task(target, task, list(results)) for (target, task), results in groups]


def learner_headers() -> tuple[str, ...]:
    """Return the headings of the figures as a table."""
    return (
        _tr("Learner"),
        _tr("Original"),
        _tr("Released, against the truth"),
        _tr("Released, against the release"),
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
    small = _notes(results)
    if records:
        small = _tr(
            "Of 100 people who were not learnt from; {n} records, {folds} parts held out in turn (cross-validation). "
            "Bars: 95 % interval. The scale does not begin at 0."
        ).format(n=count(records), folds=folds)
        remarks = _notes(results)
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
    elif best_after.severity == "blocks" or all(row.severity == "blocks" for row in told if row.severity != "not-run"):
        words = _tr("An analyst learns nothing about {column} any more: guessing is as good")
    else:
        words = _tr("An analyst learns less about {column}: right for {after} of 100 instead of {before} at best")
    return words.format(
        column=target,
        before=f"{100 * (best.original.value or 0):.0f}",
        after=f"{100 * (best_after.truth.value or 0):.0f}",
    )


def _remedy(rows: Sequence[LearnerRow]) -> str:
    if not any(row.severity in ("amber", "blocks") for row in rows):
        return ""
    return _tr("What to do: tell the recipient what these analyses still give, or choose milder settings on Protect.")


# --- the other figures --------------------------------------------------------------------


@dataclass(frozen=True)
class FigureShown:
    """One figure of the whole table in plain words, with its exact term and how to read it."""

    words: str
    figure: str
    reading: str
    term: str


def figures_shown(analyses: Analyses) -> list[FigureShown]:
    """Return covariance compatibility, information loss and separability."""
    return [
        FigureShown(
            _tr("How pairs of numbers move together"),
            _plain(analyses.covariance_compatibility, 3),
            _tr("1 is as before; 0 means nothing in common."),
            _term(_tr("covariance compatibility μ"), analyses.covariance_compatibility),
        ),
        FigureShown(
            _tr("How much of the treated numbers' spread was changed"),
            _plain(analyses.sse_sst, 3),
            _tr("0 is nothing; 1 is as if everybody had the average."),
            _term(_tr("information loss SSE/SST"), analyses.sse_sst),
        ),
        FigureShown(
            _tr("How far a treated number moved, on average"),
            _plain(analyses.il1s, 3),
            _tr("0 is not at all; 1 is about one and a half times the usual distance from the average."),
            _term(_tr("IL1s, in standard deviations times √2"), analyses.il1s),
        ),
        FigureShown(
            _tr("Can a program tell the two tables apart?"),
            _plain(analyses.pmse, 4),
            _apart_reading(analyses.pmse),
            _term(_tr("propensity score pMSE"), analyses.pmse),
        ),
    ]


def _apart_reading(figure: Figure) -> str:
    if SAYS_NOTHING in (figure.note or ""):
        return _tr("There are too few rows to tell: any two tables this short could be told apart.")
    return _tr("0 is not at all; the more, the better it can.")


def _plain(figure: Figure, digits: int) -> str:
    return "–" if figure.value is None else f"{figure.value:.{digits}f}"


def _term(name: str, figure: Figure) -> str:
    return f"{name} · {figure.note}" if figure.note else name


def cluster_headers() -> tuple[str, ...]:
    """Return the headings of the clusters."""
    return (
        _tr("Groups asked for"),
        _tr("Sizes agree"),
        _tr("People in the same group"),
        _tr("Pairs (ARI)"),
    )


def cluster_rows(analyses: Analyses) -> list[tuple[str, ...]]:
    """Return how far groups found by k-means are those of the original."""
    return [
        (str(each.k), _share(each.by_sizes), _share(each.matched), strength(each.ari.value))
        for each in analyses.clusters
    ]


def _share(figure: Figure) -> str:
    return "–" if figure.value is None else f"{hundred(float(figure.value))} %"


def clusters_title(analyses: Analyses) -> str:
    """Say how many people stay in their group."""
    found = [each.matched.value for each in analyses.clusters if each.matched.value is not None]
    sizes = [each.by_sizes.value for each in analyses.clusters if each.by_sizes.value is not None]
    if not found and sizes:
        # Rows that were made up are nobody's, so that nobody can stay in a group.
        low, high = f"{100 * min(sizes):.0f}", f"{100 * max(sizes):.0f}"
        if low == high:
            return _tr("Groups of similar people are as large as before to {n} %").format(n=low)
        return _tr("Groups of similar people are as large as before to between {low} and {high} %").format(
            low=low, high=high
        )
    if not found:
        return _tr("Groups of similar people could not be compared")
    low, high = hundred(float(min(found))), hundred(float(max(found)))
    if min(found) == 1:
        return _tr("Everybody stays in the same group of similar people")
    if round(100 * min(found)) == 100:
        return _tr("Nearly everybody stays in the same group of similar people")
    if low == high:
        return _tr("About {n} of 100 people stay in the same group of similar people").format(n=low)
    return _tr("Between {low} and {high} of 100 people stay in the same group of similar people").format(
        low=low, high=high
    )
