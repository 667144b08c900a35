"""Run the command line and write what each part of a release cost, in processor seconds, to a file as JSON.

    python -m tests.benchmarks.release_parts PARTS.json release FILE --recipe RECIPE --out FOLDER --seed 1

A part is a function of the engine. While one part works inside another, the inner one is counted, so that the parts add
up to the whole process; what belongs to none, loading the program above all, stands under ``rest``. Work in child
processes, such as that of PDFs, is not counted here. On Linux the file also says how much memory each part held at the
most, in bytes. It is renewed while the work goes on: of a run that is cut short it says how far that came.
"""

from __future__ import annotations

import functools
import importlib
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

ENGINE = "ppdm_desktop.engine"
PARTS = {
    "attacks": ("release.attack_audit.registry:audit",),
    "belief": (
        "release.disclosure.beliefs:belief_of",
        "release.disclosure.singled_out:picked_out",
        "release.disclosure.dependencies:depends",
    ),
    "analyses": ("release.measures.analyses:analyse",),
    "reading": ("release.candidate.pipeline:prepare",),
    "method": ("release.candidate.pipeline:run_candidate",),
    "measures": ("release.measures.utility:measure",),
    "writing and reading back": ("release.evaluate.release_files:build_release_files",),
    "checks": ("release.gate.registry:run_gate",),
    "report": ("release.reporting.build:build_report",),
}
"""What is counted by itself, and the functions of the engine that do it."""
BESIDE = frozenset({"attacks", "belief"})
"""Parts that the goals of a release leave out: they have a budget of their own."""


_STATUS, _FORGET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_RENEWED = 5.0
"""Processor seconds after which the file is written anew."""


def most_held() -> int | None:
    """Return the most bytes of memory this process held since it was last asked; None where no system says that."""
    try:
        said = next(line for line in _STATUS.read_text("ascii").splitlines() if line.startswith("VmHWM"))
        _FORGET.write_text("5", "ascii")
    except (OSError, StopIteration):
        return None
    return int(said.split()[1]) * 1024


class Parts:
    """Processor seconds and memory by part; the innermost part that is at work is the one that pays.

    Parameters
    ----------
    written
        File for both, renewed every few seconds.
    """

    def __init__(self, written: Path) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.peaks: defaultdict[str, int] = defaultdict(int)
        self._at_work = ["rest"]
        self._since, self._saved = 0.0, 0.0
        self._written = written

    def turn(self) -> None:
        """Give the part at work what was used since the last turn."""
        now, part = time.process_time(), self._at_work[-1]
        self.seconds[part] += now - self._since
        self._since = now
        self.peaks[part] = max(self.peaks[part], most_held() or 0)
        if now - self._saved > _RENEWED:
            self.save()

    def save(self) -> None:
        """Write what is known, with the part at work."""
        self._saved = self._since
        found = {"seconds": self.seconds, "peaks": self.peaks, "at work": self._at_work}
        self._written.write_text(json.dumps(found), "utf-8")

    def counted(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose work is that part's."""

        @functools.wraps(function)
        def work(*given: Any, **named: Any) -> Any:
            self.turn()
            self._at_work.append(part)
            try:
                return function(*given, **named)
            finally:
                self.turn()
                self._at_work.pop()

        return work


def count(parts: Parts) -> None:
    """Put a counted function in the place of each one of ``PARTS``, in every module that knows it."""
    for part, places in PARTS.items():
        for place in places:
            module, _, name = place.partition(":")
            plain = getattr(importlib.import_module(f"{ENGINE}.{module}"), name)
            counted = parts.counted(part, plain)
            for known in [each for name, each in sys.modules.items() if name.startswith("ppdm_desktop")]:
                for attribute in [key for key, value in vars(known).items() if value is plain]:
                    setattr(known, attribute, counted)


def main() -> int:
    """Run the command line, counted."""
    written, *command = sys.argv[1:]
    parts = Parts(Path(written))
    importlib.import_module("ppdm_desktop.cli.commands.release")
    count(parts)
    from ppdm_desktop.cli.main import run

    try:
        return run(command)
    finally:
        parts.turn()
        parts.save()


if __name__ == "__main__":
    sys.exit(main())
