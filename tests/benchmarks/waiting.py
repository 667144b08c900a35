"""How long a person waits: the processor seconds between two looks at the stop sign, and what is said of the time left.

A table of ``release`` is judged in this process as the window judges a candidate, and its analyses are made. Every look
of the work at its stop sign is timed: **the longest pause** is how late Cancel can come; the longest are named with the
place that worked meanwhile. Of every report of progress the time left is reckoned as the window does it, from the part
done and the time it took, and set beside the processor seconds that were really left: from a tenth of the work on it
should be within a factor of two. From the repository's root:

    python -m tests.benchmarks.waiting
    python -m tests.benchmarks.waiting --rows 1000000 --no-analyses
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

from ppdm_desktop.engine.progress import Listener, Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.measures.analyses import analyse
from tests.benchmarks.release import apart, write_recipe

BOUND = 0.2
"""Processor seconds after which Cancel should have come."""
_FROM = 0.1
_SHOWN = 12


class Pauses:
    """Processor seconds between two looks at the stop sign, by the places before and after."""

    def __init__(self) -> None:
        self._since = time.process_time()
        self._place = "the start"
        self.longest: dict[tuple[str, str], float] = {}

    def look(self) -> None:
        """Time the pause that ends here; a callback of every look."""
        pause = time.process_time() - self._since
        place = _place_of(sys._getframe(1))
        pair = self._place, place
        if pause > self.longest.get(pair, 0.0):
            self.longest[pair] = pause
        self._place, self._since = place, time.process_time()


def _place_of(frame: FrameType | None) -> str:
    """Return file and line of what looked at the stop sign."""
    while frame is not None and frame.f_code.co_filename.endswith("progress.py"):
        frame = frame.f_back
    if frame is None:
        return "?"
    return f"{'/'.join(Path(frame.f_code.co_filename).parts[-2:])}:{frame.f_lineno}"


class Timed:
    """Reports of progress, each with the processor seconds used so far."""

    def __init__(self) -> None:
        self._begun = time.process_time()
        self.told: list[tuple[float, float]] = []

    def listener(self) -> Listener:
        """Return what a progress reports to."""
        return lambda share, doing: self.told.append((share, time.process_time() - self._begun))

    def within_two(self) -> tuple[float, float, float]:
        """Return the share of the time in which the time left was right within a factor of two, and the worst errors.

        Returns
        -------
        The share, the largest factor by which too much was said, and the largest by which too little.
        """
        whole = time.process_time() - self._begun
        right = counted = 0.0
        much = little = 1.0
        for (share, used), (_, until) in zip(self.told, [*self.told[1:], (1.0, whole)], strict=True):
            left = whole - used
            if share < _FROM or left < 0.05 * whole:
                continue
            said = used * (1 - share) / share
            counted += until - used
            right += (until - used) if left / 2 <= said <= 2 * left else 0.0
            much, little = max(much, said / left), max(little, left / max(said, 1e-9))
        return (right / counted if counted else 1.0), much, little


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--method", default="additive-noise")
    parser.add_argument("--no-analyses", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        source, recipe = Path(place) / "mix.csv", Path(place) / "mix.recipe.toml"
        apart(f"write_mix({source!r}, {given.rows})")
        write_recipe(recipe, given.method)
        pauses = Pauses()
        timed = Timed()
        progress = Progress(timed.listener(), give_way=pauses.look)
        prepared = prepare(source, read_recipe(recipe), progress.part(0.0, 0.05), need_type=True)
        candidate = run_candidate(prepared, Key.from_seed(1), progress.part(0.05, 0.1))
        print("judging", flush=True)
        judging = Timed()
        evaluate(candidate, progress=Progress(judging.listener(), give_way=pauses.look))
        told(judging)
        if not given.no_analyses:
            print("analyses", flush=True)
            analysing = Timed()
            analyse(candidate, Progress(analysing.listener(), give_way=pauses.look))
            told(analysing)
    worst = sorted(pauses.longest.items(), key=lambda each: -each[1])
    late = sum(pause > BOUND for _, pause in worst)
    print(f"longest pause {worst[0][1]:.2f} s; {late} pairs of places with a pause above {BOUND} s")
    for (before, after), pause in worst[:_SHOWN]:
        print(f"  {pause:6.2f} s  from {before} to {after}")


def told(timed: Timed) -> None:
    """Print what was said of the time left."""
    share, much, little = timed.within_two()
    print(
        f"  {timed.told[-1][1]:.1f} s; time left right within a factor of two for {share:.0%} of the time; at most "
        f"{much:.1f} times too much, {little:.1f} times too little"
    )


if __name__ == "__main__":
    main()
