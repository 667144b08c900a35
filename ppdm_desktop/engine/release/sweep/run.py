"""Running a sweep: every value with every key, each result as it comes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ppdm_desktop import __version__
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import Cancelled, PpdmError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.evaluate.original import original_key, verdict_of_original
from ppdm_desktop.engine.release.measures.analyses import Analyses, analyse
from ppdm_desktop.engine.release.sweep.grid import Grid, Value
from ppdm_desktop.engine.release.sweep.measures import MEASURES, Trial
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.texts import explain

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
        Version of the program that made the trial.
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
        The source, read once with the recipe's input options.
    recipe
        The recipe whose step is changed.
    grid
        The parameter and its values.
    repeats
        Number of keys for each value.
    key
        Key from which the keys of the trials are derived; no trial is ever released.
    attacked, analysed
        Whether attacks are made and analyses tried; both take most of the time.
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
        """Number of runs: one for each value and key."""
        return len(self.grid.values) * self.repeats

    def rows(self, sweep_rows: Sequence[SweepRow] = ()) -> Iterator[SweepRow]:
        """Yield the result of each trial as soon as it is known: all values with one key, then all with the next key.

        In this order a stopped sweep has points for every value.

        Parameters
        ----------
        sweep_rows
            Rows of an earlier run, which are neither tried nor yielded again.

        Raises
        ------
        Cancelled
            When the work was stopped. A refusal by a method or recipe becomes a row with the outcome ``refused``.
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
                    self._row, value, repeat, key, originals
                )
                if not row.drawn:
                    fixed.add(value)
                yield row
        progress.report(1.0, "doing.sweep")

    def _row(self, value: Value, repeat: int, key: Key, originals: dict[str, Verdict]) -> SweepRow:
        """Return the row of one value with one key."""
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
        trial = progress.part(0.4, 1.0).run(self._judged, candidate, originals)
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

    def _judged(self, candidate: Candidate, originals: dict[str, Verdict]) -> Trial:
        """Return the verdict, analyses and usefulness of a candidate.

        Verdicts on the original are kept in ``originals``.
        """
        original = original_key(candidate.prepared)
        if original not in originals:
            originals[original] = progress.part(0.0, 0.2).run(verdict_of_original, candidate, attacked=self.attacked)
        judged = 0.5 if self.analysed else 1.0
        evaluation = progress.part(0.2, judged).run(
            evaluate, candidate, attacks=None if self.attacked else (), original=originals[original]
        )
        analyses: Analyses | None = None
        if self.analysed:
            analyses = progress.part(judged, 1.0).run(analyse, candidate)
        return Trial(evaluation.report.verdict, analyses, evaluation.measures.columns)


def _is_drawn(candidate: Candidate) -> bool:
    """Return whether another key would lead to other values, apart from the order of rows."""
    sections = candidate.prepared.recipe.columns.values()
    bins = any(section.bins is not None and section.bins.release == "draw" for section in sections)
    return bins or any(step.drawn for step in candidate.steps)
