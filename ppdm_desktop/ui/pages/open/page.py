"""Page "Open": a preview of the table, every guess about the file, and a report of the reading."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QListView, QListWidget, QListWidgetItem, QWidget

from ppdm_desktop.engine.recipe.models import InputSection, Recipe, RepairSection
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.reading.import_log import SheetSeen
from ppdm_desktop.engine.table.reading.proposals import Proposal
from ppdm_desktop.engine.table.reading.redcap import read_redcap_dictionary
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Size, Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.table_model import ColumnsModel
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.open.corrections import Corrections
from ppdm_desktop.ui.pages.open.form import OpenForm
from ppdm_desktop.ui.pages.open.last_year import LastYearCard
from ppdm_desktop.ui.state.decisions import Decisions
from ppdm_desktop.ui.state.import_lines import (
    Question,
    ReportLine,
    count_unanswered_rows,
    list_open_questions,
    person_question,
    report_lines,
    unanswered_readings,
)
from ppdm_desktop.ui.state.person_answer import Answer, apply_person_answer
from ppdm_desktop.ui.state.reading import (
    Opened,
    keep_reading,
    read_differently,
    read_file,
    reset_to_guessed,
    set_reading_option,
    take_again,
)
from ppdm_desktop.ui.state.recipe_file import FittedRecipe, apply_recipe, describe_fitted_recipe, read_for, read_like
from ppdm_desktop.ui.widgets.basic import (
    SEVERITY_ICONS,
    SEVERITY_TOKENS,
    Card,
    FailureStrip,
    IconLabel,
    Strip,
    Text,
    clear_layout,
)
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, SideBySide, add_parts, hbox, stretch_part, vbox, widget_of
from ppdm_desktop.ui.widgets.roles import describe_kind
from ppdm_desktop.ui.widgets.scrolling import put_back
from ppdm_desktop.ui.widgets.tables.data_table import DataTable
from ppdm_desktop.ui.work.chunked_work import make_timer
from ppdm_desktop.ui.work.tasks import TaskOutcome

_AFTER_MS = 300
_ANSWERS = ("answer_", "button_apply_", "button_decline_")
"""Beginnings of the names of buttons that answer a question."""
_JOB = "read-again"
_RECIPE_JOB = "open-recipe"
_DICTIONARY_JOB = "open-dictionary"
_MOST_LINES = 8
_MOST_QUESTIONS = 3
_SIGNS = {"numeric": "#", "ordinal": "↕", "date": "◷", "nominal": "T", "text": "¶"}


class PreviewModel(ColumnsModel):
    """Table model whose column headings start with a sign for the column's kind."""

    _kinds: Mapping[str, str] = MappingProxyType({})

    def set_kinds(self, kinds: Mapping[str, str]) -> None:
        """Show the decided kinds of columns, by name, in the headings instead of those found while reading.

        A column that is not in ``kinds`` keeps the kind found while reading. Nothing happens if the same kinds are
        shown already or there is no table.
        """
        if kinds != self._kinds and self.columnCount():
            self._kinds = kinds
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def _find_kind(self, section: int) -> str:
        """Return the kind of the displayed column ``section`` (index): as decided, or else as found while reading."""
        column = self.column_at(section)
        return self._kinds.get(column.name, column.kind)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the heading of a column: its name after the sign of its kind, such as "#  age" for numbers.

        Screen readers get "name: kind" in words. All other roles, and headings of rows, are those of ``ColumnsModel``.
        """
        if role == Qt.ItemDataRole.AccessibleTextRole and orientation == Qt.Orientation.Horizontal:
            column = self.column_at(section)
            return join_label(column.name, describe_kind(self._find_kind(section)))
        header = super().headerData(section, orientation, role)
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal and header is not None:
            return f"{_SIGNS.get(self._find_kind(section), 'T')}  {header}"
        return header


def _make_proposal_key(proposal: Proposal) -> tuple[str, str]:
    """Return the key ("repair", sentence) under which the session stores that a proposal was declined."""
    return ("repair", render(proposal.note.id, proposal.note.arguments).sentence)


class OpenPage(Page):
    """Page that reads the file again when an option is corrected; if that fails, the former table is kept."""

    step = "open"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._wanted: InputSection | None = None
        self._answered: tuple[Recipe, Recipe] | None = None
        self._reading: Reading | None = None
        self._asked: tuple[Question, ...] = ()
        self._before_recipe: Decisions | None = None
        self._earlier: Path | None = None
        self._after_like: Decisions | None = None
        self._read_timer = make_timer(self, _AFTER_MS, self._read_again)
        self.outer.addWidget(self._build_file())
        self.failure = FailureStrip(name="strip_failure")
        close = Button(_("Close"), name="button_recipe_close", link=True, clicked=self._forget_recipe)
        self.of_recipe = Strip("passed", "", close, name="strip_recipe")
        self._questions = QWidget()
        self._questions_box = vbox(on=self._questions)
        self._questions.hide()
        self.form = OpenForm()
        sides = SideBySide(below=760)
        sides.add(self.form, 3)
        sides.add(self._build_preview(), 7)
        self.last_year = LastYearCard()
        self.last_year.changed.connect(self._read_like)
        self.sheets = Sheets()
        self.corrections = Corrections()
        add_parts(
            self.outer,
            self.failure,
            self.of_recipe,
            self.last_year,
            self._questions,
            self.sheets,
            self.corrections,
            stretch_part(sides),
        )
        self.outer.addWidget(self._build_report())
        self.form.corrected.connect(self._on_corrected)
        self.sheets.picked.connect(partial(self._on_corrected, "sheet"))
        self.corrections.wanted.connect(self._schedule_reading)
        self.corrections.declined.connect(self._on_declined)
        self.corrections.asked_again.connect(self._on_asked_again)
        self.form.person.answered.connect(self._on_person)
        self.form.guesses_wanted.connect(self._on_guesses)
        self.form.dictionary_wanted.connect(self._on_dictionary_wanted)
        theme().changed.connect(self._fit_report)
        self.report.viewport().installEventFilter(self)

    # --- building -----------------------------------------------------------------------

    def _build_file(self) -> Card:
        """Return the card with name, size and hash of the file.

        Its buttons open another file, apply a recipe, and take over last year's decisions. Name, size and hash are
        empty at first.
        """
        card = Card()
        self._name = Text("", semibold=True)
        self._about = Text("", factor=0.9, tone="text2")
        self._about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        texts = vbox(self._name, self._about, gap=0)
        self._other_file = Button(_("Other file…"), name="button_other_file", clicked=self.file_wanted)
        self._recipe = Button(_("Open a recipe…"), name="button_open_recipe", clicked=self._on_recipe_wanted)
        self._like = Button(_("Start from last year…"), name="button_start_like", clicked=self._on_like_wanted)
        card.body.addWidget(widget_of(hbox(IconLabel("file", "accent", 26), stretch_part(texts))))
        card.body.addWidget(Flow(self._other_file, self._recipe, self._like))
        return card

    def _build_preview(self) -> Card:
        """Return the card with the table as it will be used, empty at first, and a legend of the signs of kinds."""
        self._preview = Card(" ", topic="page.open")
        self.model = PreviewModel()
        self.table = DataTable(self.model, name="table_preview", label=_("Table as it will be used"))
        theme().bound(self.table, least_high=220)
        self._preview.body.addWidget(self.table, 1)
        self._preview.body.addWidget(
            Text(
                _("# number  ·  ↕ ranked  ·  ◷ date  ·  T text  ·  ¶ free text  ·  ∅ missing  ·  F2 whole cell"),
                factor=0.85,
                tone="text3",
            )
        )
        return self._preview

    def _build_report(self) -> Card:
        """Return the card with the list of what was read and noticed, empty at first."""
        card = Card(_("What was read"))
        self.report = QListWidget()
        self.report.setObjectName("list_read_report")
        self.report.setAccessibleName(_("What was read"))
        self.report.setWordWrap(True)
        self.report.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.report.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.report.setSpacing(1)
        # What wraps is laid out again in another width.
        self.report.setResizeMode(QListView.ResizeMode.Adjust)
        card.body.addWidget(self.report)
        return card

    # --- the page -----------------------------------------------------------------------

    def title(self) -> str:
        """Return the title of the page."""
        return _("Open")

    def purpose(self) -> str:
        """Return the sentence below the title that says what the page is for."""
        return _("Check that the table looks as you expect, and what could not be read.")

    def primary(self) -> Primary:
        """Return the button that leads on to Columns, with a message on the first thing that is missing or to look at.

        It is disabled without a file, while the file is read again, and while a necessary question is open: whether
        rows are left out, how a column is read, whose rows they are. It stays enabled, with an amber message, for rows
        that were not read, notes in the report, and other open questions. Without any of these the message is "All rows
        were read".
        """
        text = _("Use this table")
        reading = self.session.reading
        if reading is None:
            return Primary(text, False, _("Choose a file"), "note")
        if self._wanted is not None:
            return Primary(text, False, _("Reading the file…"), "note")
        asked = count_unanswered_rows(self.session)
        if asked:
            message = _("First answer under Corrections: leave out {n} {n:row|rows} or not?", n=asked)
            return Primary(text, False, message, "amber")
        needed = len(unanswered_readings(self.session)) + (person_question(self.session) is not None)
        if needed:
            message = _("Please answer the {n:question|questions} above.", n=needed)
            return Primary(text, False, message, "amber")
        unread = len(reading.account.rows_unread)
        if unread:
            message = _("{n} {n:row was|rows were} not read; see the list.", n=unread)
            return Primary(text, True, message, "amber")
        notes = sum(line.severity == "amber" for line in report_lines(reading))
        if notes:
            message = _("All rows were read. Please look at {n} {n:note|notes}.", n=notes)
            return Primary(text, True, message, "amber")
        if self._asked:
            message = _("Please answer the {n:question|questions} above.", n=len(self._asked))
            return Primary(text, True, message, "amber")
        return Primary(text, True, _("All rows were read"), "passed")

    def on_primary(self) -> None:
        """Go to the page Columns."""
        self.go.emit("columns")

    def file_opened(self) -> None:
        """Forget scheduled correction, open questions, messages on a recipe and typed text: another file was opened."""
        self._wanted, self._reading = None, None
        self._read_timer.stop()
        self._show_questions(())
        self._forget_recipe()
        self.form.clear()

    def reading_changed(self) -> None:
        """Remove the message of failure, and scroll the table and the report to their tops."""
        self.failure.clear()
        put_back(self)

    def session_changed(self) -> None:
        """Read the file again if undo or redo changed the reading options, then refresh the page.

        If the options are to be corrected already, nothing else is read. Once an applied recipe was undone, the message
        on it and the card on last year's columns are removed.
        """
        if self.session.decisions == self._before_recipe:
            self._forget_recipe()
        if self._wanted is None and read_differently(self.session):
            self._wanted = self.session.decisions.recipe.input
            self._read_again()
        super().session_changed()

    def refresh(self) -> None:
        """Show the table, its sheets, reading options, open questions and corrections.

        At most three questions are shown at once; that on people, while it is open, is always among them and comes
        last. A correction that the user declined is shown as declined. If the focus was on an answer that has gone, it
        moves to the next answer, or else to the table. Fields of reading options keep what was typed until the file was
        read again. Without a file, the page only says that none is open.
        """
        reading, path = self.session.reading, self.session.decisions.path
        if reading is None or path is None:
            self._name.setText(_("No file is open"))
            return
        account, options = reading.account, self.session.decisions.recipe.input
        self.form.person.show_people(reading, options, self.session.facts)
        if self._wanted is None:
            self.form.show_reading(reading, options)
        used = QApplication.focusWidget()
        person = person_question(self.session)
        asked = list_open_questions(self.session)[: _MOST_QUESTIONS - (person is not None)]
        self._show_questions(asked if person is None else (*asked, person))
        open: list[Proposal] = []
        declined: list[Proposal] = []
        for proposal in self.session.proposals:
            (declined if _make_proposal_key(proposal) in self.session.settled else open).append(proposal)
        self.corrections.show_proposals(reading, tuple(open), tuple(declined), options)
        if used is not None and used.objectName().startswith(_ANSWERS) and not used.isVisible():
            QTimer.singleShot(0, self._focus_next_question)  # once the new buttons are seen and the old ones gone
        self.sheets.show_sheets(account.sheets_seen, account.sheet)
        if self._reading is not reading:
            self._show_table(reading, path)
        columns = self.session.decisions.recipe.columns
        self.model.set_kinds({name: section.kind for name, section in columns.items() if section.kind})

    def _show_table(self, reading: Reading, path: Path) -> None:
        """Show the file's name, size and hash, its table with the numbers of rows and columns, and the report.

        Of the hash the first and last 8 characters are shown; the tooltip has all of it.
        """
        account = reading.account
        self._reading = reading
        self._name.setText(path.name)
        self._about.setText(
            _(
                "{size:size} · opened read-only · SHA-256 {start}…{end}",
                size=Size(account.bytes),
                start=Term(account.sha256[:8]),
                end=Term(account.sha256[-8:]),
            )
        )
        self._about.setToolTip(plain_tip(account.sha256))
        self.model.set_table(reading.table)
        self._preview.set_title(
            _(
                "{rows} {rows:row|rows}, {columns} {columns:column|columns}",
                rows=account.rows_read,
                columns=account.columns_read,
            )
        )
        self._show_report(report_lines(reading))

    def _show_report(self, lines: list[ReportLine]) -> None:
        """Replace the list of what was read and noticed, each line with its icon, and select the first line."""
        self.report.clear()
        for line in lines:
            item = QListWidgetItem(line.text)
            item.setData(Qt.ItemDataRole.UserRole, SEVERITY_ICONS[line.severity])
            self.report.addItem(item)
        self.report.setCurrentRow(0)
        self._fit_report()

    def _fit_report(self) -> None:
        """Set the size of the icons in the report for the present theme, and fit the height of the report."""
        # Asked for a larger one, Qt stretches it where pixels are small (125 % and more).
        side = theme().px(18)
        self.report.setIconSize(QSize(side, side))
        for row in range(self.report.count()):
            icon = str(self.report.item(row).data(Qt.ItemDataRole.UserRole))
            self.report.item(row).setIcon(theme().icon(icon, SEVERITY_TOKENS[icon], 18))
        self._fit_report_height()

    def _fit_report_height(self) -> None:
        """Make the report as high as its first eight entries need when their texts are wrapped; further ones scroll."""
        visible_lines = min(self.report.count(), _MOST_LINES)
        last = self.report.visualItemRect(self.report.item(visible_lines - 1)) if visible_lines else QRect()
        high = last.bottom() + self.report.verticalScrollBar().value() + theme().px(6) + 2 * self.report.frameWidth()
        if self.report.height() != high:
            self.report.setFixedHeight(high)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the height of the report after its width changed.

        Returns whether the event was used up; then Qt does not handle it again.
        """
        if watched is self.report.viewport() and event.type() == QEvent.Type.Resize:
            self._fit_report_height()
        return super().eventFilter(watched, event)

    # --- questions ----------------------------------------------------------------------

    def _show_questions(self, asked: tuple[Question, ...]) -> None:
        """Show a strip with answer buttons for each open question; the area is hidden if there is none.

        Nothing is built again for the same questions.
        """
        if asked == self._asked:
            return
        self._asked = asked
        clear_layout(self._questions_box)
        self._questions.setVisible(bool(asked))
        before: QWidget = self._like
        for number, question in enumerate(asked):
            called = question.key if question.key == "person" else str(number)
            buttons = [
                Button(text, name=f"answer_{called}_{choice}", clicked=partial(self._on_answered, question, value))
                for choice, (value, text) in enumerate(question.choices)
            ]
            strip = Strip("amber", question.text, *buttons, name=f"question_{called}")
            strip.setProperty("topic", question.topic)
            self._questions_box.addWidget(strip)
            for button in buttons:
                QWidget.setTabOrder(before, button)
                before = button

    def _focus_next_question(self) -> None:
        """Put the focus on the first visible button that answers a question or a correction.

        If there is none, the table gets the focus.
        """
        buttons = (button for part in (self._questions, self.corrections) for button in part.findChildren(Button))
        answers = (button for button in buttons if button.isVisible() and button.objectName().startswith(_ANSWERS))
        next(answers, self.table).setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_answered(self, question: Question, answer: str) -> None:
        """Store the user's answer to a question (one of the question's values) in the reading options or the recipe.

        After an answer on decimal mark, header row or sheet, the file is read again, unless it confirms what the
        program guessed (the question's first value); then the question is only recorded as settled. After an answer on
        how a column is read, the file is always read again, after one on whether columns are people never. If rows are
        not people, or the user does not know, the question is settled, and the choice of the column that identifies
        people gets the focus.
        """
        if question.key == "date":
            self._on_date_order(question.column, answer)
            return
        if question.key == "person":
            if answer == "yes":
                self._on_person(Answer(is_row_a_person=True))
            elif answer == "column":
                self._on_person(Answer(columns=(question.column,)))
            else:
                self.session.settled.add((question.key, ""))
                self.session.changed()
                self.form.person.column.setFocus()
            return
        if question.key == "columns_are_people":
            options = self.session.decisions.recipe.input.model_copy(update={question.key: answer == "yes"})
            self.session.decide_recipe(input=options)
            return
        if question.key == "readings":
            options = self._wanted or self.session.decisions.recipe.input
            self._on_corrected("readings", {**options.readings, question.column: answer})
            return
        # A sheet that is chosen has rivals still, and a row of names looks like a record still.
        if question.key != "decimal" or answer == self.session.decisions.recipe.input.decimal:
            self.session.settled.add((question.key, question.column))
        if answer == question.choices[0][0]:
            self.refresh()
        else:
            self._on_corrected(question.key, int(answer) if question.key == "header_row" else answer)

    def _on_date_order(self, column: str, pattern: str) -> None:
        """Read a column's dates by ``pattern``, such as ``%d/%m/%Y``.

        If the recipe has an entry for the column, its kind becomes date and its format the pattern; the file is not
        read again. Otherwise a correction rewrites the dates as ISO 8601 dates, and the file is read again.
        """
        if column in self.session.decisions.recipe.columns:
            self.session.set_column([column], confirm=False, kind="date", format=pattern)
            return
        repairs = (self._wanted or self.session.decisions.recipe.input).repair
        section = repairs.get(column, RepairSection()).model_copy(update={"dates": (pattern,)})
        self._on_corrected("repair", {**repairs, column: section})

    # --- a recipe ------------------------------------------------------------------------

    def _on_recipe_wanted(self) -> None:
        """Ask for a recipe file, and check in the background how it fits the opened file.

        The message on a former recipe and the card on last year's columns are removed. Nothing happens without a file
        or if the user cancels.
        """
        source = self.session.decisions.path
        title = _("Open a recipe…")
        path = self.context.dialogs.open_file(self, title, "*.toml") if source is not None else None
        if path is None or source is None:
            return
        self.failure.clear()
        self._forget_recipe()
        self.context.runner.start(_RECIPE_JOB, partial(read_for, source, path), self._on_recipe)

    def _on_recipe(self, outcome: TaskOutcome) -> None:
        """Apply the recipe that was read, as a decision, and show what of it fits this file.

        If it could not be read, the reason is shown. Nothing happens if another file was opened meanwhile.
        """
        if not outcome.ok:
            self.failure.set_outcome(outcome)
            return
        fitted_recipe: FittedRecipe = outcome.result
        if fitted_recipe.opened.path != self.session.decisions.path:
            return
        self._take_recipe(fitted_recipe)

    def _on_like_wanted(self) -> None:
        """Ask for a project or recipe of last year, and match its decisions to the opened file in the background.

        The message on a former recipe and the card on last year's columns are removed. Nothing happens without a file
        or if the user cancels.
        """
        title, patterns = _("Start from last year"), "*.ppdm *.toml"
        path = self.context.dialogs.open_file(self, title, patterns) if self.session.reading is not None else None
        if path is not None:
            self._forget_recipe()
            self._earlier, self._after_like = path, None
            self._read_like((), {})

    def _read_like(self, undone: Collection[str], chosen: Mapping[str, str]) -> None:
        """Match last year's decisions to the opened file in the background, then apply them or show why this failed.

        They are applied as a decision that can be undone. Nothing happens without a file or an earlier project.

        Parameters
        ----------
        undone
            Earlier columns whose decisions are not carried over.
        chosen
            New column for each earlier column that the user matched by hand.
        """
        source = self.session.decisions.path
        if source is not None and self._earlier is not None:
            self.failure.clear()
            work = partial(read_like, source, self._earlier, self.context.ledger, undone, chosen)
            self.context.runner.start(_RECIPE_JOB, work, self._on_like)

    def _on_like(self, outcome: TaskOutcome) -> None:
        """Apply last year's decisions and show what became of each column, or show why they cannot be applied.

        An earlier attempt with the same project is undone first, unless other decisions were made since. Last year's
        written reasons are kept in the session as ``last_reasons``. Nothing happens if another file was opened
        meanwhile.
        """
        if not outcome.ok:
            self.failure.set_outcome(outcome)
            return
        fitted, started = outcome.result
        if fitted.opened.path != self.session.decisions.path:
            return
        self._before_recipe = None
        if self.session.decisions == self._after_like:
            self.session.undo()  # another choice takes the place of the one before
        self._take_recipe(fitted)
        self._after_like = self.session.decisions
        self.session.last_reasons = started.reasons
        self.last_year.show_started(started)

    def _take_recipe(self, fitted: FittedRecipe) -> None:
        """Apply a recipe as a decision that can be undone, and show what of it fits this file.

        The message is amber if something does not fit.
        """
        before = self.session.decisions
        apply_recipe(self.session, fitted)
        self._before_recipe = before
        self.of_recipe.set(
            "passed" if fitted.fits else "amber", "\n".join(describe_fitted_recipe(self.session, fitted))
        )

    def _forget_recipe(self) -> None:
        """Remove the messages on the applied recipe and the card on last year's columns."""
        self._before_recipe = None
        self.last_year.clear()
        self.of_recipe.set("passed", "")

    # --- correcting ---------------------------------------------------------------------

    def _on_corrected(self, key: str, value: object) -> None:
        """Set the reading option ``key`` to ``value``, and read the file again after a short pause."""
        options = self._wanted or self.session.decisions.recipe.input
        self._schedule_reading(set_reading_option(options, key, value))

    def _on_dictionary_wanted(self) -> None:
        """Ask for a data dictionary of REDCap (CSV), and read it in the background.

        Nothing happens without a file or if the user cancels.
        """
        title = _("Data dictionary of REDCap…")
        path = self.context.dialogs.open_file(self, title, "*.csv") if self.session.reading is not None else None
        if path is not None:
            self.failure.clear()
            self.context.runner.start(_DICTIONARY_JOB, partial(read_redcap_dictionary, path), self._on_dictionary)

    def _on_dictionary(self, outcome: TaskOutcome) -> None:
        """Read the file again with the dictionary's entries for columns that the file has.

        They replace those of an earlier dictionary. If the dictionary could not be read, the reason is shown.
        """
        reading = self.session.reading
        if outcome.ok and reading is not None:
            self._on_corrected(
                "dictionary", {name: meaning for name, meaning in outcome.result.items() if name in reading.table}
            )
        else:
            self.failure.set_outcome(outcome)

    def _on_declined(self, proposal: Proposal) -> None:
        """Decline a proposed correction.

        For a proposal to leave rows out this means that the rows are kept, and the file is read again. Any other
        proposal is only recorded as declined.
        """
        if proposal.rows:
            self._schedule_reading(proposal.declined(self.session.decisions.recipe.input))
        else:
            self.session.settled.add(_make_proposal_key(proposal))
            self.refresh()

    def _on_asked_again(self, proposal: Proposal) -> None:
        """Offer a declined correction again."""
        self.session.settled.discard(_make_proposal_key(proposal))
        self.refresh()

    def _on_guesses(self) -> None:
        """Read the file again with all options as the program guesses them, except those on who is a person."""
        self._schedule_reading(reset_to_guessed(self.session.decisions.recipe.input))

    def _schedule_reading(self, options: InputSection) -> None:
        """Read the file again with these options, 0.3 seconds after the last call of this method.

        Meanwhile the primary button is disabled.
        """
        self._wanted = options
        self._read_timer.start()
        self.primary_changed.emit()

    def _on_person(self, answer: Answer) -> None:
        """Put the answer on which rows belong to a person into the recipe, as a decision in place of the former one.

        An answer can change roles of columns. If nothing else was decided since the former answer, its changes are
        taken back first; otherwise they stay.
        """
        before, answered_recipe = self._answered or (None, None)
        now = self.session.decisions.recipe
        # Who goes through the columns with the arrow keys leaves no trace in the roles of those passed by.
        before = before if before is not None and answered_recipe == now else now
        recipe = apply_person_answer(before, answer)
        self._answered = (before, recipe)
        self.session.decide(recipe=recipe)

    def _read_again(self) -> None:
        """Read the file in the background with the requested options; nothing if none are requested."""
        path = self.session.decisions.path
        if self._wanted is None or path is None:
            return
        self.failure.clear()
        self.context.runner.start(_JOB, partial(read_file, path, self._wanted), self._on_read)
        self.primary_changed.emit()

    def _on_read(self, outcome: TaskOutcome) -> None:
        """Take the file as it was read again into the session; if that failed, show why, and keep the former table.

        New options are a decision, and decisions on columns are carried over by name. After a failure the options of
        the former table are put back into the recipe. Nothing happens if another correction is already scheduled, or
        another file was opened meanwhile.
        """
        if self._read_timer.isActive():
            return  # another correction is on its way
        self._wanted = None
        if outcome.ok:
            opened: Opened = outcome.result
            if opened.path == self.session.decisions.path:
                take_again(self.session, opened)
        else:
            self.failure.set_outcome(outcome)
            keep_reading(self.session)
            reading = self.session.reading
            if reading is not None:
                self.form.show_reading(reading, self.session.decisions.recipe.input)
        self.primary_changed.emit()


_LONGEST = 14


class Sheets(Card):
    """A button for each sheet of a workbook; hidden if there is only one.

    Signals
    -------
    picked
        Name of the sheet to read.
    """

    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__(_("Sheets"), _("One sheet is read. Here are the first cells of each sheet."))
        self.setObjectName("card_sheets")
        self._seen: tuple[SheetSeen, ...] = ()
        self._read: str | None = None
        self._tiles = Flow(gap=12, at_top=True)
        self._tiles.setObjectName("list_sheets")
        self.body.addWidget(self._tiles)
        self.hide()

    def show_sheets(self, seen: tuple[SheetSeen, ...], read: str | None) -> None:
        """Show a tile for each sheet of a workbook; hidden for fewer than two sheets.

        Nothing is built again if neither the sheets nor ``read``, the name of the sheet in use (None: no workbook),
        changed.
        """
        self.setVisible(len(seen) > 1)
        if (seen, read) == (self._seen, self._read):
            return
        self._seen, self._read = seen, read
        self._tiles.clear()
        for number, sheet in enumerate(seen):
            self._tiles.add(self._build_sheet_tile(number, sheet, sheet.name == read))

    def _build_sheet_tile(self, number: int, sheet: SheetSeen, is_read: bool) -> QFrame:
        """Return the tile of a sheet: a button, its numbers of rows and columns, and its first cells.

        The size is "first 100 rows, ..." if only the start of the sheet was looked at; behind it stands whether the
        sheet is hidden or the one in use (``is_read``). The button is disabled for the sheet in use and for an empty
        sheet. ``number``, from 0, only distinguishes the names of the widgets.
        """
        tile = QFrame()
        tile.setObjectName(f"sheet_{number}")
        box = vbox(on=tile, gap=3)
        label = _shorten_text(sheet.name, 2 * _LONGEST)
        size = lazy("{rows} {rows:row|rows}, {columns} {columns:column|columns}")
        if sheet.is_cut:
            size = lazy("first {rows} {rows:row|rows}, {columns} {columns:column|columns}")
        words_of_size = size.format(rows=sheet.rows, columns=sheet.columns)
        marks = [_("hidden")] * sheet.hidden + [_("is read")] * is_read
        button = Button(label, name=f"button_sheet_{number}", icon="passed" if is_read else None)
        button.setEnabled(not is_read and sheet.cells > 0)
        button.setAccessibleName(", ".join([_("Read {sheet}", sheet=Name(sheet.name)), words_of_size, *marks]))
        button.clicked.connect(partial(self.picked.emit, sheet.name))
        add_parts(box, button, Text(" · ".join([words_of_size, *marks]), factor=0.85, tone="text2", wrap=False))
        cells = QGridLayout()
        theme().gaps(cells, 10, 0)
        for row, texts in enumerate(sheet.corner):
            for column, text in enumerate(texts):
                cells.addWidget(Text(_shorten_text(text, _LONGEST), factor=0.8, tone="text3", wrap=False), row, column)
        add_parts(box, cells, STRETCH)
        return tile


def _shorten_text(text: str, most: int) -> str:
    """Return a text on one line with single blanks, of at most ``most`` characters; a longer one ends with "…"."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
