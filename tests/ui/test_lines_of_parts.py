"""Parts in lines: where they break, what is hidden, and two files in one sitting at every text size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import ROLES, small_csv
from ui_support import Person, go_through

from ppdm_desktop.ui.look.theme import theme


@pytest.mark.thorough
def test_two_files_in_one_sitting_at_every_text_size(window: Any, dialogs: Any, tmp_path: Path) -> None:
    """The second file's pages are laid out anew; parts that the bindings had lost ended the program here."""
    person = Person(window, dialogs)
    go_through(person, small_csv(tmp_path), ROLES, until="release")
    other = tmp_path / "other"
    other.mkdir()
    dialogs.will("ask", "open")
    go_through(person, small_csv(other, 66), ROLES, until="release")
    for scale in (2.0, 1.0):
        theme().set_scale(scale)
        for look in ("dark", "light"):
            theme().set_appearance(look)
            assert not window.grab().isNull()
