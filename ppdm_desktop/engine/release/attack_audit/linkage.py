"""Linkage made on a candidate whose quasi-identifiers were changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.comparison import NEARLY_ALL
from ppdm_desktop.engine.attacks.gower import Values
from ppdm_desktop.engine.attacks.intervals import success_figure
from ppdm_desktop.engine.attacks.nearest_record import Linked, most_targets, nearest_record
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.release.attack_audit.column_pairs import (
    listed,
    of_hundred,
    owners,
    released_with_role,
    sides,
    untouched,
)
from ppdm_desktop.engine.release.attack_audit.identity_attacks import (
    NO_CONTROL,
    less_chance,
    level_entries,
    rows_of_levels,
    severity_of_naming,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Sentence
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.models.features import paired_records

ID = "linkage"
_HOW = (
    "nearest released record by Gower's distance, ranges from the release; of equally near ones each with like chance"
)


def applies(candidate: Candidate, progress: Progress | None = None) -> bool:
    """Say whether quasi-identifiers were changed, and rows made from somebody."""
    progress = progress or silent()
    names = released_with_role(candidate, "quasi-identifier")
    if not sides(candidate, names, progress)[0] or not candidate.final.rows or owners(candidate, progress) is None:
        return False
    return not untouched(candidate, names, progress)


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Link people, by their true quasi-identifiers, to released records.

    Nothing is attacked where quasi-identifiers are released as they were: there the sizes of
    classes say it all. Where records were made by groups, finding the group names the person
    with chance 1 / size, and levels are counted one by one.
    """
    owner = owners(candidate, progress)
    if owner is None or not applies(candidate, progress):
        return ()
    names = released_with_role(candidate, "quasi-identifier")
    before, after = sides(candidate, names, progress)
    one, other = paired_records(before, after, progress)
    true, shown = Values(one.numbers, one.codes), Values(other.numbers, other.codes)
    sizes = np.bincount(owner)
    most = most_targets(true, shown)
    sample = sample_rows(candidate.final.rows, most)
    grouped = bool((sizes > 1).any())
    of_levels = rows_of_levels(candidate, most) if grouped else []
    wanted = np.unique(np.concatenate([sample, *of_levels]))
    linked = nearest_record(true.take(wanted), owner[wanted], shown, owner, sizes, progress)
    # Records that look alike cannot be told apart: nobody is named with a chance above 1 / those that do.
    alike = equivalence_classes(after, candidate.final.rows).smallest
    linked = replace(linked, most=np.minimum(linked.most, 1.0 / alike))
    return (_entry(candidate, names, linked, wanted, sample, of_levels),)


def _entry(
    candidate: Candidate, names: list[str], linked: Linked, wanted: Ints, sample: Ints, of_levels: list[Ints]
) -> AttackEntry:
    def figure(rows: Ints) -> Figure:
        place = np.searchsorted(wanted, rows)
        return success_figure(linked.gain[place], float(linked.most[place].max(initial=0.0)), _HOW)

    success, chance = figure(sample), 1.0 / candidate.final.rows
    limit = 1.0 / candidate.prepared.type.k_min
    levels = level_entries(candidate, [figure(rows) for rows in of_levels], limit)
    severity = severity_of_naming(success, chance, limit, levels)
    sure = linked.gain[np.searchsorted(wanted, sample)] >= NEARLY_ALL
    arguments = {
        "columns": listed(names),
        "named": of_hundred(success.value),
        "chance": of_hundred(chance),
        "limit": of_hundred(limit),
    }
    return AttackEntry(
        id=ID,
        column=None,
        knows=Sentence(id="attack.knows.quasi-identifiers", arguments={"columns": listed(names)}),
        success=success,
        control=Figure.absent(NO_CONTROL, unit="share"),
        chance=Figure(chance, n=candidate.final.rows, unit="share", method="one released record taken blindly"),
        advantage=less_chance(success, chance),
        tail=AttackTail(
            share_sure_and_right=success_figure(sure.astype(np.float64), 1.0, "one nearest record, and it is theirs"),
            control=Figure.absent(NO_CONTROL, unit="share"),
        ),
        tolerance=None,
        sampled=len(sample),
        severity=severity,
        sentence=Sentence(id=f"attack.linkage.{severity}", arguments=arguments),
        levels=levels,
        further={},
    )
