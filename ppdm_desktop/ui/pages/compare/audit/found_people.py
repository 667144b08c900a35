"""What an intruder finds of one person: by all their rows, and by one of them with its guesses and what is undone."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedPerson, AttackedRecord
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.audit.people import TrueValues
from ppdm_desktop.ui.pages.compare.audit.record_words import (
    best_row,
    filtered_headers,
    filtered_rows,
    filtered_words,
    found_words,
    guess_headers,
    guess_rows,
    guess_words,
    near_headers,
    near_rows,
    person_words,
    row_headers,
    row_lines,
    secret_words,
    shown,
    undone_headers,
    undone_rows,
)
from ppdm_desktop.ui.pages.compare.tab_order import reach_after
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout


class FoundView(QWidget):
    """Cards for one attacked person, row by row where there are several; empty before."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("view_attacked")
        whole = QVBoxLayout(self)
        theme().space(whole, 0, 0, 0, 0, 12)
        self._person = QVBoxLayout()
        theme().space(self._person, 0, 0, 0, 0, 12)
        whole.addLayout(self._person)
        self._record = QWidget()
        self._column = QVBoxLayout(self._record)
        theme().space(self._column, 0, 0, 0, 0, 12)
        whole.addWidget(self._record)
        self._attack: RecordAttack | None = None
        self._found: AttackedPerson | None = None
        self._table_of_rows: TrueValues | None = None

    def clear(self) -> None:
        """Show nobody."""
        self._attack = self._found = self._table_of_rows = None
        clear_layout(self._person)
        clear_layout(self._column)

    def show_person(self, attack: RecordAttack, attacked_person: AttackedPerson) -> None:
        """Show what was found of a person; of several rows, the one by which they are found best comes first."""
        self.clear()
        best = best_row(attacked_person)
        if len(attacked_person.records) > 1:
            self._attack, self._found = attack, attacked_person
            self._show_rows(attack, attacked_person, best)
        self._show_record(attack, attacked_person.records[best])

    def _show_rows(self, attack: RecordAttack, attacked_person: AttackedPerson, best: int) -> None:
        kind, words = person_words(attack, attacked_person)
        strip = Strip(kind, words)
        strip.setObjectName("strip_attacked_person")
        self._person.addWidget(strip)
        card = Card(
            _("All {n} rows of this person", n=len(attacked_person.records)),
            _("Each line shows what an intruder finds who knows only this row. Select one to see it below."),
        )
        card.setObjectName("card_person_rows")
        table = self._table(
            row_headers(attack), row_lines(attacked_person), "table_person_rows", card.title.text(), (0, 2, 3)
        )
        table.select_row(best)
        table.selectionModel().currentRowChanged.connect(self._on_row)
        self._table_of_rows = table
        card.body.addWidget(table)
        if secrets := secret_words(attacked_person):
            label = Text(secrets, tone="text2", factor=0.95)
            label.setObjectName("label_person_secrets")
            card.body.addWidget(label)
        self._person.addWidget(card)

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if self._attack is None or self._found is None or self._table_of_rows is None:
            return
        if 0 <= current.row() < len(self._found.records):
            self._show_record(self._attack, self._found.records[current.row()])
            reach_after(self._table_of_rows, self._record)

    def _show_record(self, attack: RecordAttack, attacked_record: AttackedRecord) -> None:
        clear_layout(self._column)
        kind, headline, explained = found_words(attack, attacked_record)
        strip = Strip(kind, f"{headline} {explained}")
        strip.setObjectName("strip_attacked")
        self._column.addWidget(strip)
        self._column.addWidget(self._near(attack, attacked_record))
        if attacked_record.guesses:
            self._column.addWidget(self._guesses(attacked_record))
        if attacked_record.undone:
            self._column.addWidget(self._undone(attacked_record))
        if attacked_record.filtered:
            self._column.addWidget(self._filtered(attacked_record))
        self._column.addWidget(
            Text(
                _(
                    "The true values are shown on this screen only. They are not saved, copied, or written to a "
                    "release or a report."
                ),
                tone="text3",
                factor=0.85,
            )
        )

    def _near(self, attack: RecordAttack, attacked_record: AttackedRecord) -> Card:
        name_of = numbers_of(language()).name
        known = "; ".join(f"{name_of(name)}: {shown(text)}" for name, text in attacked_record.known)
        card = Card(
            _("Row {row:place}: the most similar released records", row=attacked_record.number),
            _("The intruder knows {known}.", known=Term(known)) if known else "",
        )
        card.setObjectName("card_nearest")
        rows = near_rows(attack, attacked_record)
        if rows:
            card.body.addWidget(
                self._table(near_headers(attack), rows, "table_nearest", card.title.text(), right=(0, 1))
            )
        if attack.correspondence == "none":
            words = _(
                "{tied} {tied:record has|records have} the smallest distance. Gower’s distance: 0 means equal, "
                "1 means different in everything.",
                tied=attacked_record.tied,
            )
        else:
            words = _(
                "{tied} {tied:record has|records have} the smallest distance. The first ones are shown, and always "
                "this person’s own. Gower’s distance: 0 means equal, 1 means different in everything.",
                tied=attacked_record.tied,
            )
        card.body.addWidget(Text(words, tone="text3", factor=0.85))
        return card

    def _guesses(self, attacked_record: AttackedRecord) -> Card:
        card = Card(_("What the intruder guesses"), guess_words(attacked_record))
        card.setObjectName("card_guesses")
        card.body.addWidget(
            self._table(guess_headers(), guess_rows(attacked_record), "table_guesses", card.title.text(), right=(2, 4))
        )
        card.body.addWidget(
            Text(
                _(
                    "How likely: as the intruder estimates it by naive Bayes and the nearest records. Both are "
                    "weighed by how well they work for other people. Numbers are guessed in bands."
                ),
                tone="text3",
                factor=0.85,
            )
        )
        return card

    def _undone(self, attacked_record: AttackedRecord) -> Card:
        card = Card(
            _("What anyone can undo"),
            _("This person’s released values after the method was reversed without a key."),
        )
        card.setObjectName("card_undone")
        card.body.addWidget(
            self._table(
                undone_headers(), undone_rows(attacked_record), "table_undone", card.title.text(), right=(1, 2, 3)
            )
        )
        return card

    def _filtered(self, attacked_record: AttackedRecord) -> Card:
        card = Card(_("What remains when the noise is filtered out"), filtered_words(attacked_record))
        card.setObjectName("card_filtered")
        card.body.addWidget(
            self._table(
                filtered_headers(),
                filtered_rows(attacked_record),
                "table_filtered",
                card.title.text(),
                right=(1, 2, 3, 4, 5, 6),
            )
        )
        card.body.addWidget(
            Text(
                _(
                    "Guess: the best linear estimate from all released columns and the known noise. Usual noise: its "
                    "standard deviation. As close for: people whose guess is as close to their true number, or closer."
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
