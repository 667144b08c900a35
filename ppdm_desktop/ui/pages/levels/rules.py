"""Tab with the rules that give protection levels, and how many people each rule matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import PrivacySection, Rule
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.levels.editor import RuleEditor
from ppdm_desktop.ui.state.level_counts import LevelCounts
from ppdm_desktop.ui.state.level_texts import describe_conditions, level_choices
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button, IconButton
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, vbox
from ppdm_desktop.ui.widgets.level_choice import LevelChoice
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.tasks import TaskOutcome

DRAFT_JOB = "levels-draft"


class RulesPanel(QWidget):
    """Panel with the table of rules and the editor of a rule."""

    selected = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        self._level_counts: LevelCounts | None = None
        self._edited: int | None = None
        self._card = Card()
        self._add = Button(
            _("Add a rule"), name="button_add_rule", icon="plus", clicked=partial(self._open_rule_editor, None)
        )
        headers = [_("Who"), _("People"), _("Gets level"), ""]
        self._model = RowsModel(headers, right=(1,))
        self.table = FormTable(self._model, name="table_rules", label=_("Rules"), stretch=0, most_rows=9, controls=True)
        # Its rows are as high as the controls in them: room for a sentence of two lines.
        self.table.setWordWrap(True)
        self.table.set_width(2, 196)
        self.table.set_width(3, 44)
        self._change = Button(_("Change this rule"), name="button_change_rule", link=True)
        hint = Text(_("If several rules apply to a person, the strictest one counts."), tone="text3", factor=0.9)
        add_parts(
            self._card.body, hbox(Text(_("Rules"), semibold=True, wrap=False), STRETCH, self._add), self.table, hint
        )
        self._card.body.addLayout(hbox(self._change, STRETCH))
        self.editor = RuleEditor()
        self.editor.hide()
        vbox(self._card, self.editor, on=self, gap=12)
        self._change.clicked.connect(self._on_change)
        self.table.doubleClicked.connect(self._on_change)
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        self.editor.saved.connect(self._on_saved)
        self.editor.cancelled.connect(self._on_cancelled)
        self.editor.draft_changed.connect(self._on_draft_changed)

    # --- showing ------------------------------------------------------------------------

    @property
    def _privacy(self) -> PrivacySection:
        """The present decisions of the recipe on protection levels."""
        return self._session.decisions.recipe.privacy

    def forget(self) -> None:
        """Close the editor of a rule without saving, cancel its count, and discard the counts of all rules."""
        self._context.runner.cancel(DRAFT_JOB)
        self._level_counts, self._edited = None, None
        self.editor.hide()

    def refresh(self, level_counts: LevelCounts | None, levels: LevelMap) -> None:
        """Show the rules in the recipe's order, each with its level and the number of people whom it matches.

        ``levels`` are offered, and levels in use that are not among them, such as "7" for groups of 7 people. Numbers
        are "…" until people are counted for these rules. Row 0 is the default level, with the number of people whom no
        rule matches. Rules that match nobody or cannot be checked are amber.
        """
        self._level_counts = level_counts
        privacy = self._privacy
        fitting = level_counts if level_counts is not None and level_counts.privacy.rules == privacy.rules else None
        counts = fitting.rule_counts if fitting is not None else []
        total = "…" if fitting is None else format_rounded_count(fitting.people_without_rule)
        table = level_counts.basis.read if level_counts is not None else None
        rows = [(_("Everyone else"), total, "", "")]
        for index, rule in enumerate(privacy.rules):
            text = _format_people_count(counts[index]) if index < len(counts) else "…"
            rows.append((describe_conditions(rule, table), text, "", ""))
        amber = [(index + 1, 1) for index, people in enumerate(counts[: len(privacy.rules)]) if not people]
        self._model.set_rows(rows, amber=amber)
        keys = [privacy.default, *(rule.level for rule in privacy.rules)]
        choices = level_choices(levels, keys)
        for row, key in enumerate(keys):
            show_level_choice(
                self.table, row, "rule", choices, str(key), self._on_level, self._on_remove if row else None
            )
        self._offer_ways()

    def _offer_ways(self) -> None:
        """Enable the button that changes the selected rule; the first row, the level for everybody, has none."""
        self._change.setEnabled(self.table.current_row() > 0)

    def select_rule(self, index: int) -> None:
        """Select the rule at ``index`` (from 0); nothing if there is none."""
        if 0 <= index < len(self._privacy.rules):
            self.table.select_row(index + 1)

    def _on_selection(self) -> None:
        """Enable the buttons for the selected rule, and send its index: -1 for the default level, -2 for no rule."""
        self._offer_ways()
        self.selected.emit(self.table.current_row() - 1)

    # --- deciding -----------------------------------------------------------------------

    def _change_privacy_section(self, **changes: object) -> None:
        """Change entries of the recipe's decisions on protection levels, as a decision that can be undone."""
        self._session.decide_recipe(privacy=self._privacy.model_copy(update=changes))

    def _on_level(self, row: int, key: str) -> None:
        """Set the level ``key`` for the rule in a row of the table, or as the default level in row 0, as a decision."""
        if row == 0:
            self._change_privacy_section(default=key)
            return
        rules = list(self._privacy.rules)
        rules[row - 1] = rules[row - 1].model_copy(update={"level": key})
        self._change_privacy_section(rules=tuple(rules))

    def _on_remove(self, row: int) -> None:
        """Remove the rule in a row of the table from the recipe; row 1 is the first rule.

        The editor is closed if it shows this rule.
        """
        if self._edited == row - 1:
            self._on_cancelled()
            self._edited = None
        elif self._edited is not None and self._edited >= row:
            self._edited -= 1
        rules = list(self._privacy.rules)
        del rules[row - 1]
        self._change_privacy_section(rules=tuple(rules))

    def _on_change(self) -> None:
        """Open the editor with the selected rule; nothing without one, or if the default level in row 0 is selected."""
        row = self.table.current_row()
        if row > 0:
            self._open_rule_editor(row - 1)

    def _open_rule_editor(self, index: int | None) -> None:
        """Open the editor for the rule at ``index`` (from 0), or for a new rule (None).

        Nothing happens before people were counted.
        """
        if self._level_counts is None:
            return
        self._edited = index
        rule = self._privacy.rules[index] if index is not None else None
        keys = [rule.level] if rule is not None else []
        self.editor.open(self._level_counts.basis.read, level_choices(self._level_counts.level_map, keys), rule)

    def _on_saved(self, rule: Rule) -> None:
        """Put the edited rule into the recipe, as a decision, select it and close the editor.

        A changed rule replaces the rule at the index for which the editor was opened. A new rule comes last, and so
        does a changed one if there is no rule at that index any more. The button "add" gets the focus.
        """
        rules = list(self._privacy.rules)
        self.editor.hide()
        index = len(rules) if self._edited is None else min(self._edited, len(rules))
        rules[index : index + 1] = [rule]
        self._change_privacy_section(rules=tuple(rules))
        self.select_rule(index)
        self._add.setFocus()

    def _on_cancelled(self) -> None:
        """Close the editor without changing the recipe.

        The count for the rule in the editor is cancelled, and the button "add" gets the focus.
        """
        self._context.runner.cancel(DRAFT_JOB)
        self.editor.hide()
        self._add.setFocus()

    # --- whom the draft finds -------------------------------------------------------------

    def _on_draft_changed(self) -> None:
        """Count in the background how many people the rule in the editor matches; nothing while it is incomplete.

        Nothing happens either before people were counted or while the editor is closed.
        """
        where = self.editor.draft()
        if isinstance(where, str) or self._level_counts is None or not self.editor.isVisible():
            return
        basis = self._level_counts.basis

        def work() -> int:
            """Return the number of people with a row that meets all conditions of the rule."""
            progress.check()
            return basis.people_among(basis.select_rows(where))

        self._context.runner.start(DRAFT_JOB, work, self._on_counted)

    def _on_counted(self, outcome: TaskOutcome) -> None:
        """Show how many people the rule in the editor matches, such as "12 of 300 people"; 0 in amber.

        If counting failed, the reason is shown; after a cancellation nothing changes.
        """
        if outcome.cancelled or self._level_counts is None:
            return
        if not outcome.ok:
            self.editor.show_finds(outcome.message, "amber")
            return
        total = self._level_counts.basis.people
        text = _("{n} of {total} {total:person|people}", n=int(outcome.result), total=total)
        self.editor.show_finds(text, "text" if outcome.result else "amber")


def show_level_choice(
    table: FormTable,
    row: int,
    name: str,
    choices: Sequence[tuple[str, str, int]],
    key: str,
    picked: Callable[[int, str], None],
    removed: Callable[[int], None] | None,
) -> None:
    """Show a drop-down list of levels in a row of a table with the columns "Gets level" (2) and, for a button, 3.

    List and button are created if the row has none yet.

    Parameters
    ----------
    table, row
        The table, and the row in it.
    name
        Part of the object names of list and button.
    choices
        Levels: (key, label, number of filled bars).
    key
        Key of the selected level.
    picked
        Called with the row and the key of the level that the user picks.
    removed
        Called with the row when the user clicks the button to remove it; None for no button.
    """
    choice = table.at(row, 2)
    if not isinstance(choice, LevelChoice):
        choice = LevelChoice(name=f"{name}_level_{row}", label=_("Gets level"), picked=partial(picked, row))
        # The column is as wide as the words that are there.
        choice.set_levels(choices, key)
        table.put(row, 2, choice)
        if removed is not None:
            text, clicked = _("Remove"), partial(removed, row)
            table.put(row, 3, IconButton("close", text, name=f"button_remove_{name}_{row}", clicked=clicked))
    choice.set_levels(choices, key)


def _format_people_count(people: int | None) -> str:
    """Return a number of people as text in the user's language, such as "1,204".

    The text is "Finds nobody" for 0 and "Cannot be checked" for None.
    """
    if people is None:
        return _("Cannot be checked")
    return format_rounded_count(people) if people else _("Finds nobody")


def explain_error(error: PpdmError | None) -> str:
    """Return the message of an error with its remedy; "" for None."""
    return explain(error, window=True) if error is not None else ""
