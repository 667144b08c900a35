"""The singling-out attack: which people match exactly one released record, by the columns an intruder may know.

The intruder knows the quasi-identifiers, or all released columns but the confidential ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints, to_smallest_int_type
from ppdm_desktop.engine.attacks.comparison import NEARLY_ALL, Severity
from ppdm_desktop.engine.attacks.singling_out import HIDDEN, find_only_holders, find_singled_out
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.release.attack_audit.base import (
    BLIND,
    LESS_CHANCE,
    Attack,
    AttackEvidence,
    LargeFigure,
    count_matching_people,
    find_row_owners,
    make_empty_tail,
    pair_released_columns,
    register,
    released_with_role,
    select_columns,
    share_of,
)
from ppdm_desktop.engine.release.attack_audit.truth_in_release import is_hidden
from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.report.model import AttackEntry, Report, Sentence
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Share, Value

SERIOUS, SOME = 0.50, 0.0
_ROLES = (("quasi-identifier",), ("quasi-identifier", "other"))
"""What is known of a person: one result for each, where they differ."""
_HOW = lazy("exactly one released record shows the person’s true values, and it is their own")
_MISTAKEN = lazy("exactly one released record shows the values, and it is another person’s")
_NO_TAIL = lazy("this attack guesses nothing: a single record shows a person, or none does")


@register
class SinglingOut(Attack):
    """Counts the people whose true values match exactly one released record, which was made from them alone."""

    id = "singling-out"
    title = "attack.name.singling-out"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.singling-out.none",
        "some": "attack.singling-out.some",
        "serious": "attack.singling-out.serious",
        "total": "attack.singling-out.total",
    }
    order = 10
    kind = "picking-out"
    term = "attack.singling-out.term"
    source = "attack.singling-out.source"
    knows = "attack.knows.columns"
    control = "attack.singling-out.control"
    judged_by = "singling-out"
    own_check = True
    unit = "share"
    always = True
    on_foreign = True

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if a released column could identify somebody, else the id of the text that says why not."""
        names = released_with_role(candidate, *_ROLES[-1])
        return None if pair_released_columns(candidate, names)[0] else "attack.why-not.no-columns"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return one result by the quasi-identifiers, and one by all released columns but the confidential ones.

        The second is left out where both are the same columns. Empty without released rows or without such columns.
        """
        candidate = evidence.candidate
        if not candidate.final.rows:
            return ()
        attack_entries: list[AttackEntry] = []
        seen: list[list[str]] = []
        for done, roles in enumerate(_ROLES):
            progress.report(done / len(_ROLES), "doing.audit")
            names = released_with_role(candidate, *roles)
            if names and names not in seen:
                seen.append(names)
                attack_entries += _attack_columns(candidate, names)
        return tuple(attack_entries)

    def large_figure(self, result: AttackEntry, report: Report) -> LargeFigure:
        """Return the share of people singled out, with the share unique in the original if the report has it."""
        scope = report.risk.before.scope
        scope_index = _find_scope_index(result, report)
        block = None if scope_index is None else (scope.quasi_identifiers, scope.released)[scope_index]
        note = None
        if block is not None and block.records:
            note = Note("attack.beside.before", {"figure": Share(block.unique, block.records)})
        return LargeFigure(share_of(result.success), beside=note)

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the sentence that says from which share of people on the attack counts as working.

        The parameters are not used.
        """
        return Note("attack.singling-out.rule")


def _find_scope_index(result: AttackEntry, report: Report) -> int | None:
    """Return which columns a result is about: 0 for the quasi-identifiers, 1 for all but the confidential ones.

    That is the position of the result among the report's results of its attack, so without quasi-identifiers it is 0 in
    any case. None from the third on, or if this very object is not in the report (an equal copy does not count).
    """
    mine = [attack for attack in report.verdict.attacks or () if attack.id == result.id]
    index = next((position for position, attack in enumerate(mine) if attack is result), None)
    return index if index is not None and index < len(_ROLES) else None


def _attack_columns(candidate: Candidate, names: list[str]) -> list[AttackEntry]:
    """Return the result for a set of known columns, as a list of one entry; empty where no column is released.

    A person counts as singled out if exactly one released record matches and it was made from this person alone. Where
    people have several rows, one of these is enough, even if it matches several records that are all this person's, or
    all of them together if they can be linked. Cells that hide their value match every value; records are only compared
    if they have one of the 256 most frequent combinations of hidden columns.
    """
    before, after = pair_released_columns(candidate, names)
    if not before:
        return []
    merged = [_common_codes(source, released) for source, released in zip(before, after, strict=True)]
    if candidate.persons.with_several:
        return [_build_entry(names, *_singled_out_people(candidate, merged))]
    rows = candidate.final.rows
    owner = find_row_owners(candidate)
    progress.check()
    own_row = np.full(rows, -1, dtype=np.int64)
    if owner is not None:
        single = np.bincount(owner)[owner] == 1
        own_row[single] = np.flatnonzero(single)
    progress.check()
    released_codes = [_mark_hidden_cells(*codes, own_row) for codes in merged]
    out = find_singled_out([codes for codes, _, _ in merged], released_codes, own_row)
    return [_build_entry(names, out.identified, out.fooled)]


def _common_codes(before: Column, after: Column) -> tuple[AnyInts, AnyInts, tuple[str, ...]]:
    """Return a column's true and released codes by one list of texts, in the smallest integer type, and the texts."""
    true, released, names = merged_categories(before, after)
    return to_smallest_int_type(true), to_smallest_int_type(released), names


def _mark_hidden_cells(true: AnyInts, codes: AnyInts, texts: tuple[str, ...], own_row: Ints) -> AnyInts:
    """Return the released codes of a column, with `HIDDEN` in cells that hide their value wholly.

    A cell with a text such as "*" hides its value. Empty cells do so as soon as one of them is of a person who has a
    value.

    Parameters
    ----------
    true, codes, texts
        True and released codes of the column by one list of texts; -1 where empty.
    own_row
        Index of the released row of each person, -1 without one.
    """
    hidden = np.array([*(is_hidden(text) for text in texts), False])
    there = np.flatnonzero(own_row >= 0)
    hidden[-1] = bool(((true[there] >= 0) & (codes[own_row[there]] < 0)).any())
    return np.where(hidden[codes], codes.dtype.type(HIDDEN), codes) if hidden.any() else codes


def _singled_out_people(
    candidate: Candidate, merged: Sequence[tuple[AnyInts, AnyInts, tuple[str, ...]]]
) -> tuple[Floats, Floats]:
    """Return which people are singled out by their rows, and which people are mistaken for somebody else.

    A person is singled out if one of their rows matches records of exactly one person; hidden cells match every value.
    If an intruder can link the rows of a person, all rows together are compared as well, by equal cells. ``merged`` has
    the true codes, released codes and texts of each known column.

    Returns
    -------
    Two arrays of shape (people,)
        1 for people who are singled out; 1 for the others for whom a row, or all rows, match one other person only.
    """
    people = candidate.persons
    true = [codes for codes, _, _ in merged]
    own_row = np.arange(people.rows, dtype=np.int64)
    holder = find_only_holders(true, [_mark_hidden_cells(*codes, own_row) for codes in merged], people.of_row)
    mine = people.with_any(holder == people.of_row)
    mistaken = people.with_any((holder >= 0) & (holder != people.of_row))
    if candidate.links_rows:
        fit, theirs = count_matching_people(candidate, true, [released for _, released, _ in merged])
        mine, mistaken = mine | ((fit == 1) & theirs), mistaken | ((fit == 1) & ~theirs)
    return mine.astype(np.float64), (mistaken & ~mine).astype(np.float64)


def _build_entry(names: list[str], identified: Floats, fooled: Floats) -> AttackEntry:
    """Return the audit's entry for a set of known columns, from each person's results.

    Its success is the share of people singled out, its control the share mistaken for another person. ``identified`` is
    1 for the former, ``fooled`` 1 for the latter; shape (people,), at least one person.
    """
    share, wrong, rows = float(identified.mean()), float(fooled.mean()), len(identified)
    success = Figure(share, n=rows, unit="share", method=_HOW)
    control = Figure(wrong, n=rows, unit="share", method=_MISTAKEN)
    severity = severity_of_share(share)
    return AttackEntry(
        id=SinglingOut.id,
        knows=Sentence.of(SinglingOut.knows, {"columns": Names.of(names)}),
        success=success,
        control=control,
        chance=Figure(1.0 / rows, n=rows, unit="share", method=BLIND),
        advantage=Figure(share - 1.0 / rows, n=rows, unit="share", method=LESS_CHANCE),
        tail=make_empty_tail(_NO_TAIL),
        sampled=rows,
        severity=severity,
        sentence=Sentence.of(
            SinglingOut.sentences[severity],
            {
                "columns": Names.of(names),
                "found": Share(int(identified.sum()), rows),
                "wrong": Share(int(fooled.sum()), rows),
            },
        ),
    )


def severity_of_share(share: float) -> Severity:
    """Return the severity of singling out this share of people.

    ``total`` from 95 %, ``serious`` above 50 %, ``some`` above 0, else ``none``.
    """
    if share >= NEARLY_ALL:
        return "total"
    if share > SERIOUS:
        return "serious"
    return "some" if share > SOME else "none"


# --- where it is not known which source row a released row is --------------------------------

_SHOWN_ONCE = lazy("exactly one released record shows the person’s true values; whose it is, is not known")
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
    for roles in _ROLES:
        progress.report(0.0, "doing.audit")
        wanted = released_with_role(candidate, *roles)
        columns = select_columns(both, wanted)
        pairs = list(zip(columns.before, columns.after, strict=True))
        if pairs and wanted not in seen and candidate.final.rows:
            seen.append(wanted)
            attack_entries.append(_build_bound_entry(wanted, pairs))
    return tuple(attack_entries)


def _build_bound_entry(names: list[str], pairs: list[tuple[Column, Column]]) -> AttackEntry:
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
        how, sentence = _SHOWN_ONCE, "attack.singling-out.at-most"
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
