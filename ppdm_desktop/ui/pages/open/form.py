"""Form of the page Open: each guess about the file with its reason and a control, and which rows are a person's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import cast

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLabel, QWidget

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.reading.ignored_options import OF_FORMATS
from ppdm_desktop.engine.table.reading.registry import all_readers
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import render_title
from ppdm_desktop.engine.wording.values import Name, Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.state.column_facts import ColumnFacts
from ppdm_desktop.ui.state.import_lines import delimiter_choices, encoding_choices
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.state.person_answer import Answer, By, answer_of, count_similar_ids, people_of
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, WholeNumber, check_box, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, add_parts, vbox, widget_of

_SEVERAL = "\x1f"
_LETTERS = 8  # the card says how wide they are, not the longest name


class PersonQuestion(QWidget):
    """Asks which rows belong to the same person, and shows the resulting number of people.

    Signals
    -------
    answered
        The ``Answer`` of the user.
    """

    answered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        box = vbox(on=self, margins=(0, 6, 0, 0), gap=6)
        self.row_per_person = check_box(
            _("One row per person"), name="check_one_row_per_person", clicked=self._on_row_per_person
        )
        text = _("A fixed number of people was drawn from each group")
        self.quota = check_box(text, name="check_quota", clicked=self._on_quota)
        text = _("Each row is a group of people")
        self.groups = check_box(text, name="check_rows_are_groups", clicked=self._on_groups)
        add_parts(
            box, Text(_("Who is a person in this file?"), semibold=True), self.row_per_person, self.quota, self.groups
        )
        text = _("Column that counts people")
        self.people_count = Choice(name="combo_people_count", label=text, picked=self._on_people_count)
        self.column = Choice(name="combo_person", label=_("Column that shows whose row it is"), picked=self._on_column)
        text = _("Second column, if one is not enough")
        self.second = Choice(name="combo_person_2", label=text, picked=self._on_second)
        self.reduce = Choice(name="combo_reduce", label=_("Rows to keep of each person"), picked=self._on_reduce)
        self.reduce.set_choices(
            [
                ("first", _("keep the first row of each person")),
                ("last", _("keep the last row of each person")),
                ("all", _("keep all rows of each person")),
            ],
            "all",
        )
        text = _("Column that shows who lives together")
        self.household = Choice(name="combo_household", label=text, picked=self._on_household)
        for choice in (self.people_count, self.column, self.second, self.reduce, self.household):
            choice.set_letters(_LETTERS)
            box.addWidget(choice)
        self.counts = Text("", factor=0.9, tone="text2", name="text_people")
        box.addWidget(self.counts)
        self._options = InputSection()
        self._reading: Reading | None = None
        self._suspects: list[str] = []

    def show_people(self, reading: Reading, options: InputSection, facts: Mapping[str, ColumnFacts]) -> None:
        """Show the present answer in the fields, and how many people result from it.

        If the answer names no column that identifies people, the number of people is that of the first column that
        probably does, if there is one. Nothing changes if reading and options are as at the last call.

        Parameters
        ----------
        reading
            The file as it was read.
        options
            Reading options, which contain the answer.
        facts
            Facts on each column by name; they tell which columns probably identify people, and these are offered first.
        """
        if reading is not self._reading:
            # Counted once for each choice of columns, until another reading is shown.
            self._find_people = cache(partial(people_of, reading))
            self._count_similar_ids = cache(partial(count_similar_ids, reading))
        elif options == self._options:
            return
        self._reading, self._options = reading, options
        self._suspects = [name for name in reading.table.names if facts[name].person]
        answer = answer_of(options)
        self.row_per_person.setChecked(answer.is_row_a_person)
        self.quota.setChecked(answer.quota)
        self.quota.setVisible(answer.is_row_a_person)
        self.groups.setChecked(answer.groups)
        counts = [(column.name, column.name) for column in reading.table.columns if column.kind == "numeric"]
        by_name = ("", _("the column whose name says that it counts people"))
        self.people_count.set_choices([by_name, *counts], answer.people_count)
        self.people_count.setVisible(answer.groups)
        self._show_columns(reading, answer)
        self._show_second_column(reading, answer)
        self.reduce.set_current(answer.by)
        self.reduce.setVisible(bool(answer.columns))
        self._show_households(reading, answer)
        proposed = tuple(self._suspects[:1]) if not answer.columns else ()
        self.counts.setText(self._describe_people(answer.columns or proposed, "".join(proposed)))
        self.counts.setVisible(bool(self.counts.text()))

    def _show_columns(self, reading: Reading, answer: Answer) -> None:
        """Offer all columns of the table, or none, as the column that identifies people, with the answer selected.

        Columns that probably identify people come first.
        """
        likely = lazy("{column} (probably a person’s number)")
        other_columns = [name for name in reading.table.names if name not in self._suspects]
        choices = [("", _("No column shows whose row it is"))]
        choices += [(name, likely.format(column=Term(name))) for name in self._suspects]
        choices += [(name, name) for name in other_columns]
        self.column.set_choices(choices, answer.columns[0] if answer.columns else "")

    def _show_second_column(self, reading: Reading, answer: Answer) -> None:
        """Offer a second column that identifies people together with the first; hidden if there is no first column.

        If a recipe names more than two columns, all after the first are offered as one choice. The first column and
        that of households are not offered.
        """
        more = answer.columns[1:]
        together = lazy("together with {column}")
        choices = [("", _("this column alone"))]
        if len(more) > 1:
            choices.append((_SEVERAL.join(more), together.format(column=Term(" + ".join(more)))))
        taken = {*answer.columns[:1], answer.household}
        choices += [(name, together.format(column=Term(name))) for name in reading.table.names if name not in taken]
        self.second.set_choices(choices, _SEVERAL.join(more))
        self.second.setVisible(bool(answer.columns))

    def _show_households(self, reading: Reading, answer: Answer) -> None:
        """Offer the columns that could identify households: all but those that identify people.

        The choice is hidden until a column that identifies people is chosen.
        """
        likely = lazy("household: {column}")
        choices = [("", _("no column for households"))]
        other_columns = [name for name in reading.table.names if name not in answer.columns]
        choices += [(name, likely.format(column=Term(name))) for name in other_columns]
        self.household.set_choices(choices, answer.household)
        self.household.setVisible(bool(answer.columns))

    def _describe_people(self, columns: tuple[str, ...], proposed: str) -> str:
        """Return sentences on how many people result if these columns identify people.

        For example: "500 rows of 200 people. 120 people have more than one row, at most 6." The name of the column
        stands before it if it is only ``proposed``. Further sentences, on lines of their own, count rows without an id,
        which are a person each, and ids that differ from another only in spelling, if there are any. The text is "" if
        there is no column, or one is not in the table.
        """
        people = self._find_people(columns)
        if people is None:
            return ""
        text = _(
            "{rows} {rows:row|rows} of {people} {people:person|people}. {several} {several:person has|people have} "
            "more than one row, at most {most}.",
            rows=people.rows,
            people=people.count,
            several=people.with_several,
            most=people.most_rows,
        )
        paragraphs = [join_label(proposed, text) if proposed else text]
        if people.without_id:
            missing = _(
                "{n} {n:row has|rows have} no person’s number; each counts as a person.", n=int(people.without_id)
            )
            paragraphs.append(missing)
        if similar := self._count_similar_ids(columns):
            differ = _(
                "{n} {n:number differs|numbers differ} from another only in spaces, capitals or leading zeros. Each "
                "counts as a different person until you correct it.",
                n=similar,
            )
            paragraphs.append(differ)
        return "\n".join(paragraphs)

    # --- what a person says -----------------------------------------------------------------

    def _on_row_per_person(self, on: bool) -> None:
        """Send the answer whether each row is a person of its own; everything else answered is dropped."""
        self.answered.emit(Answer(is_row_a_person=on))

    def _on_quota(self, on: bool) -> None:
        """Send the answer that each row is a person of its own, with or without a quota sample (``on``)."""
        self.answered.emit(Answer(is_row_a_person=True, quota=on))

    def _on_groups(self, on: bool) -> None:
        """Send the answer whether each row is a group of people; everything else answered is dropped."""
        self.answered.emit(Answer(groups=on))

    def _on_people_count(self, key: str) -> None:
        """Send the answer that rows are groups of people, counted in the column ``key`` ("" for a guess by name)."""
        self.answered.emit(Answer(groups=True, people_count=key))

    def _on_column(self, key: str) -> None:
        """Send the answer that the column ``key`` tells whose row it is, with the present choice which rows are used.

        A second column and households are dropped. Without a column ("") the answer is empty.
        """
        by = cast(By, self.reduce.current)
        self.answered.emit(Answer(columns=(key,), by=by) if key else Answer())

    def _on_second(self, key: str) -> None:
        """Send the present answer with other columns that identify people together with the first; "" stands for none.

        ``key`` is the name of a column, or several names joined by ``_SEVERAL``.
        """
        answer = answer_of(self._options)
        more = tuple(key.split(_SEVERAL)) if key else ()
        self.answered.emit(replace(answer, columns=(*answer.columns[:1], *more)))

    def _on_reduce(self, key: str) -> None:
        """Send the present answer with the choice which rows of a person are used: all, the first or the last."""
        self.answered.emit(replace(answer_of(self._options), by=cast(By, key)))

    def _on_household(self, key: str) -> None:
        """Send the present answer with the column that identifies households, "" for none."""
        self.answered.emit(replace(answer_of(self._options), household=key))


class OpenForm(Card):
    """Form that shows and changes the reading options.

    Signals
    -------
    corrected
        Name of the option and its new value.
    guesses_wanted
        The user wants all options as the program guesses them.
    dictionary_wanted
        The user wants to read a data dictionary.
    """

    corrected = Signal(str, object)
    guesses_wanted = Signal()
    dictionary_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(_("How the file was read"))
        self._marks: tuple[str, ...] = ()
        self._suggested: tuple[tuple[str, int], ...] = ()
        self._rows: dict[str, tuple[QLabel, QWidget]] = {}
        correct = self.corrected.emit
        self.sheet = Choice(name="combo_sheet", picked=partial(correct, "sheet"))
        self.encoding = Choice(name="combo_encoding", letters=24, picked=partial(correct, "encoding"))
        self.delimiter = Choice(name="combo_delimiter", picked=partial(correct, "delimiter"))
        self.decimal = Choice(name="combo_decimal", picked=partial(correct, "decimal"))
        row = partial(correct, "header_row")
        self.header = WholeNumber(name="spin_header_row", bounds=(0, 1_048_576), changed=row)
        self.header.setSpecialValueText(_("No column names in this file"))
        self.missing = self._build_missing()
        controls = (self.sheet, self.encoding, self.delimiter, self.decimal, self.header)
        for (key, topic), control in zip(OF_FORMATS.items(), controls, strict=True):
            control.setProperty("topic", topic)
            self._add_row(key, render_title(topic), control)
        self.missing.setProperty("topic", "setting.missing")
        self._add_row("missing", _("Texts that mean “missing”"), self.missing)
        self.person = PersonQuestion()
        self.person.setProperty("topic", "setting.person")
        text, wanted = _("Data dictionary of REDCap…"), self.dictionary_wanted
        dictionary = Button(text, name="button_dictionary", icon="file", link=True, clicked=wanted)
        text, wanted = _("Reset to automatic detection"), self.guesses_wanted
        reset = Button(text, name="button_reset_guesses", icon="reset", link=True, clicked=wanted)
        add_parts(self.body, self.person, dictionary, reset, STRETCH)

    def _add_row(self, key: str, text: str, control: QWidget) -> None:
        """Add a control with its label above, and keep both under the option ``key``."""
        field = self.edit if key == "missing" else control
        label = Text(text, wrap=False, top=7, buddy=field)
        self._rows[key] = (label, control)
        add_parts(self.body, label, control)
        field.setAccessibleName(text)
        if control is self.header:
            self.header.lineEdit().setAccessibleName(text)

    def _build_missing(self) -> QWidget:
        """Return the area with the texts that mean "missing", empty at first, and a field to add another text."""
        self._chips = Flow(gap=4)
        self.edit = line_edit(name="edit_missing", hint=_("another text, then Enter"))
        self.edit.returnPressed.connect(self._on_mark_typed)
        return widget_of(vbox(self._chips, self.edit, gap=4))

    # --- showing ------------------------------------------------------------------------

    def clear(self) -> None:
        """Clear the field for another text that means "missing"."""
        self.edit.clear()

    def show_reading(self, reading: Reading, options: InputSection) -> None:
        """Show each reading option that the file's format has, as in ``options``.

        If ``options`` has none, decimal sign and header row are shown as found while reading, and nothing is selected
        as sheet, encoding or delimiter. The header row counts from 1; 0 stands for a file without column names. Sheets
        are shown for workbooks only; encoding, delimiter and decimal sign for text files only; the header row unless
        the format fixes it. At most four texts are suggested as missing. What is typed as another such text stays.
        """
        account = reading.account
        text = account.delimiter is not None
        self.sheet.set_choices([(name, name) for name in account.sheets], options.sheet)
        self.encoding.set_choices(encoding_choices(options.encoding), options.encoding)
        self.delimiter.set_choices(delimiter_choices(options.delimiter, account), options.delimiter)
        self.decimal.set_choices([(".", _("Point 1.5")), (",", _("Comma 1,5"))], options.decimal or account.decimal)
        with QSignalBlocker(self.header):
            self.header.setValue(account.header_row if options.header_row is None else options.header_row)
        self._show_row("sheet", bool(account.sheets))
        for key in ("encoding", "delimiter", "decimal"):
            self._show_row(key, text)
        reader = all_readers().get(account.format)
        self._show_row("header_row", reader is None or "header_row" in reader.honours)
        suggested = tuple((suggestion.mark, suggestion.cells) for suggestion in account.suggested_missing[:4])
        self._show_marks(options.missing or ("",), suggested)

    def _show_row(self, key: str, visible: bool) -> None:
        """Show or hide the label and the control of an option."""
        for widget in self._rows[key]:
            widget.setVisible(visible)

    def _show_marks(self, marks: tuple[str, ...], suggested: tuple[tuple[str, int], ...]) -> None:
        """Show the texts that mean "missing" as buttons that remove them, and suggested texts as buttons that add them.

        The button for empty cells is disabled: they always mean "missing". Nothing is built again if the texts did not
        change.

        Parameters
        ----------
        marks
            Texts that mean "missing".
        suggested
            (text, number of cells with it).
        """
        if (marks, suggested) == (self._marks, self._suggested):
            return
        self._marks, self._suggested = marks, suggested
        self._chips.clear()
        chips: list[Button] = []
        for number, mark in enumerate(marks):
            text = _("empty cells") if not mark else _make_blanks_visible(mark)
            chip = Button(text if not mark else f"{text}  ×", name=f"chip_mark_{number}")
            if mark:
                chip.setAccessibleName(join_label(_("Remove"), text))
                chip.clicked.connect(partial(self._set_marks, (*marks[:number], *marks[number + 1 :])))
            else:
                chip.setAccessibleName(text)
                chip.setEnabled(False)
            chips.append(chip)
        for number, (mark, cells) in enumerate(suggested):
            chip = Button(
                f"{_make_blanks_visible(mark)}  ({format_rounded_count(cells)})",
                name=f"button_take_mark_{number}",
                icon="plus",
            )
            text = _("Treat {mark} as missing: {n} {n:cell|cells}", mark=Name(_make_blanks_visible(mark)), n=cells)
            chip.setAccessibleName(text)
            chip.setToolTip(plain_tip(text))
            chip.clicked.connect(partial(self._set_marks, (*marks, mark)))
            chips.append(chip)
        for chip in chips:
            self._chips.add(chip)
        # Made later than the rest, they would come last for the Tab key.
        for before, after in pairwise([self.header, *chips, self.edit]):
            QWidget.setTabOrder(before, after)

    # --- correcting ---------------------------------------------------------------------

    def _on_mark_typed(self) -> None:
        """Send ``corrected`` with the typed text added to the texts that mean "missing", and empty the field.

        Blanks in the text count. Nothing happens if the text is empty or already one of them.
        """
        mark = self.edit.text()
        if mark and mark not in self._marks:
            self.edit.clear()
            self._set_marks((*self._marks, mark))

    def _set_marks(self, marks: tuple[str, ...]) -> None:
        """Send new texts that mean "missing" as a correction, and put the focus on the field for another text."""
        self.edit.setFocus()  # the button pressed is about to go
        self.corrected.emit("missing", marks)


def _make_blanks_visible(mark: str) -> str:
    """Return a text with its blanks written as "␣" if it consists of blanks only, else unchanged."""
    return mark.replace(" ", "␣") if not mark.strip() else mark
