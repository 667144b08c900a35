"""Pictures of the papers' figures in the tab Ranges, each from its own recipe, opened as a person does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paper_window import draw_figure, open_figure
from ui_support import Person, let_work

from ppdm_desktop.ui.look.theme import theme

ROWS, KEYS = 150, 2
FIGURES: tuple[tuple[str, str], ...] = (
    ("aggarwal-yu-ionosphere", "nearest"),
    ("aggarwal-yu-ecoli", "nearest"),
    ("aggarwal-yu-pima", "nearest"),
    ("aggarwal-yu-abalone", "nearest"),
    ("li-sarkar-example", "relations"),
    ("li-sarkar-table-4-offers", ""),
    ("liu-fig-1", "distribution"),
    ("liu-fig-7", ""),
    ("vijayarani-employees", "distribution"),
    ("zhu-pima", "relations"),
)
"""Files of the papers, and the figure above; the first there is where none is named."""


def range_pictures(person: Person, folder: Path, settings: Any) -> Iterator[tuple[str, Any]]:
    """Draw each figure once and photograph it in each setting, with what its recipe proposes before."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, measure in FIGURES:
        person.session.saved = person.session.decisions  # nobody is asked to save what is only photographed
        open_figure(person, name, folder, ROWS)
        yield from _in_each(person, f"ranges-{name}-asked", "button_range_start", settings)
        draw_figure(person, keys=KEYS)
        if measure:
            person.choose("combo_range_above", measure)
        yield from _in_each(person, f"ranges-{name}", "chart_range", settings)


def _in_each(person: Person, name: str, seen: str, settings: Any) -> Iterator[tuple[str, Any]]:
    for setting, appearance, scale, width, height in settings:
        theme().set_appearance(appearance)
        theme().set_scale(scale)
        person.window.resize(width, height)
        person.settle()
        person.bring_in(person.see(seen))
        let_work(30)
        yield f"{name}-{setting}", person.window.grab()
    theme().set_appearance("light")
    theme().set_scale(1.0)
    person.window.resize(1280, 800)
