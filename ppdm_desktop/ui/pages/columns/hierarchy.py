"""Editor for the hierarchy of a column: a list of broader values for each value."""

from __future__ import annotations

from pathlib import Path

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.table.hierarchies import HierarchyDraft
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Reason, Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.columns.values_grid import ValuesGridCard
from ppdm_desktop.ui.state.hierarchy_edits import (
    HierarchyFacts,
    explain_wrong_folder,
    format_example,
    look_at_hierarchy,
    shorten_long_words,
    to_relative_path,
)
from ppdm_desktop.ui.state.hierarchy_grid import MOST_VALUES, open_grid, save_list
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.elided import Elided
from ppdm_desktop.ui.widgets.layout import Flow, add_parts
from ppdm_desktop.ui.work.tasks import TaskOutcome

_LOOK, _CHOICE, _GRID = "hierarchy", "hierarchy-choice", "hierarchy-grid"


class HierarchyEditor(Card):
    """Card that reads a column's list of broader values from a file, shows its content, and removes it.

    Parameters
    ----------
    context
        Session, task runner and dialogs.
    grid
        The grid in which a list is made by hand.
    """

    def __init__(self, context: Context, grid: ValuesGridCard) -> None:
        super().__init__(
            _("Broader values"),
            _("A list in a file can give broader values for each value, step by step."),
            name="editor_hierarchy",
        )
        self._grid, self._grid_column = grid, ""
        self._refused: Path | None = None
        self.context, self.session = context, context.session
        self._loaded: tuple[str, ColumnSection | None, Path | None] = ("", None, None)
        self._wanted: tuple[str, ColumnSection] | None = None
        self._looking = False
        self.file = Elided("")
        self.file.setObjectName("label_hierarchy_file")
        self.holds = Text("", factor=0.92, tone="text2", name="label_hierarchy")
        self.example = Text("", factor=0.92, name="label_hierarchy_example")
        self.put_under = Button(_("Put them under *"), name="button_put_under", clicked=self._on_put_under)
        self.problem = Strip("amber", "", self.put_under, name="strip_hierarchy")
        text = _("Choose a file…")
        self.choose = Button(text, name="button_choose_hierarchy", icon="folder", clicked=self._on_choose)
        self.remove = Button(_("Remove the list"), name="button_remove_hierarchy", clicked=self._on_remove)
        self.edit = Button(_("Make a list…"), name="button_edit_hierarchy", clicked=self._on_edit)
        buttons = Flow(self.edit, self.choose, self.remove)
        add_parts(self.body, self.file, self.holds, self.example, self.problem, buttons)
        self._grid.used.connect(self._on_used)

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Cancel the reading of lists of broader values, close the grid, and forget the displayed column."""
        for job in (_LOOK, _CHOICE, _GRID):
            self.context.runner.cancel(job)
        self._grid.close_grid()
        self._loaded = ("", None, None)
        self._wanted, self._looking = None, False

    def show_column(self, name: str) -> None:
        """Show a column's list of broader values (its hierarchy, such as town, county, country), if it has one.

        Its file is read in the background; then the number of values at each step and an example are shown. Without a
        list, a sentence says what is done to the values instead. Nothing changes if the column has no role yet, or if
        column, decisions on it and file are as at the last call; a warning about a refused list then stays visible.
        """
        section = self.session.decisions.recipe.columns.get(name)
        loaded = (name, section, self.session.decisions.path)
        if loaded == self._loaded or section is None:
            return
        self._loaded = loaded
        self._look_again()

    def _look_again(self) -> None:
        """Show the column's list of broader values and its buttons, and read its file again in the background.

        Without a list, a sentence says what happens to the values instead. No list can be chosen for a column of
        numbers in groups. A running check of another list is cancelled, and a former warning removed.
        """
        for job in (_LOOK, _CHOICE):
            self.context.runner.cancel(job)
        self._wanted, self._looking = None, False
        name, section, _source = self._loaded
        assert section is not None
        has_file, cut = section.hierarchy is not None, section.bins is not None
        self.file.setText(section.hierarchy or "")
        self.file.setVisible(has_file)
        self.remove.setVisible(has_file)
        self.choose.setEnabled(not cut)
        self.edit.setText(_("Edit the list…") if has_file else _("Make a list…"))
        self.edit.setEnabled(not cut and 0 < self.session.facts[name].distinct <= MOST_VALUES)
        for button in (self.edit, self.choose, self.remove):
            button.setAccessibleName(join_label(button.text(), name))
        self.put_under.setVisible(False)
        self.problem.set("amber", "")
        self._show_example("")
        if has_file:
            self.holds.setText(_("Reading the file…"))
            self._looking = True
            self.context.runner.start(_LOOK, look_at_hierarchy(self.session, name, section), self._on_looked)
        elif cut:
            self.holds.setText(_("The numbers are in groups. Remove the groups to use a list instead."))
        else:
            self.holds.setText(self._describe_no_hierarchy(section.kind))

    def _describe_no_hierarchy(self, kind: str | None) -> str:
        """Return a sentence on what happens to a column's values without a list, by its kind.

        There is one each for numeric, date and ordinal; any other kind, and None, get that for texts.
        """
        if kind == "numeric":
            return _("No list: numbers become ranges.")
        if kind == "date":
            return _("No list: dates become months, quarters or years.")
        if kind == "ordinal":
            return _("No list: neighbouring values are combined.")
        return _(
            "No list: codes lose their last characters. Other texts are combined by how often "
            "they occur, not by what they mean."
        )

    def _show_example(self, text: str) -> None:
        """Show one value with its generalisations as an example; hidden if the text is empty."""
        self.example.setText(text)
        self.example.setVisible(bool(text))

    def _on_looked(self, outcome: TaskOutcome) -> None:
        """Show a list that was read: its levels, the number of different values at each level, and an example.

        If the list does not fit the column, a warning says why. Nothing happens if the reading was cancelled.
        """
        if outcome.cancelled or not self._looking:
            return
        self._looking = False
        if not outcome.ok:
            self.holds.setText(_("This list does not fit the column. Choose another list or remove it."))
            self._show_warning(self._explain_misfit(outcome))
            return
        hierarchy_facts: HierarchyFacts = outcome.result
        text = _(
            "{levels} {levels:level|levels} of broader values. Different values, step by step: {steps}.",
            levels=len(hierarchy_facts.counts) - 1,
            steps=Term(" → ".join(format_rounded_count(number) for number in hierarchy_facts.counts)),
        )
        self.holds.setText(text)
        self._show_example(format_example(hierarchy_facts.example))

    def _explain_misfit(self, outcome: TaskOutcome) -> str:
        """Return why a list does not fit the column and what to do, starting with "In row 7:" if the error has a row.

        The path of the list is left out, because its name is shown beside the message.
        """
        error: PpdmError | None = outcome.error
        if error is None:
            return outcome.message
        if error.id == "error.hierarchy.other-file":
            return _("The list has changed since you chose it. If this is intended, choose it again.")
        text = render(error.id, error.arguments)
        row = _("In row {row:place}:", row=error.row) if error.row is not None else ""
        return " ".join(filter(None, (row, text.sentence, text.window)))

    # --- deciding -----------------------------------------------------------------------

    def _on_choose(self) -> None:
        """Ask for a file with broader values, and check in the background whether it fits the column.

        A list that is not in the folder of the opened file is refused with a warning. Nothing happens without a column
        or a file, or if the user cancels.
        """
        name, section, source = self._loaded
        if section is None or source is None:
            return
        path = self.context.dialogs.open_file(self, _("Choose a file…"), "*.csv *.txt")
        if path is None:
            return
        default_path = to_relative_path(path, source)
        if default_path is None:
            self._show_warning(explain_wrong_folder(path, source))
            return
        self._refused = path
        self._use_hierarchy_file(name, section, default_path)

    def _use_hierarchy_file(self, name: str, section: ColumnSection, file: str) -> None:
        """Check in the background whether a list fits a column, and write it into the recipe if it does.

        Parameters
        ----------
        name
            Name of the column.
        section
            What the recipe says of the column.
        file
            Path of the list, relative to the folder of the opened file.
        """
        wanted = section.model_copy(update={"hierarchy": file, "hierarchy_sha256": None})
        self._wanted = name, wanted
        self.problem.set("amber", "")
        self.put_under.setVisible(False)
        self.context.runner.start(_CHOICE, look_at_hierarchy(self.session, name, wanted), self._on_chosen)

    def _on_chosen(self, outcome: TaskOutcome) -> None:
        """Write the chosen list into the recipe if it fits the column, otherwise show why it does not.

        A grid that is open for the column is then closed. Nothing happens if the check was cancelled, or if the
        decisions on the column changed during it.
        """
        if outcome.cancelled or self._wanted is None:
            return
        (name, wanted), self._wanted = self._wanted, None
        decided = self.session.decisions.recipe.columns.get(name)
        changes = {"hierarchy": wanted.hierarchy, "hierarchy_sha256": None}
        if decided is None or decided.model_copy(update=changes) != wanted:
            return
        if not outcome.ok:
            text = _("{file} was not used.", file=Name(Path(wanted.hierarchy or "").name))
            self._show_warning(f"{text}\n{self._explain_misfit(outcome)}")
            error: PpdmError | None = outcome.error
            self.put_under.setVisible(error is not None and error.id == "error.hierarchy.value-missing")
            return
        hierarchy_facts: HierarchyFacts = outcome.result
        before = self.session.decisions
        self.session.set_column(
            [name], confirm=False, hierarchy=hierarchy_facts.file, hierarchy_sha256=hierarchy_facts.sha256
        )
        if name == self._grid_column:
            self._grid.close_grid()
        if self.session.decisions is before:
            self._look_again()

    # --- making a list by hand ----------------------------------------------------------

    def _on_edit(self) -> None:
        """Open the column's list of broader values in the grid, or a list without groups if it has none.

        Nothing happens without a file.
        """
        _name, section, source = self._loaded
        if section is not None and source is not None:
            self._open_grid(source.parent / section.hierarchy if section.hierarchy is not None else None)

    def _on_put_under(self) -> None:
        """Open the list that did not fit in the grid, with the values that it lacks in the group "*" (all values)."""
        self._open_grid(self._refused)

    def _open_grid(self, list_path: Path | None) -> None:
        """Read a list of broader values in the background and open it in the grid.

        Without a path (None) the grid starts without groups.
        """
        name, section, _source = self._loaded
        if section is not None:
            self._grid_column = name
            work = open_grid(self.session, name, section, list_path)
            self.context.runner.start(_GRID, work, self._on_opened)

    def _on_opened(self, outcome: TaskOutcome) -> None:
        """Show the list that was read in the grid, or why that failed; nothing happens if it was cancelled."""
        if outcome.cancelled:
            return
        if not outcome.ok:
            self._show_warning(self._explain_misfit(outcome))
            return
        self.problem.set("amber", "")
        self._grid.open_grid(self._grid_column, outcome.result)

    def _on_used(self, draft: HierarchyDraft) -> None:
        """Save a list that was made in the grid (the draft) beside the opened file, and use it if it fits the column.

        If it cannot be saved or does not fit, a warning says why. Nothing happens if the file was closed or the column
        is no longer in the recipe.
        """
        source = self.session.decisions.path
        section = self.session.decisions.recipe.columns.get(self._grid_column)
        if source is None or section is None:
            return
        try:
            path = save_list(draft, self._grid_column, source.parent)
        except OSError as error:
            reason = Reason.of(error)
            self._show_warning(_("The list could not be saved in the folder of your file: {reason}", reason=reason))
            return
        self._use_hierarchy_file(self._grid_column, section, path.name)

    def _show_warning(self, text: str) -> None:
        """Show a warning in the card, with long words shortened."""
        self.problem.set("amber", shorten_long_words(text))

    def _on_remove(self) -> None:
        """Remove the list of broader values from the column; its role is not confirmed by that."""
        self.session.set_column([self._loaded[0]], confirm=False, hierarchy=None, hierarchy_sha256=None)
        self.choose.setFocus()
