"""The sixteen life-insurance customers of Li & Sarkar (2004), Table 1, in a file that comes with the program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from ppdm_desktop.engine.samples.base import Options, Sample, find_sample_file, register
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy


@register
class LifeInsurance(Sample):
    """Sixteen customers, few enough to check every figure by hand."""

    id = "life-insurance"
    title = lazy("Sixteen fictional life-insurance customers: few enough to check every figure by hand.")
    order = 10
    default_rows = 16
    reasons: ClassVar[Mapping[str, Sentence]] = {
        "who-is-found": lazy("The sixteen customers are fictional, so no real individual can be found in this file"),
        "what-is-learnt": lazy("No statistic about such a small circle separates danger from coincidence"),
        "keys-and-draws": lazy("Running the sample again teaches how randomness works and exposes no human being"),
    }

    def file(self) -> Path:
        """Return the path of the CSV file that comes with the program."""
        return find_sample_file(f"{self.id}.csv")

    def make(self, options: Options) -> bytes:
        """Return the bytes of the CSV file; raise InputError for any option, because this sample has none."""
        self.settled(options)
        return self.file().read_bytes()
