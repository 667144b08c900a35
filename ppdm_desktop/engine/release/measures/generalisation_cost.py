"""What steps that generalise quasi-identifiers cost, and what classes of equal records still give away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import places_among
from ppdm_desktop.engine.attacks.homogeneity import Homogeneity, homogeneity
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.utility.generalisation import Generalisation, generalisation

_TREATMENTS = ("generalisation", "suppression")


@dataclass(frozen=True, eq=False)
class Coarseness:
    """Loss and homogeneity of a release by its quasi-identifiers.

    Attributes
    ----------
    step
        The last step that generalised them or removed records: the figures are those after all steps.
    generalisation
        Granularity, entropy, discernibility, average class size.
    homogeneity
        What classes give away of each released confidential column.
    """

    step: int
    generalisation: Generalisation
    homogeneity: Mapping[str, Homogeneity]

    def document(self) -> dict[str, Any]:
        """Return plain data for the report."""
        generalisation = self.generalisation
        figures = ("granularity", "entropy", "entropy_kept", "discernibility", "average_class")
        return {
            **{name: _document(getattr(generalisation, name)) for name in figures},
            "by_column": dict(generalisation.by_column),
            "homogeneity": {
                name: {part: _document(getattr(each, part)) for part in ("one_valued", "majority", "baseline")}
                for name, each in self.homogeneity.items()
            },
        }


def _document(figure: Figure) -> dict[str, Any]:
    return figure.document()


def coarseness(candidate: Candidate, progress: Progress | None = None) -> Coarseness | None:
    """Measure a candidate; None where no step generalised quasi-identifiers or removed records."""
    progress = progress or silent()
    progress.check()
    final, before = candidate.final, candidate.prepared.table
    quasi = [column.name for column in final.with_role("quasi-identifier")]
    steps = [
        step.index
        for step in candidate.steps
        if step.method.treatment.english.startswith(_TREATMENTS) and set(quasi) & set(step.settings.columns)
    ]
    if not candidate.rows_correspond or not steps or not quasi or not final.rows:
        return None
    rows = places_among(before.row_numbers, final.row_numbers)
    twins = np.full(before.rows, -1, dtype=np.int64)
    twins[rows] = np.arange(final.rows)
    shown = [final.column(name) for name in quasi]
    k_min = candidate.prepared.type.k_min
    cost = generalisation([before.column(name) for name in quasi], shown, twins, k_min, progress.part(0.0, 0.7))
    progress.report(0.7, "doing.utility")
    ids = equivalence_classes(shown, final.rows).ids
    given_away = {}
    for column in final.with_role("confidential"):
        progress.check()
        true, released, _ = merged_categories(before.column(column.name).take(rows), column, progress)
        given_away[column.name] = homogeneity(ids, released, true)
    return Coarseness(steps[-1], cost, given_away)
