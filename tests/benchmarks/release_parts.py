"""Run the command line and write what each part of a release cost, in processor seconds, to a file as JSON.

    python -m tests.benchmarks.release_parts PARTS.json release FILE --recipe RECIPE --out FOLDER --seed 1

A part is a function of the engine. While one part works inside another, the inner one is counted, so that the parts add
up to the whole process; what belongs to none, loading the program above all, stands under ``rest``. Work in child
processes, such as that of PDFs, is not counted here.
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
        "release.disclosure.picked_out:picked_out",
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


class Parts:
    """Processor seconds by part; the innermost part that is at work is the one that pays."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._at_work = ["rest"]
        self._since = 0.0

    def turn(self) -> None:
        """Give the part at work what was used since the last turn."""
        now = time.process_time()
        self.seconds[self._at_work[-1]] += now - self._since
        self._since = now

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
    parts = Parts()
    importlib.import_module("ppdm_desktop.cli.commands.release")
    count(parts)
    from ppdm_desktop.cli.main import run

    try:
        return run(command)
    finally:
        parts.turn()
        Path(written).write_text(json.dumps(parts.seconds), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
