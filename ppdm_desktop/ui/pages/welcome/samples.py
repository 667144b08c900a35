"""The samples a person may open without a file of their own, in words, and the work that makes one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.samples import SAMPLES, find_sample
from ppdm_desktop.ui.state.reading import Opened, read_file

SMALL = "life-insurance"


def small_sample() -> Path:
    """Return the file of the sixteen customers, which lies ready."""
    return Path(str(resources.files("ppdm_desktop.resources") / "samples" / f"{SMALL}.csv"))


def larger_samples() -> list[tuple[str, str]]:
    """Return (name, words) of the samples that are drawn."""
    words = {
        "employees": _tr("{n} employees: salary, income tax, weeks worked"),
        "agrawal": _tr("{n} people and which of two groups each belongs to: salary, age, house, loan"),
        "salary-offers": _tr("{n} salary offers: nearly everybody stands alone"),
    }
    return [
        (sample.name, words[sample.name].replace("{n}", f"{sample.default_rows:,}"))
        for sample in SAMPLES
        if sample.generator is not None
    ]


def write_and_read(name: str, folder: Path) -> Callable[[Progress], Opened]:
    """Return the work that writes a sample into a folder of this session and opens it."""

    def work(progress: Progress) -> Opened:
        path = folder / f"{name}.csv"
        with path.open("wb") as file:
            for block in find_sample(name).blocks():
                progress.check()
                file.write(block)
        return read_file(path)(progress)

    return work


def _tr(words: str) -> str:
    return QCoreApplication.translate("Samples", words)
