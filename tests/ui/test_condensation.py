"""Condensation in the window: its form, its rows beside the original, its figures in words."""

from __future__ import annotations

from typing import Any

from ui_support import find

from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.ui.widgets.form.form import MethodForm


def test_the_class_is_chosen_among_the_treated_columns(qtbot: Any) -> None:
    form = MethodForm()
    qtbot.addWidget(form)
    form.show_method(find_method("condensation"))
    form.set_values({}, [("age", "numeric", ""), ("town", "nominal", "")], ["age", "town"])
    row = form.row("class")
    box = find(form, "param_class")
    assert [box.itemData(at) for at in range(box.count())] == ["", "age", "town"]
    told: list[tuple[str, object]] = []
    form.changed.connect(lambda name, value: told.append((name, value)))
    box.setCurrentIndex(2)
    box.activated.emit(2)
    assert told == [("class", "town")]
    form.set_values({"class": "gone"}, [("age", "numeric", "")], ["age"])
    assert box.currentData() == "gone"
    assert not row.reset.isHidden()
    form.set_values({}, [("age", "numeric", "")], ["age"])
    assert box.currentData() == ""
