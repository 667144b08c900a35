"""A genetic search while it runs: its figures, and an early end that the command line can repeat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flow_support import write_reasons
from protect_support import ROLES, small_csv
from ui_support import Person, go_through

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.recipe.models import StepSection

LONG = 100_000
SEARCH = StepSection(
    method="data-reconstruction", parameters={"k": 2, "classifier": "naive-bayes", "generations": LONG}
)


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    """At Protect with a search under way that would take very long; the weight, copied, would tell whose row it is."""
    person = Person(window, dialogs)
    go_through(person, small_csv(tmp_path, rows=120), {**ROLES, "left-out": ("weight",)}, until="protect")
    person.session.add_step(SEARCH)
    person.settle()
    person.click("button_add_to_queue", settle=False)
    person.see("button_finish_candidate", 60)
    return person


@pytest.mark.thorough
def test_an_early_end_keeps_the_best_and_the_command_line_repeats_it(
    person: Person, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person.click("button_finish_candidate", settle=False)
    person.settle()
    (entry,) = person.session.candidates
    assert entry.status == "done", entry.error
    reached = entry.recipe.steps[0].parameters["generations"]
    assert 1 <= reached < LONG
    assert entry.judged.report.steps[0].detail["fitness"]["generations"] == reached
    # What is being built keeps what the person set.
    assert person.session.decisions.recipe.steps == (SEARCH,)
    assert not person.sees("button_finish_candidate")
    person.click("button_next")
    person.click("button_choose_candidate")
    person.click("button_next")
    write_reasons(person)
    recipe, out, again = tmp_path / "saved.toml", tmp_path / "out", tmp_path / "again"
    person.dialogs.will("save_file", recipe)
    person.click("fold_files")
    person.click("button_save_recipe")
    person.type("edit_folder", str(out))
    person.click("button_write_release")
    person.see("panel_done")
    assert f"generations = {reached}" in recipe.read_text(encoding="utf-8")
    source, key = person.session.decisions.path, out / "internal" / "release.key"
    code = run(["release", str(source), "--recipe", str(recipe), "--out", str(again), "--key-file", str(key)])
    assert code == 0, capsys.readouterr().err
    for name in ("data.csv", "data-dictionary.csv", "release-note.html"):
        assert (again / "release" / name).read_bytes() == (out / "release" / name).read_bytes(), name
    person.click("button_verify")
    assert "exactly the same data" in person.see("strip_result").text.text()
