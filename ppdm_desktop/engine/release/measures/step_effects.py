"""What each step of a chain changed: risk and usefulness after it, the last step being the release."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ppdm_desktop.engine.identifiability.risk import table_risk
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.generalised_columns import is_coarsened, is_generalised
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.tie_breaking import on_grid
from ppdm_desktop.engine.utility.cells import shared_cells, total_variation


@dataclass(frozen=True)
class AfterStep:
    """Risk and usefulness of the table a step left, by the recipe's missing rule.

    Attributes
    ----------
    step
        1-based place of the step.
    records
        Records left.
    equivalence_classes, k, alone
        Classes of equal quasi-identifiers, people in the smallest one, and people alone in theirs;
        None where there is no quasi-identifier, or where the step generated records or added
        noise to quasi-identifiers, so that class sizes say nothing.
    identifiable
        Uniquely and collectively identifiable people; None as above or without a confidential column.
    moved_column, total_variation
        The released column whose shares moved most since before the first step, and by how much;
        no column where none moved. One that is only generalised does not count.
    """

    step: int
    records: int
    equivalence_classes: int | None
    k: int | None
    alone: int | None
    identifiable: int | None
    moved_column: str | None
    total_variation: float | None

    def document(self) -> dict[str, Any]:
        """Return plain data for the report."""
        return asdict(self)


def after_steps(candidate: Candidate, progress: Progress) -> tuple[AfterStep, ...]:
    """Measure the table after every step of a chain; nothing for fewer than two steps."""
    if len(candidate.steps) < 2:
        return ()
    found, counts_speak = [], True
    for place, step in enumerate(candidate.steps):
        progress.report(place / len(candidate.steps), "doing.chain")
        table = step.result.table
        quasi = {column.name for column in table.with_role("quasi-identifier")}
        noisy = {protection.column for protection in step.result.protections if protection.manner == "noise"}
        counts_speak &= step.method.correspondence == "record" and not quasi & noisy
        found.append(_after(candidate, step.index, table, progress, counts_speak=bool(quasi) and counts_speak))
    return tuple(found)


def _after(candidate: Candidate, step: int, table: Table, progress: Progress, *, counts_speak: bool) -> AfterStep:
    classes = k = alone = identifiable = None
    if counts_speak and table.rows:
        risk = table_risk(table, candidate.prepared.recipe.risk.missing, progress=progress)
        classes, k, alone = risk.judged.classes, risk.k, risk.alone
        identifiable = risk.overall.identifiable if risk.overall is not None else None
    moved = {}
    for column in table.columns:
        # A range is another word than the values it holds: none of them moved.
        in_ranges = is_coarsened(candidate, column.name)
        in_ranges |= column.kind != "numeric" and is_generalised(candidate, column.name)
        if column.role in ATTRIBUTE_ROLES and column.kind != "text" and not in_ranges:
            cells = shared_cells(candidate.prepared.table.column(column.name), column, progress=progress)
            moved[column.name] = total_variation(*cells.shares())
    worst = max(moved, key=lambda name: on_grid(moved[name]), default=None)
    shift = None if worst is None else float(moved[worst])
    return AfterStep(step, table.rows, classes, k, alone, identifiable, worst if shift else None, shift)
