"""Editor for the hierarchy of a column: a list of broader values for each value."""

from __future__ import annotations

from pathlib import Path

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Term
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.hierarchy_edits import (
    HierarchyFacts,
    another_folder,
    example_words,
    look_at_hierarchy,
    name_beside,
    wrappable,
)
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.elided import Elided
from ppdm_desktop.ui.widgets.flow import Flow
from ppdm_desktop.ui.widgets.layout import fill
from ppdm_desktop.ui.work.tasks import TaskOutcome

_LOOK, _CHOICE = "hierarchy", "hierarchy-choice"


class HierarchyEditor(Card):
    """Editor that reads a hierarchy from a file beside the source, shows its content, and removes it."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="editor_hierarchy")
        self.context, self.session = context, context.session
        self._name = ""
        self._loaded: tuple[str, ColumnSection | None, Path | None] = ("", None, None)
        self._wanted: ColumnSection | None = None
        self._looking = False
        self.set_title(_("Broader values"), _("A list in a file can give broader values for each value, step by step."))
        self.file = Elided("")
        self.file.setObjectName("label_hierarchy_file")
        self.holds = Text("", factor=0.92, tone="text2", name="label_hierarchy")
        self.example = Text("", factor=0.92, name="label_hierarchy_example")
        self.problem = Strip("amber", "", name="strip_hierarchy")
        fill(self.body, self.file, self.holds, self.example, self.problem)
        self.choose = Button(_("Choose a file…"), name="button_choose_hierarchy", icon="folder")
        self.remove = Button(_("Remove the list"), name="button_remove_hierarchy", clicked=self._on_remove)
        self.body.addWidget(Flow(self.choose, self.remove))
        self.choose.clicked.connect(self._on_choose)

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Clear the column, its message, and cancel the reading of a hierarchy file."""
        for job in (_LOOK, _CHOICE):
            self.context.runner.cancel(job)
        self._loaded, self._name = ("", None, None), ""
        self._wanted, self._looking = None, False

    def show_column(self, name: str) -> None:
        """Show a column's hierarchy; a message on a refused file stays until column or section change."""
        section = self.session.decisions.recipe.columns.get(name)
        loaded = (name, section, self.session.decisions.path)
        if loaded == self._loaded or section is None:
            return
        self._loaded, self._name = loaded, name
        self._look_again()

    def _look_again(self) -> None:
        """Show the hierarchy in the recipe, and read its file again if there is one."""
        for job in (_LOOK, _CHOICE):
            self.context.runner.cancel(job)
        self._wanted, self._looking = None, False
        section = self._loaded[1]
        assert section is not None
        has_file, cut = section.hierarchy is not None, section.bins is not None
        self.file.setText(section.hierarchy or "")
        self.file.setAccessibleName(_("File: {name}", name=Name(section.hierarchy or "")) if has_file else "")
        self.file.setVisible(has_file)
        self.remove.setVisible(has_file)
        self.remove.setAccessibleName(_("Remove the list of {column}", column=Name(self._name)))
        self.choose.setText(_("Choose another file…") if has_file else _("Choose a file…"))
        label = Term(self.choose.text())
        self.choose.setAccessibleName(_("{label}: broader values for {column}", label=label, column=Name(self._name)))
        self.choose.setEnabled(not cut)
        self.problem.set("amber", "")
        self._show_example("")
        if has_file:
            self.holds.setText(_("Reading the file…"))
            self._looking = True
            self.context.runner.start(_LOOK, look_at_hierarchy(self.session, self._name, section), self._on_looked)
        elif cut:
            text = _("The numbers are in groups. Remove the groups to use a list instead.")
            self.holds.setText(text)
        else:
            self.holds.setText(self._without(section.kind))

    def _without(self, kind: str | None) -> str:
        """Return what happens to values of a column of this kind without a hierarchy."""
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
        self.example.setText(text)
        self.example.setAccessibleName(_("Example: {path}", path=Term(text)) if text else "")
        self.example.setVisible(bool(text))

    def _on_looked(self, outcome: TaskOutcome) -> None:
        if outcome.cancelled or not self._looking:
            return
        self._looking = False
        if not outcome.ok:
            self.holds.setText(_("This list does not fit the column. Choose another list or remove it."))
            self._refuse(self._why(outcome))
            return
        hierarchy_facts: HierarchyFacts = outcome.result
        text = _(
            "{levels} {levels:level|levels} of broader values. Different values, step by step: {steps}.",
            levels=len(hierarchy_facts.counts) - 1,
            steps=Term(" → ".join(count(number) for number in hierarchy_facts.counts)),
        )
        self.holds.setText(text)
        self._show_example(example_words(hierarchy_facts.example))

    def _why(self, outcome: TaskOutcome) -> str:
        """Return why a hierarchy file does not fit, without its path, because the file is named beside the message."""
        error: PpdmError | None = outcome.error
        if error is None:
            return outcome.words
        if error.id == "error.hierarchy.other-file":
            return _("The list has changed since you chose it. If this is intended, choose it again.")
        text = render(error.id, error.arguments)
        row = _("In row {row:place}:", row=error.row) if error.row is not None else ""
        return " ".join(filter(None, (row, text.sentence, text.window)))

    # --- deciding -----------------------------------------------------------------------

    def _on_choose(self) -> None:
        section, source = self._loaded[1], self.session.decisions.path
        if section is None or source is None:
            return
        title = _("Choose a list of broader values for {column}", column=Name(self._name))
        filters = _("Lists of broader values (*.csv *.txt);;All files (*)")
        path = self.context.dialogs.open_file(self, title, filters)
        if path is None:
            return
        default_path = name_beside(path, source)
        if default_path is None:
            self._refuse(another_folder(path, source))
            return
        self._wanted = section.model_copy(update={"hierarchy": default_path, "hierarchy_sha256": None})
        self.problem.set("amber", "")
        self.context.runner.start(_CHOICE, look_at_hierarchy(self.session, self._name, self._wanted), self._on_chosen)

    def _on_chosen(self, outcome: TaskOutcome) -> None:
        """Use the chosen file if it fits the column, otherwise show why it does not and change nothing."""
        wanted, self._wanted = self._wanted, None
        decided = self.session.decisions.recipe.columns.get(self._name)
        if outcome.cancelled or wanted is None or decided != self._loaded[1]:
            return
        if not outcome.ok:
            text = _("{file} was not used.", file=Name(Path(wanted.hierarchy or "").name))
            self._refuse(f"{text}\n{self._why(outcome)}")
            return
        hierarchy_facts: HierarchyFacts = outcome.result
        label = _("Broader values of {column}: {file}", column=Name(self._name), file=Name(hierarchy_facts.file))
        before = self.session.decisions
        self.session.set_column(
            label, [self._name], confirm=False, hierarchy=hierarchy_facts.file, hierarchy_sha256=hierarchy_facts.sha256
        )
        if self.session.decisions is before:
            self._look_again()

    def _refuse(self, text: str) -> None:
        self.problem.set("amber", wrappable(text))

    def _on_remove(self) -> None:
        label = _("No list for {column}", column=Name(self._name))
        self.session.set_column(label, [self._name], confirm=False, hierarchy=None, hierarchy_sha256=None)
        self.choose.setFocus()
