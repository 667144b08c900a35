"""Who is a person here: each row, or whose row a column says it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.column_facts import ColumnFacts
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.state.person_answer import Answer, By, answer_of, ids_alike, people_of
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice

_SEVERAL = "\x1f"
_LETTERS = 8  # the card says how wide they are, not the longest name


class PersonQuestion(QWidget):
    """Asks for it, and counts the people.

    Signals
    -------
    answered
        An `Answer`.
    """

    answered = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, theme().px(6), 0, 0)
        box.setSpacing(theme().px(6))
        box.addWidget(Text(self.tr("Who is a person here?"), semibold=True))
        self.each = QCheckBox(self.tr("Each row is another person"))
        self.each.setObjectName("check_one_row_per_person")
        box.addWidget(self.each)
        self.column = Choice(name="combo_person", words=self.tr("The column that says whose row it is"))
        self.reduce = Choice(name="combo_reduce", words=self.tr("The rows of each person that are kept"))
        self.reduce.set_choices(
            [
                ("first", self.tr("keep the first row of each")),
                ("last", self.tr("keep the last row of each")),
                ("all", self.tr("keep all rows of each")),
            ],
            "all",
        )
        self.household = Choice(name="combo_household", words=self.tr("The column that says who lives together"))
        for choice in (self.column, self.reduce, self.household):
            choice.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            choice.setMinimumContentsLength(_LETTERS)
            box.addWidget(choice)
        self.words = Text("", factor=0.9, tone="text2")
        self.words.setObjectName("text_people")
        box.addWidget(self.words)
        self.take = Button(self.tr("This column says whose row it is"), name="button_take_person", link=True)
        self.take.hide()
        box.addWidget(self.take)
        self._options: InputSection | None = None
        self._reading: Reading | None = None
        self._suspects: list[str] = []
        self._counted: dict[tuple[str, ...], People | None] = {}
        self._alikes: dict[tuple[str, ...], int] = {}
        self.each.clicked.connect(self._on_each)
        self.column.picked.connect(self._on_column)
        self.reduce.picked.connect(self._on_reduce)
        self.household.picked.connect(self._on_household)
        self.take.clicked.connect(self._on_take)

    def show_people(self, reading: Reading, options: InputSection, facts: Mapping[str, ColumnFacts]) -> None:
        """Show the answer in force, and how many people that makes."""
        if reading is not self._reading:
            self._counted.clear()
            self._alikes.clear()
        elif options == self._options:
            return
        self._reading, self._options = reading, options
        self._suspects = [name for name in reading.table.names if name in facts and facts[name].person]
        answer = answer_of(options)
        self.each.setChecked(answer.each_row)
        self._show_columns(reading, answer)
        self.reduce.set_current(answer.by)
        self.reduce.setVisible(bool(answer.columns))
        self._show_households(reading, answer)
        proposed = tuple(self._suspects[:1]) if not answer.columns else ()
        self.take.setVisible(bool(proposed))
        self.take.setAccessibleName(self.tr("{column} says whose row it is").format(column="".join(proposed)))
        self.words.setText(self._said(reading, answer, proposed))
        self.words.setVisible(bool(self.words.text()))

    def _show_columns(self, reading: Reading, answer: Answer) -> None:
        likely = self.tr("{column} (repeats like people do)")
        others = [name for name in reading.table.names if name not in self._suspects]
        choices = [("", self.tr("No column says whose row it is"))]
        if len(answer.columns) > 1:
            choices.append((_SEVERAL.join(answer.columns), " + ".join(answer.columns)))
        choices += [(name, likely.format(column=name)) for name in self._suspects]
        choices += [(name, name) for name in others]
        self.column.set_choices(choices, _SEVERAL.join(answer.columns))

    def _show_households(self, reading: Reading, answer: Answer) -> None:
        likely = self.tr("household: {column}")
        choices = [("", self.tr("no column for households"))]
        choices += [(name, likely.format(column=name)) for name in reading.table.names if name not in answer.columns]
        self.household.set_choices(choices, answer.household)
        self.household.setVisible(bool(answer.columns))

    def _said(self, reading: Reading, answer: Answer, proposed: tuple[str, ...]) -> str:
        found = self._people(reading, answer.columns or proposed)
        if found is None:
            return ""
        words = self.tr("{rows} rows of {people} people; {several} have several rows, the most {most}.")
        if proposed:
            words = self.tr(
                "{column} repeats like people do: {rows} rows of {people} people; {several} have several rows, "
                "the most {most}. Taken as rows, groups look larger than they are."
            )
        said = words.format(
            column="".join(proposed),
            rows=count(found.rows),
            people=count(found.count),
            several=count(found.with_several),
            most=count(found.most_rows),
        )
        if found.without_id:
            missing = self.tr("Rows without an id, each taken for a person: {n}.").format(n=count(found.without_id))
            said = f"{said} {missing}"
        if alike := self._alike(reading, answer.columns or proposed):
            differ = self.tr(
                "Ids that differ from another only in blanks, capitals or leading zeros: {n}. Each counts as a person "
                "of its own until the file, or a correction, writes them alike."
            ).format(n=count(alike))
            said = f"{said} {differ}"
        return said

    def _alike(self, reading: Reading, columns: tuple[str, ...]) -> int:
        if columns not in self._alikes:
            self._alikes[columns] = ids_alike(reading, columns)
        return self._alikes[columns]

    def _people(self, reading: Reading, columns: tuple[str, ...]) -> People | None:
        if columns not in self._counted:
            self._counted[columns] = people_of(reading, columns)
        return self._counted[columns]

    # --- what a person says -----------------------------------------------------------------

    def _on_each(self, on: bool) -> None:
        self.answered.emit(Answer(each_row=on))

    def _on_column(self, key: str) -> None:
        by = cast(By, self.reduce.current)
        self.answered.emit(Answer(columns=tuple(key.split(_SEVERAL)), by=by) if key else Answer())

    def _on_reduce(self, key: str) -> None:
        if self._options is not None:
            self.answered.emit(replace(answer_of(self._options), by=cast(By, key)))

    def _on_household(self, key: str) -> None:
        if self._options is not None:
            self.answered.emit(replace(answer_of(self._options), household=key))

    def _on_take(self) -> None:
        self.answered.emit(Answer(columns=tuple(self._suspects[:1])))
