"""A paper's figure drawn by the window, from the same file of resources/papers that the command line sweeps."""

from __future__ import annotations

from pathlib import Path

from paper_shapes import in_shape
from ui_support import Person

from ppdm_desktop.engine.release.sweep.grid import Value
from ppdm_desktop.ui.state.tried_range import values_text
from tests.benchmarks.papers.cells import Asked, NotAtHand
from tests.benchmarks.papers.declared import Declared, all_declared
from tests.benchmarks.papers.sources import source_of


def open_figure(person: Person, name: str, folder: Path, rows: int, public: Path | None = None) -> Declared:
    """Open a declaration's data, in a small setting, and its file as the recipe, and go to Protect.

    Parameters
    ----------
    person
        Who opens them.
    name
        Of a file in ``resources/papers``.
    folder
        Where the data are written.
    rows
        So many of them.
    public
        Folder of the public data sets; data in their shape are drawn where it is left out or lacks one.
    """
    declared = all_declared()[name]
    try:
        source = source_of(declared, Asked(public if public is not None else folder), folder, rows)
    except NotAtHand:
        source = source_of(declared, in_shape(folder, rows), folder, rows)
    person.window.open_path(source)
    person.settle()
    open_recipe(person, declared.path)
    for step in ("risk", "protect"):
        person.window.go_to(step)
        assert person.window.current == step, person.session.why_not(step)
        person.settle()
    return declared


def open_recipe(person: Person, path: Path) -> None:
    """Open a recipe for the file that is open, as a person does on page Open."""
    person.window.show_page("open")
    person.dialogs.will("open_file", path)
    person.click("button_open_recipe")


def draw_figure(person: Person, values: tuple[Value, ...] = (), keys: int | None = None) -> None:
    """Try the range that the recipe proposes, or fewer values of it, and look at it on Compare."""
    part = person.window._pages["protect"].range_part
    setting = part._parameter
    assert setting is not None
    if keys is not None:
        person.see("spin_range_keys").setValue(keys)
    if values:
        person.type("edit_range_values", values_text(setting, values), enter=False)
    person.click("button_range_start")
    person.click("button_range_look")
