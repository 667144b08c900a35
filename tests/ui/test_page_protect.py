"""Protect as a person uses it: methods, the form, the chain, the queue with cancel and failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import EndlessMethod, FailingMethod, at_step
from ui_support import Person

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import METHODS, find_method
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.ui.state.step_chain import all_fits, apply_decided_roles
from ppdm_desktop.ui.widgets.form.form import MethodForm

ONLY_OF_PEOPLE = {"error.swap.varying", "error.additive-noise.one-value-each", "error.mondrian.rows-put-together"}


@pytest.fixture
def more_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods that exist in this test only."""
    METHODS.all()
    for method in (FailingMethod(), EndlessMethod()):
        monkeypatch.setitem(METHODS._entries, method.id, method)


def statuses(person: Person) -> list[str]:
    return [entry.status for entry in person.session.candidates]


@pytest.mark.thorough
def test_all_settings_follow_one_choice(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_step(window, dialogs, tmp_path, "protect")
    person.click("method_bayes-swap")
    person.click("button_use_method")

    def step() -> StepSection:
        found: StepSection = person.session.decisions.recipe.steps[0]
        return found

    choice = person.see("param_profile")
    assert (choice.current, choice.count()) == ("safe", 2)
    assert "92%" in person.words("text_paper_fault")
    assert "43%" in person.words("text_paper_price")
    person.choose("param_profile", "paper")
    assert (step().profile, dict(step().parameters)) == ("paper", {})
    row = window.findChild(MethodForm).row
    assert row("search")._picker.current == "greedy"
    assert not row("search").is_written
    assert choice.current == "paper"
    person.type("param_proportion", "30")
    assert (choice.current, choice.count()) == ("own", 3)
    assert (step().profile, dict(step().parameters)) == ("paper", {"proportion": 0.3})
    person.click("reset_proportion")
    assert choice.current == "paper"
    person.type("param_proportion", "30")
    person.choose("param_profile", "safe")
    assert dict(step().parameters) == {}
    assert choice.current == "safe"
    assert row("search")._picker.current == "calibrated"


def test_a_failure_turns_its_row_red_and_the_others_go_on(
    more_methods: None, make_window: Any, dialogs: Any, tmp_path: Path
) -> None:
    window = make_window()
    person = at_step(window, dialogs, tmp_path, "protect")
    person.click("method_failing")
    person.click("button_use_method")
    person.click("button_add_to_queue", settle=False)
    person.click("button_step_remove_1", settle=False)
    person.click("method_bayes-swap", settle=False)
    person.click("button_use_method", settle=False)
    person.click("button_add_to_queue")
    assert statuses(person) == ["failed", "done"]
    assert person.sees("button_again_C1")
    person.click("button_remove_C1")
    assert [entry.name for entry in person.session.candidates] == ["C2"]
    person.click("button_add_to_queue")
    assert [entry.name for entry in person.session.candidates] == ["C2", "C3"]


def test_all_that_is_out_of_date_runs_again_at_once(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_step(window, dialogs, tmp_path, "protect")
    for _ in range(3):
        person.click("button_add_to_queue")
    assert not person.sees("button_all_again"), "nothing is out of date"
    before = [entry.key.hex() for entry in person.session.candidates]
    person.session.set_column(["city"], role="other")
    person.settle()
    person.click("button_all_again")
    assert statuses(person) == ["done"] * 3
    assert not any(person.session.is_stale(entry.basis) for entry in person.session.candidates)
    after = [entry.key.hex() for entry in person.session.candidates]
    assert not set(before) & set(after), "each run draws anew"
    assert not person.sees("button_all_again")


def test_a_column_that_changes_within_people_fits_only_what_takes_it(tmp_path: Path) -> None:
    """What is said to fit is what a run accepts: asked of every method and column, with and without codes."""
    source = tmp_path / "stays.csv"
    lines = ["who,place,ill,pay,days,year"]
    for row in range(240):
        who = row // 3
        year = 1960 + who % 30 + row % 3
        lines.append(f"{who},{'abc'[who % 3]},{'xy'[who % 5 % 2]},{1000 + who},{row * 7 % 11},{year}")
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    bins = {"method": "cuts", "at": [1960, 2000]}
    columns: dict[str, Any] = {
        "who": {"role": "identifier"},
        "place": {"role": "quasi-identifier"},
        "ill": {"role": "confidential"},
        "pay": {"role": "confidential"},
        "days": {"role": "confidential", "bins": {"method": "equal-width", "count": 3}},
        "year": {"role": "confidential", "bins": bins},
    }
    document: dict[str, Any] = {
        "recipe": 1,
        "input": {"person": "who"},
        "columns": columns,
        "release": {"type": "internal"},
    }
    for first in ([], [{"method": "pseudonymise"}]):
        recipe = parse_recipe({**document, "steps": first})
        fits = all_fits(apply_decided_roles(read_source(source, recipe.input), recipe))
        for id in ("random-swap", "bayes-swap", "additive-noise", "two-phase-noise", "microaggregation", "mondrian"):
            for each in fits[id].columns:
                step = {"method": id, "columns": [each.name]}
                refused = ""
                try:
                    table = prepare(source, parse_recipe({**document, "steps": [*first, step]})).table
                    method = find_method(id)
                    method.check(table, method.settings(table, [each.name], {}))
                except PpdmError as error:
                    refused = error.id
                # What else is refused is a matter of settings, and said below the form.
                assert refused not in ONLY_OF_PEOPLE if each.fits else refused, (id, each)
    swapped = {each.name: each for each in fits["random-swap"].columns}
    assert {name for name, each in swapped.items() if each.fits} == {"ill", "year"}
    assert "changes between the rows of 80 people" in swapped["days"].reason
    noisy = {each.name: each for each in fits["additive-noise"].columns}
    assert not noisy["pay"].fits


def test_keys_differ_and_a_change_makes_a_finished_run_stale(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = at_step(window, dialogs, tmp_path, "protect")
    for _ in range(2):
        person.click("button_add_to_queue")
    first, second = person.session.candidates
    assert first.key.hex() != second.key.hex()
    person.session.set_column(["city"], role="other")
    person.settle()
    assert "Out of date" in person.words("queue_note_C1")
    person.click("button_again_C1")
    assert first.status == "done"
    assert not person.session.is_stale(first.basis)
