"""Results of the analyses as sentences, table rows and charts, made from the objects of the report; no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.recipe.models import LEARN_FROM
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analyses import Analyses, analyse
from ppdm_desktop.engine.report.charts import Bar, Series, bar_of, bars_scene
from ppdm_desktop.engine.report.model import ModelEntry
from ppdm_desktop.engine.report.report_texts import write_measure
from ppdm_desktop.engine.report.scene.model import Rule, Scene
from ppdm_desktop.engine.report.scene.shares import format_share_of, share_value
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of, remarks_in
from ppdm_desktop.engine.wording.texts import render_title
from ppdm_desktop.engine.wording.values import LazyText, Name, Ratio, Term
from ppdm_desktop.ui.state.number_texts import format_rounded_count, percent

LEAST_CHANGE = 0.005
_MOST_OPEN = 0.5
"""Largest share of the original's advantage over blind guessing that may be uncertain in a result called "kept"."""


def analyse_candidate(candidate: Candidate, learn_from: LEARN_FROM) -> tuple[Analyses, Candidate]:
    """Return the analyses of a candidate and the candidate itself, so that the receiver can match the two.

    Parameters
    ----------
    candidate
        The protected version to analyse.
    learn_from
        What models are trained on in columns with noise; see ``ways_to_learn``.
    """
    return analyse(candidate, learn_from=learn_from), candidate


def ways_to_learn() -> list[tuple[str, str, str]]:
    """Return the choices of what models are trained on in columns with noise: (recipe value, label, explanation)."""
    return [
        ("released", _("Released values only"), _("Models learn from the values as released.")),
        (
            "global",
            _("Also reconstructed"),
            _("Models also learn from the distribution of each noisy column, reconstructed over all records."),
        ),
        (
            "by-class",
            _("Also by class"),
            _("The distribution is reconstructed separately for each value that the model predicts."),
        ),
        (
            "local",
            _("Also at every branch"),
            _("A decision tree reconstructs again at every branch. Other models learn by class."),
        ),
    ]


@dataclass(frozen=True)
class LearnerRow:
    """The accuracy of one learner (prediction model) before and after.

    Attributes
    ----------
    name
        Name of the learner.
    original
        Accuracy with 95 % interval, trained and tested on the original.
    truth
        Accuracy, trained on the release and tested on true values.
    released
        Accuracy, trained on the release and tested on released values.
    baseline
        Accuracy of always guessing the most common value.
    severity, word
        Severity and label that say whether the accuracy was kept.
    """

    name: str
    original: Bar
    truth: Bar
    released: Bar
    baseline: float | None
    severity: str
    word: str


@dataclass(frozen=True)
class TaskResult:
    """One prediction task and the results of its learners, ready to be displayed.

    Attributes
    ----------
    target, task
        The column, and what about it is predicted.
    title
        Title of the chart.
    rows, tables
        For each learner, a row of the chart, and the texts of a row of the table.
    small
        Numbers of records and cross-validation folds, in small print.
    remedy
        What to do if a learner lost accuracy, or empty.
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
        """Whether any learner has a measured accuracy on the original or on true values."""
        return any(row.original.value is not None or row.truth.value is not None for row in self.rows)


def list_task_results(analyses: Analyses) -> list[TaskResult]:
    """Return the prediction tasks with the results of their learners, in the order of the report."""
    groups = groupby(analyses.models, key=lambda model: (model.target, model.task))
    return [_build_task(target, task, list(results)) for (target, task), results in groups]


def learner_headers() -> tuple[str, ...]:
    """Return the headings of the table of learners: analysis, its accuracies, leaves of the tree, and result."""
    return (
        _("Analysis"),
        *(str(measure.heading) for measure in measures_of(ModelEntry).values()),
        _("Leaves"),
        _("Result"),
    )


def _build_task(target: str, task: LazyText, results: Sequence[ModelResult]) -> TaskResult:
    """Return a prediction task (which column is predicted) with the results of its learners, ready to be displayed.

    Title and remedy consider only those learners that a recipient of the release could use as well.
    """
    rows = tuple(_build_learner_row(result) for result in results)
    tables = tuple(_format_table_row(row, result) for row, result in zip(rows, results, strict=True))
    figures = [result.scores.original for result in results]
    records = max((figure.n or 0 for figure in figures), default=0)
    folds = max((result.scores.folds for result in results), default=0)
    remarks = _join_notes(results)
    small = _("Not measured: {reason}.", reason=Term(remarks)) if remarks else ""
    if records:
        small = _(
            "Share of correct predictions for people the analysis has not seen: {n} records, {folds} parts tested in "
            "turn (cross-validation). Bars: 95% interval.",
            n=records,
            folds=folds,
        )
        small = f"{small} {_('Notes: {notes}.', notes=Term(remarks))}" if remarks else small
    theirs = [row for row, result in zip(rows, results, strict=True) if result.for_recipient]
    return TaskResult(
        target, str(task), _format_task_title(target, theirs), rows, tables, small, _suggest_remedy(theirs)
    )


def _join_notes(results: Sequence[ModelResult]) -> str:
    """Return the remarks on the learners' accuracies on true values, each once, joined by "; "; "" without any."""
    remarks = [remark for result in results for remark in remarks_in(result.scores.released_true_labels.note)]
    return "; ".join(dict.fromkeys(map(str, remarks)))


def _build_learner_row(result: ModelResult) -> LearnerRow:
    """Return the accuracies of one learner for the chart, with a severity and label that say whether accuracy was kept.

    The accuracies are those on the original, on true values, on released values, and of guessing the most common value.
    """
    scores = result.scores
    severity, word = _judge_learner(scores.original, scores.released_true_labels, scores.baseline)
    return LearnerRow(
        render_title(result.text),
        bar_of(scores.original),
        bar_of(scores.released_true_labels),
        bar_of(scores.released_labels),
        None if scores.baseline.value is None else float(scores.baseline.value),
        severity,
        word,
    )


def learners_scene(task_result: TaskResult, name: str) -> Scene:
    """Return a bar chart of each learner's accuracy: on the original, on true values, on released values.

    A line shows the accuracy of always guessing the most common value. Each row has the learner's name, its accuracies
    on the original and on true values, and the label of the result. ``name`` is the name of the candidate.
    """
    rows, version = task_result.rows, Term(name)
    bases = sorted({row.baseline for row in rows if row.baseline is not None})
    text = ""
    if bases:
        records = max((row.original.of for row in rows), default=0)
        ends = "–".join(dict.fromkeys(format_share_of(end, records) for end in (bases[0], bases[-1])))
        text = f"{ends} {_('always guessing the most common value')}"
    truth = _("trained on {name}, compared with the original values", name=version)
    released = _("trained on {name}, compared with the released values", name=version)
    series: list[Series] = [
        ("original", _("trained on the original"), [row.original for row in rows]),
        ("released", truth, [row.truth for row in rows]),
        ("third", released, [row.released for row in rows]),
    ]
    limits, names = [("", basis) for basis in bases], [row.name for row in rows]
    scene = bars_scene(task_result.title, task_result.small, names, series, limits=limits, dotted=True)
    rules = []
    for index, basis in enumerate(bases):
        cells = tuple(number for number, row in enumerate(rows) if row.baseline == basis)
        rules.append(Rule("guess", basis, "" if index else text, cells=cells))
    entries = []
    for drawn, row in zip(scene.rows, rows, strict=True):
        figures = (_format_bar(row.original), _format_bar(row.truth))
        row_text = f"{row.name}: {figures[0]} → {figures[1]}, {row.word}"
        entries.append(replace(drawn, cells=(row.name, *figures, row.word), text=row_text, status=row.severity))
    sentence = "; ".join(filter(None, (*(entry.text for entry in entries), text)))
    return replace(scene, marks=(*scene.bars, *rules), rows=tuple(entries), sentence=sentence)


def _compute_half_width(figure: Figure) -> float:
    """Return half the width of a figure's confidence interval, 0 if the figure has none."""
    return 0.0 if figure.low is None or figure.high is None else (figure.high - figure.low) / 2


def _judge_learner(original: Figure, truth: Figure, baseline: Figure) -> tuple[str, str]:
    """Return (severity, label) that say whether a learner kept its accuracy on true values.

    Accuracy is compared with that of a learner trained on the original, and with the baseline, always guessing the most
    common value. The tolerance is the root of the summed squares of the half-widths of both confidence intervals, but
    at least ``LEAST_CHANGE``. The labels and severities are:

    - "Not measured" (``not-run``): one of both accuracies is missing.
    - "Nothing to keep" (``not-run``): the original's confidence interval reaches down to the baseline.
    - "Kept" (``passed``): the loss is at most the tolerance.
    - "Not clear" (``note``): the same, but the loss plus the tolerance exceeds the share ``_MOST_OPEN`` of the
      original's advantage over the baseline.
    - "Lost" (``blocks``): a greater loss, and the release's interval reaches down to the baseline.
    - "Less useful" (``amber``): any other loss.

    Without a baseline only the first, the third and the last are possible.
    """
    if original.value is None or truth.value is None:
        return "not-run", _("Not measured")
    if baseline.value is not None and original.value - _compute_half_width(original) <= baseline.value:
        return "not-run", _("Nothing to keep")
    spread = max((_compute_half_width(original) ** 2 + _compute_half_width(truth) ** 2) ** 0.5, LEAST_CHANGE)
    if truth.value >= original.value - spread:
        worst = original.value - truth.value + spread
        if baseline.value is not None and worst > _MOST_OPEN * (original.value - baseline.value):
            return "note", _("Not clear")
        return "passed", _("Kept")
    if baseline.value is not None and truth.value - _compute_half_width(truth) <= baseline.value:
        return "blocks", _("Lost")
    return "amber", _("Less useful")


def _format_table_row(row: LearnerRow, result: ModelResult) -> tuple[str, ...]:
    """Return one learner's row of the table: name, accuracies with intervals, leaves of the tree, and result.

    The leaves, before and after, are "" for learners other than decision trees.
    """
    leaves = ""
    if result.leaves is not None:
        ends = [figure.value for figure in (result.leaves.original, result.leaves.released)]
        leaves = " → ".join("–" if value is None else format_rounded_count(value) for value in ends)
    figures = (getattr(result.scores, key) for key in measures_of(ModelEntry))
    return (row.name, *map(format_share_interval, figures), leaves, row.word)


def format_share_interval(figure: Figure) -> str:
    """Return a share with its confidence interval as text, such as "81% (78% to 84%)".

    With fewer than 100 records the share is a count ("57 of 70"). Without an interval, or one of a single point, the
    text is the share alone; without a measurement it is a dash.
    """
    text = _format_bar(bar_of(figure))
    if figure.low is None or figure.high is None or figure.low == figure.high:
        return text
    return f"{text} ({numbers_of(language()).between(figure.low, figure.high)})"


def _format_bar(bar: Bar) -> str:
    """Return the text of a bar, or a dash if the bar has no value."""
    return numbers_of(language()).none(cell=True) if bar.value is None else bar.text


def _format_task_title(target: str, rows: Sequence[LearnerRow]) -> str:
    """Return a sentence on how well a column can still be predicted, with the best accuracy before and after if worse.

    The two may be of different learners, and count only learners measured on both sides; without any the sentence says
    so. Two different accuracies that would look equal get another decimal.
    """
    both = [row for row in rows if row.original.value is not None and row.truth.value is not None]
    if not both:
        return _("{column}: nothing could be measured", column=Name(target))
    best = max(both, key=lambda row: row.original.value or 0.0)
    best_after = max(both, key=lambda row: row.truth.value or 0.0)
    sentence = _choose_title_sentence({row.severity for row in both}, best, best_after)
    before, after = best.original.value or 0.0, best_after.truth.value or 0.0
    is_same_text = format_share_of(before, best.original.of) == format_share_of(after, best_after.truth.of)
    return sentence.format(
        column=Name(target),
        before=share_value(before, best.original.of, after if is_same_text else None),
        after=share_value(after, best_after.truth.of, before if is_same_text else None),
    )


def _choose_title_sentence(severities: set[str], best: LearnerRow, best_after: LearnerRow) -> Sentence:
    """Return the sentence on how well a column can still be predicted; the caller fills in names and figures.

    It says that the column is predicted as well as before, less well, no longer, not even before, or that there are too
    few records to tell.

    Parameters
    ----------
    severities
        Severities of all learners that were measured before and after.
    best, best_after
        Of these, the one with the best accuracy on the original, and the one with the best after it on true values.
    """
    if severities == {"not-run"}:
        return lazy("{column} cannot be predicted from the other columns, not even in the original")
    if severities <= {"passed", "not-run"} or (best_after.truth.value or 0.0) >= (best.original.value or 0.0):
        return lazy("{column} can be predicted as well as from the original")
    if severities <= {"passed", "not-run", "note"}:
        return lazy("{column}: too few records to say whether it can still be predicted as well")
    if best_after.severity == "blocks" or severities <= {"blocks", "not-run"}:
        return lazy("{column} can no longer be predicted: always guessing the most common value is at least as good")
    return lazy("{column} can be predicted less well: at best {after} correct instead of {before}")


def _suggest_remedy(rows: Sequence[LearnerRow]) -> str:
    """Return a sentence on what to do if a learner lost accuracy, "" if none did."""
    if not any(row.severity in ("amber", "blocks") for row in rows):
        return ""
    return _("What to do: inform the recipient, or choose settings on the Protect page that change less.")


def cluster_headers() -> tuple[str, ...]:
    """Return the headings of the table that compares clusters before and after."""
    measures = measures_of(ClusterAgreement).values()
    return _("Number of groups"), *(str(measure.heading) for measure in measures)


def cluster_rows(analyses: Analyses) -> list[tuple[str, ...]]:
    """Return one table row for each number of clusters: how far k-means clusters agree with those of the original.

    The cells are those of ``cluster_headers``; [] if no clusters were compared.
    """
    measures = measures_of(ClusterAgreement).items()
    return [
        (
            format_rounded_count(agreement.k),
            *(write_measure(getattr(agreement, key), measure) for key, measure in measures),
        )
        for agreement in analyses.clusters
    ]


def explain_clusters(analyses: Analyses) -> str:
    """Return the small print on clusters: how to read the figures, and if some were not measured, why.

    The reason is too few records for so many clusters, else that released rows do not correspond to original rows.
    """
    text = _(
        "k-means on the number columns, before and after. Sizes match: 100% if the groups are as large as before. "
        "ARI: adjusted Rand index; 1: the same groups, 0: as by a blind guess."
    )
    fewest = [clustering.k for clustering in analyses.clusters if clustering.by_sizes.value is None]
    if fewest:
        return f"{text} {_('There are too few records for {n} or more groups.', n=min(fewest))}"
    if any(cluster.matched.value is None for cluster in analyses.clusters):
        apart = _("Released rows do not correspond to original rows, so none can stay in its group.")
        return f"{text} {apart}"
    return text


def clusters_title(analyses: Analyses) -> str:
    """Return a sentence on the share of records that stay in their cluster, or on how well cluster sizes agree.

    The sizes are used if no share was measured. The sentence has the lowest and highest figure over all numbers of
    clusters; if neither was measured, it says that they could not be compared.
    """
    shares = [clustering.matched.value for clustering in analyses.clusters if clustering.matched.value is not None]
    sizes = [cluster.by_sizes.value for cluster in analyses.clusters if cluster.by_sizes.value is not None]
    if not shares and sizes:
        # Artificial rows are nobody's, so that nobody can stay in a group.
        return _("The sizes of groups of similar records match by {share}", share=_format_span(sizes))
    if not shares:
        return _("Groups of similar records could not be compared")
    return _("{share} of the records stay in the same group of similar records", share=_format_span(shares))


def _format_span(shares: Sequence[float]) -> Ratio | Term:
    """Return a share, or the lowest and the highest of several ("61% to 84%"), to be filled into a sentence.

    It is a single one, the lowest, if both have the same text. Raise ValueError without shares.
    """
    low, high = float(min(shares)), float(max(shares))
    if percent(low) == percent(high):
        return Ratio(low)
    return Term(_("{low} to {high}", low=Ratio(low), high=Ratio(high)))
