"""The columns that rows of the Safe Harbor ask for, and what the written file still shows of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ppdm_desktop.engine.dossier.forms import FormField, all_forms
from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.report.model import SafeHarborEntry, Verdict
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import is_in_list

_YEARS = re.compile(r"\D{0,2}[0-9]{4}(\D{1,4}[0-9]{4})?\D{0,2}")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_OLDEST = 89
_WIDEST = "*xX "
"""Signs that stand for digits which a place no longer shows."""


def _is_too_old(text: str) -> bool:
    """Return whether a text is an age over 89; of a range the lower end counts, and "90+" is one group of all."""
    numbers = [float(number) for number in _NUMBER.findall(text)]
    is_alone = _NUMBER.fullmatch(text.strip()) is not None
    return bool(numbers) and min(numbers) > _OLDEST + (0 if is_alone else 1)


def _is_fine_date(text: str) -> bool:
    """Return whether a text is a date finer than a year or a range of years."""
    return _YEARS.fullmatch(text.strip()) is None


_SHOWN: Mapping[str, Callable[[str], bool]] = {"age": _is_too_old, "date": _is_fine_date}
"""Whether a released text still shows what a row asks for, by the list of column names; of other lists each does."""
_MEASURED_IN_CHARACTERS = "place"


def safe_harbor_entries(evidence: Evidence, verdict: Verdict) -> list[SafeHarborEntry]:
    """Return the columns that each row of each form asks for, once where several forms ask for the same."""
    patterns = _pattern_columns(verdict)
    forms = ([field for field in form.rows if field.words] for form in all_forms().values())
    entries = [entry for rows in forms if rows for entry in _entries_of_form(rows, evidence, verdict, patterns)]
    return list({(entry.row, entry.column): entry for entry in entries}.values())


def _entries_of_form(
    fields: Sequence[FormField], evidence: Evidence, verdict: Verdict, patterns: Mapping[str, set[str]]
) -> list[SafeHarborEntry]:
    """Return the columns that the rows of a form ask for, by a list of names or by patterns that checks found in them.

    Its last row also asks for identifiers that no other row asks for, for codes, and for columns near to a name.
    """
    *rows, last = fields
    near = {entry.column for entry in verdict.near if entry.alone}
    entries: list[SafeHarborEntry] = []
    for column in evidence.candidate.prepared.original.columns:
        kinds = patterns.get(column.name, set())
        named = {
            field.id: next((name for name in field.words if is_in_list(column.name, name)), "") for field in fields
        }
        asking = [field for field in rows if named[field.id] or kinds.intersection(field.patterns)]
        entries += [_entry(field.id, column, named[field.id], evidence) for field in asking]
        is_key = not asking and (column.role == "identifier" or bool(named[last.id]))
        is_code = column.name in evidence.shown_as_codes
        if is_key or is_code or column.name in near or kinds.intersection(last.patterns):
            entries.append(_entry(last.id, column, "", evidence, is_row_of_codes=True))
    return sorted(entries, key=lambda entry: entry.row == last.id)


def _pattern_columns(verdict: Verdict) -> dict[str, set[str]]:
    """Return the kinds of text patterns that checks found in each released column."""
    kinds: dict[str, set[str]] = {}
    for check in verdict.checks:
        findings = check.sentence.arguments.get("found")
        for finding in findings if isinstance(findings, list) else ():
            if isinstance(finding, dict) and "kind" in finding:
                kinds.setdefault(str(finding["column"]), set()).add(str(finding["kind"]))
    return kinds


def _entry(
    row: str, column: Column, named: str, evidence: Evidence, *, is_row_of_codes: bool = False
) -> SafeHarborEntry:
    """Return what the written file shows of one column that a row asks for."""
    candidate = evidence.candidate
    if column.name not in candidate.released_names or not evidence.fits:
        return SafeHarborEntry(row=row, column=column.name, cells=None)
    released = evidence.exported.column(column.name)
    if released.role == PSEUDONYM and not is_row_of_codes:
        return SafeHarborEntry(row=row, column=column.name, cells=0)
    shows = _SHOWN.get(named, bool)
    texts = [text not in released.missing_texts and shows(text) for text in released.texts]
    cells = int(np.count_nonzero(np.array([*texts, False], dtype=np.bool_)[released.codes]))
    lengths = [len(text.rstrip(_WIDEST)) for text, counts in zip(released.texts, texts, strict=True) if counts]
    characters = max(lengths, default=0) if named == _MEASURED_IN_CHARACTERS else None
    return SafeHarborEntry(row=row, column=column.name, cells=cells, characters=characters)
