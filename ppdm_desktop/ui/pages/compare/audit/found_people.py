"""What an intruder finds of one person: nearest records, guesses beside the control, what can be undone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedRecord
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.audit.guess_words import (
    filtered_headers,
    filtered_rows,
    filtered_words,
    guess_headers,
    guess_rows,
    guess_words,
    undone_headers,
    undone_rows,
)
from ppdm_desktop.ui.pages.compare.audit.people import TrueValues
from ppdm_desktop.ui.pages.compare.audit.record_words import found_words, near_headers, near_rows, shown
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout


class FoundView(QWidget):
    """Cards for one attacked person; empty before."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("view_attacked")
        self._column = QVBoxLayout(self)
        theme().space(self._column, 0, 0, 0, 0, 12)

    def clear(self) -> None:
        """Show nobody."""
        clear_layout(self._column)

    def show_found(self, attack: RecordAttack, found: AttackedRecord) -> None:
        """Show what was found of a person."""
        self.clear()
        kind, headline, explained = found_words(attack, found)
        strip = Strip(kind, f"{headline} {explained}")
        strip.setObjectName("strip_attacked")
        self._column.addWidget(strip)
        self._column.addWidget(self._near(attack, found))
        if found.guesses:
            self._column.addWidget(self._guesses(found))
        if found.undone:
            self._column.addWidget(self._undone(found))
        if found.filtered:
            self._column.addWidget(self._filtered(found))
        self._column.addWidget(
            Text(
                self.tr(
                    "The truth stands on this screen only: nothing of it is saved, copied, or written to a release "
                    "or report."
                ),
                tone="text3",
                factor=0.85,
            )
        )

    def _near(self, attack: RecordAttack, found: AttackedRecord) -> Card:
        known = ", ".join(f"{name}: {shown(text)}" for name, text in found.known)
        card = Card(
            self.tr("Row {n}: the nearest released records").format(n=count(found.number)),
            self.tr("The snooper knows {known}.").format(known=known) if known else "",
        )
        card.setObjectName("card_nearest")
        rows = near_rows(attack, found)
        if rows:
            card.body.addWidget(
                self._table(near_headers(attack), rows, "table_nearest", card.title.text(), right=(0, 1))
            )
        words = self.tr(
            "Records at the least distance: {tied}. The first ones are shown, and this person's own in any case. "
            "Gower's distance: 0 is equal, 1 differs in everything."
        )
        if attack.correspondence == "none":
            words = self.tr(
                "Records at the least distance: {tied}. Gower's distance: 0 is equal, 1 differs in everything."
            )
        card.body.addWidget(Text(words.format(tied=count(found.tied)), tone="text3", factor=0.85))
        return card

    def _guesses(self, found: AttackedRecord) -> Card:
        card = Card(self.tr("What the snooper guesses"), guess_words(found))
        card.setObjectName("card_guesses")
        card.body.addWidget(
            self._table(guess_headers(), guess_rows(found), "table_guesses", card.title.text(), right=(2, 4))
        )
        card.body.addWidget(
            Text(
                self.tr(
                    "How likely: in the snooper's own reckoning, by simple Bayes and the nearest records, weighed by "
                    "what they are worth for other people. Numbers are guessed in cells."
                ),
                tone="text3",
                factor=0.85,
            )
        )
        return card

    def _undone(self, found: AttackedRecord) -> Card:
        card = Card(
            self.tr("What anybody can undo"),
            self.tr("This person's released values after the method's inverse, no key."),
        )
        card.setObjectName("card_undone")
        card.body.addWidget(
            self._table(undone_headers(), undone_rows(found), "table_undone", card.title.text(), right=(1, 2, 3))
        )
        return card

    def _filtered(self, found: AttackedRecord) -> Card:
        card = Card(self.tr("What is left when the noise is filtered out"), filtered_words(found))
        card.setObjectName("card_filtered")
        card.body.addWidget(
            self._table(
                filtered_headers(), filtered_rows(found), "table_filtered", card.title.text(), right=(1, 2, 3, 4, 5, 6)
            )
        )
        card.body.addWidget(
            Text(
                self.tr(
                    "Guess: the best linear estimate from all released columns and the known noise. Usual noise: its "
                    "standard deviation. As near for: people whose guess comes as near to their true number, or nearer."
                ),
                tone="text3",
                factor=0.85,
            )
        )
        return card

    def _table(
        self, headers: Sequence[str], rows: list[tuple[str, ...]], name: str, words: str, right: tuple[int, ...]
    ) -> TrueValues:
        model = RowsModel(headers, right=right, parent=self)
        table = TrueValues(model, name=name, words=words, most_rows=10)
        model.set_rows(rows)
        return table
