"""Choose one person of the original, by row number or from a searchable list."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.audit.record_words import MOST_PEOPLE, People
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import WholeNumber, line_edit
from ppdm_desktop.ui.widgets.layout import hbox, stretched, vbox
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.chunked_work import timer

_AFTER_LAST_KEY_MS = 200
_SHOWN = 6


class TrueValues(FormTable):
    """A table with true values, which cannot be copied."""

    def __init__(self, model: RowsModel, *, name: str, label: str, most_rows: int) -> None:
        super().__init__(model, name=name, label=label, stretch=-1, most_rows=most_rows)
        self.horizontalHeader().setStretchLastSection(True)
        # Long names and values often differ at their ends only.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ignore the keys for copying; F2 shows the whole text of a cell."""
        if event.key() == Qt.Key.Key_F2 and self.currentIndex().isValid():
            self._show_whole()
        elif event.matches(QKeySequence.StandardKey.Copy):
            event.accept()
        else:
            super().keyPressEvent(event)

    def _show_whole(self) -> None:
        """Show the whole text of the current cell in a pop-up."""
        popup = QWidget(self, Qt.WindowType.Popup)
        popup.setObjectName("popup_whole_text")
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        label = Text(str(self.currentIndex().data()))
        label.setMinimumWidth(theme().px(260))
        QVBoxLayout(popup).addWidget(label)
        popup.move(self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft()))
        popup.show()


class PeoplePicker(QWidget):
    """A field for the row number, a search field, and the list of people, unique ones first.

    Signals
    -------
    picked
        Row number of the person to attack.
    """

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._people: People | None = None
        self._numbers: list[int] = []
        self.search = line_edit(
            name="edit_find_record",
            label=_("Find people by a detail or row number"),
            hint=_("Find by a detail or row number"),
        )
        self.number = WholeNumber(name="spin_attack_row", label=_("Row of the original"))
        theme().bound(self.number, least_wide=90)
        label = Text(_("Row"), tone="text2", wrap=False, buddy=self.number)
        self.button = Button(_("Attack"), name="button_attack_row", clicked=self._on_attack)
        self.model = RowsModel(("",), parent=self)
        text = _("People of the original")
        self.table = TrueValues(self.model, name="table_attack_people", label=text, most_rows=_SHOWN)
        self.said = Text("", tone="text3", factor=0.85, name="label_attack_people")
        line = hbox(stretched(self.search), label, self.number, self.button, gap=10)
        vbox(line, self.table, self.said, on=self, gap=8)
        self._wait = timer(self, _AFTER_LAST_KEY_MS, self._fill)
        self.search.textChanged.connect(self._on_typed)
        self.number.valueChanged.connect(self._on_number)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.table.activated.connect(self._on_activated)
        self.set_people(None)

    def set_people(self, people: People | None) -> None:
        """Offer these people; None shows that they are still being prepared."""
        self._people = people
        for widget in (self.search, self.number, self.button, self.table):
            widget.setEnabled(people is not None)
        # An empty table says nothing while people are being made ready.
        self.table.setVisible(people is not None)
        if people is None:
            self._wait.stop()
            self.model.set_rows([])
            self.said.setText("")
            return
        numbers = people.attack.numbers
        self.number.setRange(int(numbers[0]), int(numbers[-1]))
        self.model = RowsModel(people.headers(), right=(0, 1) if people.whose is None else (0, 1, 2), parent=self)
        self.table.show_model(self.model)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self._fill()

    def _on_typed(self, _text: str) -> None:
        """Search for the typed text after a short pause."""
        self._wait.start()

    def _fill(self) -> None:
        """List the people that match the search."""
        people = self._people
        if people is None:
            return
        matching = people.matching(self.search.text())
        first = matching[:MOST_PEOPLE]
        self._numbers = people.attack.numbers[first].tolist()
        self.model.set_rows(people.rows(first))
        if not len(matching):
            text = _("Nobody has this value.")
        elif len(matching) > len(first):
            text = _("The first {n} of {all} people, unique people first.", n=len(first), all=len(matching))
        else:
            text = _("{all} {all:person.|people, unique people first.}", all=len(matching))
        self.said.setText(text)
        # Whom a search did not find is not attacked, unless their row is typed.
        self.button.setEnabled(bool(self._numbers))
        if self._numbers:
            self.table.select_row(0)
            self.number.setValue(self._numbers[0])

    def _on_number(self, _number: int) -> None:
        """Enable the attack button once people are known."""
        self.button.setEnabled(self._people is not None)

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Put the number of the person in the current row into the number field."""
        if 0 <= current.row() < len(self._numbers):
            self.number.setValue(self._numbers[current.row()])

    def _on_activated(self, index: QModelIndex) -> None:
        """Attack the person whose row was double-clicked."""
        if 0 <= index.row() < len(self._numbers):
            self.number.setValue(self._numbers[index.row()])
            self._on_attack()

    def _on_attack(self) -> None:
        """Report the number of the person to attack, as typed."""
        if self._people is not None:
            self.number.interpretText()
        if self.button.isEnabled():
            self.picked.emit(self.number.value())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Attack the selected person when Enter is pressed, wherever the focus is."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_attack()
        else:
            super().keyPressEvent(event)
