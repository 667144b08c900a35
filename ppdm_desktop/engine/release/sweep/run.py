"""Running a sweep: a recipe is run with every value of one parameter and several keys, each result as it comes.

Here are the parameter and its values (the grid), the figures read from each run, and the sweep itself.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from statistics import fmean

from ppdm_desktop import __version__
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import Cancelled, PpdmError, RecipeError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, FlagParameter, NumberParameter, Parameter
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate, original_key, verdict_of_original
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.measures.analyses import Analyses, analyse
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Name, Quoted, Term, Terms

# --- grid ---------------------------------------------------------------------------------

MOST_VALUES = 200
"""More values than these are a slip of the pen; their curve could not be read either."""
_FLAGS = {"true": True, "false": False}
SWEPT = (NumberParameter, ChoiceParameter, FlagParameter)
"""Parameters that can be tried over values."""
Value = float | int | str | bool


@dataclass(frozen=True)
class Grid:
    """One parameter of one step with the values to try.

    Attributes
    ----------
    step
        Number of the step in the recipe, from 1.
    parameter
        The parameter's key in the recipe.
    values
        The values, in the order in which they are tried and shown.
    """

    step: int
    parameter: str
    values: tuple[Value, ...]

    def recipe_with(self, recipe: Recipe, value: Value) -> Recipe:
        """Return a copy of the recipe in which the grid's step has this value of the parameter; it is not checked."""
        steps = list(recipe.steps)
        step = steps[self.step - 1]
        steps[self.step - 1] = step.model_copy(update={"parameters": {**step.parameters, self.parameter: value}})
        return recipe.model_copy(update={"steps": tuple(steps)})


def read_grid(recipe: Recipe, text: str) -> Grid:
    """Return the grid written as ``parameter=values``, with each value once, in the order written.

    Parameters
    ----------
    recipe
        The recipe that is swept.
    text
        ``group=3,5,10``, ``ratio=0.5..2/0.5`` (from, to and step width) or ``2:group=3,5`` (of the second step). The
        step need not be named if only one enabled step has such a parameter. Switched-off steps count in the numbering.

    Raises
    ------
    RecipeError
        When the text has another form, no enabled step has the parameter, several have and none is named, there are
        more than 200 values, or a value is not allowed.
    """
    left, mark, right = text.partition("=")
    step_index, colon, name = left.rpartition(":")
    if not mark or not name.strip() or not right.strip():
        raise RecipeError("error.sweep.form", args={"found": Quoted(text)})
    step, parameter = _find_parameter(recipe, step_index.strip() if colon else None, name.strip())
    values = tuple(
        dict.fromkeys(value for part in right.split(",") for value in _parse_values(parameter, part.strip()))
    )
    if len(values) > MOST_VALUES:
        raise RecipeError("error.sweep.too-many", args={"values": len(values), "most": MOST_VALUES})
    return Grid(step, parameter.name, values)


def _find_parameter(recipe: Recipe, step_index: str | None, name: str) -> tuple[int, Parameter]:
    """Return the number of the step that has a parameter, from 1, and the parameter's declaration.

    ``step_index`` is the step's number as a text, None to look in all enabled steps. A parameter that cannot be swept,
    such as a list, is returned as well.

    Raises
    ------
    RecipeError
        When no enabled step (with that number) has the parameter, or several have.
    """
    enabled = [number for number, step in enumerate(recipe.steps, 1) if step.enabled]
    matching = [
        (number, parameter)
        for number in enabled
        for parameter in find_method(recipe.steps[number - 1].method).parameters
        if parameter.name == name and (step_index is None or step_index == str(number))
    ]
    if not matching:
        declared = [find_method(recipe.steps[number - 1].method).parameters for number in enabled]
        known_names = dict.fromkeys(
            parameter.name for parameters in declared for parameter in parameters if isinstance(parameter, SWEPT)
        )
        raise RecipeError("error.sweep.no-parameter", args={"name": Name(name), "known": Terms(tuple(known_names))})
    if len(matching) > 1:
        steps = Terms(tuple(str(number) for number, _ in matching))
        raise RecipeError("error.sweep.several-steps", args={"name": Term(name), "steps": steps})
    return matching[0]


def _parse_values(parameter: Parameter, text: str) -> tuple[Value, ...]:
    """Return the values of one part between commas: a single value, or a range of numbers.

    ``1..2/0.5`` gives 1, 1.5 and 2; ``1..3`` gives 1, 2 and 3; ``1..2/0.4`` gives 1, 1.4 and 1.8; ``3..1/-1`` gives 3,
    2 and 1. A range ends after `MOST_VALUES` + 1 values, so that the caller sees that it is too long. Raises
    RecipeError for a part of another form or a value that the parameter does not allow.
    """
    first, dots, rest = text.partition("..")
    if dots and isinstance(parameter, NumberParameter):
        last, slash, by = rest.partition("/")
        ends = [_to_decimal(number) for number in (first, last, by if slash else "1")]
        if any(number is None for number in ends) or not ends[2] or (ends[1] - ends[0]) / ends[2] < 0:  # type: ignore[operator]
            raise _make_refusal(parameter, text)
        start, end, width = (number for number in ends if number is not None)
        count = min(int((end - start) / width), MOST_VALUES) + 1
        return tuple(_to_allowed_value(parameter, str(start + width * number)) for number in range(count))
    return (_to_allowed_value(parameter, text),)


def _to_allowed_value(parameter: Parameter, text: str) -> Value:
    """Return a text as a value that the parameter allows; raise RecipeError for any other text.

    "true" and "false" in any case become a flag; "3.0" becomes 3 if the parameter wants whole numbers, else 3.0; a
    choice stays as written. Parameters of other kinds, such as lists, allow no text.
    """
    value: Value = text
    if isinstance(parameter, FlagParameter):
        value = _FLAGS.get(text.casefold(), text)
    elif isinstance(parameter, NumberParameter) and (number := _to_decimal(text)) is not None:
        value = int(number) if parameter.whole and number == int(number) else float(number)
    if not isinstance(parameter, SWEPT) or parameter.problem(value):
        raise _make_refusal(parameter, text)
    return value


def _to_decimal(text: str) -> Decimal | None:
    """Return a text as a finite decimal number; None for any other text, such as "1,5", "NaN" or ""."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _make_refusal(parameter: Parameter, text: str) -> RecipeError:
    """Return the error for a value that the parameter does not allow."""
    return RecipeError("error.sweep.value", args={"name": Term(parameter.name), "found": Quoted(text)})


# --- run ----------------------------------------------------------------------------------

# --- measures -----------------------------------------------------------------------------

USE, LOSS, ATTACK, LEVELS, OWN = "use", "loss", "attack", "levels", "own"

TREE = "decision-tree"


@dataclass(frozen=True)
class Trial:
    """The result of running the recipe with one value and one key.

    Attributes
    ----------
    verdict
        The verdict, as for a release.
    analyses
        The statistical analyses; None where they were not made.
    columns
        Usefulness of each released column.
    """

    verdict: Verdict
    analyses: Analyses | None
    columns: tuple[ColumnUtility, ...] = ()


@dataclass(frozen=True)
class SweepMeasure:
    """One figure that is read from each trial.

    Attributes
    ----------
    id
        Id in the rows of a sweep.
    title
        Name for people.
    kind
        ``use``, ``loss``, ``attack``, ``levels`` (people below their privacy level), or ``own`` for a property of the
        release alone.
    is_share
        Whether it is a share, to be written in per cent.
    read
        Function that returns the figure of a trial; None where it was not measured.
    """

    id: str
    title: Sentence
    kind: str
    is_share: bool
    read: Callable[[Trial], float | None]


def _make_usefulness_reader(criterion: str) -> Callable[[Trial], float | None]:
    """Return a function that reads a figure of usefulness from a trial as a share, None where not measured.

    ``criterion`` is one of those of ``Scorecard.value``, such as ``columns``.
    """
    return lambda trial: _replace_nan(Scorecard(trial.verdict).value(criterion))


def _make_risk_reader(criterion: str) -> Callable[[Trial], float | None]:
    """Return a function that reads a risk from a trial as a share, the upper end of its interval.

    The function returns None where the risk was not measured. ``criterion`` is a key of ``RISKS``.
    """
    return lambda trial: _replace_nan(Scorecard(trial.verdict).upper(criterion))


def _average_figures(figures: Iterable[Figure]) -> float | None:
    """Return the mean of the figures that have a value; None without any."""
    values = [float(figure.value) for figure in figures if figure.value is not None]
    return fmean(values) if values else None


def _list_models(trial: Trial, learner: str | None = None) -> list[ModelResult]:
    """Return the results of all learners, or of one, in a trial; empty where no analyses were made."""
    models = () if trial.analyses is None else trial.analyses.models
    return [model for model in models if learner in (None, model.learner)]


def _make_analysis_reader(name: str) -> Callable[[Trial], float | None]:
    """Return a function that reads one figure of the statistical analyses from a trial, None where not measured.

    ``name`` is that of the figure in `TableFigures`.
    """
    return lambda trial: None if trial.analyses is None else _average_figures([getattr(trial.analyses.table, name)])


def _average_widest_gap(trial: Trial) -> float | None:
    """Return the Kolmogorov-Smirnov distance between original and released column, averaged over ordered columns.

    None without such a column.
    """
    return _average_figures(column.ks for column in trial.columns)


def _average_tree_accuracy(trial: Trial) -> float | None:
    """Return the share of released records that a tree trained on other released records predicts correctly.

    Averaged over the targets; None where it was not measured.
    """
    return _average_figures(model.scores.released_labels for model in _list_models(trial, TREE))


def _average_leaf_count(trial: Trial) -> float | None:
    """Return the number of leaves of trees trained on the release, averaged over targets.

    None where no analyses were made or the leaves were not counted.
    """
    return _average_figures(model.leaves.released for model in _list_models(trial) if model.leaves is not None)


def _make_learner_reader(id: str) -> Callable[[Trial], float | None]:
    """Return a function that reads how often a learner trained on the release predicts source records correctly.

    The function returns the share of source records whose true label is predicted, averaged over targets; None where it
    was not measured. ``id`` is that of the learner.
    """
    return lambda trial: _average_figures(model.scores.released_true_labels for model in _list_models(trial, id))


MEASURES = (
    SweepMeasure("columns", lazy("Columns kept"), USE, True, _make_usefulness_reader("columns")),
    SweepMeasure("pairs", lazy("Pairs of columns kept"), USE, True, _make_usefulness_reader("pairs")),
    *(
        SweepMeasure(id, title, USE, True, _make_learner_reader(learner))
        for id, title, learner in (
            ("tree", lazy("Predictions still correct (decision tree)"), TREE),
            ("naive-bayes", lazy("Predictions still correct (naive Bayes)"), "naive-bayes"),
            ("nearest", lazy("Predictions still correct (nearest neighbour)"), "nearest-1"),
        )
    ),
    SweepMeasure(
        "covariance",
        lazy("Covariance compatibility"),
        USE,
        False,
        _make_analysis_reader("covariance_compatibility"),
    ),
    SweepMeasure("sse-sst", lazy("Information loss (SSE/SST)"), LOSS, True, _make_analysis_reader("sse_sst")),
    SweepMeasure("il1s", lazy("Information loss (IL1s)"), LOSS, False, _make_analysis_reader("il1s")),
    SweepMeasure("distribution", lazy("Largest shift of a distribution"), LOSS, True, _average_widest_gap),
    SweepMeasure("tree-own", lazy("Released values predicted (decision tree)"), OWN, True, _average_tree_accuracy),
    SweepMeasure("leaves", lazy("Leaves of the decision tree"), OWN, False, _average_leaf_count),
    *(
        SweepMeasure(key, title, ATTACK, True, _make_risk_reader(key))
        for key, title in (
            ("match", lazy("Found by what others may know")),
            ("guess", lazy("More people guessed right than without their record")),
            ("certain", lazy("Revealed for certain by what others may know")),
            ("reversal", lazy("How much of the protection can be undone")),
        )
    ),
    SweepMeasure(
        "levels-short",
        lazy("People short of their protection level"),
        LEVELS,
        False,
        lambda trial: _replace_nan(Scorecard(trial.verdict).levels_short),
    ),
)
"""Every figure of a trial, in the order in which they are shown."""


def _replace_nan(value: float | None) -> float | None:
    """Return a number; None for NaN and for None."""
    return None if value is None or math.isnan(value) else float(value)


# --- run ----------------------------------------------------------------------------------

RELEASED, WITH_REASONS, BLOCKED, REFUSED = "released", "released-with-reasons", "blocked", "refused"


@dataclass(frozen=True)
class SweepRow:
    """The result for one value with one key.

    Attributes
    ----------
    value, repeat
        The parameter's value, and the number of the key, from 1.
    outcome
        The best possible decision (``released``, ``released-with-reasons`` or ``blocked``), or ``refused`` where the
        method refused the table.
    drawn
        Whether random numbers were drawn; if not, other keys lead to the same row and are not tried.
    figures
        The measured figures of ``MEASURES``, by id.
    blocking
        Ids of the blocking checks.
    why
        The reason of a refusal, in words; empty otherwise.
    seconds
        Processor time of the trial.
    program
        Version of the program that ran the trial.
    """

    value: Value
    repeat: int
    outcome: str
    drawn: bool
    figures: dict[str, float] = field(default_factory=dict)
    blocking: tuple[str, ...] = ()
    why: str = ""
    seconds: float = 0.0
    program: str = ""


@dataclass(frozen=True)
class Sweep:
    """The values and keys to try, and the file whose release is measured.

    Attributes
    ----------
    path, reading
        The source file, and its content, read once with the recipe's input options.
    recipe
        The recipe whose step is changed.
    grid
        The parameter and its values.
    repeats
        Number of keys for each value.
    key
        Key from which the keys of the trials are derived; no trial is ever released.
    attacked, analysed
        Whether attacks and statistical analyses are made; both take most of the time.
    """

    path: Path
    reading: Reading
    recipe: Recipe
    grid: Grid
    repeats: int
    key: Key
    attacked: bool = True
    analysed: bool = False

    @property
    def trials(self) -> int:
        """Largest number of runs: one for each value and key, though `rows` tries some values with one key only."""
        return len(self.grid.values) * self.repeats

    def rows(self, sweep_rows: Sequence[SweepRow] = ()) -> Iterator[SweepRow]:
        """Yield the result of each trial as soon as it is known: all values with one key, then all with the next key.

        An interrupted sweep thus has results for every value. A value with which nothing is drawn at random, or which
        is refused, is tried with one key only. A PpdmError while the release is made becomes a row with the outcome
        ``refused``; errors while it is judged come through.

        Parameters
        ----------
        sweep_rows
            Rows of an earlier run, which are neither tried nor yielded again. Values without random numbers, or
            refused, among them are not tried with other keys either.

        Raises
        ------
        Cancelled
            When the work was stopped.
        """
        done = {(row.value, row.repeat) for row in sweep_rows}
        fixed = {row.value for row in sweep_rows if not row.drawn}
        originals: dict[str, Verdict] = {}
        for repeat in range(1, self.repeats + 1):
            key = self.key.replicate(repeat)
            for index, value in enumerate(self.grid.values):
                if value in fixed or (value, repeat) in done:
                    continue
                before = (repeat - 1) * len(self.grid.values) + index
                row = progress.part(before / self.trials, (before + 1) / self.trials).run(
                    self._compute_row, value, repeat, key, originals
                )
                if not row.drawn:
                    fixed.add(value)
                yield row
        progress.report(1.0, "doing.sweep")

    def _compute_row(self, value: Value, repeat: int, key: Key, originals: dict[str, Verdict]) -> SweepRow:
        """Return the row of one value with one key; a PpdmError while the release is made is the outcome ``refused``.

        ``originals`` keeps verdicts on the original from row to row, by the key of `original_key`; a new one is added.
        A row has the outcome of the gate, all figures that could be measured, the ids of blocking checks and the
        processor time in seconds; a refusal has only its reason and the time. Cancelled comes through.
        """
        began = time.process_time()
        progress.report(0.0, "doing.sweep")
        try:
            prepared = progress.part(0.0, 0.1).run(
                prepare_reading, self.path, self.reading, self.grid.recipe_with(self.recipe, value)
            )
            candidate = progress.part(0.1, 0.4).run(run_candidate, prepared, key)
        except Cancelled:
            raise
        except PpdmError as error:
            # Nothing was tried: another key would be refused as well, or is not worth the wait.
            return SweepRow(
                value,
                repeat,
                REFUSED,
                drawn=False,
                why=explain(error),
                seconds=time.process_time() - began,
                program=__version__,
            )
        trial = progress.part(0.4, 1.0).run(self._judge_candidate, candidate, originals)
        figures = {measure.id: figure for measure in MEASURES if (figure := measure.read(trial)) is not None}
        verdict = trial.verdict
        outcome = BLOCKED if verdict.blocking else WITH_REASONS if verdict.to_answer else RELEASED
        return SweepRow(
            value,
            repeat,
            outcome,
            drawn=_is_drawn(candidate),
            figures=figures,
            blocking=tuple(check.id for check in verdict.blocking),
            seconds=time.process_time() - began,
            program=__version__,
        )

    def _judge_candidate(self, candidate: Candidate, originals: dict[str, Verdict]) -> Trial:
        """Return the verdict, analyses and usefulness of a candidate; analyses are None unless the sweep asks for them.

        The verdict on the original is looked up in ``originals``, and added if it is not there. Both verdicts are
        without attacks if the sweep leaves them out.
        """
        original = original_key(candidate.prepared)
        if original not in originals:
            originals[original] = progress.part(0.0, 0.2).run(verdict_of_original, candidate, attacked=self.attacked)
        judged = 0.5 if self.analysed else 1.0
        evaluation = progress.part(0.2, judged).run(
            evaluate, candidate, attacks=None if self.attacked else (), original=originals[original]
        )
        analyses = progress.part(judged, 1.0).run(analyse, candidate) if self.analysed else None
        return Trial(evaluation.report.verdict, analyses, evaluation.measures.columns)


def _is_drawn(candidate: Candidate) -> bool:
    """Return whether another key would lead to other values; another order of rows alone does not count.

    True if a step drew random numbers, or if values are drawn inside bins (``release = "draw"``).
    """
    sections = candidate.prepared.recipe.columns.values()
    bins = any(section.bins is not None and section.bins.release == "draw" for section in sections)
    return bins or any(step.drawn for step in candidate.steps)
