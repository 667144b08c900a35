"""Cards on people by the size of their group (people with the same details), and on what identifying them reveals."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal

from ppdm_desktop.engine.arrays import Rows
from ppdm_desktop.engine.identifiability.unique_sets import UniqueSet, UniqueSets
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.models.table_model import ColumnsModel
from ppdm_desktop.ui.pages.risk.give_level_card import MoreButton, find_row_people
from ppdm_desktop.ui.pages.risk.logic import (
    class_bands,
    count_people_of_rows,
    find_matches_without,
    find_rows_unique_by,
    reorder_table_columns,
)
from ppdm_desktop.ui.pages.risk.texts import (
    classes_title,
    confidential_sentences,
    describe_cell,
    describe_unique_people,
    label_band,
    sets_title,
)
from ppdm_desktop.ui.state.number_texts import format_rounded_count, shorten_common_prefix
from ppdm_desktop.ui.state.session import Assessment, Session
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.batch_visibility import lay_out_once
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, add_parts
from ppdm_desktop.ui.widgets.tables.data_table import DataTable
from ppdm_desktop.ui.widgets.tables.form_table import FormTable


class ClassesCard(ChartCard):
    """Bar chart of people by the size of their group: the number of people with the same details.

    Signals
    -------
    band_chosen
        A bar was clicked: key of the heatmap's filter for its people.
    """

    band_chosen = Signal(str)

    def __init__(self) -> None:
        text = _("People by the size of their group")
        model = RowsModel([_("People with the same details"), _("Groups"), _("People")], right=(1, 2))
        opens = _("Click a bar to see its people in the map.")
        self.bars = DrawnView(name="chart_classes", label=text, opens=opens)
        super().__init__("classes", self.bars, model, label=text, topic="figure.group-sizes")
        # What height the card beside gives, the bars take first.
        self.body.setStretchFactor(self.bars, 20)
        self.body.addStretch(1)
        self.bars.opened.connect(self.band_chosen)

    def show_classes(self, assessment: Assessment) -> None:
        """Show how many people are in groups of each size, as bars and as a table, with the limit as a line.

        The limit is the group size that the release type requires; smaller groups are shown as alarming. If all groups
        are smaller, there is no line. A group consists of the people with the same details (quasi-identifiers).
        """
        bands = class_bands(assessment)
        least, title = assessment.prepared.type.k_min, classes_title(assessment)
        bars = [
            PartsRow(
                label_band(band),
                (band.people,),
                (format_rounded_count(band.people),),
                alarming=band.low < least,
                key="alone" if band.low == 1 else band.key,
            )
            for band in bands
        ]
        below = sum(band.low < least for band in bands)
        limit = (below, _("limit {limit}", limit=least)) if below < len(bands) else None
        self.set_title(title)
        self.model.set_rows(
            [
                (label_band(band), format_rounded_count(band.classes), format_rounded_count(band.people))
                for band in bands
            ]
        )
        small = _(
            "{n} {n:person|people} in {groups} {groups:group|groups} with the same details",
            groups=int(assessment.risk.judged.classes),
            n=int(assessment.risk.records),
        )
        self.set_print(small, _("Click a bar to see its people in the map."))
        self.bars.set_scene(parts_scene(title, small, bars, limit))


class SecretsCard(Card):
    """Card on what identifying a person would reveal about each confidential column."""

    def __init__(self) -> None:
        super().__init__(_("What finding someone would reveal"), name="card_confidential", topic="figure.same-value")
        self._confidential_note = Text("", name="label_confidential")
        add_parts(self.body, self._confidential_note, STRETCH)

    def show_secrets(self, assessment: Assessment) -> None:
        """Show a sentence on each confidential column, or that there is no such column."""
        nothing = _("No column is marked as confidential. Only the chance of being recognised is measured.")
        self._confidential_note.setText("\n".join(confidential_sentences(assessment)) or nothing)


_MOST = 200


class SetsCard(Card):
    """Table of sets of columns that single people out, smallest sets first.

    Each row has the number of people that the set singles out, and how many of them no smaller set does.

    Signals
    -------
    people_wanted
        Show the people who are unique in these columns: names.
    """

    people_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(
            _("The least an intruder needs to know"), name="card_smallest_sets", topic="figure.smallest-sets"
        )
        self._sets: tuple[UniqueSet, ...] = ()
        headers = [_("Details known"), _("People found"), _("Not found with less")]
        self.model = RowsModel(headers, right=(1, 2))
        self.table = FormTable(self.model, name="list_smallest_sets", label=self.title.text(), most_rows=8, folds=True)
        # Long names often differ at their ends only.
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._wait = Text(_("These figures are being worked out."), tone="text2", name="label_sets_wait")
        self._small = Text("", tone="text3", factor=0.85, name="label_sets_small")
        add_parts(self.body, self.table, self._wait, self._small, STRETCH)
        self.table.clicked.connect(self._on_chosen)
        self.table.activated.connect(self._on_chosen)
        self.show_sets(None)

    @lay_out_once
    def show_sets(self, unique_sets: UniqueSets | None) -> None:
        """Show the smallest sets of columns that single people out (at most 200), or that there are none.

        A row has the set, the people unique in it, and how many of them no smaller set singles out. A remark says if
        larger sets were not searched. None means that the search is not finished, which a text then says.
        """
        self._wait.setVisible(unique_sets is None)
        self.table.setVisible(unique_sets is not None and bool(unique_sets.sets))
        self._small.setVisible(unique_sets is not None and (bool(unique_sets.sets) or not unique_sets.complete))
        if unique_sets is None:
            self._sets = ()
            self.set_title(_("The least an intruder needs to know"), "")
            return
        self._sets = unique_sets.sets[:_MOST]
        self.set_title(sets_title(unique_sets), "")
        scope = list(dict.fromkeys(name for unique_set in self._sets for name in unique_set.columns))
        names = dict(zip(scope, shorten_common_prefix(scope), strict=True))
        self.model.set_rows(
            [
                (
                    ", ".join(names[name] for name in combination.columns),
                    format_rounded_count(combination.unique_people),
                    format_rounded_count(combination.adds),
                )
                for combination in self._sets
            ]
        )
        lines, all_of_them = [], len(unique_sets.sets)
        if all_of_them:
            lines.append(
                _(
                    "{most} of the {n} smallest {n:set|sets} · click one to list its people",
                    n=all_of_them,
                    most=len(self._sets),
                )
            )
        if not unique_sets.complete:
            lines.append(_("sets of more than {n} {n:column|columns} were not searched", n=int(unique_sets.largest)))
        self._small.setText(" · ".join(lines))

    def _on_chosen(self, index: QModelIndex) -> None:
        """Send ``people_wanted`` with the names of the columns of the clicked set; nothing beyond the list."""
        if index.isValid() and index.row() < len(self._sets):
            self.people_wanted.emit(self._sets[index.row()].columns)


_MOST_ROWS = 8


class PeopleCard(Card):
    """Card that lists people of the original or of a previewed change."""

    def __init__(self, session: Session) -> None:
        super().__init__(_("People with the same details"), name="card_people")
        self._session = session
        self._model = ColumnsModel()
        self.table = DataTable(self._model, name="table_people", label=_("People with the same details"))
        self._set_table_height()
        theme().changed.connect(self._set_table_height)
        self._model.modelReset.connect(self._set_table_height)
        self.close_button = Button(_("Close"), name="button_close_people", link=True, clicked=self.hide)
        self.more = MoreButton(name="button_more_people")
        add_parts(self.body, self.table, Flow(self.more, self.close_button))
        self.hide()

    def _set_table_height(self) -> None:
        """Set the height of the table for its rows, at most 8.5; the half row shows that the list continues."""
        # Half a row more where there are more: it can be seen that the list goes on.
        rows = min(max(self._model.rowCount(), 1), _MOST_ROWS + 0.5)
        head, bar = self.table.horizontalHeader(), self.table.horizontalScrollBar()
        high = round(self.table.verticalHeader().defaultSectionSize() * rows)
        around = 2 * self.table.frameWidth() + theme().px(2)
        self.table.setFixedHeight(head.sizeHint().height() + high + bar.sizeHint().height() + around)

    def show_equivalent(self, assessment: Assessment, record: int, name: str, *, decided: bool) -> None:
        """List the rows that have the same quasi-identifiers as a record when the column ``name`` is ignored.

        The title has the number of people to whom these rows belong.

        Parameters
        ----------
        assessment
            The risk assessment that is displayed.
        record
            Index of the record (first row 0), which is listed as well.
        name
            Name of the ignored column.
        decided
            False for a previewed change, for which people cannot be given a higher level.
        """
        rows = find_matches_without(assessment, record, name)
        table = assessment.prepared.table
        people = count_people_of_rows(assessment, rows)
        title = describe_cell(int(table.row_numbers[record]), name, table.column(name).text_at(record), people)
        self._show_people(assessment, rows, (name,), title, decided=decided)

    def show_unique(self, assessment: Assessment, names: Sequence[str], *, decided: bool) -> None:
        """List the rows of people who are unique in the columns ``names``, or say that nobody is.

        ``decided`` is False for a previewed change, for which people cannot be given a higher level.
        """
        rows = find_rows_unique_by(assessment, names)
        people = count_people_of_rows(assessment, rows)
        self._show_people(assessment, rows, names, describe_unique_people(people, names), decided=decided)

    def _show_people(
        self, assessment: Assessment, rows: Rows, first: Sequence[str], title: str, *, decided: bool
    ) -> None:
        """Show the card with these rows of the table; for no rows it has only its title.

        Parameters
        ----------
        assessment
            The risk assessment that is displayed.
        rows
            Indices of the rows.
        first
            Names of the columns to put at the left.
        title
            Title of the card.
        decided
            Whether the people can be given a higher protection level.
        """
        self.set_title(title, "")
        self.table.setAccessibleName(title)
        self.table.setVisible(bool(len(rows)))
        self._model.set_table(reorder_table_columns(assessment.prepared.table, first), rows)
        self.more.offer(self._session, find_row_people(assessment, rows) if decided else None)
        self.show()
