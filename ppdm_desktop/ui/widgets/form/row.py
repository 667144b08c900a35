"""Rows of a method's form: the base of all rows, and rows for settings that are one number, text or choice."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    NumberParameter,
    Parameter,
)
from ppdm_desktop.engine.report.setting_texts import format_range, format_value, is_shown_as_percentage
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import restyle, theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.state.typed_numbers import format_as_typed
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button, IconButton, Segments
from ppdm_desktop.ui.widgets.inputs import Choice, Number, RoomyChoice, Slider, WholeNumber
from ppdm_desktop.ui.widgets.layout import STRETCH, Slot, add_parts, hbox, retain_space, stretch_part, vbox

_MOST_SEGMENTS, _MOST_SEGMENT_LETTERS = 3, 30
_UNBOUNDED = 1_000_000_000
_NUMBER = "number"


class FormRow(QWidget):
    """A row of a form: label with small print at the left, control with sentences at the right."""

    def __init__(self, label: str, small: str, control: QWidget | None = None) -> None:
        super().__init__()
        self._box = hbox(on=self, gap=12)
        self._left = QWidget()
        self.label = Text(label)
        self.small = Text(small, tone="text3", factor=0.85)
        left = vbox(self.label, self.small, on=self._left, margins=(0, 4, 0, 0), gap=0)
        if not small:
            self.small.hide()
        left.addStretch(1)
        self.right = vbox(gap=3)
        add_parts(self._box, self._left, stretch_part(self.right))
        if control is not None:
            self.label.setBuddy(control)
            self.right.addWidget(control)
        self._narrow: bool | None = None
        self.set_narrow(False)
        theme().changed.connect(self._on_theme)

    def _on_theme(self) -> None:
        """Set the row's widths and gaps again for the new text size."""
        narrow, self._narrow = self._narrow, None
        self.set_narrow(bool(narrow))

    def set_narrow(self, narrow: bool) -> None:
        """Put the label above the control (``narrow``), or at its left in a column of 160 px at 100 % text size."""
        if narrow == self._narrow:
            return
        self._narrow = narrow
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self._box.setSpacing(theme().px(2 if narrow else 12))
        self._left.setMaximumWidth(16_777_215 if narrow else theme().px(160))
        self._left.setMinimumWidth(0 if narrow else theme().px(160))


class ParameterRow(FormRow):
    """Form row of one setting ("parameter") of a method; a parameter that is not set shows its default.

    Signals
    -------
    changed
        Emitted with (name, value) when the user set a value.
    cleared
        Emitted with the name of the parameter when the user reset it.
    """

    changed = Signal(str, object)
    cleared = Signal(str)

    def __init__(self, parameter: Parameter) -> None:
        small = format_range(parameter) if isinstance(parameter, NumberParameter) else ""
        super().__init__(parameter.label_text, small)
        self.parameter = parameter
        self.is_written = False
        self._of_level: object | None = None
        line = hbox(gap=8)
        self.below = hbox(gap=8)
        self.build(line)
        text = join_label(_("Restore the defaults"), parameter.label_text)
        self.reset = IconButton("reset", text, name=f"reset_{parameter.name}", clicked=self._on_reset)
        retain_space(self.reset)
        self.reset.hide()
        add_parts(line, STRETCH, self.reset)
        add_parts(self.right, line, self.below)
        self.what = Text(str(parameter.help), tone="text2", factor=0.9)
        self.effect = Text(str(parameter.effect or ""), tone="text2", factor=0.9, name=f"effect_{parameter.name}")
        if parameter.effect is None:
            self.effect.hide()
        self.levels = Text("", tone="text3", factor=0.85, name=f"levels_{parameter.name}")
        self.levels.hide()
        add_parts(self.right, self.what, self.effect, self.levels)

    def build(self, line: QHBoxLayout) -> None:
        """Add the parameter's controls to the row's line, once; subclasses define it (NotImplementedError here)."""
        raise NotImplementedError

    def show_value(self, value: object) -> None:
        """Show a value without sending a signal; subclasses define it (NotImplementedError here)."""
        raise NotImplementedError

    def name_control(self, control: QWidget) -> None:
        """Give the row's main control its object name, accessible name and description, and tie the label to it."""
        control.setObjectName(f"param_{self.parameter.name}")
        control.setAccessibleName(self.parameter.label_text)
        control.setAccessibleDescription(str(self.parameter.help))
        self.label.setBuddy(control)

    def set_written(self, value: object | None, otherwise: object | None = None) -> None:
        """Show the value that the recipe sets or, for None or an unfit value, the first that is known of three values.

        These are ``otherwise`` (the value of the step's profile, None without one), the value of the weakest level, and
        the default. The reset button is visible if the recipe sets a value.
        """
        self.is_written = value is not None
        self.reset.setVisible(self.is_written)
        default = next(
            (candidate for candidate in (otherwise, self._of_level) if candidate is not None), self.parameter.default
        )
        self.show_value(default if value is None or self.parameter.problem(value) is not None else value)

    def set_columns(self, columns: Sequence[str]) -> None:
        """Receive the columns that the step treats; ignored here, because most parameters do not depend on them."""

    def set_levels(self, text: str, value: object | None) -> None:
        """Show a text on the values for each privacy level; an empty text takes no space.

        ``value`` is that of the weakest level, None without levels; it is shown at once if the recipe sets no value.
        """
        self._of_level = value
        if value is not None and not self.is_written:
            self.show_value(value)
        self.levels.show_text(text)

    def tell(self, value: object) -> None:
        """Send ``changed`` with the parameter's name and the value that the user set."""
        self.changed.emit(self.parameter.name, value)

    def _on_reset(self) -> None:
        """Send ``cleared`` with the parameter's name, so that the recipe no longer sets it."""
        self.cleared.emit(self.parameter.name)


class FlagRow(ParameterRow):
    """Form row with a check box for a yes-or-no setting."""

    def build(self, line: QHBoxLayout) -> None:
        """Add a check box "Yes", which sends True or False each time the user clicks it."""
        self._box_control = QCheckBox(_("Yes"))
        self.name_control(self._box_control)
        self._box_control.clicked.connect(self.tell)
        line.addWidget(self._box_control)

    def show_value(self, value: object) -> None:
        """Tick the box if the value is True, else untick it."""
        self._box_control.setChecked(value is True)


class ChoiceRow(ParameterRow):
    """Form row with a choice of texts: side by side if they are up to three short ones, else a combo box."""

    def build(self, line: QHBoxLayout) -> None:
        """Add the choices of the parameter: side by side if they are few and short, else as a combo box."""
        assert isinstance(self.parameter, ChoiceParameter)
        choices = [(key, format_value(self.parameter, key)) for key in self.parameter.choices]
        self._picker = _make_picker(choices, f"param_{self.parameter.name}", self.tell)
        self.name_control(self._picker)
        line.addWidget(self._picker)

    def show_value(self, value: object) -> None:
        """Select a choice by its key, and show the parameter's help followed by what the choice means."""
        assert isinstance(self.parameter, ChoiceParameter)
        self._picker.set_current(str(value))
        self.what.setText(f"{self.parameter.help} {self.parameter.choices.get(str(value), '')}".strip())


def _make_picker(choices: Sequence[tuple[str, str]], name: str, picked: Slot) -> Segments | Choice:
    """Return choices side by side if they are at most three with at most 30 letters together, else a combo box.

    ``choices`` are (key, label); ``picked`` is called with the key of the choice that the user picks.
    """
    letters = sum(len(text) for _, text in choices)
    if len(choices) <= _MOST_SEGMENTS and letters <= _MOST_SEGMENT_LETTERS:
        return Segments(choices, name=name, chosen=picked)
    combo = RoomyChoice(picked=picked)
    combo.set_choices(choices)
    combo.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return combo


class FewNumbersRow(ParameterRow):
    """Form row for a number that must be one of a short list."""

    def build(self, line: QHBoxLayout) -> None:
        """Add the allowed numbers as choices: side by side if they are few and short, else as a combo box."""
        assert isinstance(self.parameter, NumberParameter)
        self._numbers = {format_as_typed(float(number)): number for number in self.parameter.only}
        choices = [(number, number) for number in self._numbers]
        self._picker = _make_picker(choices, f"param_{self.parameter.name}", self._on_chosen)
        self.name_control(self._picker)
        line.addWidget(self._picker)

    def show_value(self, value: object) -> None:
        """Select one of the allowed numbers; a number that is not allowed raises KeyError or selects nothing."""
        self._picker.set_current(format_as_typed(float(value)) if isinstance(value, int | float) else str(value))

    def _on_chosen(self, text: str) -> None:
        """Send the number whose label the user picked."""
        self.tell(self._numbers[text])


class NumberRow(ParameterRow):
    """Form row for a number: spin box, slider if both limits are known, combo box for words instead of a number."""

    def build(self, line: QHBoxLayout) -> None:
        """Add spin box, slider if both limits are known, and a combo box if words may replace the number.

        If there is a combo box, spin box and slider are on a line below it. Shares (0 to 1) are shown in per cent.
        """
        parameter = self.parameter
        assert isinstance(parameter, NumberParameter)
        self._factor = 100 if is_shown_as_percentage(parameter) else 1
        self._keyword_choice: Choice | None = None
        if parameter.words:
            self._keyword_choice = Choice(
                name=f"param_{parameter.name}_how",
                label=parameter.label_text,
                picked=self._on_word,
            )
            self._keyword_choice.set_choices(
                [
                    (_NUMBER, _("A number of your own")),
                    *((word, format_value(parameter, word)) for word in parameter.words),
                ]
            )
            line.addWidget(self._keyword_choice, 10)
        self._slider = self._make_slider(parameter)
        self._spin = self._make_spin(parameter)
        self.name_control(self._spin)
        self._spin.valueChanged.connect(self._on_spin)
        where = line if self._keyword_choice is None else self.below
        if self._slider is not None:
            where.addWidget(self._slider, 10)
        where.addWidget(self._spin)
        if where is self.below:
            where.addStretch(1)

    def _make_spin(self, parameter: NumberParameter) -> Number | WholeNumber:
        """Return the spin box of a parameter, with its range, unit and decimals.

        A whole number has no decimals, a share is entered in per cent with one, and any other number has three.
        """
        spin: Number | WholeNumber = WholeNumber() if parameter.whole else Number()
        if isinstance(spin, QDoubleSpinBox):
            spin.setDecimals(1 if self._factor == 100 else 3)
            spin.setSingleStep(5 if self._factor == 100 else 0.1)
        low, high = self._spin_range(parameter)
        if isinstance(spin, QSpinBox):
            spin.setRange(int(low), int(high))
        else:
            spin.setRange(low, high)
        unit = f" {parameter.unit}" if parameter.unit else ""
        spin.setSuffix(numbers_of(language()).locale.percent.format("") if self._factor == 100 else unit)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        theme().bound(spin, least_wide=88)
        return spin

    def _spin_range(self, parameter: NumberParameter) -> tuple[float, float]:
        """Return the lowest and the highest number that can be entered, in the unit of the field (per cent for shares).

        A limit that is itself not allowed is moved inside by the smallest step (1, 0.1 % or 0.001): a share above 0 can
        be 0.1 % at least. A missing limit is minus or plus 1e9.
        """
        step = 1 if parameter.whole else 0.1 if self._factor == 100 else 0.001
        low = -_UNBOUNDED if parameter.low is None else parameter.low * self._factor
        high = _UNBOUNDED if parameter.high is None else parameter.high * self._factor
        low += step if parameter.low_open and parameter.low is not None else 0
        high -= step if parameter.high_open and parameter.high is not None else 0
        return low, high

    def _make_slider(self, parameter: NumberParameter) -> Slider | None:
        """Return a slider in whole numbers (per cent for shares); None unless the parameter has both limits."""
        if parameter.low is None or parameter.high is None:
            return None
        # In the numbers of the field beside it: a screen reader says where the handle stands as a number.
        low, high = math.ceil(parameter.low * self._factor), math.floor(parameter.high * self._factor)
        name, text = f"slider_{parameter.name}", parameter.label_text
        slider = Slider(name=name, label=text, bounds=(low, high), page=max((high - low) // 10, 1))
        slider.setTracking(False)
        slider.setSingleStep(max((high - low) // 100, 1))
        theme().bound(slider, least_wide=70, most_wide=180)
        slider.sliderMoved.connect(self._on_dragged)
        slider.valueChanged.connect(self._on_slider)
        return slider

    # --- between control and value ------------------------------------------------------

    def _read_value(self) -> int | float:
        """Return the number in the spin box, in the unit of the parameter: 0.25 for "25%" of a share.

        It is rounded to nine decimals, and an int if it is a whole number.
        """
        displayed = self._spin.value()
        assert isinstance(self.parameter, NumberParameter)
        if self.parameter.whole:
            return int(displayed)
        value = round(displayed / self._factor, 9)
        return int(value) if value.is_integer() else value

    def show_value(self, value: object) -> None:
        """Show a number, or select the word that replaces it; slider and spin box are visible only for a number.

        For a word with a meaning, the meaning is shown in place of the help.
        """
        assert isinstance(self.parameter, NumberParameter)
        is_number = isinstance(value, int | float)
        if self._keyword_choice is not None:
            self._keyword_choice.set_current(_NUMBER if is_number else str(value))
        text = self.parameter.words.get(str(value), "") if not is_number else ""
        self.what.setText(str(text or self.parameter.help))
        self._spin.setVisible(is_number)
        if self._slider is not None:
            self._slider.setVisible(is_number)
        if isinstance(value, int | float):
            self._set_spin(value * self._factor)

    def _set_spin(self, displayed: float) -> None:
        """Show a number, in the unit of the field, in spin box and slider without sending a signal.

        The slider shows it as a whole number, and a number beyond a limit is shown as the limit. A spin box that has
        the number already is left alone, because the user may be typing.
        """
        # Setting the value it has would wipe out what a person is typing.
        if abs(self._spin.value() - displayed) > 1e-9:
            with QSignalBlocker(self._spin):
                if isinstance(self._spin, QSpinBox):
                    self._spin.setValue(round(min(displayed, self._spin.maximum())))
                else:
                    self._spin.setValue(displayed)
        if self._slider is not None:
            with QSignalBlocker(self._slider):
                self._slider.setValue(round(self._spin.value()))

    def _on_dragged(self, index: int) -> None:
        """Show the slider's number in the spin box while it is dragged, without sending it."""
        # While the handle is held only the number beside it follows; the decision falls when it is let go.
        with QSignalBlocker(self._spin):
            self._spin.setValue(index)

    def _on_slider(self, index: int) -> None:
        """Send the number at which the slider was released, or the lowest allowed one if that is higher."""
        self._set_spin(max(index, self._spin.minimum()))
        self.tell(self._read_value())

    def _on_spin(self, _text: float) -> None:
        """Send the number in the spin box as the value."""
        self.tell(self._read_value())

    def _on_word(self, word: str) -> None:
        """Send the chosen word as the value; for "A number of your own" send a number.

        That number is the default or, if the default is a word, the number in the field.
        """
        if word != _NUMBER:
            self.tell(word)
            return
        default = self.parameter.default
        number = default if isinstance(default, int | float) else self._read_value()
        self.tell(number)


class TextRow(ParameterRow):
    """Form row with a one-line text; an invalid text is marked and not used."""

    _text = ""

    def build(self, line: QHBoxLayout) -> None:
        """Add the text field, whose text is checked when Enter is pressed or the focus leaves."""
        self._edit = QLineEdit()
        self.name_control(self._edit)
        self._edit.editingFinished.connect(self._on_finished)
        line.addWidget(self._edit, 10)

    def show_value(self, value: object) -> None:
        """Show a text, and remove the mark of an invalid text."""
        if self._edit.text() != str(value):
            self._edit.setText(str(value))
        self._set_error_mark(wrong=False)

    @property
    def text(self) -> str:
        """The text in the field without blanks at its ends."""
        return self._edit.text().strip()

    def _on_finished(self) -> None:
        """Send the typed text as the value if it is valid and new; mark the field if it is invalid.

        Blanks at the ends of the text are left out.
        """
        fits = self.parameter.problem(self.text) is None
        self._set_error_mark(wrong=not fits)
        if fits and self.text != self._text:
            self._text = self.text
            self.tell(self.text)

    def set_written(self, value: object | None, otherwise: object | None = None) -> None:
        """Show the text that the recipe sets; for None the profile's text (``otherwise``), else the default."""
        default = self.parameter.default if otherwise is None else otherwise
        self._text = str(default if value is None else value)
        super().set_written(value, otherwise)

    def _set_error_mark(self, *, wrong: bool) -> None:
        """Mark the field as wrong, or remove the mark; the tooltip says what to enter while the text is invalid."""
        restyle(self._edit, "wrong", wrong)
        problem = self.parameter.problem(self.text)
        self._edit.setToolTip("" if problem is None else plain_tip(_("Enter {wanted}.", wanted=problem)))


class RecipientRow(TextRow):
    """Form row with a recipient's name and buttons for the secret shared with the recipient.

    Signals
    -------
    secret_wanted
        Emitted with (True to create or False to open a secret, the recipient's name, which may be empty).
    """

    secret_wanted = Signal(bool, str)

    def build(self, line: QHBoxLayout) -> None:
        """Add a field for the recipient's name and, below it, links to create or open their secret."""
        super().build(line)
        self._new = Button(_("New recipient…"), name="button_new_recipient", link=True)
        self._open = Button(_("Open the recipient’s secret…"), name="button_open_secret", link=True)
        for button in (self._new, self._open):
            self.below.addWidget(button)
            button.clicked.connect(self._ask_for_secret)
        self.below.addStretch(1)

    def _ask_for_secret(self) -> None:
        """Send ``secret_wanted`` with whether the link for a new recipient was clicked, and the typed name."""
        self.secret_wanted.emit(self.sender() is self._new, self.text)
