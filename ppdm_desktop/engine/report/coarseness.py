"""Figures of what broader values cost and what groups reveal, for report and window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ppdm_desktop.engine.report.report_words import write_value
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy
from ppdm_desktop.engine.wording.values import Name

_MEASURES: Mapping[str, tuple[Sentence, str]] = {
    "granularity": (lazy("Detail kept (granularity; 100% means unchanged)"), "percent"),
    "entropy": (lazy("Bits lost per value (non-uniform entropy)"), "number"),
    "discernibility": (lazy("Sum of squared group sizes (discernibility)"), "number"),
    "average_class": (lazy("Average group size, as a multiple of the smallest allowed"), "number"),
}


@dataclass(frozen=True)
class CoarsenessFigure:
    """A figure of coarseness with its key in report.json, its name and how it is written."""

    key: str
    label: str
    value: float
    kind: str

    @property
    def words(self) -> str:
        """Return the figure as text with its unit."""
        return write_value(self.value, self.kind)


def coarseness_figures(coarseness: Mapping[str, Any]) -> list[CoarsenessFigure]:
    """Return the measured figures of a step, those of each confidential column last."""
    figures = [
        CoarsenessFigure(key, str(label), coarseness[key]["value"], kind)
        for key, (label, kind) in _MEASURES.items()
        if coarseness[key]["value"] is not None
    ]
    for name, shares in coarseness["homogeneity"].items():
        if shares["one_valued"]["value"] is None:
            continue
        labels = {
            "one_valued": _("People in a group where everyone has the same {column}", column=Name(str(name))),
            "majority": _("{column} guessed right by the most common value of the group", column=Name(str(name))),
            "baseline": _("{column} guessed right by the most common value of all", column=Name(str(name))),
        }
        figures += [
            CoarsenessFigure(f"homogeneity.{name}.{key}", label, shares[key]["value"], "percent")
            for key, label in labels.items()
        ]
    return figures
