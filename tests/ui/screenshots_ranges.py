"""Pictures of the papers' sweeps in the tab Ranges, each in a small setting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paper_window import draw_figure, open_figure
from ui_support import Person, let_work

from ppdm_desktop.engine.release.sweep.grid import Value
from ppdm_desktop.ui.look.theme import theme

ROWS, KEYS = 150, 2
FIGURES: tuple[tuple[str, str, tuple[Value, ...], str], ...] = (
    ("aggarwal-yu-ionosphere", "group", (5, 10, 20, 30, 50), "nearest"),
    ("aggarwal-yu-ecoli", "group", (5, 10, 20, 30, 50), "nearest"),
    ("aggarwal-yu-pima", "group", (5, 10, 20, 30, 50), "nearest"),
    ("li-sarkar-example", "proportion", (0.25, 0.5, 0.75), ""),
    ("li-sarkar-table-4-offers", "search", ("greedy", "exact"), ""),
    ("liu-fig-1", "intervals", (3, 6, 10, 20, 40, 200), "distribution"),
    ("liu-fig-7", "snr", (0.25, 0.5, 1, 2, 5, 10), ""),
    ("vijayarani-employees", "rounding", ("step", "paper", "none"), ""),
    ("zhu-pima", "k", (3, 5, 10), ""),
)
"""Paper, setting, its values, and the figure above; the first there is where none is named."""


def range_pictures(person: Person, folder: Path, settings: Any) -> Iterator[tuple[str, Any]]:
    """Draw each figure once and photograph it in each setting."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, parameter, values, measure in FIGURES:
        declared = open_figure(person, name, folder, ROWS)
        draw_figure(person, declared, parameter, values, KEYS)
        if measure:
            person.choose("combo_range_above", measure)
        for setting, appearance, scale, width, height in settings:
            theme().set_appearance(appearance)
            theme().set_scale(scale)
            person.window.resize(width, height)
            person.settle()
            let_work(30)
            yield f"ranges-{name}-{setting}", person.window.grab()
        theme().set_appearance("light")
        theme().set_scale(1.0)
        person.window.resize(1280, 800)
