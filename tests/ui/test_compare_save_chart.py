"""Before and after as a person uses it: a pair is looked into, and its chart is kept as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import Person, find

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import StepSection


@pytest.mark.thorough
def test_a_pair_is_looked_into_and_its_chart_kept(
    window: Any, dialogs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With one key in a hundred or so the swap changes no pair by as much as is said at all.
    monkeypatch.setattr(Key, "fresh", classmethod(lambda cls: Key.from_seed(1)))
    person: Person = at_step(window, dialogs, tmp_path, "protect")
    person.session.add_step(StepSection(method="bayes-swap"))
    person.click("button_add_to_queue")
    person.click("button_next")
    find(person.window, "page_compare").show_tab("charts")
    person.settle()
    found = person.session.candidates[0].judged.measures.associations
    most = found.largest_change()
    title = find(person.window, "card_pairs_change").title.text()
    assert found.names[most[0]] in title
    # The pair that changed most is there by itself.
    assert find(person.window, "card_pair").title.text() == title
    row = find(person.window, "heat_pairs_change")
    chart = row.charts["change"]
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.row_rect(0).center().toPoint())
    person.settle()
    card = find(person.window, "card_pair")
    dialogs.will("save_file", tmp_path / "pair.svg")
    button = find(card, "button_keep_pair")
    next(each for each in button.menu().actions() if each.data() == "svg").trigger()
    suggestion = Path(dialogs.asked[-1].text)
    assert suggestion.name == "chart-pair.svg"
    assert found.names[0] in (tmp_path / "pair.svg").read_text(encoding="utf-8")
