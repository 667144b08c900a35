"""How exactly an analyst can infer a number despite noise, by privacy level and before any run; no widget here."""

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
from ppdm_desktop.ui.state.level_counts import LevelCounts
from ppdm_desktop.ui.state.level_texts import label_level

_HARDLY = 0.005
_NOTHING = 1e-9  # what the sums of probabilities are off by


@dataclass(frozen=True)
class Learned:
    """How much can be inferred about confidential numbers despite the noise of each privacy level.

    Attributes
    ----------
    losses
        Privacy loss of each column at each level, weakest level first; empty if there is no number to add noise to.
    title
        Title of the noise method.
    in_chain
        Whether a step of the recipe defines the noise; else the method's default settings are used.
    cells_change
        The largest change of a loss by rounding to bands; None if the step has no bands.
    problem
        Why losses cannot be computed, in words; empty if they can, or if there are no numbers.
    """

    losses: tuple[LevelLoss, ...] = ()
    title: Sentence | None = None
    in_chain: bool = False
    cells_change: float | None = None
    problem: str = ""

    @property
    def columns(self) -> list[str]:
        """Names of the columns with losses, in order."""
        return list(dict.fromkeys(loss.column for loss in self.losses))

    @property
    def levels(self) -> list[str]:
        """Names of the privacy levels with losses, weakest first."""
        return list(dict.fromkeys(loss.level for loss in self.losses))

    def of(self, column: str, level: str) -> LevelLoss:
        """Return the privacy loss of a column at a level; raise StopIteration if it was not computed."""
        return next(loss for loss in self.losses if (loss.column, loss.level) == (column, level))


def find_learned(level_counts: LevelCounts, recipe: Recipe) -> Learned:
    """Return the privacy loss of every confidential number column at every privacy level, even levels nobody has.

    The noise is that of the recipe's first step that adds such noise, else that of the method with its default
    settings. Without levels or confidential numbers the losses are empty; if the step cannot run, ``problem`` says why.
    """
    if level_counts.levels is None:
        return Learned()
    table = _add_absent_levels(
        progress.make_silent_progress().run(
            apply_bins, replace(level_counts.basis.table, rules=recipe.rules), recipe.columns
        ),
        level_counts.levels,
        level_counts.level_map,
    )
    methods = {id: method for id, method in all_methods().items() if isinstance(method, PreviewsLosses)}
    step = next((step for step in recipe.steps if step.enabled and step.method in methods), None)
    section = step or StepSection(method=next(iter(methods)))
    method = methods[section.method]
    if step is None and not any(column.kind == "numeric" for column in table.with_role("confidential")):
        return Learned()
    progress.report(0.1, "doing.levels")
    try:
        settings = method.read_step_settings(table, section)
        losses = method.level_losses(table, settings)
        progress.report(0.6, "doing.levels")
        change = method.change_by_cells(table, settings)
    except PpdmError as error:
        return Learned(in_chain=step is not None, problem=explain(error, window=True))
    progress.report(1.0, "doing.levels")
    return Learned(losses, method.title, step is not None, change)


def _add_absent_levels(table: Table, levels: RecordLevels, level_map: LevelMap) -> Table:
    """Return a copy of the table whose list of privacy levels also has those that nobody has, weakest first.

    Everybody keeps their level.
    """
    used = {level.name for level in levels.levels}
    every = [*levels.levels, *(level for level in level_map.named if level.name not in used)]
    every.sort(key=LevelMap.strictness)
    level_indices = np.array([every.index(level) for level in levels.levels], dtype=np.int32)
    return table.with_levels(
        replace(levels, levels=tuple(every), codes=level_indices[levels.codes], named=level_map.named)
    )


# --- words ------------------------------------------------------------------------------


def format_loss(loss: float) -> str:
    """Return a privacy loss (0 to 1) in per cent, such as "37%"; "0%" only below 1e-9, "100%" only for exactly 1."""
    return numbers_of(language()).percent(_to_loss_ratio(loss).value)


def _to_loss_ratio(loss: float) -> Ratio:
    """Return a privacy loss as a ratio to be put into a sentence; losses below 1e-9 become 0."""
    return Ratio(0.0 if loss < _NOTHING else loss)


def _join_numbers(values: Iterable[float]) -> Term:
    """Return numbers as one text, separated by middle dots."""
    return Term(" · ".join(numbers_of(language()).number(value) for value in values))


def headline(learned: Learned) -> str:
    """Return a sentence on how much can be inferred about the first column at the weakest and at the strictest level.

    If both losses are equal as written, or there is one level, only the weakest is named. There must be losses.
    """
    column, levels = learned.columns[0], learned.levels
    weakest, strictest = learned.of(column, levels[0]), learned.of(column, levels[-1])
    if len(levels) == 1 or format_loss(weakest.loss) == format_loss(strictest.loss):
        return _(
            "At the level {level}, an analyst can narrow the range of one person’s {column} by {loss}",
            level=Term(label_level(weakest.level)),
            loss=_to_loss_ratio(weakest.loss),
            column=Name(column),
        )
    return _(
        "An analyst can narrow the range of one person’s {column} by {loss} at the level {level}, by {less} at {other}",
        level=Term(label_level(weakest.level)),
        loss=_to_loss_ratio(weakest.loss),
        column=Name(column),
        other=Term(label_level(strictest.level)),
        less=_to_loss_ratio(strictest.loss),
    )


def explain_disclosure(learned: Learned) -> str:
    """Return sentences that explain the losses, with the first column at the weakest level as example.

    They give the width of the range of its values without and with the released value, and say that at 0 % nothing is
    learnt, at 100 % the value itself.
    """
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
    """Return a sentence on which noise was assumed: a step's on the page Protect, or a named method's by default."""
    if learned.in_chain:
        return _("For the noise step on the Protect page, on average over all people. No run is needed.")
    return _(
        "If you choose “{method}” on the Protect page with its default settings, on average over all people.",
        method=Term(learned.title or ""),
    )


def describe_band_effect(learned: Learned) -> str:
    """Return a sentence on how much higher the losses would be without rounding to bands; empty without bands.

    Below half a percentage point it says that bands change almost nothing.
    """
    if learned.cells_change is None:
        return ""
    if learned.cells_change < _HARDLY:
        return _("The bands change almost nothing here: the noise protects.")
    return _("Without the bands, a figure here would be higher by up to {points}.", points=Points(learned.cells_change))


def describe_noise_sizes(learned: Learned, column: str) -> str:
    """Return a line with a column's noise (standard deviation) and band width at each level, weakest first."""
    losses = [learned.of(column, level) for level in learned.levels]
    return _(
        "{column}: standard deviation of the noise {noise}, width of the bands {bands}",
        column=Name(column),
        noise=_join_numbers(loss.sd for loss in losses),
        bands=_join_numbers(loss.width for loss in losses),
    )


def exact_term() -> str:
    """Return a line with the exact terms for the losses and their source."""
    return _(
        "Exact terms: privacy loss, from the mutual information of true and released values, and privacy, the width "
        "of the range from their entropy (Agrawal & Aggarwal 2001)."
    )
