"""The people behind a cell, a pair or a set of columns."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.arrays import Rows
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Names
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.table_model import ColumnsModel
from ppdm_desktop.ui.pages.risk.give_level_card import MoreButton, whom_of_rows
from ppdm_desktop.ui.pages.risk.logic import alike_without, people_alone_by, people_of_rows, people_table
from ppdm_desktop.ui.state.session import Assessment, Session
from ppdm_desktop.ui.widgets.basic import Card
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.flow import Flow
from ppdm_desktop.ui.widgets.layout import fill
from ppdm_desktop.ui.widgets.tables.data_table import DataTable

_MOST_ROWS = 8


class PeopleCard(Card):
    """A list of people of the original, or of what would be."""

    def __init__(self, session: Session) -> None:
        super().__init__(_("People with the same details"), name="card_people")
        self._session = session
        self._model = ColumnsModel()
        self.table = DataTable(self._model, name="table_people", words=_("People with the same details"))
        self._fit()
        theme().changed.connect(self._fit)
        self._model.modelReset.connect(self._fit)
        self.close_button = Button(_("Close this list"), name="button_close_people", link=True, clicked=self.hide)
        self.more = MoreButton(name="button_more_people")
        fill(self.body, self.table, Flow(self.more, self.close_button))
        self.hide()

    def _fit(self) -> None:
        # Half a row more where there are more: it can be seen that the list goes on.
        rows = min(max(self._model.rowCount(), 1), _MOST_ROWS + 0.5)
        head, bar = self.table.horizontalHeader(), self.table.horizontalScrollBar()
        high = round(self.table.verticalHeader().defaultSectionSize() * rows)
        around = 2 * self.table.frameWidth() + theme().px(2)
        self.table.setFixedHeight(head.sizeHint().height() + high + bar.sizeHint().height() + around)

    def show_alike(self, assessment: Assessment, record: int, name: str, *, decided: bool) -> None:
        """List who has the same details as a record without one of its values."""
        rows = alike_without(assessment, record, name)
        title = _(
            "Without {name}, {n} {n:person has|people have} the details of row {row:place}",
            n=people_of_rows(assessment, rows),
            row=int(assessment.prepared.table.row_numbers[record]),
            name=Name(name),
        )
        caption = _("They differ only in {name}.", name=Name(name))
        self._show(assessment, rows, (name,), title, caption, decided=decided)

    def show_alone(self, assessment: Assessment, names: Sequence[str], *, decided: bool) -> None:
        """List who is alone by just some columns."""
        rows = people_alone_by(assessment, names)
        people = people_of_rows(assessment, rows)
        title = _("{n} {n:person is|people are} unique from {names}", n=people, names=Names.of(names))
        caption = _("Anyone who knows only these details finds their row.")
        if not len(rows):
            title, caption = _("Nobody is unique from {names}", names=Names.of(names)), ""
        self._show(assessment, rows, names, title, caption, decided=decided)

    def _show(
        self, assessment: Assessment, rows: Rows, first: Sequence[str], title: str, caption: str, *, decided: bool
    ) -> None:
        self.set_title(title, caption)
        self.table.setAccessibleName(title)
        self.table.setVisible(bool(len(rows)))
        self._model.set_table(people_table(assessment.prepared.table, first), rows)
        self.more.offer(self._session, whom_of_rows(assessment, rows) if decided else None)
        self.show()
