"""The form is built from every method's declaration: labels, bounds, reset, what is written."""

from __future__ import annotations

from typing import Any

import pytest
from protect_support import EveryParameter
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider
from ui_support import find

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.methods.base.parameters import ColumnBoundsParameter, ColumnNumbersParameter, NumberParameter
from ppdm_desktop.engine.report.setting_texts import format_range, is_shown_as_percentage
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.ui.widgets.form.form import MethodForm

METHODS = [*all_methods().values(), EveryParameter()]


@pytest.fixture
def form(qtbot: Any) -> MethodForm:
    made = MethodForm()
    qtbot.addWidget(made)
    made.resize(600, 900)
    return made


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_every_parameter_has_label_bounds_effect_and_reset(form: MethodForm, method: Any) -> None:
    form.show_method(method)
    form.set_values({}, [("illness", "nominal", "")], ["illness"])
    form.show()
    for parameter in method.parameters:
        row = form.row(parameter.name)
        assert row.label.text() == parameter.label_text
        assert find(form, f"effect_{parameter.name}").text() == str(parameter.effect or "")
        control = find(form, f"param_{parameter.name}")
        assert control.accessibleName() == parameter.label_text
        assert row.reset.isHidden()
        if isinstance(parameter, NumberParameter):
            factor = 100 if is_shown_as_percentage(parameter) else 1
            assert format_range(parameter) in row.small.text()
        if isinstance(parameter, NumberParameter) and not parameter.only:
            if parameter.low is not None:
                at_least = control.minimum() / factor
                assert at_least > parameter.low if parameter.low_open else at_least == parameter.low
            if parameter.high is not None:
                at_most = control.maximum() / factor
                assert at_most < parameter.high if parameter.high_open else at_most == parameter.high
            assert parameter.problem(control.minimum() / factor if not parameter.whole else control.minimum()) is None
            both = parameter.low is not None and parameter.high is not None
            assert bool(form.findChildren(QAbstractSlider, f"slider_{parameter.name}")) == both
        for value in (*parameter.unfit_values(), 10**12, parameter.fit_values()[-1], None):
            form.set_values({parameter.name: value}, [], [])
            assert row.reset.isHidden() == (value is None)


def test_what_a_person_sets_is_told_with_its_type(qtbot: Any, form: MethodForm) -> None:
    form.show_method(EveryParameter())
    form.set_values({}, [], [])
    form.show()
    told: list[tuple[str, object]] = []
    form.changed.connect(lambda name, value: told.append((name, value)))
    for name, keys, wanted in (
        ("share", "25", 0.25),
        ("count", "7", 7),
        ("sd", "2.5", 2.5),
    ):
        spin = find(form, f"param_{name}")
        spin.setFocus()
        spin.selectAll()
        QTest.keyClicks(spin, keys)
        assert not told or told[-1][0] != name, "nothing is told before the value is entered"
        QTest.keyClick(spin, Qt.Key.Key_Return)
        assert told[-1] == (name, wanted)
        assert type(told[-1][1]) is type(wanted)
    qtbot.mouseClick(find(form, "param_flag"), Qt.MouseButton.LeftButton)
    assert told[-1:] == [("flag", False)]
    qtbot.mouseClick(find(form, "param_few_b"), Qt.MouseButton.LeftButton)
    assert told[-1] == ("few", "b")
    cleared: list[str] = []
    form.cleared.connect(cleared.append)
    form.set_values({"flag": False}, [], [])
    qtbot.mouseClick(find(form, "reset_flag"), Qt.MouseButton.LeftButton)
    assert cleared == ["flag"]


def test_what_is_being_typed_survives_a_refresh(form: MethodForm) -> None:
    form.show_method(EveryParameter())
    form.set_values({}, [], [])
    form.show()
    spin = find(form, "param_count")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "4")
    form.set_values({}, [], [])
    assert spin.lineEdit().text() == "4"


# --- values by column -------------------------------------------------------------------------


HELP, EFFECT = lazy("h"), lazy("e")


class ByColumn(EveryParameter):
    id = "by-column"
    parameters = (
        ColumnNumbersParameter(
            name="size",
            help=HELP,
            effect=EFFECT,
            default="auto",
            words={"auto": lazy("By itself.")},
        ),
        ColumnBoundsParameter(name="ends", help=HELP, effect=EFFECT, default={}),
    )


@pytest.fixture
def by_column(form: MethodForm) -> tuple[MethodForm, list[tuple[str, object]], list[str]]:
    form.show_method(ByColumn())
    form.set_values({}, [("pay", "numeric", ""), ("tax", "numeric", "")], ["pay", "tax"])
    form.show()
    told: list[tuple[str, object]] = []
    cleared: list[str] = []
    form.changed.connect(lambda name, value: told.append((name, value)))
    form.cleared.connect(cleared.append)
    return form, told, cleared


def enter(form: MethodForm, name: str, text: str) -> None:
    field = find(form, name)
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text) if text else QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_one_number_for_all_columns_or_one_for_each(by_column: Any) -> None:
    form, told, cleared = by_column
    assert find(form, "param_size").placeholderText() == "auto"
    enter(form, "param_size", "2.5")
    assert told[-1] == ("size", 2.5)
    form.set_values({"size": 2.5}, [], ["pay", "tax"])
    enter(form, "param_size_tax", "7")
    assert told[-1] == ("size", {"pay": 2.5, "tax": 7})
    form.set_values({"size": {"pay": 2.5, "tax": 7}}, [], ["pay", "tax"])
    assert [find(form, f"param_size_{name}").text() for name in ("pay", "tax")] == ["2.5", "7"]
    assert find(form, "param_size").text() == ""
    enter(form, "param_size_tax", "")
    assert told[-1] == ("size", {"pay": 2.5})
    form.set_values({"size": {"pay": 2.5}}, [], ["pay", "tax"])
    enter(form, "param_size_pay", "")
    assert cleared == ["size"]


@pytest.mark.parametrize("text", ["0", "-3", "wide", "inf"])
def test_a_number_that_cannot_be_taken_is_marked_and_not_told(by_column: Any, text: str) -> None:
    form, told, _ = by_column
    enter(form, "param_size_pay", text)
    field = find(form, "param_size_pay")
    assert (told, field.property("wrong"), field.text()) == ([], True, text)
    form.set_values({}, [], ["pay", "tax"])
    assert field.text() == text


def test_bounds_are_told_when_both_ends_are_there(by_column: Any) -> None:
    form, told, cleared = by_column
    enter(form, "param_ends_pay_low", "0")
    assert told == []
    form.set_values({}, [], ["pay", "tax"])
    assert find(form, "param_ends_pay_low").text() == "0"
    enter(form, "param_ends_pay_high", "-1")
    assert told == []
    assert find(form, "param_ends_pay_high").property("wrong")
    enter(form, "param_ends_pay_high", "1000")
    assert told == [("ends", {"pay": [0, 1000]})]
    assert not find(form, "param_ends_pay_high").property("wrong")
    form.set_values({"ends": {"pay": [0, 1000]}}, [], ["pay", "tax"])
    find(form, "reset_ends").click()
    assert cleared == ["ends"]
    form.set_values({}, [], ["pay", "tax"])
    assert find(form, "param_ends_pay_low").text() == find(form, "param_ends_pay_high").text() == ""


def test_columns_that_move_together_are_ticked_and_one_alone_is_not_written(qtbot: Any, form: MethodForm) -> None:
    form.show_method(all_methods()["bayes-swap"])
    told: list[object] = []
    cleared: list[str] = []
    form.changed.connect(lambda name, value: told.append((name, value)))
    form.cleared.connect(cleared.append)
    form.show()
    columns = [(name, "nominal", "") for name in ("Ill", "Pay & perks", "Care")]
    form.set_values({}, columns, ["Ill"])
    assert find(form, "few_together").isVisible()
    form.set_values({}, columns, ["Ill", "Pay & perks", "Care"])
    assert not find(form, "few_together").isVisible()
    find(form, "param_together_Ill").click()
    assert told == []
    assert find(form, "one_together").isVisible()
    find(form, "param_together_Care").click()
    assert told == [("together", ["Ill", "Care"])]
    assert not find(form, "one_together").isVisible()
    form.set_values({"together": ["Ill", "Care"]}, columns, ["Ill", "Pay & perks"])
    # A column that the step no longer treats is seen, so that it can be taken out.
    assert find(form, "param_together_Care").isChecked()
    find(form, "param_together_Care").click()
    assert cleared == ["together"]
