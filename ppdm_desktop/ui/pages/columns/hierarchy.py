"""Editor of one column: the file that says how its values become coarser."""

from __future__ import annotations

from pathlib import Path

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.texts import render
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.hierarchy_edits import (
    HierarchyFacts,
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
from ppdm_desktop.ui.work.tasks import TaskOutcome

_LOOK, _CHOICE = "hierarchy", "hierarchy-choice"


class HierarchyEditor(Card):
    """Gives a column a hierarchy from a file beside the source, shows what it holds, takes it away."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setObjectName("editor_hierarchy")
        self.context, self.session = context, context.session
        self._name = ""
        self._loaded: tuple[str, ColumnSection | None, Path | None] = ("", None, None)
        self._wanted: ColumnSection | None = None
        self._looking = False
        self.set_title(
            self.tr("How values become coarser"),
            self.tr("A file can say of each value what it becomes, step by step."),
        )
        self.file = Elided("")
        self.file.setObjectName("label_hierarchy_file")
        self.holds = Text("", factor=0.92, tone="text2")
        self.holds.setObjectName("label_hierarchy")
        self.example = Text("", factor=0.92)
        self.example.setObjectName("label_hierarchy_example")
        self.problem = Strip("amber", "")
        self.problem.setObjectName("strip_hierarchy")
        for widget in (self.file, self.holds, self.example, self.problem):
            self.body.addWidget(widget)
        self.choose = Button(self.tr("Choose a file…"), name="button_choose_hierarchy", icon="folder")
        self.remove = Button(self.tr("Take the file away"), name="button_remove_hierarchy")
        buttons = Flow()
        buttons.add(self.choose)
        buttons.add(self.remove)
        self.body.addWidget(buttons)
        self.choose.clicked.connect(self._on_choose)
        self.remove.clicked.connect(self._on_remove)

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Forget the column, a file that was being looked at, and what was said of one."""
        for job in (_LOOK, _CHOICE):
            self.context.runner.cancel(job)
        self._loaded, self._name = ("", None, None), ""
        self._wanted, self._looking = None, False

    def show_column(self, name: str) -> None:
        """Show a column's hierarchy; what was said of a file that did not fit stays while nothing changes."""
        section = self.session.decisions.recipe.columns.get(name)
        loaded = (name, section, self.session.decisions.path)
        if loaded == self._loaded or section is None:
            return
        self._loaded, self._name = loaded, name
        self._look_again()

    def _look_again(self) -> None:
        """Show what is decided, and read the file anew if there is one."""
        for job in (_LOOK, _CHOICE):
            self.context.runner.cancel(job)
        self._wanted, self._looking = None, False
        section = self._loaded[1]
        assert section is not None
        has_file, cut = section.hierarchy is not None, section.bins is not None
        self.file.setText(section.hierarchy or "")
        self.file.setAccessibleName(self.tr("File: {name}").format(name=section.hierarchy) if has_file else "")
        self.file.setVisible(has_file)
        self.remove.setVisible(has_file)
        self.remove.setAccessibleName(self.tr("Take the file away from {column}").format(column=self._name))
        self.choose.setText(self.tr("Choose another file…") if has_file else self.tr("Choose a file…"))
        self.choose.setAccessibleName(
            self.tr("Choose the file that says how {column} becomes coarser").format(column=self._name)
        )
        self.choose.setEnabled(not cut)
        self.problem.set("amber", "")
        self._show_example("")
        if has_file:
            self.holds.setText(self.tr("Reading the file…"))
            self._looking = True
            self.context.runner.start(_LOOK, look_at_hierarchy(self.session, self._name, section), self._on_looked)
        elif cut:
            words = self.tr("The numbers are cut into groups. Take the groups away to use a file instead.")
            self.holds.setText(words)
        else:
            self.holds.setText(self._without(section.kind))

    def _without(self, kind: str | None) -> str:
        if kind == "numeric":
            return self.tr("No file: numbers become ranges.")
        if kind == "date":
            return self.tr("No file: dates become months, quarters, years.")
        if kind == "ordinal":
            return self.tr("No file: values that follow each other are put together.")
        return self.tr(
            "No file: codes lose their last characters; words are put together by how often they occur, not by what "
            "they mean."
        )

    def _show_example(self, words: str) -> None:
        self.example.setText(words)
        self.example.setAccessibleName(self.tr("Example: {path}").format(path=words) if words else "")
        self.example.setVisible(bool(words))

    def _on_looked(self, outcome: TaskOutcome) -> None:
        if outcome.cancelled or not self._looking:
            return
        self._looking = False
        if not outcome.ok:
            self.holds.setText(self.tr("This file does not fit, and nothing can be measured or protected with it."))
            self._refuse(self._why(outcome))
            return
        found: HierarchyFacts = outcome.result
        steps = self.tr(", then ").join(count(number) for number in found.counts[1:])
        levels = len(found.counts) - 1
        words = self.tr("One level: {values} different values become {steps}.")
        if levels > 1:
            words = self.tr("{levels} levels: {values} different values become {steps}.")
        self.holds.setText(words.format(levels=count(levels), values=count(found.counts[0]), steps=steps))
        self._show_example(example_words(found.example))

    def _why(self, outcome: TaskOutcome) -> str:
        """Say why a file does not fit; the path is left out, for the file is named beside."""
        error: PpdmError | None = outcome.error
        if error is None:
            return outcome.words
        if error.id == "error.hierarchy.other-file":
            return self.tr("The file is no longer what it was when it was chosen. If that is meant, choose it again.")
        text = render(error.id, error.arguments)
        row = self.tr("Row {row}: ").format(row=error.row) if error.row is not None else ""
        return f"{row}{text.sentence} {text.window}".strip()

    # --- deciding -----------------------------------------------------------------------

    def _on_choose(self) -> None:
        section, source = self._loaded[1], self.session.decisions.path
        if section is None or source is None:
            return
        title = self.tr("Choose how {column} becomes coarser").format(column=self._name)
        filters = self.tr("Hierarchies (*.csv *.txt);;All files (*)")
        path = self.context.dialogs.open_file(self, title, filters)
        if path is None:
            return
        beside = name_beside(path, source)
        if beside is None:
            words = self.tr(
                "“{file}” lies in another folder. Copy it into the folder of the source, {folder}, and choose it "
                "there, so that both stay together."
            )
            self._refuse(words.format(file=path.name, folder=source.parent.name))
            return
        self._wanted = section.model_copy(update={"hierarchy": beside, "hierarchy_sha256": None})
        self.problem.set("amber", "")
        self.context.runner.start(_CHOICE, look_at_hierarchy(self.session, self._name, self._wanted), self._on_chosen)

    def _on_chosen(self, outcome: TaskOutcome) -> None:
        """Take a file that fits; of one that does not, say why, and change nothing."""
        wanted, self._wanted = self._wanted, None
        decided = self.session.decisions.recipe.columns.get(self._name)
        if outcome.cancelled or wanted is None or decided != self._loaded[1]:
            return
        if not outcome.ok:
            words = self.tr("“{file}” was not taken. {why}")
            self._refuse(words.format(file=Path(wanted.hierarchy or "").name, why=self._why(outcome)))
            return
        found: HierarchyFacts = outcome.result
        label = self.tr("How {column} becomes coarser: {file}").format(column=self._name, file=found.file)
        before = self.session.decisions
        self.session.set_column(label, [self._name], confirm=False, hierarchy=found.file, hierarchy_sha256=found.sha256)
        if self.session.decisions is before:
            self._look_again()

    def _refuse(self, words: str) -> None:
        self.problem.set("amber", wrappable(words))

    def _on_remove(self) -> None:
        label = self.tr("No file for {column}").format(column=self._name)
        self.session.set_column(label, [self._name], confirm=False, hierarchy=None, hierarchy_sha256=None)
        self.choose.setFocus()
