"""The smallest sets of columns that single people out, as a list."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal

from ppdm_desktop.engine.identifiability.unique_sets import UniqueSet, UniqueSets
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.risk.words import sets_title, together
from ppdm_desktop.ui.state.number_words import count, shorten_common_prefix
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.batch_visibility import at_once
from ppdm_desktop.ui.widgets.layout import STRETCH, fill
from ppdm_desktop.ui.widgets.tables.form_table import FormTable

_MOST = 200


class SetsCard(Card):
    """Sets of columns, smallest first, with whom each singles out and whom nothing less does.

    Signals
    -------
    people_wanted
        (names) show the people who are alone by these columns.
    """

    people_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(_("The least an intruder needs to know"), name="card_smallest_sets")
        self.setProperty("topic", "figure.smallest-sets")
        self._sets: tuple[UniqueSet, ...] = ()
        headers = [_("Details known"), _("People found"), _("Not found with less")]
        self.model = RowsModel(headers, right=(1, 2))
        self.table = FormTable(
            self.model, name="list_smallest_sets", words=_("Smallest sets of columns"), most_rows=8, folds=True
        )
        # Long names often differ at their ends only.
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._wait = Text(_("The sets of columns are being searched."), tone="text2", name="label_sets_wait")
        self._small = Text("", tone="text3", factor=0.85, name="label_sets_small")
        fill(self.body, self.table, self._wait, self._small, STRETCH)
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        self.show_sets(None)

    def show_sets(self, unique_sets: UniqueSets | None) -> None:
        """Show the sets; None while they are being looked for."""
        with at_once(self):
            self._show_sets(unique_sets)

    def _show_sets(self, unique_sets: UniqueSets | None) -> None:
        self._wait.setVisible(unique_sets is None)
        self.table.setVisible(unique_sets is not None and bool(unique_sets.sets))
        self._small.setVisible(unique_sets is not None and (bool(unique_sets.sets) or not unique_sets.complete))
        if unique_sets is None:
            self._sets = ()
            self.set_title(_("The least an intruder needs to know"), "")
            return
        self._sets = unique_sets.sets[:_MOST]
        caption = _("How many people each set of details finds, and how many of them no smaller set finds")
        if not unique_sets.sets:
            caption = _("Even an intruder who knows all these details of a person finds at least two matching rows.")
            caption = caption if unique_sets.complete else ""
        self.set_title(sets_title(unique_sets), caption)
        scope = list(dict.fromkeys(name for each in self._sets for name in each.columns))
        names = dict(zip(scope, shorten_common_prefix(scope), strict=True))
        self.model.set_rows(
            [
                (together([names[name] for name in each.columns]), count(each.alone), count(each.adds))
                for each in self._sets
            ]
        )
        words, all_of_them = [], len(unique_sets.sets)
        if len(self._sets) < all_of_them:
            words.append(
                _(
                    "the first {most} of the {n} smallest sets · click one to list its people",
                    n=all_of_them,
                    most=len(self._sets),
                )
            )
        elif all_of_them:
            words.append(_("{n} smallest {n:set|sets} · click one to list its people", n=all_of_them))
        if not unique_sets.complete:
            words.append(_("sets of more than {n} {n:column|columns} were not searched", n=int(unique_sets.largest)))
        self._small.setText(" · ".join(words))

    def _on_chosen(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self._sets):
            self.people_wanted.emit(self._sets[index.row()].columns)
