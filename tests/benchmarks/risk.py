"""Seconds for what the Risk page counts of pairs, sets and changes, and until the page follows a tick.

Run as ``python -m tests.benchmarks.risk [rows]`` in the checkout (100,000 rows by default); without
a screen it draws offscreen. The first lines are the engine's, by the spread of the data, at nine
quasi-identifiers; the last ones the window's, at seven, with the longest time it could not answer.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication, QWidget
from ui_support import FakeDialogs, Person, decide_roles, wait_until

from ppdm_desktop.engine.identifiability.generalisation_options import Change, generalisations_of, left_out
from ppdm_desktop.engine.identifiability.pairs import alone_by_pairs
from ppdm_desktop.engine.identifiability.unique_sets import minimal_unique_sets, smallest_unique_sets
from ppdm_desktop.engine.identifiability.what_if import combined, single_changes
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.ui.app import build_window
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.state.settings import Settings
from tests.benchmarks.window import QUASI, Heartbeat, write_csv

WIDTHS = {
    "few people alone": (4, 4, 3, 3, 2, 2, 2, 2, 2),
    "like a census": (74, 16, 7, 15, 5, 2, 42, 9, 6),
    "nearly all alone": (1000, 500, 300, 90, 74, 42, 16, 9, 2),
}


def table(rows: int, widths: tuple[int, ...]) -> list[Column]:
    """Make skewed columns (squared uniform), as real ones are."""
    draws = np.random.default_rng(20_260_101)
    made = []
    for place, width in enumerate(widths):
        codes = (draws.random(rows) ** 2 * width).astype(np.int32)
        made.append(Column(f"q{place}", f"q{place}", codes, tuple(map(str, range(width)))))
    for column in made:
        _ = column.category_codes  # made once when risk is measured, not part of the map
    return made


def say(what: str, seconds: float, more: str = "") -> None:
    """Print one line."""
    sys.stdout.write(f"{what:<58} {seconds * 1000:>8,.0f} ms  {more}\n")
    sys.stdout.flush()


def timed(do: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a call gives, and its seconds."""
    started = time.perf_counter()
    found = do()
    return found, time.perf_counter() - started


def engine(rows: int) -> None:
    """Time the engine on each spread of the data."""
    codes = (np.random.default_rng(7).random(rows) * 3).astype(np.int32)
    secret = [Column("secret", "secret", codes, ("a", "b", "c"))]
    for name, widths in WIDTHS.items():
        quasi = table(rows, widths)
        size = f"{rows:,} x {len(quasi)}, {name}"
        _, seconds = timed(partial(alone_by_pairs, quasi, rows))
        say(f"pairs, {size}", seconds)
        sets, seconds = timed(partial(smallest_unique_sets, quasi, rows))
        say(f"smallest sets, {size}", seconds, f"({len(sets.sets)} sets)")
        minimal, seconds = timed(partial(minimal_unique_sets, quasi, rows))
        say(f"smallest sets for the report, {size}", seconds, f"({len(minimal)} sets)")
        found, seconds = timed(partial(single_changes, quasi, secret, rows))
        each = seconds / max(len(found.single), 1)
        say(f"all single changes, {size}", seconds, f"({len(found.single)} changes, {each * 1000:.0f} ms each)")
        three: list[Change] = [left_out(quasi[0]), *(generalisations_of(column)[0] for column in quasi[1:3])]
        _, seconds = timed(partial(combined, quasi, secret, rows, three))
        say(f"three changes together, {size}", seconds)


def _follows(risk: Any, before: object) -> bool:
    return risk.what_if.would_be is not before


def _is_shown(risk: Any, part: str) -> bool:
    return getattr(risk.counts.shown, part) is not None


def page(rows: int) -> None:
    """Time the window: from a tick to the figures, to the heatmap, and to the last list."""
    app = QApplication.instance() or QApplication(["benchmark"])
    assert isinstance(app, QApplication)
    set_window_font(app, 10)
    app.setStyle("Fusion")
    heart = Heartbeat()
    with tempfile.TemporaryDirectory(prefix="ppdm-benchmark-") as name:
        source = Path(name) / "people.csv"
        write_csv(source, rows)
        dialogs = FakeDialogs()
        window = build_window(dialogs=dialogs, settings=Settings(appearance="light"), folder=Path(name) / "settings")
        person = Person(window, dialogs)
        window.resize(1280, 800)
        window.show()
        window.open_path(source)
        person.settle(600)
        decide_roles(person.session, {"quasi-identifier": tuple(QUASI), "confidential": ("class",)})
        release = person.session.decisions.recipe.release.model_copy(update={"type": "research"})
        person.session.decide_recipe("who", release=release)
        person.settle()
        started = time.perf_counter()
        window.go_to("risk")
        person.settle(600)
        seconds = time.perf_counter() - started
        say(f"page: all of it, {rows:,} x {len(QUASI)}", seconds)
        risk: Any = window.findChild(QWidget, "page_risk")
        ways = (("a tick", risk.changes.rows[0]), ("a second tick", risk.changes.rows[1]))
        for what, row in ways:
            heart.start()
            before = risk.what_if.would_be
            started = time.perf_counter()
            row.box.setChecked(True)
            wait_until(partial(_follows, risk, before), 600)
            say(f"page: {what}, until gauges and groups follow", time.perf_counter() - started)
            for part in ("heat", "pairs", "sets"):
                wait_until(partial(_is_shown, risk, part), 600)
                say(f"page: {what}, until {part} follow", time.perf_counter() - started)
            person.settle(600)
            say(f"page: {what}, longest pause of the window", heart.stop() / 1000)
        heart.start()
        started = time.perf_counter()
        risk.changes.untick()
        person.settle(600)
        seconds = time.perf_counter() - started
        say("page: back to the file as it is", seconds, f"(longest pause {heart.stop()} ms)")
        window.runner.stop_all()
        window.session.saved = window.session.decisions
        window.close()
        shutil.rmtree(window.context.private_folder, ignore_errors=True)


def main() -> int:
    """Print everything."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    engine(rows)
    page(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
