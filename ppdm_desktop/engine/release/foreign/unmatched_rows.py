"""Singling out where it is not known which source row a released row is."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.attacks.singling_out import find_singled_out
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.release.attack_audit.base import (
    BLIND,
    LESS_CHANCE,
    make_empty_tail,
    released_with_role,
    select_columns,
)
from ppdm_desktop.engine.release.attack_audit.singling_out import SinglingOut, severity_of_share
from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names, Share, Value

_HOW = lazy("exactly one released record shows the person’s true values; whose it is, is not known")
_UNIQUE_VALUES = lazy("released records with values that no other record has; whose they are is not known")
_UNKNOWN = lazy("it is not known whose each released row is")
_MOST = lazy("the most there can be")


def bound_singled_out(candidate: Candidate) -> tuple[AttackEntry, ...]:
    """Return an upper bound on the people singled out: those whose true values exactly one released record shows.

    The record may be theirs or another person's. There is a result by the quasi-identifiers, and one by these and the
    other columns that are not confidential, where there are such columns. Empty without a column or a released record.
    Where released values are written otherwise than in the source, the unique released records are counted, since no
    more people can be singled out.
    """
    attack_entries: list[AttackEntry] = []
    seen: list[list[str]] = []
    both = match_source_columns(candidate)
    for roles in (("quasi-identifier",), ("quasi-identifier", "other")):
        progress.report(0.0, "doing.audit")
        wanted = released_with_role(candidate, *roles)
        columns = select_columns(both, wanted)
        pairs = list(zip(columns.before, columns.after, strict=True))
        if pairs and wanted not in seen and candidate.final.rows:
            seen.append(wanted)
            attack_entries.append(_build_entry(wanted, pairs))
    return tuple(attack_entries)


def _build_entry(names: list[str], pairs: list[tuple[Column, Column]]) -> AttackEntry:
    """Return the result for one set of known columns, with an upper bound on the share of people singled out.

    The bound is the share of people whose true values exactly one released record shows. Where values cannot be
    compared, it is the number of unique released records divided by the number of people (at most 1). ``pairs`` has
    each column in the source and as released.
    """
    people, records = len(pairs[0][0]), len(pairs[0][1])
    if all(_can_compare_values(source, released) for source, released in pairs):
        codes = [merged_categories(source, released)[:2] for source, released in pairs]
        true, released_codes = ([code[side].astype(np.int64) for code in codes] for side in (0, 1))
        most = int(find_singled_out(true, released_codes, np.full(people, -1, dtype=np.int64)).fooled.sum())
        how, sentence = _HOW, "attack.singling-out.at-most"
    else:
        most = int((equivalence_classes([released for _, released in pairs], records).size_of_record == 1).sum())
        how, sentence = _UNIQUE_VALUES, "attack.singling-out.alone"
    share = min(most / max(people, 1), 1.0)
    arguments: dict[str, Value] = {
        "columns": Names.of(names),
        "records": most,
        "share": Share(min(most, people), people),
    }
    return AttackEntry(
        id=SinglingOut.id,
        knows=Sentence.of(SinglingOut.knows, {"columns": Names.of(names)}),
        success=Figure(share, n=people, unit="share", method=how, note=_MOST),
        control=Figure.absent(_UNKNOWN, unit="share"),
        chance=Figure(1.0 / records, n=records, unit="share", method=BLIND),
        advantage=Figure(share - 1.0 / records, n=people, unit="share", method=LESS_CHANCE),
        tail=make_empty_tail(_UNKNOWN),
        sampled=people,
        severity=severity_of_share(share),
        sentence=Sentence.of(sentence, arguments),
    )


def _can_compare_values(column: Column, released: Column) -> bool:
    """Return whether released values can be compared with the source's.

    They can if both columns are numbers, or every released category is in the source.
    """
    return column.kind == released.kind == "numeric" or set(released.categories) <= set(column.categories)
