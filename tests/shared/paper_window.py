"""A paper's figure drawn by the window, from the same file of resources/papers that the command line sweeps."""

from __future__ import annotations

from pathlib import Path

from paper_shapes import in_shape
from ui_support import Person

from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.sweep.grid import Value
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.ui.state.tried_range import values_text
from tests.benchmarks.papers.declared import Declared, all_declared
from tests.benchmarks.papers.sources import source_of


def open_figure(person: Person, name: str, folder: Path, rows: int) -> Declared:
    """Open a declaration's data, in a small setting, with its recipe, and go to Protect."""
    declared = all_declared()[name]
    recipe = declared.recipe
    assert recipe is not None
    source = source_of(declared, in_shape(folder, rows), folder, rows)
    reading = read_source(source, recipe.input, silent())
    columns = {each: recipe.columns.get(each, recipe.columns.get("*")) for each in reading.table.names}
    named = {each: section for each, section in columns.items() if section is not None}
    session = person.session
    # As a project is opened: with the options the file was read with, so that it is not read again.
    options = reading.options.model_copy(update={"sha256": reading.account.sha256})
    decided = recipe.model_copy(update={"input": options, "columns": named})
    session.opened(source, reading, decided, frozenset(named))
    person.settle()
    for step in ("risk", "protect"):
        person.window.show_page(step)
        person.settle()
    return declared


def draw_figure(person: Person, declared: Declared, parameter: str, values: tuple[Value, ...], keys: int) -> None:
    """Try the range as a person does, and look at it on Compare."""
    assert declared.recipe is not None
    assert declared.sweep is not None
    setting = next(each for each in find_method(declared.recipe.steps[0].method).parameters if each.name == parameter)
    person.click("button_range_open")
    person.choose("combo_range_setting", parameter)
    person.see("spin_range_keys").setValue(keys)
    person.type("edit_range_values", values_text(setting, values), enter=False)
    person.tick("check_range_attacks", on=declared.sweep.attacks)
    person.tick("check_range_models", on=declared.sweep.analyses)
    person.click("button_range_start")
    person.click("button_range_look")
