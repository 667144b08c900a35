"""Languages of the documents and the fields of the release record, filled in as a person does on Release."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from protect_support import small_csv
from ui_support import FakeDialogs, Person

from ppdm_desktop.engine.wording.catalogue import set_language


@pytest.mark.parametrize(("spoken", "written"), [("de", "de"), ("en", "en"), ("qps", "en")])
def test_a_new_project_writes_in_the_windows_language(
    make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path, spoken: str, written: str
) -> None:
    person = Person(make_window(), dialogs)
    set_language(spoken)
    person.open(small_csv(tmp_path))
    release = person.session.decisions.recipe.release
    assert (release.note_language, release.report_language) == (written, written)
