"""The samples a person may open without a file of their own, in words, and the work that makes one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.samples import Sample, all_samples, find_sample, ready_sample

if TYPE_CHECKING:
    from ppdm_desktop.ui.state.reading import Opened


def small_sample() -> Path:
    """Return the file of the sample that lies ready."""
    path = ready_sample().file()
    assert path is not None
    return path


def small_sample_words() -> str:
    """Say what the sample is that lies ready."""
    return _words(ready_sample())


def larger_samples() -> list[tuple[str, str]]:
    """Return (id, words) of the samples that are made when they are asked for."""
    return [(sample.id, _words(sample)) for sample in all_samples().values() if sample.file() is None]


def write_and_read(id: str, folder: Path) -> Callable[[Progress], Opened]:
    """Return the work that writes a sample into a folder of this session and opens it."""
    from ppdm_desktop.ui.state.reading import read_file

    def work(progress: Progress) -> Opened:
        path = folder / f"{id}.csv"
        with path.open("wb") as file:
            for piece in find_sample(id).pieces({}):
                progress.check()
                file.write(piece)
        return read_file(path)(progress)

    return work


def _words(sample: Sample) -> str:
    return sample.title.said(n=sample.default_rows)
