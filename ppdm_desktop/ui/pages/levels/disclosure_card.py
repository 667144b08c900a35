"""Card that shows how exactly an analyst can infer confidential numbers of a person at each protection level."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QIcon

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.level_counts import LevelCounts
from ppdm_desktop.ui.state.level_disclosure import (
    Learned,
    describe_band_effect,
    describe_noise_sizes,
    describe_noise_source,
    exact_term,
    explain_disclosure,
    find_learned,
    format_loss,
    headline,
)
from ppdm_desktop.ui.state.level_texts import label_level, level_bars, read_level_labels
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.layout import add_parts
from ppdm_desktop.ui.widgets.level_choice import level_icon
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.tasks import TaskOutcome

JOB = "levels-learn"
_MOST_SIZES = 5


class LearnCard(Card):
    """Card with a table: a row for each protection level, a column of figures for each confidential number."""

    def __init__(self, context: Context) -> None:
        super().__init__(_("What an analyst learns about one person"), name="card_learn", topic="figure.learnt")
        self._context = context
        self._asked: object = None
        self._level_counts: LevelCounts | None = None
        self._learned: Learned | None = None
        self._model = RowsModel([_("Level")], parent=self)
        self.table = FormTable(self._model, name="table_learn", label=self.title.text(), most_rows=12)
        self._meaning = Text("", tone="text2", factor=0.95, name="label_learn_meaning")
        self._small = Text("", tone="text3", factor=0.85, name="label_learn_small")
        add_parts(self.body, self.table, self._meaning, self._small)
        theme().changed.connect(self._draw_marks)
        self._show_table()

    def forget(self) -> None:
        """Discard the displayed figures, and cancel their computation."""
        self._context.runner.cancel(JOB)
        self._asked, self._level_counts, self._learned = None, None, None
        self._show_table()

    def refresh(self, level_counts: LevelCounts | None, problem: str) -> None:
        """Compute in the background again what an analyst learns of a person, if levels, columns or steps changed.

        Nothing happens while the levels are unknown or belong to earlier decisions. The figures displayed so far stay
        until the new ones are there; only a ``problem`` replaces them at once.

        Parameters
        ----------
        level_counts
            The level of each person; None while unknown.
        problem
            Why the levels cannot be computed; it is shown instead of figures unless it is "".
        """
        recipe = self._context.session.decisions.recipe
        if problem:
            self._asked, self._learned = None, Learned(problem=problem)
            self._show_table()
            return
        if level_counts is None or level_counts.levels is None:
            return
        # The counts may still be those of the decision before; the new ones are on their way.
        if level_counts.privacy != recipe.privacy or level_counts.basis.columns != recipe.columns:
            return
        if level_counts is self._level_counts and recipe.steps == self._asked:
            return
        self._asked = recipe.steps
        self._level_counts = level_counts
        self._context.runner.start(JOB, partial(find_learned, level_counts, recipe), self._on_done)

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Show what an analyst learns about one person, or why it cannot be computed.

        After a cancellation nothing changes, and the next ``refresh`` computes it again.
        """
        if outcome.cancelled:
            self._asked = None
            return
        self._learned = outcome.result if outcome.ok else Learned(problem=outcome.message)
        self._show_table()

    # --- showing ------------------------------------------------------------------------

    def _show_table(self) -> None:
        """Show what an analyst learns at each level as a table, or instead of it a text on why there is none.

        The text says that the figures are still being computed, why they cannot be computed, or that no confidential
        column holds numbers. With a table, the title of the card becomes the main finding; below the table stand an
        explanation, the sizes of the noise, for at most ``_MOST_SIZES`` columns, and the exact terms.
        """
        learned = self._learned
        filled = learned is not None and bool(learned.losses)
        self.table.setVisible(filled)
        self._small.setVisible(filled)
        if learned is None:
            self.set_title(self.title.text(), "")
            self._meaning.setText(_("These figures are being worked out."))
            return
        if not learned.losses:
            self.set_title(_("What an analyst learns about one person"), "")
            nothing = _(
                "No confidential column holds numbers, so there is nothing to show here. What a level means for other "
                "columns is in the table “What each level requires of a method”."
            )
            self._meaning.setText(learned.problem or nothing)
            return
        self.set_title(headline(learned), describe_noise_source(learned))
        columns = learned.columns
        if self._model.columnCount() != len(columns) + 1:
            model = RowsModel([_("Level"), *columns], right=range(1, len(columns) + 1), parent=self)
            old, self._model = self._model, model
            self.table.show_model(model)
            old.deleteLater()
        self._model.set_headers([_("Level"), *columns])
        level_labels = read_level_labels(self._context.session.decisions.recipe)
        rows = [
            (label_level(level, level_labels), *(format_loss(learned.of(column, level).loss) for column in columns))
            for level in learned.levels
        ]
        self._model.set_rows(rows, self._list_level_icons())
        self.table.setAccessibleDescription(headline(learned))
        self._meaning.setText(
            " ".join(part for part in (explain_disclosure(learned), describe_band_effect(learned)) if part)
        )
        lines = [describe_noise_sizes(learned, column) for column in columns[:_MOST_SIZES]]
        if len(columns) > _MOST_SIZES:
            lines.append(_("{n} more {n:column|columns}", n=len(columns) - _MOST_SIZES))
        self._small.setText("\n".join([*lines, exact_term()]))

    def _list_level_icons(self) -> list[QIcon | None]:
        """Return the icons of the levels in the table, weakest level first; None for an unknown level.

        The list is empty until levels and figures were computed.
        """
        if self._level_counts is None or self._learned is None:
            return []
        levels = self._level_counts.level_map
        named_levels = [levels.find(name.removeprefix("group ")) for name in self._learned.levels]
        return [level_icon(level_bars(level, levels)) if level is not None else None for level in named_levels]

    def _draw_marks(self) -> None:
        """Draw the icons of the levels in the present theme, if the table shows figures."""
        if self._learned is not None and len(self._model.rows) == len(self._learned.levels):
            self._model.set_rows(self._model.rows, self._list_level_icons())
