"""What plots cost, in processor time: the library, a million records, zooming, and the pairs of many columns.

python -m tests.benchmarks.plots [--rows 1000000] [--columns 120]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np

from ppdm_desktop.engine.identifiability.pairs import Pairs
from ppdm_desktop.ui.app import build_application
from ppdm_desktop.ui.charts.density import DensityChart, cloud_scenes, clouds
from ppdm_desktop.ui.pages.risk.pairs import PairsCard


def timed(words: str, what: Callable[[], Any], times: int = 1) -> Any:
    """Do something and print the processor time of one of it."""
    begin, found = time.process_time(), None
    for _ in range(times):
        found = what()
    print(f"{words:58} {(time.process_time() - begin) / times:8.3f} s", flush=True)
    return found


def main() -> None:
    """Print each figure as it comes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=120)
    options = parser.parse_args()
    app = build_application()
    timed("pyqtgraph, after NumPy and Qt", lambda: __import__("pyqtgraph"))
    draws = np.random.default_rng(1)
    one = draws.normal(40, 12, options.rows)
    other = one * 900 + draws.normal(0, 8_000, options.rows)
    shown = timed(f"two numbers of {options.rows:,} records, counted", lambda: clouds((one, other), (one, other[::-1])))
    chart = DensityChart(name="density", words="Density")
    chart.resize(900, 300)
    scenes = timed("their scenes", lambda: cloud_scenes(shown, ("one", "other"), ("Before", "After"), ""))

    def see() -> None:
        chart.set_scenes(scenes, "Title", "")
        chart.show()
        app.processEvents()
        chart.grab()

    def zoom() -> None:
        chart.plots[0].zoom(1.5)
        chart.grab()

    timed("first sight of both sides", see)
    timed("a step of the zoom, both sides drawn again", zoom, 8)
    counts = draws.integers(0, 6_000, (options.columns, options.columns))
    found = Pairs(
        tuple(f"column {place}" for place in range(options.columns)), np.tril(counts, -1) + np.tril(counts, -1).T
    )
    card = PairsCard()
    card.resize(900, 900)

    def see_pairs() -> None:
        card.show_pairs(found, 6_000)
        card.show()
        app.processEvents()
        card.grab()

    timed(f"pairs of {options.columns} columns, first sight", see_pairs)
    timed("what is under the pointer", lambda: card.plot.near(card.plot.place(3.5, 10.5)), 1_000)
    os._exit(0)


if __name__ == "__main__":
    main()
