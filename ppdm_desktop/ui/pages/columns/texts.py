"""Free text columns: the card that asks the user to read the texts, and the dialog that lists them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QHideEvent, QTextCharFormat
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QTextEdit, QVBoxLayout, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.table_model import ColumnsModel, filter_rows_by_text
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.texts_read import TextsToRead, describe_texts_read, make_rare_texts_work
from ppdm_desktop.ui.widgets.basic import Card, FailureStrip, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, stretch_part
from ppdm_desktop.ui.widgets.tables.data_table import DataTable
from ppdm_desktop.ui.work.tasks import TaskOutcome

_LIST = "texts"


class TextsCard(Card):
    """Card that says whether the texts of a free text column were read, and opens the list of its texts."""

    def __init__(self, context: Context) -> None:
        super().__init__(_("Free text"), name="card_texts")
        self.context, self.session = context, context.session
        self._name = ""
        self._dialog: TextsDialog | None = None
        self.strip = Strip("amber", "", name="strip_texts")
        self.button = Button(_("Read the texts"), name="button_read_texts", icon="search", clicked=self._on_read)
        add_parts(self.body, self.strip, hbox(self.button, STRETCH))

    def show_column(self, name: str) -> None:
        """Show whether the column's rare texts were read; the accessible name of the button names the column.

        Rare texts are free texts that few people share.
        """
        self._name = name
        severity, text = describe_texts_read(self.session, name)
        self.strip.set(severity, text)
        self.button.setAccessibleName(join_label(self.button.text(), name))

    def _on_read(self) -> None:
        """Open the dialog that lists the rare texts of the column."""
        if self._dialog is None:
            self._dialog = TextsDialog(self.window(), self.context)
        self._dialog.show_texts(self._name)


class TextsDialog(QDialog):
    """Dialog that lists a column's rare texts and marks passages that may identify a person.

    Nothing is kept when it closes but that the texts were read, if the user states so.
    """

    def __init__(self, parent: QWidget, context: Context) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_texts")
        self._context = context
        self._name = ""
        self._texts: TextsToRead | None = None
        outer = QVBoxLayout(self)
        self._intro = Text("", tone="text2", name="label_texts")
        self.failure = FailureStrip(name="strip_texts_failure")
        self.edit_find = line_edit(name="edit_find_texts", label=_("Text"), hint=_("Find a text"), clear=True)
        self.edit_find.textChanged.connect(self._on_find)
        self.model = ColumnsModel(parent=self)
        self.table = DataTable(self.model, name="list_texts", label=_("Free text"))
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.selectionModel().currentChanged.connect(self._on_current)
        self.whole = QPlainTextEdit()
        self.whole.setObjectName("text_whole")
        self.whole.setReadOnly(True)
        self.whole.setTabChangesFocus(True)
        self.whole.setAccessibleName(_("The whole text"))
        self.whole.setFixedHeight(theme().px(110))
        add_parts(outer, self._intro, self.failure, self.edit_find, stretch_part(self.table), self.whole)
        self.button_read = Button("", name="button_texts_read", primary=True, clicked=self._on_read)
        self.button_close = Button(_("Close"), name="button_close_texts", clicked=self.close)
        outer.addLayout(hbox(STRETCH, self.button_read, self.button_close))
        self.resize(theme().px(760), theme().px(620))

    def show_texts(self, name: str) -> None:
        """Open the dialog for a column; texts that few people share are collected in the background and then listed.

        Nothing happens without a file.
        """
        session = self._context.session
        if session.reading is None:
            return
        self._name = name
        self.setWindowTitle(join_label(_("Free text"), name))
        self._intro.setText(_("Counting…"))
        self.failure.clear()
        self._show_texts(None)
        self._context.runner.start(_LIST, make_rare_texts_work(session, name), self._on_listed)
        self.open()

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel background work and clear the texts when the dialog is closed; minimising it changes nothing."""
        super().hideEvent(event)
        if not event.spontaneous():
            self._context.runner.cancel(_LIST)
            self._show_texts(None)

    def _on_listed(self, outcome: TaskOutcome) -> None:
        """List the column's texts that few people share, or show why they could not be collected.

        The introduction above says how many they are, and how many have passages that may identify somebody. It is
        emptied if they could not be collected or that was cancelled.
        """
        if not outcome.ok:
            self._intro.setText("")
            self.failure.set_outcome(outcome)
            return
        texts: TextsToRead = outcome.result
        marked = len(texts.kinds)
        text = _(
            "Fewer than {k_min} people share each of these {n} {n:text|texts}; the rarest come first. {marked} of them "
            "{marked:contains|contain} something like an address, a person’s number or an identifier of this file. A "
            "public release may not hold these. Names of other people are not found: please look for them yourself.",
            k_min=texts.k_min,
            n=len(texts),
            marked=marked,
        )
        self._intro.setText(text)
        self._show_texts(texts)
        self.table.setFocus()

    def _show_texts(self, texts: TextsToRead | None) -> None:
        """Fill the table with texts, or empty it for None; search field and full text are cleared.

        The button "I have read all of these texts" has their number, and is enabled if there are some.
        """
        self._texts = texts
        self.edit_find.clear()
        self.whole.clear()
        self.model.set_table(texts.table if texts is not None else None)
        self.button_read.setEnabled(texts is not None and len(texts) > 0)
        self.edit_find.setEnabled(texts is not None)
        number = len(texts) if texts is not None else 0
        self.button_read.setText(_("I have read all of these texts ({n})", n=number))

    # --- looking ------------------------------------------------------------------------

    def _on_find(self, wanted: str) -> None:
        """Show only the rows whose text, or what was found in it ("e-mail addresses"), contains ``wanted``.

        Case does not matter; "" shows all rows. Nothing happens before the texts were listed.
        """
        if self._texts is None:
            return
        every = np.arange(len(self._texts), dtype=np.int64)
        _, matches, text_column = self._texts.table.columns
        self.model.set_rows(filter_rows_by_text((matches, text_column), wanted, every) if wanted else None)

    def _on_current(self, current: QModelIndex, _before: QModelIndex) -> None:
        """Show the full text of the current row, with identifying passages marked; no text if no row is current.

        The passages are those that were found when the texts were listed, shown underlined on a tinted background.
        """
        if self._texts is None or not current.isValid():
            self.whole.clear()
            return
        index = int(self._texts.places[self.model.row_at(current.row())])
        text = self._texts.column.texts[index]
        self.whole.setPlainText(text)
        marks = []
        for finding in self._texts.findings.get(index, []):
            mark = QTextEdit.ExtraSelection()
            mark.cursor = self.whole.textCursor()
            # Qt counts in UTF-16, where some signs are two.
            mark.cursor.setPosition(_count_utf16_units(text[: finding.start]))
            mark.cursor.setPosition(_count_utf16_units(text[: finding.end]), mark.cursor.MoveMode.KeepAnchor)
            form = QTextCharFormat()
            form.setBackground(theme().colour("amber_tint"))
            form.setForeground(theme().colour("text"))
            form.setFontUnderline(True)
            mark.format = form
            marks.append(mark)
        self.whole.setExtraSelections(marks)

    def _on_read(self) -> None:
        """Record in the recipe that the user has read the texts of the column, and close the dialog.

        The digest of the texts is stored; they have to be read again if it changes. Nothing happens without texts.
        """
        if self._texts is not None:
            self._context.session.set_column([self._name], confirm=False, texts_read=self._texts.digest)
            self.close()


def _count_utf16_units(text: str) -> int:
    """Return the length of a text in UTF-16 units, in which Qt counts positions."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
