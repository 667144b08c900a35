"""Pictures of the papers in the window: figures in the tab Ranges, searches of a swap, and curves by class.

Each is opened as a person does it: a figure from its own recipe, searches and curves from samples, and the searches
of Li & Sarkar's census from the public data.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paper_window import draw_figure, open_figure, open_recipe
from ui_support import Person, decide_roles, let_work

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.ui.look.theme import theme
from tests.benchmarks.papers.census import CLASS, census_table
from tests.benchmarks.papers.declared import all_declared
from tests.ui.photographs import photograph

ROWS, KEYS = 150, 2


def range_pictures(person: Person, folder: Path, settings: Any) -> Iterator[tuple[str, Any]]:
    """Draw each figure once and photograph it in each setting, with what its recipe proposes before."""
    folder.mkdir(parents=True, exist_ok=True)
    swept = {name: each.paper.curves[0] for name, each in all_declared().items() if each.recipe is not None}
    for name, measure in swept.items():
        person.session.saved = person.session.decisions  # nobody is asked to save what is only photographed
        open_figure(person, name, folder, ROWS, _public())
        yield from _in_each(person, f"ranges-{name}-asked", "button_range_start", "part_range", settings)
        draw_figure(person, keys=KEYS)
        person.choose("combo_range_above", measure)
        yield from _in_each(person, f"ranges-{name}", "chart_range", "card_range", settings)


def swap_pictures(person: Person, folder: Path, settings: Any) -> Iterator[tuple[str, Any]]:
    """Compare the searches of a swap on the salary offers, for the calibrated search and for the exact one."""
    _open_sample(person, "salary-offers", folder)
    for name, step in (
        ("calibrated", StepSection(method="bayes-swap", profile="safe")),
        ("exact", StepSection(method="bayes-swap", parameters={"search": "exact"})),
    ):
        person.session.decide_recipe("search", steps=(step,))
        for page in ("risk", "protect"):
            person.window.go_to(page)
            person.settle()
        person.click("button_compare_searches")
        yield from _in_each(person, f"searches-{name}", "chart_frontier", "part_frontier", settings)


def census_pictures(person: Person, folder: Path, settings: Any) -> Iterator[tuple[str, Any]]:
    """Compare the searches of a swap on the census of Li & Sarkar, 25,049 rows: a minute or two."""
    public = _public()
    if public is None:
        raise FileNotFoundError("the public data sets are not here: name their folder in PPDM_DATA")
    folder.mkdir(parents=True, exist_ok=True)
    table = census_table(public, seed=0)
    with (folder / "census.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([table.names, *zip(*(column.values() for column in table.columns), strict=True)])
    person.window.open_path(folder / "census.csv")
    person.settle()
    roles = {"quasi-identifier": [name for name in table.names if name != CLASS], "confidential": [CLASS]}
    decide_roles(person.session, roles)
    release = person.session.decisions.recipe.release.model_copy(update={"type": "internal"})
    person.session.decide_recipe("who", release=release)
    person.session.decide_recipe("search", steps=(StepSection(method="bayes-swap", profile="safe"),))
    for page in ("risk", "protect"):
        person.window.go_to(page)
        person.settle()
    person.click("button_compare_searches")
    yield from _in_each(person, "searches-census", "chart_frontier", "part_frontier", settings)


def curve_pictures(person: Person, folder: Path, settings: Any) -> Iterator[tuple[str, Any]]:
    """Work out noisy columns of the Agrawal sample by its classes."""
    _open_sample(person, "agrawal", folder)
    for page in ("risk", "protect"):
        person.window.go_to(page)
        person.settle()
    person.click("button_add_to_queue")
    person.window.go_to("compare")
    person.settle()
    person.see("tabs_compare").setCurrentIndex(2)
    person.settle()
    person.choose("combo_curves_by", "Group")
    person.settle()
    for column in ("Salary", "Commission"):
        yield from _in_each(
            person, f"curves-{column.lower()}", f"chart_curve_{column}", f"card_curve_{column}", settings
        )


def _public() -> Path | None:
    """Return the folder of the public data sets, where one is named."""
    return Path(os.environ["PPDM_DATA"]) if os.environ.get("PPDM_DATA") else None


def _open_sample(person: Person, name: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    person.session.saved = person.session.decisions  # nobody is asked to save what is only photographed
    data, recipe = sample_files(name)
    (folder / f"{name}.csv").write_bytes(data)
    (folder / f"{name}.toml").write_text(recipe, encoding="utf-8")
    person.window.open_path(folder / f"{name}.csv")
    person.settle()
    open_recipe(person, folder / f"{name}.toml")


def _in_each(person: Person, name: str, seen: str, whole: str, settings: Any) -> Iterator[tuple[str, Any]]:
    """Photograph the window, and what no window shows whole at 200 %."""
    for setting, appearance, scale, width, height in settings:
        theme().set_appearance(appearance)
        theme().set_scale(scale)
        person.window.resize(width, height)
        person.settle()
        person.bring_in(person.see(seen))
        let_work(30)
        yield f"{name}-{setting}", photograph(person.window)
        yield f"{name}-whole-{setting}", photograph(person.see(whole))
    theme().set_appearance("light")
    theme().set_scale(1.0)
    person.window.resize(1280, 800)
