"""Rules that hold between values of the file, each with a box; every protected version keeps the ticked rules."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.rules import ValueRule, find_rules
from ppdm_desktop.engine.table.rules.numbers import ListRule
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.column_decisions import is_kept, keep_rule
from ppdm_desktop.ui.state.step_chain import apply_decided_roles
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import add_parts
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "rules"
_MOST_ROWS = 12


class RulesCard(Card):
    """Card with the rules that hold in the file; they are searched again when roles or kinds change."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            _("What always holds in this file"),
            _(
                "A recipient would call anything else a mistake. Methods keep what is ticked; rows that break it are "
                "counted. Ends that few people have are rounded outwards. The data dictionary states what holds in the "
                "released values."
            ),
            name="card_rules",
            topic="page.columns",
        )
        self._context, self._session = context, context.session
        self._asked: object = None
        self.rules: tuple[ValueRule, ...] = ()
        self._summary = Text("", tone="text2", name="label_rules")
        headers = (_("Kept", "decision"), _("Rule"), _("Rows in which it holds"))
        self.model = RowsModel(headers, right=(2,), parent=self)
        self.table = FormTable(
            self.model,
            name="table_rules",
            label=_("What always holds in this file"),
            stretch=1,
            most_rows=_MOST_ROWS,
            controls=True,
            least=260,
        )
        self.table.set_width(0, 44)
        self.table.setWordWrap(True)
        add_parts(self.body, self._summary, self.table)

    def forget(self) -> None:
        """Discard the rules that were found, and cancel the search."""
        self._asked, self.rules = None, ()
        self._context.runner.cancel(_JOB)
        self._show_rules()

    def refresh(self) -> None:
        """Show the rules found between values and their ticks; search again if what they depend on has changed.

        That is the table, roles, kinds, person columns and for which columns the rule on their list of values is
        unticked. The search runs in the background. Nothing happens without a file.
        """
        reading, recipe = self._session.reading, self._session.decisions.recipe
        if reading is None:
            return
        columns = tuple((name, section.role, section.kind) for name, section in recipe.columns.items())
        # Numbers that are no list have a range.
        no_lists = tuple(rule.columns for rule in recipe.rules if rule.kind == ListRule.id and not rule.kept)
        asked = (self._session.reading_number, columns, recipe.input.person, no_lists)
        if asked != self._asked:
            self._asked = asked
            self._summary.setText(_("Counting…"))
            self._context.runner.start(_JOB, lambda: _find_rules(reading, recipe), self._on_rules)
        self._show_rules()

    def _on_rules(self, outcome: TaskOutcome) -> None:
        """Show the rules that the search returned, or why it failed; the rules of the last search then stay.

        A cancelled search is started again by the next ``refresh``.
        """
        if outcome.ok:
            self.rules = outcome.result
            self._summary.setText("")
        elif outcome.cancelled:
            self._asked = None
        else:
            self._summary.setText(outcome.message)
        self._show_rules()

    def _show_rules(self) -> None:
        """Fill the table with the rules, and tick the rules that a release has to keep.

        Each has its title, and in how many of the rows it holds. Without rules the table is hidden, and a line says
        that the search runs, why it failed, or that none was found.
        """
        recipe = self._session.decisions.recipe
        rows = [("", str(rule.title), _("{n} of {all}", n=rule.holds_in, all=rule.of)) for rule in self.rules]
        self.model.set_rows(rows)
        for row, rule in enumerate(self.rules):
            box = self.table.at(row, 0)
            if not isinstance(box, QCheckBox):
                box = check_box(name=f"check_rule_{row}", toggled=partial(self._on_ticked, row))
                self.table.put(row, 0, box)
            with QSignalBlocker(box):
                box.setChecked(is_kept(recipe, rule))
            box.setAccessibleName(str(rule.title))
        self.table.setVisible(bool(rows))
        if not rows and not self._summary.text():
            self._summary.setText(_("No rule was found."))
        self._summary.setVisible(bool(self._summary.text()))

    def _on_ticked(self, row: int, kept: bool) -> None:
        """Write into the recipe whether a release has to keep (``kept``) the rule in a row of the table."""
        keep_rule(self._session, self.rules[row], kept)


def _find_rules(reading: Reading, recipe: Recipe) -> tuple[ValueRule, ...]:
    """Return the rules that hold in a table with the roles and kinds of the recipe, then those that it declares.

    It is the background work of the job ``rules``.
    """
    progress.report(0.0, "doing.read")
    return find_rules(apply_decided_roles(reading, recipe))
