"""Page "Protection levels": who needs more protection than others, how much, and the table of people."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.arrays import Bools, Codes
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import PrivacySection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.table.record_levels import level_column, meaning_of, rows_in_spans, word_of
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import list_level_labels
from ppdm_desktop.engine.wording.values import Name, Quoted, Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.models.table_model import ColumnsModel
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.levels.disclosure_card import LearnCard
from ppdm_desktop.ui.pages.levels.map import LevelMapCard
from ppdm_desktop.ui.pages.levels.rules import RulesPanel, explain_error
from ppdm_desktop.ui.pages.levels.sources import ColumnPanel, RowsPanel, SamePanel
from ppdm_desktop.ui.state.level_counts import LevelCounts, find_levels
from ppdm_desktop.ui.state.level_texts import (
    describe_conditions,
    describe_raised,
    describe_spans,
    label_level,
    level_bars,
)
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.basic import Card, Strip
from ppdm_desktop.ui.widgets.buttons import Button, Segments
from ppdm_desktop.ui.widgets.layout import STRETCH, SideBySide, add_parts, vbox
from ppdm_desktop.ui.widgets.release_type_card import TypeCard
from ppdm_desktop.ui.widgets.scrolling import put_back
from ppdm_desktop.ui.widgets.tables.data_table import DataTable
from ppdm_desktop.ui.work.chunked_work import ChunkedWork
from ppdm_desktop.ui.work.tasks import TaskOutcome


def find_level_reasons(level_counts: LevelCounts) -> tuple[Codes, tuple[str, ...]]:
    """Return for each row which decision gave its person their protection level, and the decisions in words.

    A decision counts for a person if it names exactly the level that the person has in the end. If several do, the
    first counts, in this order: the level for everybody, the column, the rules, the selected rows.

    The rows are those of ``level_counts.basis.table``: one for each person if rows were combined.

    AssertionError if ``level_counts.levels`` is None, because a decision cannot be carried out.

    Returns
    -------
    codes, texts
        int32 (rows,), indices into ``texts``, which are the decisions that count for anybody, in words; -1 for a person
        whose level no decision names.
    """
    assert level_counts.levels is not None
    table, privacy, levels = level_counts.basis.table, level_counts.privacy, level_counts.levels
    places = {level.name: index for index, level in enumerate(levels.levels)}
    texts: list[str] = []
    codes = np.full(table.rows, -1, dtype=np.int32)

    def claim(records: Bools, key: str | int, text: str) -> None:
        """Store ``text`` as the reason for people in ``records`` whose level is ``key`` and who have no reason yet.

        ``records`` is a mask, shape (rows,). A person with several rows counts with all of them if one is in
        ``records``. Nothing happens if nobody in the table has the level ``key``.
        """
        level = level_counts.level_map.find(str(key))
        index = places.get(level.name) if level is not None else None
        if index is None:
            return
        # A person has the level of their strictest row in all rows, and by that row.
        records = table.persons.of_rows(table.persons.with_any(records))
        mine = records & (levels.codes == index) & (codes < 0)
        if mine.any():
            codes[mine] = len(texts)
            texts.append(text)

    claim(np.ones(table.rows, dtype=np.bool_), privacy.default, _("Everyone has at least this level"))
    records_of, read = level_counts.basis.records.of_rows, level_counts.basis.read
    column = level_column(read, privacy)
    if column is not None:
        for code in np.flatnonzero(column.used_texts()).tolist():
            word = word_of(column, column.texts[code])
            level = meaning_of(word, privacy, level_counts.level_map) if word or privacy.words else None
            if level is not None:
                name, value = Name(column.name), Quoted(column.texts[code])
                text = _("{column} is {value}", column=name, value=value)
                if not word:
                    text = _("{column} is empty", column=name)
                claim(records_of(column.codes == code), level.name.removeprefix("group "), text)
    for rule, records in zip(privacy.rules, level_counts.rules, strict=True):
        if records is not None:
            claim(records, rule.level, describe_conditions(rule, read))
    for rows_rule in privacy.rows:
        claim(
            records_of(rows_in_spans(read.row_numbers, rows_rule.spans())), rows_rule.level, describe_spans(rows_rule)
        )
    return codes, tuple(texts)


class PeopleCard(Card):
    """Card with the people whom a rule matches, or who have a level, with their level and the reason for it."""

    def __init__(self) -> None:
        super().__init__(" ", name="card_level_people")
        self._model = ColumnsModel()
        self.table = DataTable(self._model, name="table_rule_people", label="")
        self._set_table_height()
        theme().changed.connect(self._set_table_height)
        self._model.modelReset.connect(self._set_table_height)
        self.close_button = Button(_("Close"), name="button_close_level_people", link=True)
        add_parts(self.body, self.table, self.close_button)
        self._people_key: tuple[object, str] | None = None

    def _set_table_height(self) -> None:
        """Set the height of the table for at most six people."""
        self.table.setFixedHeight(round(theme().h * 1.6 * (min(max(self._model.rowCount(), 1), 6) + 2.2)))

    def show_rule(self, level_counts: LevelCounts | None, index: int) -> None:
        """Show the people whom the rule at ``index`` (from 0) matches, with the columns of its conditions first.

        The card is hidden if the rule matches nobody, cannot be checked or does not exist, or if nothing was counted
        yet.
        """
        records = (
            level_counts.rules[index] if level_counts is not None and 0 <= index < len(level_counts.rules) else None
        )
        if level_counts is None or records is None or not records.any():
            self.hide()
            return
        rule = level_counts.privacy.rules[index]
        asked = {condition.column for condition in rule.where if condition.column is not None}
        title = join_label(_("People this rule finds"), describe_conditions(rule, level_counts.basis.table))
        self._show_people(level_counts, f"rule {index}", records, asked, title)

    def show_level(self, level_counts: LevelCounts | None, name: str) -> None:
        """Show the people who have the level ``name`` in the end, and why.

        ``name`` is the level's stored name, such as "cautious", or "group 7" for groups of 7 people. The card is hidden
        if nobody has the level, or while the levels are unknown.
        """
        levels = level_counts.levels if level_counts is not None else None
        index = None
        if levels is not None:
            index = next((index for index, level in enumerate(levels.levels) if level.name == name), None)
        if level_counts is None or levels is None or index is None:
            self.hide()
            return
        level_labels = list_level_labels(level_counts.privacy.words)
        title = _("Who has the level {level}, and why", level=Term(label_level(name, level_labels)))
        self._show_people(level_counts, f"level {name}", levels.codes == index, set(), title)

    def _show_people(self, level_counts: LevelCounts, key: str, records: Bools, asked: set[str], title: str) -> None:
        """Show the card with the rows in ``records``; below its title stands the number of people: "12 of 300 people".

        The table is not built again if the same list is shown already.

        Parameters
        ----------
        level_counts
            The level of each person.
        key
            Identifies the list among those for the same levels.
        records
            Mask of the rows of ``level_counts.basis.table`` to list, shape (rows,).
        asked
            Names of columns to put first.
        title
            Title of the card.
        """
        self.show()
        if self._people_key == (level_counts, key):
            return
        self._people_key = (level_counts, key)
        rows = np.flatnonzero(records).astype(np.int64)
        n, total = level_counts.basis.people_among(records), level_counts.basis.people
        self.set_title(title, _("{n} of {total} {total:person|people}", n=n, total=total))
        self.table.setAccessibleName(title)
        self._model.set_table(_arrange_columns(level_counts, asked, _("Level now"), _("Reason")), rows)


def _arrange_columns(level_counts: LevelCounts, asked: set[str], level_header: str, reason_header: str) -> Table:
    """Return the table of ``level_counts``, all its rows, with columns as the list of people shows them.

    First come the columns named in ``asked``, then the person's level and the reason for it (new columns with the given
    headings), quasi-identifiers, and all others. Level and reason are left out while the levels are unknown.
    """
    table = level_counts.basis.table

    def sort_key(column: Column) -> int:
        """Return a column's sort key: 0 if the rule asks for it, 1 for a quasi-identifier, else 2."""
        return 0 if column.name in asked else 1 if column.role == "quasi-identifier" else 2

    columns = sorted(table.columns, key=sort_key)
    if level_counts.levels is not None:
        level_labels = list_level_labels(level_counts.privacy.words)
        names = tuple(label_level(level.name, level_labels) for level in level_counts.levels.levels)
        codes, texts = find_level_reasons(level_counts)
        first = sum(column.name in asked for column in columns)
        columns[first:first] = [
            Column(level_header, level_header, level_counts.levels.codes, names),
            Column(reason_header, reason_header, codes, texts),
        ]
    return Table(tuple(columns), table.row_numbers)


JOB = "levels"
_SHORT_BELOW = 480
_UNSAID = ("error.levels.unknown-text", "error.levels.no-word")


class LevelsPage(Page):
    """Page with four ways to say who needs more protection, the resulting counts, and the demands of each level."""

    step = "levels"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._level_counts: LevelCounts | None = None
        self._asked: object = None
        self._failed = ""
        self._listed: tuple[str, int | str] = ("rule", -1)
        self._opened_for: object = None
        self._seen: PrivacySection | None = None
        self._short = False
        self._chunks = ChunkedWork(self)
        self.type_card = TypeCard(self.session)
        self.tabs = Segments(
            _tab_names(short=False),
            name="tabs_level_source",
            chosen=self._on_tab,
        )
        text = _("Keep the selected rows for this file")
        self._keep_rows = Button(text, name="button_keep_rows", clicked=self._on_keep_rows)
        self._drop_rows = Button(_("Remove"), name="button_drop_rows", clicked=self._on_drop_rows)
        self._strip = Strip("blocks", "", self._keep_rows, self._drop_rows, name="strip_levels")
        sides = SideBySide(below=960)
        sides.add(self._build_left(), 55)
        sides.add(self._build_right(), 45)
        add_parts(self.outer, self.type_card, self.tabs, self._strip, sides, STRETCH)
        self.chart.opened.connect(self._on_bar)
        self.people.close_button.clicked.connect(self._on_close_people)
        self.rules.selected.connect(self._on_rule_selected)

    def _build_left(self) -> QWidget:
        """Return the left side: panels for the four ways to give levels, the chart of levels and the list of people.

        All panels and the list are hidden at first.
        """
        left = QWidget()
        column = vbox(on=left, gap=12)
        self.same = SamePanel(self.context)
        self.column = ColumnPanel(self.context)
        self.rules = RulesPanel(self.context)
        self.rows = RowsPanel(self.context)
        self._panels = {"all": self.same, "column": self.column, "rules": self.rules, "rows": self.rows}
        # Only the panel in front takes room: a stack would be as high as the highest.
        for panel in self._panels.values():
            column.addWidget(panel)
            panel.hide()
        model = RowsModel([_("Level"), _("Unique"), _("People")], right=(1, 2))
        self.chart = DrawnView(
            name="chart_levels",
            label=_("People at each level"),
            opens=_("Click a bar to see who they are and why."),
        )
        self.chart_card = ChartCard("levels", self.chart, model, label=_("People at each level"))
        self.chart_card.setProperty("topic", "figure.unique")
        self.chart_card.set_print(
            _("orange: unique today · grey: everyone else at this level"), _("Click a bar to see who they are and why.")
        )
        self.people = PeopleCard()
        self.people.hide()
        add_parts(column, self.chart_card, self.people, STRETCH)
        return left

    def _build_right(self) -> QWidget:
        """Return the right side: demands of each level, what an analyst learns, and a note that levels stay secret."""
        right = QWidget()
        self.map = LevelMapCard(self.session)
        self.learn = LearnCard(self.context)
        note = _("Protection levels are never released: they would show who asked for more protection.")
        vbox(self.map, self.learn, Strip("note", note), STRETCH, on=right, gap=12)
        return right

    # --- page ---------------------------------------------------------------------------

    def title(self) -> str:
        """Return the title of the page."""
        return _("Protection levels")

    def purpose(self) -> str:
        """Return the sentence below the title that says what the page is for."""
        return _("Some people need more protection than others. Say who, and how much.")

    def primary(self) -> Primary:
        """Return the button that leads to Risk, with a message on the first thing that is missing.

        It is disabled while no recipient is chosen, a text of the column with levels has no meaning, or the levels
        cannot be computed. It is enabled when everyone has a level, and already before people are counted for the
        present decisions; the message is then "Counting…", even if there is no quasi-identifier and nothing is counted.
        """
        text = _("See the risk")
        if self.session.decisions.recipe.release.type is None:
            return Primary(text, False, _("Who will receive the file?"), "amber")
        counts = self._find_current_counts()
        if self.session.find_words_without_level():
            return Primary(text, False, _("Say what every word of the column means"), "amber")
        if self._failed or (counts is not None and counts.error is not None):
            return Primary(text, False, _("One decision on this page cannot be carried out"), "blocks")
        if counts is None:
            return Primary(text, True, _("Counting…"), "note")
        return Primary(text, True, _("Everyone has a protection level"), "passed")

    def on_primary(self) -> None:
        """Go to the page Risk."""
        self.go.emit("risk")

    def file_opened(self) -> None:
        """Close the form for a new level and hide the settings for statisticians, because another file was opened."""
        self.map.forget()

    def reading_changed(self) -> None:
        """Discard counts, lists of people, unsaved rules and selected rows, because the table was read anew.

        The page scrolls to its top. The count for the rule in the editor, the search for rows, and the computation of
        what an analyst learns are cancelled.
        """
        self._level_counts, self._asked, self._failed = None, None, ""
        self._listed, self._opened_for, self._seen = ("rule", -1), None, None
        self._chunks.stop()
        self.rules.forget()
        self.rows.forget()
        self.column.forget()
        self.learn.forget()
        self.people.hide()
        put_back(self)

    def entered(self) -> None:
        """Open a tab, and start to count the people of each level unless this was done for the same decisions.

        At the first visit after a file was read this is the tab of the first way that the recipe uses: rules, selected
        rows, a column, else one level for all. Later the tab changes only if another page changed the rules, the
        selected rows or the level for all since.
        """
        if self._opened_for is not self.session.reading:
            self._opened_for = self.session.reading
            privacy = self.session.decisions.recipe.privacy
            from_column = privacy.column is not None or bool(self.session.with_role("privacy-level"))
            first = "rules" if privacy.rules else "rows" if privacy.rows else "column" if from_column else "all"
            self.tabs.set_current(first)
        elif self._seen is not None:
            self._open_changed_tab(self._seen)
        self._show_panel()
        self._start_count()

    def _open_changed_tab(self, seen: PrivacySection) -> None:
        """Open the tab whose decision differs from those in ``seen``, if another page changed one since.

        The first that differs is opened, in this order: rules (the last new rule is selected), selected rows, the level
        for all. If only other decisions changed, such as the column, the tab stays.
        """
        privacy = self.session.decisions.recipe.privacy
        if privacy.rules != seen.rules:
            self.tabs.set_current("rules")
            new = [index for index, rule in enumerate(privacy.rules) if rule not in seen.rules]
            self._listed = ("rule", new[-1] if new else -1)
        elif privacy.rows != seen.rows:
            self.tabs.set_current("rows")
        elif privacy.default != seen.default:
            self.tabs.set_current("all")

    def refresh(self) -> None:
        """Show the decisions and the last counts, in several turns of the event loop.

        People are counted again in the background if the decisions changed since the last count.
        """
        self._seen = self.session.decisions.recipe.privacy
        self.type_card.refresh()
        self._chunks.start([self._start_count, self.map.refresh, self._show_levels, self._reselect_rule], at_once=False)

    def _reselect_rule(self) -> None:
        """Select the rule whose people are listed again, if no row of the table of rules is selected any more.

        Nothing happens if the people of a level are listed.
        """
        kind, which = self._listed
        if kind == "rule" and isinstance(which, int) and self.rules.table.current_row() < 0:
            self.rules.select_rule(which)

    # --- counting -----------------------------------------------------------------------

    def _start_count(self) -> None:
        """Count the people of each level in the background.

        Nothing happens without a file or a quasi-identifier, or if the count for the same decisions was already
        started.
        """
        reading, recipe = self.session.reading, self.session.decisions.recipe
        if reading is None or not self.session.with_role("quasi-identifier"):
            return
        # All decisions that the levels depend on.
        wanted = (self.session.reading_number, recipe.columns, recipe.privacy, recipe.risk, recipe.input)
        if wanted == self._asked:
            return
        self._asked = wanted
        basis = self._level_counts.basis if self._level_counts is not None else None
        self.context.runner.start(JOB, partial(find_levels, reading, recipe, basis), self._on_level_counts)

    def _on_level_counts(self, outcome: TaskOutcome) -> None:
        """Store and show the computed levels, or show why they cannot be computed, and renew the page's button.

        If counting failed, the earlier counts stay, next to the message. After a cancellation nothing is shown, and the
        next refresh counts again.
        """
        if outcome.cancelled:
            self._asked = None
            return
        if outcome.ok:
            self._level_counts, self._failed = outcome.result, ""
        else:
            self._failed = outcome.message
        self._show_levels()
        self.primary_changed.emit()

    def _find_current_counts(self) -> LevelCounts | None:
        """Return the last counts of people by level if the decisions on levels are still the same, otherwise None.

        Only the recipe's section on levels is compared, not the file or the roles of columns.
        """
        counts = self._level_counts
        fits = counts is not None and counts.privacy == self.session.decisions.recipe.privacy
        return counts if fits else None

    def _show_levels(self) -> None:
        """Show tabs, list of people, chart and messages for the present decisions and the last counts.

        If the levels in the recipe contradict each other, only the built-in levels with their defaults are offered.
        Counts for an earlier reading of the file are left out; those for earlier decisions are shown until the new ones
        are there.
        """
        try:
            levels = LevelMap.from_recipe(self.session.decisions.recipe.privacy.levels)
        except RecipeError:
            levels = LevelMap()
        counts = self._level_counts
        if counts is not None and counts.basis.reading is not self.session.reading:
            counts = None
        self.same.refresh(levels)
        self.column.refresh(counts, levels)
        self.rules.refresh(counts, levels)
        self.rows.refresh(counts, levels)
        self._show_people(counts)
        current = self._find_current_counts()
        cannot = explain_error(current.error) if current is not None else ""
        if self.session.find_words_without_level():
            cannot = _("Say what every word of the column means")
        self.learn.refresh(counts, self._failed or cannot)
        self._show_chart(counts)
        self._show_problem(self._find_current_counts())

    def _show_people(self, level_counts: LevelCounts | None) -> None:
        """List the people of the level whose bar was clicked last, or those whom the selected rule matches.

        People of a rule are listed only while the tab of rules is open; otherwise the list is hidden.
        """
        kind, which = self._listed
        if kind == "level":
            self.people.show_level(level_counts, str(which))
        else:
            self.people.show_rule(level_counts if self.tabs.current == "rules" else None, int(which))

    def _show_problem(self, level_counts: LevelCounts | None) -> None:
        """Show why the levels cannot be computed, or ask whether rows that were selected by number are still right.

        The question, with a button for each answer, takes precedence. It is asked if the recipe has selected rows but
        no hash of the file. A text of the column without a meaning is not reported while the tab of the column is open,
        because that tab asks for it.
        """
        recipe = self.session.decisions.recipe
        lost = bool(recipe.privacy.rows) and recipe.input.sha256 is None
        self._keep_rows.setVisible(lost)
        self._drop_rows.setVisible(lost)
        if lost:
            text = _(
                "Rows were selected by number before the file was read in another way. Are they still the right rows?"
            )
            self._strip.set("amber", text)
        else:
            error = level_counts.error if level_counts is not None else None
            # Words without a meaning are said where they can be given a meaning.
            if error is not None and error.id in _UNSAID and self.tabs.current == "column":
                error = None
            self._strip.set("blocks", self._failed or explain_error(error))

    def _show_chart(self, level_counts: LevelCounts | None) -> None:
        """Draw how many people each level has, and how many of them are unique, as bars and as a table.

        The title of the card says how many people have more than the weakest level.
        The chart is hidden while this is unknown (None, or the levels cannot be computed).
        """
        self.chart_card.setVisible(level_counts is not None and level_counts.levels is not None)
        if level_counts is None or level_counts.levels is None:
            return
        levels = level_counts.levels
        level_labels = list_level_labels(level_counts.privacy.words)
        title = describe_raised(level_counts)
        bars, rows = [], []
        for level, people, unique_people in zip(
            levels.levels, level_counts.people, level_counts.unique_people, strict=True
        ):
            name = label_level(level.name, level_labels)
            figures = (_("{n} unique of {all}", n=int(unique_people), all=int(people)),)
            mark = level_bars(level, level_counts.level_map)
            bars.append(PartsRow(name, (unique_people, people - unique_people), figures, mark, key=level.name))
            rows.append((name, format_rounded_count(unique_people), format_rounded_count(people)))
        self.chart_card.set_title(title)
        self.chart_card.model.set_rows(rows)
        self.chart.set_scene(parts_scene(title, self.chart_card.small, bars))

    # --- slots --------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use labels of one word for the four tabs if the page is narrow, else the long ones.

        Narrow means less than 480 px at 100 % text size.
        """
        super().resizeEvent(event)
        around = self.parentWidget()
        available = (around.width() if around is not None else self.width()) * 17 / max(theme().h, 1)
        short = available < _SHORT_BELOW
        if short != self._short:
            self._short = short
            for key, text in _tab_names(short=short):
                self.tabs.set_label(key, text)

    def _show_panel(self) -> None:
        """Show the panel of the chosen way to give levels."""
        for key, panel in self._panels.items():
            panel.setVisible(key == self.tabs.current)

    def _on_tab(self, _key: str) -> None:
        """Show the panel of the opened tab, and bring the whole page up to date."""
        self._show_panel()
        self._show_levels()

    def _on_rule_selected(self, index: int) -> None:
        """List the people whom the selected rule matches."""
        self._listed = ("rule", index)
        self._show_people(self._level_counts)

    def _on_bar(self, level: str) -> None:
        """List the people who have the level of the clicked bar; nothing before people were counted."""
        if self._level_counts is not None and self._level_counts.levels is not None:
            self._listed = ("level", level)
            self._show_people(self._level_counts)

    def _on_close_people(self) -> None:
        """Close the list of people and deselect the rule."""
        self._listed = ("rule", -1)
        self.rules.table.clearSelection()
        self.people.hide()

    def _on_keep_rows(self) -> None:
        """Confirm that the rows selected by number are right for the file as it is read now; nothing without a file.

        The file's hash is stored in the recipe, as a decision, so that the question is not asked again.
        """
        reading = self.session.reading
        if reading is not None:
            input_section = self.session.decisions.recipe.input.model_copy(update={"sha256": reading.account.sha256})
            self.session.decide_recipe(input=input_section)

    def _on_drop_rows(self) -> None:
        """Remove the levels of rows selected by number."""
        privacy = self.session.decisions.recipe.privacy.model_copy(update={"rows": ()})
        self.session.decide_recipe(privacy=privacy)


def _tab_names(*, short: bool) -> list[tuple[str, str]]:
    """Return the four tabs as (key, label): "all", "column", "rules" and "rows"; ``short`` gives labels of one word."""
    return [
        ("all", _("All") if short else _("One level for all")),
        ("column", _("Column") if short else _("From a column")),
        ("rules", _("Rules") if short else _("By rules")),
        ("rows", _("Rows") if short else _("By selecting rows")),
    ]
