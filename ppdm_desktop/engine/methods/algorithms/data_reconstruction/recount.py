"""The promise of a reconstruction, recounted from the released columns and the source."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.invariants import LEAST_RECORDS, Audit, audit
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import Mask
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.plan import Plan
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Recount
from ppdm_desktop.engine.table.column import Column, Table

_FOREIGN = -2


def recounted(before: Table, after: Table, plan: Plan, sources: Ints | None) -> Recount:
    """Count rows, people and classes of every released combination.

    Parameters
    ----------
    before, after
        The step's input and its output as exported.
    plan
        What was decided about the input, decided again.
    sources
        The record each released row is a copy of, None where only the tables are at hand. Two
        classes in a combination are two records in any case.
    """
    found = _counted(before, after, plan, sources)
    holds = found is not None and found.passed and after.rows == before.rows
    worst = None if found is None else float(min(found.least_rows, found.least_people))
    proofs = _levels(before, plan, worst, holds)
    return Recount(Guarantee("file+original", holds, before.rows, worst), proofs)


def _counted(before: Table, after: Table, plan: Plan, sources: Ints | None) -> Audit | None:
    shown = [_groups(mask, after.column(mask.column.name)) for mask in plan.masks]
    if any((codes == _FOREIGN).any() for codes in shown):
        return None
    rows = before.rows
    found = classes_of_codes([np.r_[mask.codes, codes] for mask, codes in zip(plan.masks, shown, strict=True)],
                             rows + after.rows)  # fmt: skip
    people = np.bincount(found.ids[:rows], minlength=found.count).astype(np.int64)
    classes = after.column(plan.class_column.name).category_codes.astype(np.int64)
    if sources is None or len(sources) != after.rows:
        # Rows of different classes are copies of different records.
        sources = np.where(classes < 0, -1, classes)
    return audit(found.ids[rows:], sources, classes, people, plan.k)


def _groups(mask: Mask, released: Column) -> Ints:
    """Return the group each released text stands for, -1 where missing, -2 for a text that is none."""
    place = {label: rank for rank, label in enumerate(mask.labels)}
    known = [-1 if text in released.missing_texts else place.get(text, _FOREIGN) for text in released.texts]
    return np.array(known, dtype=np.int64)[released.codes] if known else np.zeros(0, dtype=np.int64)


def _levels(table: Table, plan: Plan, worst: float | None, holds: bool) -> tuple[LevelProof, ...]:
    levels = levels_of(table)
    names = ", ".join(mask.column.name for mask in plan.masks)
    asked = [int(plan.groups[levels.codes == code].max(initial=LEAST_RECORDS)) for code in range(len(levels.levels))]
    return tuple(
        LevelProof(
            level.name,
            names,
            records,
            records,
            0,
            float(group),
            worst,
            None,
            holds and worst is not None and worst >= group,
        )
        for level, records, group in zip(levels.levels, levels.counts.tolist(), asked, strict=True)
    )
