"""The linkage attack, made on a candidate whose quasi-identifiers were changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.attacks.gower import Linked, limit_attacked_people, link_nearest_records
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.release.attack_audit.base import (
    AttackEvidence,
    Instead,
    LargeFigure,
    count_matching_people,
    find_row_owners,
    has_ownerless_rows,
    is_released_unchanged,
    list_released_columns,
    pair_released_columns,
    paired_values,
    register,
    released_with_role,
    rows_of_people,
    share_of,
)
from ppdm_desktop.engine.release.attack_audit.identity_attacks import (
    NamingAttack,
    rows_of_levels,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Ratio, Value

_HOW = lazy("nearest released record by Gower’s distance; of equally near records, one at random")
_SURE = lazy("one nearest record, and it is their own")


@register
class Linkage(NamingAttack):
    """Links people to the released records that are nearest to their true quasi-identifiers."""

    id = "linkage"
    title = "attack.name.linkage"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.linkage.none",
        "some": "attack.linkage.some",
        "serious": "attack.linkage.serious",
        "total": "attack.linkage.total",
    }
    how_named, how_sure = _HOW, _SURE
    order = 20
    term = "attack.linkage.term"
    source = "attack.linkage.source"
    knows = "attack.knows.quasi-identifiers"
    judged_by = "linkage"
    own_check = True
    always = True
    on_person = True
    on_foreign = True

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if the attack applies, else the id of the text that says why nobody can be linked.

        The attack needs a released quasi-identifier, rows that belong to people or groups, and a quasi-identifier that
        the steps changed.
        """
        names = released_with_role(candidate, "quasi-identifier")
        if not pair_released_columns(candidate, names)[0]:
            return "attack.why-not.no-columns"
        if find_row_owners(candidate) is None:
            return "attack.why-not.nobody"
        return "attack.why-not.untouched" if is_released_unchanged(candidate, names) else None

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return the share of a fixed sample of people whose record is found, as one result.

        Where records were made from groups, finding the group identifies the person with probability 1 / group size,
        and the result also has the share for each privacy level, if there are levels. If the release shows which rows
        are of one person, all rows together count where they find the person better than a single row. The result is
        empty where quasi-identifiers are released unchanged, because class sizes give the risk then, for synthetic
        rows, and without released rows or quasi-identifiers.
        """
        candidate = evidence.candidate
        owner = find_row_owners(candidate)
        if owner is None or self.applies(candidate) is not None:
            return ()
        names = released_with_role(candidate, "quasi-identifier")
        before, after = pair_released_columns(candidate, names)
        true, released = paired_values(before, after)
        # Rows of one person are no group that hides them.
        people = candidate.persons
        sizes = np.ones(people.count, dtype=np.int64) if people.with_several else np.bincount(owner)
        most = limit_attacked_people(true, released)
        sample = rows_of_people(candidate, most)
        grouped = bool((sizes > 1).any())
        of_levels = rows_of_levels(candidate, most) if grouped else []
        wanted = np.unique(np.concatenate([sample, *of_levels]))
        linked = link_nearest_records(true.take(wanted), owner[wanted], released, owner, sizes)
        if not people.with_several:
            # Records that look alike cannot be distinguished: nobody is named with a chance above 1 / those that do.
            smallest_class = equivalence_classes(after, candidate.final.rows).smallest
            linked = replace(linked, most=np.minimum(linked.most, 1.0 / smallest_class))
        elif candidate.links_rows:
            linked = _link_by_all_rows(candidate, linked, wanted, before, after)
        arguments: dict[str, Value] = {"columns": Names.of(names)}
        return (self.entry(candidate, names, linked, wanted, [sample, *of_levels], arguments),)

    def large_figure(self, result: AttackEntry, report: Report) -> LargeFigure:
        """Return the share of people linked, with the share that class sizes allow in the original for comparison.

        The comparison is None where the report has no classes of the original.
        """
        block = report.risk.before.scope.quasi_identifiers
        note = None
        if block is not None:
            note = Note("attack.beside.before", {"figure": Ratio(block.marketer)})
        return LargeFigure(share_of(result.success), beside=note)

    def instead(self, report: Report) -> tuple[Instead, ...]:
        """Return up to two notes for a release with synthetic rows, which cannot be linked to people.

        The first, if a quasi-identifier is released, says that no row belongs to a person. The second names
        confidential and other columns that no other step treated, so that they still show values of real people. Empty
        where rows belong to people or groups; then the result of the attack is shown.
        """
        if not has_ownerless_rows(report):
            return ()
        replacements = []
        if list_released_columns(report, "quasi-identifier"):
            replacements.append(Instead("no_match", is_made=False, note=Note("attack.linkage.no-match")))
        touched = {name for step in report.steps if step.correspondence != "none" for name in step.columns}
        exact = [name for name in list_released_columns(report, "confidential", "other") if name not in touched]
        if exact:
            note = Note("attack.linkage.chosen", {"columns": Names.of(exact)})
            replacements.append(Instead("chosen", is_made=True, note=note))
        return tuple(replacements)


def _link_by_all_rows(
    candidate: Candidate, linked: Linked, wanted: Ints, before: Sequence[Column], after: Sequence[Column]
) -> Linked:
    """Return the linkage success of each attacked row, raised to that of all rows of its person where that is higher.

    With all rows, a person is found with probability 1 / the number of released people whose rows together equal the
    person's true rows; 0 where the person is not among these. The largest possible success stays. ``wanted`` are the
    indices of the attacked rows, ``linked`` has the success of each of them with a single row.
    """
    pairs = [merged_categories(source, released)[:2] for source, released in zip(before, after, strict=True)]
    fit, fits_own = count_matching_people(
        candidate, [source for source, _ in pairs], [released for _, released in pairs]
    )
    named = np.where(fits_own, 1.0 / np.maximum(fit, 1), 0.0)[candidate.persons.of_row[wanted]]
    return replace(linked, in_own_group=np.maximum(linked.in_own_group, named), gain=np.maximum(linked.gain, named))
