"""Numbers in fields: what a field shows can be typed again, and what can be meant in two ways is refused in words."""

from __future__ import annotations

import pytest
from cases import case_rows
from PySide6.QtWidgets import QApplication

from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.ui.state.typed_numbers import parse_typed_numbers
from ppdm_desktop.ui.widgets.form.column_rows import NumberField


@pytest.mark.parametrize(("code", "typed", "number"), case_rows("typed-numbers-a-field-of-a-method-guesses-no-number"))
def test_a_field_of_a_method_guesses_no_number(qapp: QApplication, code: str, typed: str, number: float | None) -> None:
    with speak_language(code):
        field = NumberField("field", "A number")
        field.setText(typed)
        assert field.number == number
        field.mark(number is None)
        assert bool(field.toolTip()) == (number is None and bool(typed))
        field.deleteLater()


@pytest.mark.parametrize(("code", "value", "shown"), [("en", 1e6, "1000000"), ("de", 1.234, "1,234"), ("de", 2, "2")])
def test_a_field_shows_a_number_as_it_is_typed(qapp: QApplication, code: str, value: float, shown: str) -> None:
    with speak_language(code):
        field = NumberField("field", "A number")
        field.show_number(value)
        assert field.text() == shown
        assert field.number == value
        field.deleteLater()


def test_numbers_one_after_the_other() -> None:
    assert parse_typed_numbers("18; 30;45") == [18, 30, 45]
    assert parse_typed_numbers("18, 30, 45") == [18, 30, 45]
    assert parse_typed_numbers("") == []
    assert "Write 1500 or 1.5" in str(parse_typed_numbers("1; 1,500"))
    with speak_language("de"):
        # A comma before digits is the decimal mark, also in a file whose own is the point.
        assert parse_typed_numbers("1,5; 2,5") == [1.5, 2.5]
        assert isinstance(parse_typed_numbers("1; 1.500"), str)
