"""Check of rare values, by which people could be identified."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes, count_class_people
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.disclosure.dependencies import compute_from_others, find_source_column
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHO_IS_FOUND, CheckResult, VerdictText
from ppdm_desktop.engine.report.public import columns as public
from ppdm_desktop.engine.report.public.columns import SEPARATOR
from ppdm_desktop.engine.table.column import Column, to_exact_decimal
from ppdm_desktop.engine.table.people import People, count_holders
from ppdm_desktop.engine.table.public_grid import DateGrid, are_whole_weeks, public_grid
from ppdm_desktop.engine.table.rules import find_rules
from ppdm_desktop.engine.table.rules.base import Survey
from ppdm_desktop.engine.table.rules.pairs import SumRule
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note, Sentences
from ppdm_desktop.engine.wording.values import Names

FEW_MOVED = 5
_CAUSES = {
    "values": "reason.rare-values.values",
    "patterns": "reason.rare-values.patterns",
    "moved": "reason.rare-values.moved",
    "ends": "reason.rare-values.ends",
    "printed": "reason.rare-values.printed",
}
_STATED_CUTS = ("cuts", "equal-width")
_RANGE_PARTS = re.compile(r"[\[\](){}|<>≤≥]|[,;] |\bto\b| or |(?<=[0-9])\s*[–—]\s*|\s-\s")
_BETWEEN = re.compile(r"[\[\](){},;|<>≤≥]|\bto\b|\.\.\.?|[–—]|\s-\s")


@register
class RareValues(Check):
    """No value of an unprotected column, and no pattern of missing cells, is shared by too few people."""

    id = "rare-values"
    title = "Rare values"
    order = 200
    cause = WHO_IS_FOUND
    answered_by = (KnobKind.GAPS, KnobKind.ENDS, KnobKind.FEWER_VALUES, KnobKind.LEAVE_OUT)
    source = lazy("A. Hundepool et al., Statistical Disclosure Control, Wiley, 2012")
    fix_on = "columns"
    on_protection = True
    figure_unit = "people"
    red_for = "public"
    figure_title = "figure.rare-values"
    by_chance = True
    green = VerdictText.green("gate.rare-values.green")
    amber = VerdictText.amber("gate.rare-values.amber")
    red_printed = VerdictText.red("gate.rare-values.red-printed")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for people with a rare value or missing pattern, or at the stated end of a range.

        - Rare is a category, or the lowest or highest number, that fewer than k_min people have. Columns that a step
          changed do not count, unless it only rounded or limited them; then those count as well whose true value is
          rare and is computed from other columns. A total does not count where it is the sum of its released parts.
        - A pattern of missing cells counts if only one person has it. A confidential value counts if fewer than five
          people show it and none of them truly, because randomisation put it there.
        - The ends of a range, in the data dictionary or in the file, may be somebody's own value. Ends in the file are
          red if the release type has a red limit; then only these are stated.
        - All else is amber; green if there is none. The figure is the number of people, each counted once.
        """
        k_min, people = evidence.candidate.prepared.type.k_min, evidence.disclosed.people
        flags = np.zeros(evidence.judged.rows, dtype=np.bool_)
        rare: dict[str, Bools] = {}
        for column in evidence.judged.columns:
            progress.check()
            if not _is_changed(evidence, column.name) and (rows := _find_rare_holders(column, k_min, people)).any():
                rare[column.name] = rows & ~_find_sums_as_shown(evidence, column.name)
        for names, rows in _find_computed_rare_values(evidence, k_min):
            rare |= {name: rare.get(name, flags) | rows for name in names}
        ends = {
            name: rows
            for name in evidence.judged.names
            if (rows := _find_stated_end_holders(evidence, name, k_min)).any()
        }
        printed = {
            name: rows
            for name in evidence.judged.names
            if (rows := _find_rows_with_own_value_as_end(evidence, name)).any()
        }
        patterns, moved = _find_unique_gap_patterns(evidence), _find_moved_rare_values(evidence)
        in_ranges = np.logical_or.reduce([flags, *printed.values()])
        holders = np.logical_or.reduce([flags, *rare.values()])
        stated = np.logical_or.reduce([flags, *ends.values()])
        count = evidence.people_among
        total = count(holders | stated | patterns | moved | in_ranges)
        figure = Figure(total, n=evidence.released_people, unit=self.figure_unit)
        arguments: dict[str, Any] = {
            "people": count(holders),
            "columns": Names.of([name for name, rows in rare.items() if rows.any()]),
            "patterns": count(patterns),
            "moved": count(moved),
            "ends": count(stated),
            "stated": Names.of(tuple(ends)),
            "printed": count(in_ranges),
            "ranges": Names.of(tuple(printed)),
            "k_min": k_min,
        }
        if not total:
            return self.verdict(self.green, figure, 0, **arguments)
        if printed and self.limits_of(evidence).red is not None:
            in_ends = Figure(arguments["printed"], n=evidence.released_people, unit=self.figure_unit)
            return self.verdict(self.red_printed, in_ends, 0, **arguments)
        causes = {"values": holders, "patterns": patterns, "moved": moved, "ends": stated, "printed": in_ranges}
        causes_text = tuple(Note(_CAUSES[cause], arguments) for cause, rows in causes.items() if rows.any())
        return self.verdict(self.amber, figure, 0, total=total, causes=Sentences(causes_text), **arguments)


def _find_sums_as_shown(evidence: Evidence, total: str) -> Bools:
    """Return in which rows a total equals the sum of its parts as both are released, bool, shape (rows,).

    Some parts may be subtracted. All are False if rows are synthetic, if the column is no total in the source, or if
    one of its parts is not released.
    """
    is_sum = np.zeros(evidence.judged.rows, dtype=np.bool_)
    names = {*evidence.judged.names} if evidence.rows_correspond else set()
    for rule in find_rules(evidence.candidate.prepared.original):
        if isinstance(rule, SumRule) and rule.columns[-1] == total and names.issuperset(rule.columns):
            parts = [sign * evidence.judged.column(name).numbers for name, sign in rule.parts.items()]
            is_sum |= np.isclose(np.sum(parts, axis=0), evidence.judged.column(total).numbers, rtol=1e-12, atol=1e-9)
    return is_sum


def _find_computed_rare_values(evidence: Evidence, k_min: int) -> Iterator[tuple[list[str], Bools]]:
    """Yield for each rounded or limited column the rows whose rare true value is hidden but follows from other columns.

    The names are those of the column and of the others. Rare is a value that fewer than k_min people have. Rows are
    bool, shape (rows,). A column without such rows yields nothing, and neither do synthetic rows.
    """
    released = evidence.disclosed
    coarsened = [name for name in evidence.judged.names if evidence.rows_correspond and released.is_coarsened(name)]
    if not coarsened:
        return
    survey = Survey.of(evidence.judged)
    for name in coarsened:
        progress.check()
        truth = find_source_column(released, name)
        counts = count_holders(truth.category_codes, len(truth.categories), released.people)
        is_rare = np.append(counts < k_min, False)[truth.category_codes] & ~evidence.is_true_value(name)
        if is_rare.any():
            givers, rows = compute_from_others(survey, truth, released.people.first_rows, evidence.is_true_value)
            if (rows & is_rare).any():
                yield [name, *givers], rows & is_rare


def _is_changed(evidence: Evidence, name: str) -> bool:
    """Return whether a step changed a column other than by rounding; for synthetic rows, whether a step protects it.

    Rounding does not count, because it still shows who has the largest value by far.
    """
    if evidence.rows_correspond:
        return bool(evidence.disclosed.changing_steps(name)) and not evidence.disclosed.is_coarsened(name)
    return name in evidence.protected_columns


def _find_rare_holders(column: Column, k_min: int, people: People) -> Bools:
    """Return which rows show a rare category, or a rare lowest or highest number, bool, shape (rows,).

    Rare is a value that fewer than k_min people have; missing values are not rare.
    """
    codes = column.category_codes
    counts = count_holders(codes, len(column.categories), people)
    few = counts < k_min
    if column.kind == "numeric" and len(counts):
        # Categories of a number rise: the first is the lowest value, the last the highest.
        few[1:-1] = False
    return np.asarray((codes >= 0) & np.append(few, False)[codes])


def _find_stated_end_holders(evidence: Evidence, name: str, k_min: int) -> Bools:
    """Return which rows have in the original a rare value that the dictionary gives as the end of a range; (rows,).

    Rare is a value of fewer than k_min people; of numbers only the lowest and highest of all count. A category that the
    dictionary prints whole does not count. All are False if rows are synthetic, and for ranges of whole weeks.
    """
    flags = np.zeros(evidence.judged.rows, dtype=np.bool_)
    source = evidence.candidate.prepared.original
    if name not in source or not evidence.rows_correspond:
        return flags
    stated = _read_stated_values(evidence).get(name, "")
    if not stated:
        return flags
    column = source.column(name).take(evidence.source_rows)
    few = _find_rare_holders(column, k_min, evidence.disclosed.people)
    if not few.any() or _are_week_ranges(public_grid(column), evidence.judged.column(name).texts):
        return flags
    stated_texts = {part.strip() for phrase in stated.split(SEPARATOR) for part in _BETWEEN.split(phrase)}
    if column.kind == "numeric":
        numbers = {float(word) for word in stated_texts if _is_number(word)}
        return np.asarray(few & np.isin(column.numbers, sorted(numbers)))
    # A category that is stated as a whole is held by enough: only the ends of ranges are looked for.
    stated_texts -= {phrase.strip() for phrase in stated.split(SEPARATOR)}
    is_stated = np.array([text in stated_texts for text in column.categories], dtype=np.bool_)
    return np.asarray(few & np.append(is_stated, False)[column.category_codes])


def _find_rows_with_own_value_as_end(evidence: Evidence, name: str) -> Bools:
    """Return which rows show a range that ends at their own value, if only one person has it; bool, shape (rows,).

    Ends at round numbers or dates reveal nothing, nor do ends stated in the recipe or ranges of equal width or of whole
    weeks. All are False if rows are synthetic, if the source's column has neither numbers nor dates, or if the released
    one still has them.
    """
    flags = np.zeros(evidence.judged.rows, dtype=np.bool_)
    source, released = evidence.candidate.prepared.original, evidence.judged.column(name)
    if name not in source or released.kind in ("numeric", "date") or not evidence.rows_correspond:
        return flags
    column, bins = source.column(name), evidence.candidate.prepared.column_section(name).bins
    grid: Any = public_grid(column)
    if grid is None or (bins is not None and bins.method in _STATED_CUTS):
        return flags
    ends = [[grid.read(part) for part in _RANGE_PARTS.split(text)] for text in released.texts]
    private = _private_ends(ends, grid, evidence)
    if not private or _are_week_ranges(grid, released.texts):
        return flags
    values = column.take(evidence.source_rows)
    unique = count_holders(values.category_codes, len(values.categories), evidence.disclosed.people) == 1
    code_of_unique_value = {grid.read(text): code for code, text in enumerate(values.categories) if unique[code]}
    for text, parts in enumerate(ends):
        for end in private.intersection(parts) & code_of_unique_value.keys():
            flags |= (released.codes == text) & (values.category_codes == code_of_unique_value[end])
    return flags


def _private_ends(ends: list[list[Any]], grid: Any, evidence: Evidence) -> set[Any]:
    """Return the ends of ranges that are neither round nor stated in the recipe, as numbers or dates.

    Empty if the ranges have equal widths, which takes at least five ends (`share_a_width` of the grid). Only numbers
    count as stated in the recipe.

    Parameters
    ----------
    ends
        The ends read from each released text, None for a part that is no number or date; a text with a single part is
        no range.
    grid
        The round numbers or dates of the column.
    evidence
        The evidence on the release.
    """
    different = {end for parts in ends if len(parts) > 1 for end in parts if end is not None}
    if not different:
        return different
    stated = _list_numbers([step.settings.values for step in evidence.candidate.steps])
    private = {end for end in different if not grid.holds(end) and end not in stated}
    return set() if not private or grid.share_a_width(different) else private


def _are_week_ranges(grid: object, texts: Iterable[str]) -> bool:
    """Return whether all texts are ranges of days from a Monday to a Sunday; False unless ``grid`` is one of dates."""
    return isinstance(grid, DateGrid) and are_whole_weeks(
        [day for day in map(grid.read, _RANGE_PARTS.split(text)) if day is not None] for text in texts
    )


def _list_numbers(settings: object) -> set[Decimal]:
    """Return every number in a step's settings, also in nested lists and mappings; truth values and texts are none."""
    if isinstance(settings, bool) or settings is None:
        return set()
    if isinstance(settings, int | float):
        return {to_exact_decimal(settings)}
    if isinstance(settings, Mapping):
        settings = list(settings.values())
    return set().union(*map(_list_numbers, settings)) if isinstance(settings, list | tuple) else set()


def _read_stated_values(evidence: Evidence) -> dict[str, str]:
    """Return by column name the text on the column's values in the data dictionary, which is a CSV file."""
    rows = public.read_dictionary(evidence.texts.dictionary, evidence.candidate.released.delimiter)
    name, values = map(list(public.DICTIONARY).index, ("name", "values"))
    return {row[name]: row[values] for row in rows[1:] if len(row) > values}


def _is_number(word: str) -> bool:
    """Return whether a text is a finite number with a decimal point, as Python reads it: "1.5" and "1e3", not "1,5"."""
    try:
        return bool(np.isfinite(float(word)))
    except ValueError:
        return False


def _find_unique_gap_patterns(evidence: Evidence) -> Bools:
    """Return which rows belong to the only person with their pattern of missing cells, bool, shape (rows,).

    A person without a missing cell is never unique. A synthetic row counts only if one single person of the table it
    was made from has its pattern. Columns in which steps emptied more cells than were empty before are left out.
    """
    columns = [column for column in evidence.exported.columns if not _is_mostly_emptied(evidence, column)]
    missing = [column.missing for column in columns]
    if not missing or not evidence.exported.rows:
        return np.zeros(evidence.exported.rows, dtype=np.bool_)
    classes = classes_of_codes([flags.astype(np.int32) for flags in missing], evidence.exported.rows)
    unique = np.asarray((evidence.anonymity_set_sizes(classes) == 1) & np.logical_or.reduce(missing))
    return (
        unique if evidence.rows_correspond or not unique.any() else unique & _find_repeated_patterns(evidence, columns)
    )


def _find_repeated_patterns(evidence: Evidence, columns: Sequence[Column]) -> Bools:
    """Return which synthetic rows have the pattern of missing cells of one single person behind them; shape (rows,).

    These are the people of the table from which the rows were made; for a table made by another program, of the source.
    """
    candidate = evidence.candidate
    making = [step.before for step in candidate.steps if step.method.correspondence != "record"]
    source = making[0] if making else candidate.prepared.original
    pairs = [(source.column(column.name).missing, column.missing) for column in columns if column.name in source]
    flags = [np.append(before, after).astype(np.int32) for before, after in pairs]
    patterns = classes_of_codes(flags, source.rows + evidence.exported.rows)
    of_source, of_release = np.split(patterns.ids, [source.rows])
    holders = np.unique(np.column_stack([of_source, source.persons.of_row]), axis=0)[:, 0]
    return np.asarray(np.bincount(holders, minlength=patterns.count) == 1)[of_release]


def _is_mostly_emptied(evidence: Evidence, column: Column) -> bool:
    """Return whether steps emptied more cells of a column's released rows than were empty in the source.

    If 10 were empty in the source, 21 empty cells give True and 20 give False. False if rows are synthetic, or if the
    source has no such column.
    """
    source = evidence.candidate.prepared.original
    if column.name not in source or not evidence.rows_correspond:
        return False
    left_empty = int(np.count_nonzero(source.column(column.name).take(evidence.source_rows).missing))
    return int(np.count_nonzero(column.missing)) > 2 * left_empty


def _find_moved_rare_values(evidence: Evidence) -> Bools:
    """Return which rows show a rare value that nobody shows truly, because randomisation put it there; shape (rows,).

    Rare is a confidential value that fewer than five people show among those treated with the same probabilities; among
    these nobody shows it truly. All are False if rows are synthetic.
    """
    was_moved = np.zeros(evidence.judged.rows, dtype=np.bool_)
    for name in evidence.confidential:
        if not evidence.rows_correspond:
            continue
        category_codes = evidence.judged.column(name).category_codes
        true = evidence.is_true_value(name)
        for _, protection in evidence.protections:
            if (
                protection.column != name
                or protection.manner != "randomised"
                or len(protection.treatment) != len(category_codes)
            ):
                continue
            treated = (protection.treatment >= 0) & (category_codes >= 0)
            width = int(category_codes.max(initial=-1)) + 1
            cells = protection.treatment[treated] * width + category_codes[treated]
            _, inverse = np.unique(cells, return_inverse=True)
            of_cells = evidence.disclosed.people.take(np.flatnonzero(treated))
            counts = count_class_people(Classes(inverse, int(inverse.max(initial=-1)) + 1), of_cells)
            trues = np.bincount(inverse, weights=true[treated].astype(float), minlength=len(counts))
            was_moved[treated] |= ((counts < FEW_MOVED) & (trues == 0))[inverse]
    return was_moved
