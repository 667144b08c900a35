"""The nearest-record attack, made on a candidate whose records were generated or averaged in groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.comparison import Severity, success_figure
from ppdm_desktop.engine.attacks.gower import limit_attacked_people, link_nearest_records
from ppdm_desktop.engine.identifiability.classes import Classes, count_class_people, equivalence_classes
from ppdm_desktop.engine.release.attack_audit.base import (
    AttackEvidence,
    pair_released_columns,
    paired_values,
    register,
    rows_of_people,
    share_of,
)
from ppdm_desktop.engine.release.attack_audit.identity_attacks import (
    NamingAttack,
    rows_of_levels,
    take_largest_links,
)
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Value

_METHOD = lazy("nearest released record by Gower’s distance; of equally near records, one at random")
_NAMED = lazy("nearest released record by Gower’s distance; in the person’s own group, times 1 / size of the group")
_SURE = lazy("groups of one person that are found")


@register
class NearestRecord(NamingAttack):
    """Finds the released record nearest to a person by all columns a step treated, and thereby the person's group."""

    id = "nearest-record"
    title = "attack.name.nearest-record"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.nearest-record.none",
        "some": "attack.nearest-record.some",
        "serious": "attack.nearest-record.serious",
        "total": "attack.nearest-record.total",
    }
    how_named, how_sure = _NAMED, _SURE
    further: ClassVar[Mapping[str, str]] = {"own_group": "attack.further.own-group"}
    order = 30
    term = "attack.nearest-record.term"
    source = "attack.nearest-record.source"
    knows = "attack.knows.treated-columns"
    judged_by = "reversal"
    own_check = True
    undoes = True
    on_foreign = True

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if the attack applies, else the id of the text that says why not.

        It applies if a step whose method declares it has a released column that is no free text, and no later step made
        groups or synthetic rows.
        """
        steps = _list_attacked_steps(candidate)
        there = any(pair_released_columns(candidate, step.settings.columns)[0] for step in steps)
        return None if there else "attack.why-not.no-step"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return one result for each step whose method declares this attack and of which a treated column is released.

        The intruder knows the true values of all columns that the step treated. Attacked are all people or a fixed
        sample (`limit_attacked_people`), and besides them a sample of at most 500 people of each privacy level. They
        are looked for in the groups that the step made or, if it made none, among rows that are equal in its columns. A
        step is ignored where a later step made groups or synthetic rows, because none of its own records is released
        then. Empty without released rows.
        """
        steps = _list_attacked_steps(evidence.candidate)
        attack_entries = []
        for done, step in enumerate(steps):
            entry = progress.part(done / len(steps), (done + 1) / len(steps)).run(
                _build_entry, evidence.candidate, step
            )
            attack_entries += [entry] if entry is not None else []
        return tuple(attack_entries)


def _list_attacked_steps(candidate: Candidate) -> list[StepRecord]:
    """Return the steps whose method declares this attack, and after which no step made groups or synthetic rows."""
    return [
        step for step in candidate.steps if NearestRecord.id in step.method.attacks and candidate.keeps_rows_after(step)
    ]


def _build_entry(candidate: Candidate, step: StepRecord) -> AttackEntry | None:
    """Return the audit's entry for one step; None if none of its columns, or no row, is released.

    Attacked are samples of all people and of each privacy level, by the true values of the step's columns. The entry
    also has, as ``own_group``, the share of the first sample for whom the nearest record is in the person's own group.
    """
    final = candidate.final
    before, after = pair_released_columns(candidate, step.settings.columns)
    if not before or not final.rows:
        return None
    columns = [column.name for column in after]
    true, released = paired_values(before, after)
    group = _find_row_groups(candidate, step)
    sizes = count_class_people(Classes(group, int(group.max()) + 1), candidate.persons)
    most = limit_attacked_people(true, released)
    sample, of_levels = rows_of_people(candidate, most), rows_of_levels(candidate, most)
    wanted = np.unique(np.concatenate([sample, *of_levels]))
    linked = link_nearest_records(true.take(wanted), group[wanted], released, group, sizes)
    hits = success_figure(take_largest_links(candidate, linked, wanted, sample).in_own_group, 1.0, _METHOD)
    arguments: dict[str, Value] = {"columns": len(columns), "hits": share_of(hits)}
    return NearestRecord.entry(candidate, columns, linked, wanted, [sample, *of_levels], arguments, {"own_group": hits})


def _find_row_groups(candidate: Candidate, step: StepRecord) -> Ints:
    """Return the number of each released row's group, int64, shape (rows,), in the order before shuffling.

    The groups are those that the step made or, if it made none, rows that are equal in its columns after the step.
    """
    table, ids = step.result.table, step.result.row_groups
    if ids is None:
        ids = equivalence_classes([table.column(name) for name in step.settings.columns], table.rows).ids
    return np.asarray(ids[candidate.rows_in(table)], dtype=np.int64)
