"""Card with the people that a rule matches or that have a level, and the decision that gave them their level."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Codes
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.record_levels import level_column, meaning_of, rows_in_spans, word_of
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import words_of_levels
from ppdm_desktop.engine.wording.values import Name, Quoted, Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.table_model import ColumnsModel
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.level_words import rule_words, spans_words
from ppdm_desktop.ui.state.levels_found import LevelsFound
from ppdm_desktop.ui.widgets.basic import Card
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import fill
from ppdm_desktop.ui.widgets.tables.data_table import DataTable


def reasons(levels_found: LevelsFound) -> tuple[Codes, tuple[str, ...]]:
    """Return for each row the decision that gave it its level.

    If several decisions give the same level, the first is named: the level for everybody, the column, the
    rules in their order, the selected rows.

    Returns
    -------
    codes, texts
        int32 (rows,), indices into ``texts``, which are the decisions in words.
    """
    assert levels_found.levels is not None
    table, privacy, levels = levels_found.basis.table, levels_found.privacy, levels_found.levels
    places = {level.name: index for index, level in enumerate(levels.levels)}
    texts: list[str] = []
    codes = np.full(table.rows, -1, dtype=np.int32)

    def claim(records: Bools, key: str | int, text: str) -> None:
        level = levels_found.level_map.find(str(key))
        index = places.get(level.name) if level is not None else None
        if index is None:
            return
        if table.people is not None:
            # A person has the level of their strictest row in all rows, and by that row.
            records = table.people.with_any(records)[table.people.of_row]
        mine = records & (levels.codes == index) & (codes < 0)
        if mine.any():
            codes[mine] = len(texts)
            texts.append(text)

    claim(np.ones(table.rows, dtype=np.bool_), privacy.default, _("the level for everyone"))
    records_of, read = levels_found.basis.records.of_rows, levels_found.basis.read
    column = level_column(read, privacy)
    if column is not None:
        for code in np.flatnonzero(column.used_texts()).tolist():
            word = word_of(column, column.texts[code])
            level = meaning_of(word, privacy, levels_found.level_map) if word or privacy.words else None
            if level is not None:
                name, value = Name(column.name), Quoted(column.texts[code])
                text = _("{column} is {value}", column=name, value=value)
                if not word:
                    text = _("{column} is empty", column=name)
                claim(records_of(column.codes == code), level.name.removeprefix("group "), text)
    for rule, records in zip(privacy.rules, levels_found.rules, strict=True):
        if records is not None:
            claim(records, rule.level, rule_words(rule, read))
    for picked in privacy.rows:
        claim(records_of(rows_in_spans(read.row_numbers, picked.spans())), picked.level, spans_words(picked))
    return codes, tuple(texts)


class PeopleCard(Card):
    """Card with the people that a rule matches, or the people of one level, with their level and its reason."""

    def __init__(self) -> None:
        super().__init__(_("People this rule finds"), name="card_level_people")
        self._model = ColumnsModel()
        self.table = DataTable(self._model, name="table_rule_people", label=_("People this rule finds"))
        self._fit()
        theme().changed.connect(self._fit)
        self._model.modelReset.connect(self._fit)
        self.close_button = Button(_("Close this list"), name="button_close_level_people", link=True)
        fill(self.body, self.table, self.close_button)
        self._shown: tuple[object, str] | None = None

    def _fit(self) -> None:
        """Set the height of the table for up to six people."""
        self.table.setFixedHeight(round(theme().h * 1.6 * (min(max(self._model.rowCount(), 1), 6) + 2.2)))

    def show_rule(self, levels_found: LevelsFound | None, index: int) -> None:
        """Show the people that the rule at ``index`` matches; hide the card if there are none."""
        records = (
            levels_found.rules[index] if levels_found is not None and 0 <= index < len(levels_found.rules) else None
        )
        if levels_found is None or records is None or not records.any():
            self.hide()
            return
        rule = levels_found.privacy.rules[index]
        asked = {condition.column for condition in rule.where if condition.column is not None}
        title = _("People this rule finds: {rule}", rule=Term(rule_words(rule, levels_found.basis.table)))
        self._show(levels_found, f"rule {index}", records, asked, title)

    def show_level(self, levels_found: LevelsFound | None, name: str) -> None:
        """Show the people who have a level; hide the card if nobody has it any more."""
        levels = levels_found.levels if levels_found is not None else None
        index = None
        if levels is not None:
            index = next((index for index, level in enumerate(levels.levels) if level.name == name), None)
        if levels_found is None or levels is None or index is None:
            self.hide()
            return
        said = words_of_levels(levels_found.privacy.words)
        title = _("Who has the level {level}, and why", level=Term(level_words(name, said)))
        self._show(levels_found, f"level {name}", levels.codes == index, set(), title)

    def _show(self, levels_found: LevelsFound, key: str, records: Bools, asked: set[str], title: str) -> None:
        """List some people with their level and its reason; the same list is not built again."""
        self.show()
        if self._shown == (levels_found, key):
            return
        self._shown = (levels_found, key)
        rows = np.flatnonzero(records).astype(np.int64)
        n, total = levels_found.basis.people_among(records), levels_found.basis.people
        self.set_title(title, _("{n} of {total} {total:person|people}", n=n, total=total))
        self.table.setAccessibleName(title)
        self._model.set_table(_shown_columns(levels_found, asked, _("Level now"), _("Reason")), rows)


def _shown_columns(levels_found: LevelsFound, asked: set[str], level_header: str, reason_header: str) -> Table:
    """Return the table with its columns in this order: asked by the rule, level, reason, identifying, all others."""
    table = levels_found.basis.table

    def place(column: Column) -> int:
        return 0 if column.name in asked else 1 if column.role == "quasi-identifier" else 2

    columns = sorted(table.columns, key=place)
    if levels_found.levels is not None:
        said = words_of_levels(levels_found.privacy.words)
        names = tuple(level_words(level.name, said) for level in levels_found.levels.levels)
        codes, texts = reasons(levels_found)
        first = sum(column.name in asked for column in columns)
        columns[first:first] = [
            Column(level_header, level_header, levels_found.levels.codes, names),
            Column(reason_header, reason_header, codes, texts),
        ]
    return Table(tuple(columns), table.row_numbers)
