"""Tabs for three ways to give protection levels: one level for all, a column of the file, and selected rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QItemSelectionRange
from PySide6.QtWidgets import QAbstractItemView, QWidget

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Rows
from ppdm_desktop.engine.recipe.models import ColumnSection, PrivacySection, RowsRule
from ppdm_desktop.engine.table.levels import Level, LevelMap
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Quoted, Term, Terms
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.models.table_model import ColumnsModel, filter_rows_by_text
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.levels.rules import show_level_choice
from ppdm_desktop.ui.state.level_column import (
    add_word_meaning,
    find_reversed_words,
    map_words_to_levels,
    name_of_level_column,
)
from ppdm_desktop.ui.state.level_counts import MOST_UNKNOWN, ColumnText, LevelCounts, spans_of
from ppdm_desktop.ui.state.level_texts import (
    describe_raised,
    describe_rule_counts,
    describe_spans,
    label_level,
    level_choices,
)
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, add_parts, hbox, vbox
from ppdm_desktop.ui.widgets.level_choice import LevelChoice
from ppdm_desktop.ui.widgets.tables.data_table import DataTable
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.tasks import TaskOutcome

FIND_JOB = "levels-rows"
_LETTERS = 24
"""Width in letters of the choice of a column, because a name may be wider than the page."""
_NO_COLUMN = ""
_ROWS_SEEN = 9


class SamePanel(Card):
    """Tab that gives everybody the same level."""

    def __init__(self, context: Context) -> None:
        super().__init__(_("Everyone has at least this level"))
        self._session = context.session
        self.choice = LevelChoice(
            name="combo_default_level", label=_("Everyone has at least this level"), picked=self._on_picked
        )
        self._more = Text("", tone="text2")
        self._only = Button(_("Use only this level"), name="button_one_level", clicked=self._on_only)
        add_parts(self.body, hbox(self.choice, STRETCH), self._more, hbox(self._only, STRETCH))

    def refresh(self, levels: LevelMap) -> None:
        """Select the default level of the recipe, and say what gives some people a higher one.

        This can be a column, rules and selected rows. The button that removes rules and selected rows is visible if
        there are any.
        """
        recipe = self._session.decisions.recipe
        privacy, column = recipe.privacy, name_of_level_column(recipe)
        self.choice.set_levels(level_choices(levels, [privacy.default]), str(privacy.default))
        more = describe_rule_counts(privacy.rules, privacy.rows)
        if column:
            more = [_("the column {name}", name=Name(column)), *more]
        self._more.setText(
            _("These give some people a higher level: {sources}.", sources=Terms(tuple(more))) if more else ""
        )
        self._only.setVisible(bool(privacy.rules or privacy.rows))

    def _on_picked(self, key: str) -> None:
        """Store the level ``key`` in the recipe as the least level of everyone."""
        privacy = self._session.decisions.recipe.privacy.model_copy(update={"default": key})
        self._session.decide_recipe(privacy=privacy)

    def _on_only(self) -> None:
        """Remove all rules and selected rows from the recipe; a column with levels stays in use."""
        privacy = self._session.decisions.recipe.privacy.model_copy(update={"rules": (), "rows": ()})
        self._session.decide_recipe(privacy=privacy)


class ColumnPanel(Card):
    """Tab that takes levels from a column of the file; the user says which level each text of the column means."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            _("The column that says who needs more protection"),
        )
        self._session = context.session
        self.choice = Choice(name="combo_level_column", label=_("Column"), letters=_LETTERS, picked=self._on_looked_at)
        self._use = Button(_("Take the levels from it"), name="button_use_level_column", clicked=self._on_column)
        self._strip = Strip("amber", name="strip_unknown_levels")
        headers = [_("In the file"), _("People"), _("Means")]
        self._model = RowsModel(headers, right=(1,))
        self.table = FormTable(
            self._model, name="table_level_texts", label=_("In the file"), most_rows=8, controls=True
        )
        self.table.set_width(2, 226)
        self._counted = Text("", tone="text2", name="label_level_counts")
        self._turned = Strip("note", name="strip_levels_turned")
        add_parts(self.body, Flow(self.choice, self._use), self._strip, self.table, self._counted, self._turned)
        self._texts: list[str] = []
        self._meant: dict[str, str | None] = {}
        self._decided: object = None

    def forget(self) -> None:
        """Empty and hide the table of the column's texts, hide the counts, and remove all messages."""
        self._decided, self._texts, self._meant = None, [], {}
        self._model.set_rows([])
        self.table.hide()
        self._strip.set("amber", "")
        self._turned.set("note", "")
        self._counted.hide()

    def refresh(self, level_counts: LevelCounts | None, levels: LevelMap) -> None:
        """Show the column that levels are taken from, its texts, and the level that each text means.

        At most 50 texts (``MOST_UNKNOWN``) are listed, in the order of ``level_counts.texts`` (words, whole numbers,
        empty cells); if there are more, those without a meaning come first. Meanings are those of the recipe now, also
        if people were counted before. Before people were counted (``level_counts`` is None) no texts are listed.
        """
        chosen = name_of_level_column(self._session.decisions.recipe)
        self._offer_columns(chosen)
        texts = level_counts.texts if level_counts is not None and chosen is not None else ()
        # Counted words, but their meaning as decided now: the count may still be of the decision before.
        meant = map_words_to_levels(
            (level_text.text for level_text in texts), self._session.decisions.recipe.privacy, levels
        )
        unknown = [level_text for level_text in texts if meant[level_text.text] is None]
        self._show_open_texts(unknown)
        # Of very many words those that wait come first: each can be reached.
        waiting = unknown if len(texts) > MOST_UNKNOWN else []
        listed = [*waiting, *(text for text in texts if text not in waiting)][:MOST_UNKNOWN]
        self._list_texts(listed, meant, levels)
        self._meant = {word: None if level is None else _recipe_key(level) for word, level in meant.items()}
        self._show_counts(level_counts if texts else None)
        self._warn_of_reversed(find_reversed_words(meant), meant)

    def _offer_columns(self, chosen: str | None) -> None:
        """Offer the columns of the file; ``chosen`` is the one that the recipe takes levels from, None for no column.

        It becomes the selected one if the file or ``chosen`` changed since the last call. Otherwise a column that the
        user only looks at, without a click on the button, stays selected.
        """
        reading = self._session.reading
        names = reading.table.names if reading is not None else ()
        choices = [(_NO_COLUMN, _("No column")), *((name, name) for name in names)]
        offered = [self.choice.itemText(index) for index in range(self.choice.count())]
        if offered != [text for _key, text in choices]:
            self.choice.set_choices(choices)
        if self._decided != (reading, chosen):
            # What is only being looked at stays; a decision, also one that was undone, is shown.
            self._decided = (reading, chosen)
            self.choice.set_current(chosen or _NO_COLUMN)
        self._on_looked_at()

    def _list_texts(self, listed: Sequence[ColumnText], meant: Mapping[str, Level | None], levels: LevelMap) -> None:
        """List texts of the column, each with its number of people and a choice of the level that it means.

        The table is hidden if there is none.

        Parameters
        ----------
        listed
            Texts to list.
        meant
            Level of each text; None for a text without a meaning, which is shown in amber.
        levels
            Levels to choose from.
        """
        rows = [(level_text.text or _("Empty"), format_rounded_count(level_text.people), "") for level_text in listed]
        before, self._texts = self._texts, [level_text.text for level_text in listed]
        if self._texts != before:
            self._model.set_rows([])  # the controls go with the rows
        self._model.set_rows(
            rows, amber=[(row, 0) for row, level_text in enumerate(listed) if meant[level_text.text] is None]
        )
        for row, level_text in enumerate(listed):
            choice = self.table.at(row, 2)
            level = meant[level_text.text]
            key = None if level is None else _recipe_key(level)
            offered = level_choices(levels, [] if key is None else [key])
            if not isinstance(choice, LevelChoice):
                choice = LevelChoice(
                    name=f"level_text_{row}", label=_("Means"), picked=partial(self._on_meaning, level_text.text)
                )
                choice.setAccessibleName(join_label(_("Means"), level_text.text or _("Empty")))
                choice.setPlaceholderText(_("Please choose"))
                choice.set_levels(offered, key)
                self.table.put(row, 2, choice)
            choice.set_levels(offered, key)
        self.table.setVisible(bool(listed))

    def _show_open_texts(self, unknown: Sequence[ColumnText]) -> None:
        """Say how many texts of the column have no level yet, and how many people have them.

        An empty list removes the message.
        """
        text = _(
            "{n} {n:word has|words have} no meaning yet ({people} {people:person|people}). Say what {n:it means|they "
            "mean}, or choose another column.",
            n=len(unknown),
            people=sum(level_text.people for level_text in unknown),
        )
        self._strip.set("amber", text if unknown else "")

    def _show_counts(self, level_counts: LevelCounts | None) -> None:
        """Show how many people have each level in the end, and how many have more than the weakest level.

        The line, such as "Normal 280 · Cautious 20", is hidden while the levels are unknown.
        """
        levels = level_counts.levels if level_counts is not None else None
        self._counted.setVisible(levels is not None)
        if level_counts is None or levels is None:
            return
        line = " · ".join(
            f"{label_level(level.name)} {format_rounded_count(people)}"
            for level, people in zip(levels.levels, level_counts.people, strict=True)
        )
        self._counted.setText(f"{line}\n{describe_raised(level_counts)}")

    def _warn_of_reversed(self, turned: tuple[str, str] | None, meant: Mapping[str, Level | None]) -> None:
        """Warn if meanings look reversed, for example if "low" means a stricter level than "high".

        Parameters
        ----------
        turned
            The two texts, first the one that should mean less; None removes the warning.
        meant
            Level of each text.
        """
        text = ""
        if turned is not None:
            low, high = (meant[word] for word in turned)
            assert low is not None
            assert high is not None
            text = _(
                "{low} means {more}, but {high} means only {less}. If this is not what you want, change one of them.",
                low=Quoted(turned[0]),
                high=Quoted(turned[1]),
                more=Term(label_level(low.name)),
                less=Term(label_level(high.name)),
            )
        self._turned.set("note", text)

    def _on_looked_at(self, _key: str = "") -> None:
        """Label the button for the selected column: take levels from it, or from no column.

        The button is disabled for the column that is in use already.
        """
        # A role changes with the column, so that arrow keys through the list must not decide.
        chosen = name_of_level_column(self._session.decisions.recipe) or _NO_COLUMN
        self._use.setEnabled(self.choice.current != chosen)
        take, none = _("Take the levels from it"), _("Take levels from no column")
        self._use.setText(take if self.choice.current != _NO_COLUMN else none)

    def _on_column(self) -> None:
        """Take levels from the selected column, or from no column, as one decision.

        - A selected column gets the role ``privacy-level`` and the kind nominal, and counts as confirmed; its other
          settings are dropped.
        - Any other column that has this role is left out of the release, also with "No column".

        The meanings of texts are kept only if the column stays the same.
        """
        name = self.choice.current
        recipe = self._session.decisions.recipe
        columns = dict(recipe.columns)
        for column in self._session.with_role("privacy-level"):
            columns[column] = columns[column].model_copy(update={"role": "left-out"})
        if name != _NO_COLUMN:
            # Grouping, order and bounds belong to a released value; a level is read as it stands.
            columns[name] = ColumnSection(role="privacy-level", kind="nominal")
        # What the words of one column mean says nothing of another's.
        same = name == name_of_level_column(recipe)
        meanings_kept = recipe.privacy.words if same else {}
        privacy = recipe.privacy.model_copy(update={"column": name or None, "words": meanings_kept})
        confirmed = self._session.decisions.confirmed | ({name} if name else frozenset())
        new = recipe.model_copy(update={"columns": columns, "privacy": privacy})
        self._session.decide(recipe=new, confirmed=confirmed)

    def _on_meaning(self, word: str, key: str) -> None:
        """Store in the recipe which level (``key``) a text of the column means.

        The displayed meanings of all other texts are stored as well.
        """
        new = add_word_meaning(self._meant, self._session.decisions.recipe.privacy, word, key)
        self._session.decide_recipe(privacy=new)


def _recipe_key(level: Level) -> str:
    """Return the recipe's key of a level: its name, or "7" for a level that just demands groups of 7 people."""
    return level.name.removeprefix("group ")


class RowsPanel(QWidget):
    """Tab that gives a protection level to rows selected in a table."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context, self._session = context, context.session
        card = Card(_("Select rows, then give them a level"))
        self._find = line_edit(name="edit_find_rows", label=_("Rows"), hint=_("Find rows that contain…"), clear=True)
        self._model = ColumnsModel()
        self.table = DataTable(self._model, name="table_pick_rows", label=_("Rows"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self._count = Text("", tone="text2", wrap=False)
        self.level = LevelChoice(name="combo_pick_level", label=_("Gets level"))
        self._give = Button(_("Give them this level"), name="button_give_level", clicked=self._on_give)
        add_parts(card.body, self._find, self.table, Flow(self._count, self.level, self._give))
        self._card = Card(_("Rows selected so far"))
        headers = [_("Rows"), _("People"), _("Gets level"), ""]
        self._picked = RowsModel(headers, right=(1,))
        self.spans = FormTable(
            self._picked, name="table_picked_rows", label=_("Rows selected so far"), most_rows=6, controls=True
        )
        self.spans.set_width(2, 196)
        self.spans.set_width(3, 44)
        self._card.body.addWidget(self.spans)
        vbox(card, self._card, on=self, gap=12)
        self._find.textChanged.connect(self._on_find)
        self.table.selectionModel().selectionChanged.connect(self._on_selection)
        theme().changed.connect(self._set_table_height)
        self._reading: Reading | None = None
        self._set_table_height()

    def _set_table_height(self) -> None:
        """Make the table as high as the rows of the file, at most nine; a search does not change the height."""
        rows = min(self._reading.table.rows, _ROWS_SEEN) if self._reading is not None else _ROWS_SEEN
        self.table.setFixedHeight(round(theme().h * 1.6 * (rows + 2.2)))

    @property
    def _privacy(self) -> PrivacySection:
        """The present decisions of the recipe on protection levels."""
        return self._session.decisions.recipe.privacy

    def forget(self) -> None:
        """Cancel a search for rows, clear the search text, and empty the list of selected rows that have a level."""
        self._context.runner.cancel(FIND_JOB)
        self._reading = None
        self._find.clear()
        self._picked.set_rows([])

    def refresh(self, level_counts: LevelCounts | None, levels: LevelMap) -> None:
        """Show the table of the file, and a line for each set of rows to which the recipe gives a level.

        A line has the row numbers, the number of people, a choice of the level and a button to remove it. The number is
        "…" until people are counted. The list of lines is hidden if there is none. The table is filled anew, with no
        row selected, only after the file was read again. The level to give stays as chosen; at first it is "cautious".
        Nothing happens without a file.
        """
        reading = self._session.reading
        if reading is None:
            return
        if self._reading is not reading:
            self._reading = reading
            self._model.set_table(reading.table)
            self._set_table_height()
            # Nobody is selected until a person selects: the current row is only where keys begin.
            self.table.clearSelection()
        current = self.level.current or "cautious"
        self.level.set_levels(level_choices(levels), current)
        rules = self._privacy.rows
        fits = level_counts is not None and level_counts.privacy.rows == rules
        people = level_counts.picked if level_counts is not None and fits else ()
        rows = [
            (describe_spans(rule), format_rounded_count(people[i]) if i < len(people) else "…", "", "")
            for i, rule in enumerate(rules)
        ]
        self._picked.set_rows(rows)
        choices = level_choices(levels, [rule.level for rule in rules])
        for row, rule in enumerate(rules):
            show_level_choice(self.spans, row, "picked", choices, str(rule.level), self._on_level, self._on_remove)
        self._card.setVisible(bool(rules))
        self._on_selection()

    def selected_numbers(self) -> Rows:
        """Return the numbers that a spreadsheet program shows for the selected rows, rising, int64, shape (selected,).

        The column names and rows that could not be read count, so that numbers may be larger than the number of rows
        shown. It is empty without a selection or a file.
        """
        reading = self._session.reading
        if reading is None:
            return np.empty(0, dtype=np.int64)
        parts = [self._model.rows[block.top() : block.bottom() + 1] for block in self._list_row_ranges()]
        rows = np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)
        return np.unique(reading.table.row_numbers[rows])

    def _list_row_ranges(self) -> list[QItemSelectionRange]:
        """Return the selection as ranges of table rows; a million selected rows can be one range."""
        selection = self.table.selectionModel().selection()
        return [selection.at(index) for index in range(selection.size())]

    def _on_selection(self) -> None:
        """Show how many rows are selected, and enable the button that gives them a level if there are any."""
        selected = sum(block.height() for block in self._list_row_ranges())
        self._count.setText(_("{n} selected", n=int(selected)))
        self._give.setEnabled(selected > 0)

    # --- finding ------------------------------------------------------------------------

    def _on_find(self, text: str) -> None:
        """Search in the background for rows with a cell that contains ``text``, and show only these.

        The selection is cleared when they are shown.
        Case does not matter; an empty text shows all rows again. Nothing happens without a file or before its rows are
        shown.
        """
        reading = self._session.reading
        if reading is None or self._reading is not reading:
            return
        table = reading.table

        def work() -> Rows | None:
            """Return the indices of the matching rows, None for all rows."""
            progress.check()
            return filter_rows_by_text(table.columns, text, np.arange(table.rows, dtype=np.int64)) if text else None

        self._context.runner.start(FIND_JOB, work, self._on_search_done)

    def _on_search_done(self, outcome: TaskOutcome) -> None:
        """Show only the rows that were found, or all if nothing was searched for, and clear the selection.

        Nothing happens if the search failed or was cancelled.
        """
        if outcome.ok:
            self.table.clearSelection()
            self._model.set_rows(outcome.result)

    # --- deciding -----------------------------------------------------------------------

    def _write_row_rules(self, rows: tuple[RowsRule, ...]) -> None:
        """Store which rows get which level in the recipe, as a decision, together with the hash of the file.

        The hash is needed because row numbers mean nothing in another file. For empty ``rows`` the stored hash is kept.
        """
        recipe, reading = self._session.decisions.recipe, self._session.reading
        input_section = recipe.input
        if rows and reading is not None:
            input_section = input_section.model_copy(update={"sha256": reading.account.sha256})
        privacy = recipe.privacy.model_copy(update={"rows": rows})
        self._session.decide_recipe(privacy=privacy, input=input_section)

    def _on_give(self) -> None:
        """Give the selected rows the chosen level, as a decision, and clear the selection.

        They become a further set of rows, at the end; a row may be in several sets, of which the strictest counts.
        Nothing happens if no row is selected.
        """
        numbers = self.selected_numbers()
        if not len(numbers):
            return
        rule = RowsRule(rows=spans_of(numbers), level=self.level.current)
        self._write_row_rules((*self._privacy.rows, rule))
        self.table.clearSelection()

    def _on_level(self, row: int, key: str) -> None:
        """Change the level of one set of selected rows to ``key``, as a decision.

        ``row`` is its line in the list, from 0.
        """
        rules = list(self._privacy.rows)
        rules[row] = rules[row].model_copy(update={"level": key})
        self._write_row_rules(tuple(rules))

    def _on_remove(self, row: int) -> None:
        """Remove one set of selected rows (``row`` is its line in the list, from 0) and its level, as a decision."""
        rules = list(self._privacy.rows)
        rules.pop(row)
        self._write_row_rules(tuple(rules))
