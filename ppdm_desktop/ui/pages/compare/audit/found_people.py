"""What an intruder finds about one person: with all rows of the person, and with one row."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedPerson, AttackedRecord
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.audit.people import TrueValues
from ppdm_desktop.ui.pages.compare.audit.record_words import (
    Block,
    best_row,
    blocks_of,
    found_words,
    person_words,
    rows_block,
)
from ppdm_desktop.ui.pages.compare.tab_order import reach_after
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.layout import Panel, fill, vbox, widget_of


class BlockCard(Card):
    """A card with a headline, text and a table; the table is left out if it has no rows."""

    def __init__(self, block: Block, *, tone: str = "text3", factor: float = 0.85, small: str = "") -> None:
        super().__init__(block.title, block.caption, name=f"card_{block.name}")
        model = RowsModel(block.headers, right=block.right, parent=self)
        self.table = TrueValues(model, name=f"table_{block.name}", label=block.title, most_rows=10)
        model.set_rows(block.rows)
        if block.rows:
            self.body.addWidget(self.table)
        if block.small:
            self.body.addWidget(Text(block.small, tone=tone, factor=factor, name=small))


class FoundView(Panel):
    """Cards on one attacked person, with a choice of the row if there are several; empty at first."""

    def __init__(self) -> None:
        super().__init__(name="view_attacked")
        self._person, self._column = vbox(gap=12), vbox(gap=12)
        self._record = widget_of(self._column)
        vbox(self._person, self._record, on=self, gap=12)
        self._attack: RecordAttack | None = None
        self._found: AttackedPerson | None = None
        self._rows: QWidget | None = None

    def clear(self) -> None:
        """Remove the cards of the attacked person."""
        self._attack = self._found = self._rows = None
        clear_layout(self._person)
        clear_layout(self._column)

    def show_person(self, attack: RecordAttack, attacked_person: AttackedPerson) -> None:
        """Show what an intruder finds about a person, starting with the row that is easiest to identify."""
        self.clear()
        best = best_row(attacked_person)
        if len(attacked_person.records) > 1:
            self._attack, self._found = attack, attacked_person
            block = rows_block(attack, attacked_person)
            card = BlockCard(block, tone="text2", factor=0.95, small="label_person_secrets")
            card.table.select_row(best)
            card.table.selectionModel().currentRowChanged.connect(self._on_row)
            self._rows = card.table
            fill(self._person, Strip(*person_words(attack, attacked_person), name="strip_attacked_person"), card)
        self._show_record(attack, attacked_person.records[best])

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Show the person in the row that the cursor moved to."""
        if self._attack is None or self._found is None or self._rows is None:
            return
        if 0 <= current.row() < len(self._found.records):
            self._show_record(self._attack, self._found.records[current.row()])
            reach_after(self._rows, self._record)

    def _show_record(self, attack: RecordAttack, attacked_record: AttackedRecord) -> None:
        """Show what the attack learned about one person, together with the true values."""
        clear_layout(self._column)
        kind, headline, explained = found_words(attack, attacked_record)
        text = _(
            "The true values are shown on this screen only. They are not saved, copied, or written to a "
            "release or a report."
        )
        fill(
            self._column,
            Strip(kind, f"{headline} {explained}", name="strip_attacked"),
            *map(BlockCard, blocks_of(attack, attacked_record)),
            Text(text, tone="text3", factor=0.85),
        )
