"""How exactly an analyst can infer a number at each level, computed before any run; no widget here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.methods.base.level_losses import LevelLoss, PreviewsLosses
from ppdm_desktop.engine.recipe.models import Recipe, StepSection
from ppdm_desktop.engine.table.bins import apply_bins
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import LevelMap, RecordLevels
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, numbers_of
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Name, Number, Points, Ratio, Term
from ppdm_desktop.ui.state.level_words import level_words
from ppdm_desktop.ui.state.levels_found import LevelsFound

_HARDLY = 0.005
_NOTHING = 1e-9  # what the sums of probabilities are off by


@dataclass(frozen=True)
class Learned:
    """Inference on confidential numbers despite the noise of each level.

    Attributes
    ----------
    losses
        Privacy loss by column and level, in the order of the levels; empty if there is no number to add noise to.
    title
        Title of the noise method.
    in_chain
        Whether a step defines the noise; else the method's defaults are used.
    cells_change
        By how much rounding to bands changes any loss, None if the step has no bands.
    problem
        Why it cannot be computed, in words; empty if it can, or there are no numbers.
    """

    losses: tuple[LevelLoss, ...] = ()
    title: Sentence | None = None
    in_chain: bool = False
    cells_change: float | None = None
    problem: str = ""

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return list(dict.fromkeys(loss.column for loss in self.losses))

    @property
    def levels(self) -> list[str]:
        """Names of the levels, weakest first."""
        return list(dict.fromkeys(loss.level for loss in self.losses))

    def of(self, column: str, level: str) -> LevelLoss:
        """Return the loss of a column at a level; raise StopIteration if it was not computed."""
        return next(loss for loss in self.losses if (loss.column, loss.level) == (column, level))


def find_learned(levels_found: LevelsFound, recipe: Recipe) -> Learned:
    """Return the privacy losses of every confidential number at every level, whether the level is used or not.

    They are those of the first step that adds such noise, else of the defaults of such a method. Without levels or
    confidential numbers there are none; a step that cannot run gives the problem in words.
    """
    if levels_found.levels is None:
        return Learned()
    table = _add_absent_levels(
        progress.make_silent_progress().run(apply_bins, levels_found.basis.table, recipe.columns),
        levels_found.levels,
        levels_found.level_map,
    )
    methods = {id: method for id, method in all_methods().items() if isinstance(method, PreviewsLosses)}
    step = next((step for step in recipe.steps if step.enabled and step.method in methods), None)
    section = step or StepSection(method=next(iter(methods)))
    method = methods[section.method]
    if step is None and not any(column.kind == "numeric" for column in table.with_role("confidential")):
        return Learned()
    progress.report(0.1, "doing.levels")
    try:
        settings = method.settings_of(table, section)
        losses = method.level_losses(table, settings)
        progress.report(0.6, "doing.levels")
        change = method.change_by_cells(table, settings)
    except PpdmError as error:
        return Learned(in_chain=step is not None, problem=explain(error, window=True))
    progress.report(1.0, "doing.levels")
    return Learned(losses, method.title, step is not None, change)


def _add_absent_levels(table: Table, levels: RecordLevels, level_map: LevelMap) -> Table:
    """Return the table with all levels, weakest first, so that the codes of its records refer to these.

    A level that nobody has can then be examined.
    """
    used = {level.name for level in levels.levels}
    every = [*levels.levels, *(level for level in level_map.named if level.name not in used)]
    every.sort(key=LevelMap.strictness)
    level_indices = np.array([every.index(level) for level in levels.levels], dtype=np.int32)
    return table.with_levels(
        replace(levels, levels=tuple(every), codes=level_indices[levels.codes], named=level_map.named)
    )


# --- words ------------------------------------------------------------------------------


def loss_words(loss: float) -> str:
    """Return a privacy loss (0 to 1) as text in per cent; 0 and 100 only if exact, or below 1e-9."""
    return numbers_of(language()).percent(_to_loss_ratio(loss).value)


def _to_loss_ratio(loss: float) -> Ratio:
    """Return a privacy loss as a ratio for a sentence; losses below 1e-9 are 0."""
    return Ratio(0.0 if loss < _NOTHING else loss)


def _join_numbers(values: Iterable[float]) -> Term:
    """Return numbers as one text, separated by middle dots."""
    return Term(" · ".join(numbers_of(language()).number(value) for value in values))


def headline(learned: Learned) -> str:
    """Return a sentence on how much can be inferred about the first column at the weakest and strictest level.

    If both are written with the same per cent, only the weakest is named.
    """
    column, levels = learned.columns[0], learned.levels
    weakest, strictest = learned.of(column, levels[0]), learned.of(column, levels[-1])
    if len(levels) == 1 or loss_words(weakest.loss) == loss_words(strictest.loss):
        return _(
            "At the level {level}, an analyst can narrow the range of one person’s {column} by {loss}",
            level=Term(level_words(weakest.level)),
            loss=_to_loss_ratio(weakest.loss),
            column=Name(column),
        )
    return _(
        "An analyst can narrow the range of one person’s {column} by {loss} at the level {level}, by {less} at {other}",
        level=Term(level_words(weakest.level)),
        loss=_to_loss_ratio(weakest.loss),
        column=Name(column),
        other=Term(level_words(strictest.level)),
        less=_to_loss_ratio(strictest.loss),
    )


def explain_disclosure(learned: Learned) -> str:
    """Return a sentence that explains the figures, with the first column as the example."""
    first = learned.of(learned.columns[0], learned.levels[0])
    before = first.pi / max(1 - first.loss, 1e-12)
    return _(
        "Without the released value, the true {column} is as uncertain as any number in a range {before} wide. With "
        "it, the range is {after} wide: {loss} is learnt. At 0% nothing is learnt, at 100% the value itself.",
        loss=_to_loss_ratio(first.loss),
        after=Number(first.pi),
        column=Name(first.column),
        before=Number(before),
    )


def describe_noise_source(learned: Learned) -> str:
    """Return a sentence on which step, or which method's defaults, the noise comes from."""
    if learned.in_chain:
        return _("For the noise step on the Protect page, on average over all people. No run is needed.")
    return _(
        "If you choose “{method}” on the Protect page with its default settings, on average over all people.",
        method=Term(learned.title or ""),
    )


def describe_band_effect(learned: Learned) -> str:
    """Return a sentence on by how much figures would be higher without the bands; empty if the step has none.

    Below half a percentage point it says that they change almost nothing.
    """
    if learned.cells_change is None:
        return ""
    if learned.cells_change < _HARDLY:
        return _("The bands change almost nothing here: the noise protects.")
    return _("Without the bands, a figure here would be higher by up to {points}.", points=Points(learned.cells_change))


def describe_noise_sizes(learned: Learned, column: str) -> str:
    """Return the standard deviation of the noise and the width of the bands at each level, weakest first."""
    losses = [learned.of(column, level) for level in learned.levels]
    return _(
        "{column}: standard deviation of the noise {noise}, width of the bands {bands}",
        column=Name(column),
        noise=_join_numbers(loss.sd for loss in losses),
        bands=_join_numbers(loss.width for loss in losses),
    )


def exact_term() -> str:
    """Return the exact terms for the figures, with the source."""
    return _(
        "Exact terms: privacy loss, from the mutual information of true and released values, and privacy, the width "
        "of the range from their entropy (Agrawal & Aggarwal 2001)."
    )
