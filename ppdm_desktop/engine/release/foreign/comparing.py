"""Comparison of a source with a file that any program made of it: usefulness, risk and attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, Recipe
from ppdm_desktop.engine.release.attack_audit.base import AttackEvidence, all_attacks, declared_attacks, label_entries
from ppdm_desktop.engine.release.attack_audit.singling_out import bound_singled_out
from ppdm_desktop.engine.release.candidate.model import match_source_columns
from ppdm_desktop.engine.release.evaluate.evaluate import verdict_of_original
from ppdm_desktop.engine.release.foreign.candidate import (
    ForeignCandidate,
    evidence_of,
    foreign_candidate,
    makes_rows,
    try_inverses,
)
from ppdm_desktop.engine.release.foreign.opening import Opened, open_both
from ppdm_desktop.engine.release.foreign.rows import (
    ALIGNED,
    BY,
    NONE,
    Rows,
    aligned_rows,
    match_rows_by_key,
    order_note,
)
from ppdm_desktop.engine.release.measures.analyses import analyse
from ppdm_desktop.engine.release.measures.utility import Measures
from ppdm_desktop.engine.release.reporting.build import describe_input, fill_in_analyses, utility_of
from ppdm_desktop.engine.release.reporting.risk import compute_risk, risk_scopes
from ppdm_desktop.engine.release.verdict.make import verdict_of
from ppdm_desktop.engine.release.verdict.usefulness import add_learner_success, usefulness_of
from ppdm_desktop.engine.report.model import AttackEntry, Input, Risk, Utility, Verdict
from ppdm_desktop.engine.table.reading.memory_source import Source, path_of
from ppdm_desktop.engine.utility.distributions import all_column_utility
from ppdm_desktop.engine.utility.pairs import pair_utility
from ppdm_desktop.engine.wording.texts import Note, render
from ppdm_desktop.engine.wording.values import Name, Quoted, Term


@dataclass(frozen=True)
class Comparison:
    """The comparison of a source with another program's release of it, in the sections of the report.

    Attributes
    ----------
    input, risk, utility
        The sections as in report.json.
    verdict, original
        What the file discloses, and what the source would; the decision is always ``not-judged``.
    released_rows
        Rows of the released file.
    matched
        Number of these rows whose source row is known; None where rows were not matched.
    notes
        Notes on assumptions, and on what could not be done.
    changed_cells
        Number of cells that differ from the source, by column; None where rows were not matched.
    """

    input: Input
    verdict: Verdict
    original: Verdict
    risk: Risk
    utility: Utility
    released_rows: int
    matched: int | None
    notes: tuple[Note, ...]
    changed_cells: dict[str, int] | None = None

    def document(self) -> dict[str, Any]:
        """Return the comparison as plain data under five keys of report.json.

        They are ``input``, ``verdict``, ``original``, ``risk`` and ``utility``.
        """
        parts = ("input", "verdict", "original", "risk", "utility")
        return {part: getattr(self, part).model_dump(mode="json") for part in parts}


def compare(original: Source, released: Source, recipe: Recipe, rows: str) -> Comparison:
    """Return the comparison of a source with a file made of it: usefulness, risk and attacks.

    Usefulness and risk are about all rows of the file, analyses and attacks about the matched rows. Where rows are not
    matched, the only attack is an upper bound on the people singled out. Nothing is written.

    Parameters
    ----------
    original, released
        The source, and a file that any tool made of it.
    recipe
        Describes the source's columns; its steps name the method, if it is known, and are not run.
    rows
        How rows are matched: ``aligned`` (by position), ``by=COLUMN`` (by a key column) or ``none``.

    Raises
    ------
    InputError, RecipeError
        When a file cannot be read, does not fit the recipe, or rows cannot be matched as ``rows`` says.
    """
    opened = progress.part(0.0, 0.2).run(_open_files, original, released, recipe, rows)
    both, candidate, whole = opened.both, opened.candidate, opened.whole
    measures = progress.part(0.2, 0.3).run(_measure_usefulness, whole)
    analyses = progress.part(0.3, 0.6).run(analyse, candidate)
    attacks, left_out = progress.part(0.6, 0.85).run(_run_attacks, candidate)
    evidence = replace(evidence_of(candidate), attacks=attacks)
    useful = add_learner_success(
        progress.make_silent_progress().run(
            usefulness_of, replace(candidate, released=whole.released), placed=candidate.matched
        ),
        analyses,
    )
    return Comparison(
        input=describe_input(both.prepared),
        verdict=verdict_of(evidence, (), None, useful, placed=candidate.matched),
        original=progress.part(0.85, 1.0).run(verdict_of_original, candidate, attacked=False),
        risk=_measure_risk(candidate, whole),
        utility=fill_in_analyses(utility_of(candidate, measures), analyses),
        released_rows=both.reading.table.rows,
        matched=candidate.final.rows if candidate.matched else None,
        notes=(*both.prepared.account.warnings, *both.notes, *opened.notes, *left_out),
        changed_cells=_count_changed_cells(candidate),
    )


def _count_changed_cells(candidate: ForeignCandidate) -> dict[str, int] | None:
    """Return for each released column the number of cells that differ from the source; None where rows are not matched.

    Numbers are compared as numbers, other cells as texts; two missing cells are equal. Rows that were removed or added
    are not counted.
    """
    sides = match_source_columns(candidate).match_rows() if candidate.matched else None
    if sides is None:
        return None
    changed_cells = {}
    for before, after in zip(*sides, strict=True):
        texts = {text: code for code, text in enumerate(before.categories)}
        if before.kind == after.kind == "numeric":
            same = (before.numbers == after.numbers) | (before.missing & after.missing)
        else:
            code_map = np.array([texts.get(text, -2) for text in after.categories] or [-2], dtype=np.int64)
            same = before.category_codes == np.where(after.missing, -1, code_map[after.category_codes])
        changed_cells[before.name] = int(np.count_nonzero(~same))
    return changed_cells


@dataclass(frozen=True, eq=False)
class _Opened:
    """Both files with matched rows.

    Attributes
    ----------
    both
        The source and the released file, read.
    candidate
        The released rows that match a source row.
    whole
        All rows of the released file; the same object as ``candidate`` where every row matches.
    notes
        Notes on matching rows.
    """

    both: Opened
    candidate: ForeignCandidate
    whole: ForeignCandidate
    notes: list[Note]


def _open_files(original: Source, released: Source, recipe: Recipe, rows: str) -> _Opened:
    """Return both files, read and with rows matched as ``rows`` says.

    The result has a candidate with the matched rows, one with all rows of the file, and notes on matching, such as that
    the rows look like the source's in another order. Without matched rows both candidates are one, with all rows.

    Raises
    ------
    InputError, RecipeError
        When a file cannot be read or does not fit the recipe, or rows cannot be matched; RecipeError also when ``rows``
        is not ``aligned``, ``none`` or ``by=COLUMN``.
    """
    key = rows.removeprefix(BY) if rows.startswith(BY) else None
    if key == "" or (key is None and rows not in (ALIGNED, NONE)):
        raise RecipeError("error.compare.rows", args={"found": Quoted(rows)})
    both = open_both(original, released, recipe, key)
    pairs, notes = _match_rows(both, rows, key, (str(path_of(original)), str(path_of(released))))
    candidate = foreign_candidate(both.prepared, both.judged, both.written, pairs, both.coded)
    whole = candidate
    if pairs is not None and len(pairs.released) < both.reading.table.rows:
        whole = foreign_candidate(both.prepared, both.judged, both.written, None, both.coded)
    full_comparison = match_source_columns(candidate).match_rows()
    if full_comparison is not None and (note := order_note(list(zip(*full_comparison, strict=True)))) is not None:
        notes.append(note)
    return _Opened(both, candidate, whole, notes)


def _match_rows(both: Opened, rows: str, key: str | None, files: tuple[str, str]) -> tuple[Rows | None, list[Note]]:
    """Return pairs of corresponding rows, and notes on what was found.

    Notes state rows without a pair, a key column that is not released, and a method that makes new rows. None instead
    of pairs where ``rows`` is ``none`` or the recipe's method makes new rows. ``key`` is the column of ``by=COLUMN`` or
    None; ``files`` are the names of both files. Raises InputError if rows cannot be matched as ``rows`` says.
    """
    source, released = both.prepared.original, both.reading.table
    if rows != NONE and makes_rows(both.prepared):
        return None, [Note("note.compare.made-anew")]
    if rows == NONE:
        return None, []
    if key is None:
        return aligned_rows(source, both.reading, files[1]), []
    pairs = match_rows_by_key(source, released, key, files)
    notes = []
    if source.column(key).role not in RELEASED_ROLES:
        notes.append(Note("note.compare.key-only", {"column": Name(key)}))
    removed, extra = source.rows - len(pairs.source), released.rows - len(pairs.released)
    if removed:
        notes.append(Note("note.compare.removed", {"rows": removed}))
    if extra:
        notes.append(Note("note.compare.extra", {"rows": extra}))
    return pairs, notes


def _measure_usefulness(whole: ForeignCandidate) -> Measures:
    """Return the usefulness of each column and pair of columns, measured on all rows of the file; without analyses."""
    sides = match_source_columns(whole)
    columns = progress.make_silent_progress().run(all_column_utility, sides.before, sides.after)
    return Measures(columns, pair_utility(sides.before, sides.after), ())


def _measure_risk(candidate: ForeignCandidate, whole: ForeignCandidate) -> Risk:
    """Return the risk of the source, and that of all rows of the file by their class sizes.

    Whether the latter applies at all is told from the matched rows. ``whole`` is the file with all its rows, the same
    object as ``candidate`` where no row was left out.
    """
    risk = progress.make_silent_progress().run(compute_risk, evidence_of(candidate))
    after = risk.after
    if whole is not candidate:
        prepared = candidate.prepared
        scopes = progress.make_silent_progress().run(
            risk_scopes, evidence_of(whole).judged, prepared.recipe.risk.missing, prepared.type.k_min
        )
        after = after.model_copy(update={"scope": scopes})
    return risk.model_copy(update={"after": after})


def _run_attacks(candidate: ForeignCandidate) -> tuple[tuple[AttackEntry, ...], list[Note]]:
    """Return the results of all attacks that can be made on the file, and notes on those left out.

    Where rows are not matched, only an upper bound on the people singled out is returned. Otherwise they are the
    attacks that the recipe's steps declare, and inverses tried on columns that no step treats.
    """
    declared = declared_attacks(candidate)
    if not candidate.matched:
        return label_entries(bound_singled_out(candidate)), [Note("note.compare.rows-unknown")]
    called = [attack for id, attack in all_attacks().items() if id in declared]
    notes = [
        Note(attack.not_on_foreign, {"attack": Term(render(attack.title).title)})
        for attack in called
        if not attack.on_foreign
    ]
    wanted = [attack for attack in called if attack.on_foreign]
    attack_entries: list[AttackEntry] = []
    for done, attack in enumerate(wanted):
        progress.report(0.7 * done / len(wanted), "doing.audit")
        with progress.part(0.7 * done / len(wanted), 0.7 * (done + 1) / len(wanted)):
            attack_entries += attack.run(AttackEvidence(candidate))
    attack_entries += progress.part(0.7, 1.0).run(try_inverses, candidate)
    return label_entries(attack_entries), notes
