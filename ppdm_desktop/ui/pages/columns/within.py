"""Whether a column is the same in all rows of a person, and the offer to make it so."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Name
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.within_people import count_varying, with_way
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.folding import FoldingButton
from ppdm_desktop.ui.widgets.layout import at_left, vbox
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "within-person"


class WithinPerson(QWidget):
    """A sentence on one column, where people keep several rows."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.words = Text("", factor=0.92, tone="text2", name="label_within_person")
        self.button = FoldingButton("", name="button_within_person", link=True, clicked=self._on_wanted)
        vbox(self.words, at_left(self.button), on=self, gap=4)
        self._column = ""
        self._of: tuple[Reading, tuple[str, ...]] | None = None
        self._varying: Mapping[str, int] = {}
        self.hide()

    def show_column(self, name: str) -> None:
        """Say it of a column; it is counted once for all columns."""
        self._column = name
        reading, given = self._context.session.reading, self._context.session.decisions.recipe.input
        if reading is None or not given.person or given.reduce is not None or name in given.person:
            self.hide()
            return
        if self._of is None or self._of[0] is not reading or self._of[1] != given.person:
            self._of, self._varying = (reading, given.person), {}
            if all(each in reading.table for each in given.person):
                self._context.runner.start(_JOB, count_varying(reading, given.person), self._on_counted)
        self._show()

    def _on_counted(self, outcome: TaskOutcome) -> None:
        if outcome.ok:
            self._varying = outcome.result
            self._show()

    def _show(self) -> None:
        varying = self._varying.get(self._column)
        self.setVisible(varying is not None)
        if varying is None:
            return
        section = self._context.session.decisions.recipe.input.repair.get(self._column)
        made = section is not None and section.within_person is not None
        sentence = lazy("Each person has the same value in all rows.")
        if made:
            sentence = lazy(
                "Each person now has the same value in all rows; {n} {n:person|people} had different values before."
            )
        elif varying:
            sentence = lazy("{n} {n:person has|people have} different values in their rows.")
        self.words.setText(sentence.said(n=varying))
        self.button.set_words(_("Keep the original values") if made else _("Use each person’s first value"))
        self.button.setVisible(bool(varying))

    def _on_wanted(self) -> None:
        session, name = self._context.session, self._column
        options = session.decisions.recipe.input
        section = options.repair.get(name)
        made = section is not None and section.within_person is not None
        label = _("{column} within a person", column=Name(name))
        session.decide_recipe(label, input=with_way(options, name, None if made else "first"))
