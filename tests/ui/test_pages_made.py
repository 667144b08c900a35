"""Pages are made at their first visit: nothing of the others before, all of the session's state then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ui_support import Person, find


def test_a_page_made_late_shows_the_session_and_what_follows(window: Any, tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("Age,Town\n30,Delft\n31,Ghent\n", encoding="utf-8")
    second.write_text("Height,Pet,Car\n180,cat,red\n181,dog,blue\n", encoding="utf-8")
    person = Person(window, window.context.dialogs)
    person.open(first)
    made = [page.step for page in window._pages.made]
    assert "columns" not in made
    window.go_to("columns")
    person.settle()
    assert find(window, "table_columns").model().rowCount() == 2
    person.open(second)
    window.session.decide(folder="x")
    window.go_to("columns")
    person.settle()
    assert find(window, "table_columns").model().rowCount() == 3
