"""Check that no cell or header contains an address or a personal number, and that no header is a name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.own_identifiers import OWN_IDENTIFIER, SourceIdentifiers
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.patterns import LEAST_DIGITS, PATTERNS, find_in
from ppdm_desktop.engine.table.people_as_columns import LEAST_HEADERS, headers_like_names
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import AttachedData, Names, Terms

COLUMN_OF_PATTERNS = 0.95
ROWS_NAMED = 100
MOST_OF_NUMBERS = 0.5
"""One in ten numbers passes a check digit by chance, so a numeric column only counts if at least half of them do."""


@register
class IdentifierPatterns(Check):
    """No cell contains an address, a personal number, a card number, or a value of the file's identifier columns."""

    id = "identifier-patterns"
    title = "Names and numbers in cells"
    order = 60
    cause = READING_AND_ROLES
    answered_by = (KnobKind.LEAVE_OUT,)
    source = lazy("GDPR, article 4(1) (identification numbers and online identifiers)")
    fix_on = "columns"
    figure_unit = "cells or columns"
    red_for = "public"
    weight = LOOKS_AT_EVERY_VALUE
    usual = Colours.of(
        "gate.identifier-patterns.green", "gate.identifier-patterns.amber", "gate.identifier-patterns.red"
    )
    amber_headers = VerdictText.amber("gate.identifier-patterns.amber-headers")
    red_headers = VerdictText.red("gate.identifier-patterns.red-headers")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for headers and cells that contain something that identifies a person.

        The first of these that applies:

        - Red for headers with an address or a personal number in them, or that are full names of people (only if at
          least five are), in a public release or if there are five such headers or more.
        - Red for cells with an address, a personal number or an identifier of the source, if one of these holds: the
          release is public; such an identifier stands in its own person's row; at least 95 % of a column's filled cells
          are identifying. Else amber.
        - Amber for fewer than five such headers.
        - Green.

        Within an organisation headers are not judged.
        """
        is_public = self.limits_of(evidence).red is not None
        headers = [] if evidence.candidate.prepared.type.is_internal else _find_identifying_headers(evidence)
        if headers and (is_public or len(headers) >= LEAST_HEADERS):
            return self._judge_headers(self.red_headers, headers, evidence)
        column_findings = _find_identifying_columns(evidence)
        if column_findings:
            return self._judge_cells(column_findings, evidence, is_public=is_public)
        if headers:
            return self._judge_headers(self.amber_headers, headers, evidence)
        return self.verdict(self.usual.green, Figure(0, n=evidence.exported.rows, unit="cells"), 0)

    def _judge_cells(self, column_findings: Sequence[_Seen], evidence: Evidence, *, is_public: bool) -> CheckResult:
        """Return the result for columns with identifying cells, with row numbers for the owner.

        Red if ``is_public``, if an identifier stands in its person's own row, or if at least 95 % of a column's filled
        cells are identifying; else amber.
        """
        cells = sum(findings.cells for findings in column_findings)
        kinds = sorted({kind for findings in column_findings for kind in findings.rows})
        red = is_public or any(
            findings.is_source_identifier or findings.cells / findings.filled >= COLUMN_OF_PATTERNS
            for findings in column_findings
        )
        entries = [entry for findings in column_findings for entry in findings.entries(evidence.exported.row_numbers)]
        return self.verdict(
            self.usual.red if red else self.usual.amber,
            Figure(cells, n=evidence.exported.rows, unit="cells"),
            0,
            cells=cells,
            columns=Names.of([findings.column for findings in column_findings]),
            kinds=Terms(tuple(_format_plural(kind) for kind in kinds)),
            found=AttachedData(entries),
        )

    def _judge_headers(self, text: VerdictText, headers: list[str], evidence: Evidence) -> CheckResult:
        """Return the result with the sentence ``text`` for identifying headers; its figure is their number."""
        figure = Figure(len(headers), n=len(evidence.exported.columns), unit="columns")
        return self.verdict(text, figure, 0, headers=len(headers), columns=Names.of(headers))


def _find_identifying_columns(evidence: Evidence) -> list[_Seen]:
    """Return the findings of each released column with identifying cells, in file order.

    A numeric column is only searched if it may hold personal numbers (`_may_identify`), and only listed if at least
    half of its filled cells are identifying. Columns in bins are not searched.
    """
    columns = [column for column in evidence.exported.columns if not column.labels_ordered]
    source_identifiers = _collect_source_identifiers(evidence)
    column_findings = []
    for index, column in enumerate(columns):
        progress.report(index / len(columns), "doing.gate")
        if column.kind == "numeric" and not _may_identify(column):
            continue
        findings = _search_column(column, source_identifiers)
        least = MOST_OF_NUMBERS * findings.filled if column.kind == "numeric" else 0
        if findings.cells and findings.cells >= least:
            column_findings.append(findings)
    return column_findings


def _find_identifying_headers(evidence: Evidence) -> list[str]:
    """Return the released headers that identify people: an address or personal number in it, or a person's full name.

    They are in file order. Full names count only if at least five headers are such names, with at least three different
    given names and three different other parts.
    """
    headers = evidence.exported.names
    named = {*headers_like_names(headers), *(headers[index] for index in find_in(headers))}
    return [header for header in headers if header in named]


def _format_plural(kind: str) -> Note:
    """Return the plural name of a kind of pattern, such as "e-mail addresses"."""
    return Note("pattern.own-identifier" if kind == OWN_IDENTIFIER else PATTERNS[kind].plural)


@dataclass(frozen=True, eq=False)
class _Seen:
    """The identifying cells found in one column.

    Attributes
    ----------
    filled
        Number of cells that are not empty.
    rows
        For each kind of pattern, the indices of the rows that contain it.
    texts
        For each kind of pattern, the number of different texts.
    is_source_identifier
        Whether some row contains the identifier of its own person.
    """

    column: str
    filled: int
    rows: Mapping[str, Ints]
    texts: Mapping[str, int]
    is_source_identifier: bool = False

    @property
    def cells(self) -> int:
        """Number of rows with any finding; a row with several counts once."""
        return len(np.unique(np.concatenate(list(self.rows.values())))) if self.rows else 0

    def entries(self, row_numbers: Ints) -> list[dict[str, Any]]:
        """Return the findings as plain data for the owner's report, one entry for each kind: row numbers, never values.

        The keys are ``column``, ``kind``, ``cells``, ``texts`` and ``rows`` (at most the 100 lowest row numbers).
        ``row_numbers`` holds the source's number of each row, shape (rows,).
        """
        return [
            {
                "column": self.column,
                "kind": kind,
                "cells": len(rows),
                "texts": self.texts[kind],
                "rows": np.sort(row_numbers[rows])[:ROWS_NAMED].tolist(),
            }
            for kind, rows in sorted(self.rows.items())
        ]


def _collect_source_identifiers(evidence: Evidence) -> SourceIdentifiers:
    """Return the values of the source's identifier columns, ready to be searched for in released cells.

    If each released row is a source row, they are in the order of the released rows.
    """
    columns = [column for column in evidence.candidate.prepared.original.columns if column.role == "identifier"]
    if evidence.rows_correspond:
        columns = [column.take(evidence.source_rows) for column in columns]
    return SourceIdentifiers(columns, evidence.rows_correspond)


def _search_column(column: Column, source_identifiers: SourceIdentifiers) -> _Seen:
    """Return the rows of a column in which something identifying was found, by kind of pattern.

    Kinds are patterns of texts (such as e-mail addresses), and values of the file's own identifier columns. A text may
    be of several kinds.
    """
    present = sorted(set(column.codes[~column.missing].tolist()))
    codes_of: dict[str, list[int]] = {}
    for index, findings in find_in([column.texts[code] for code in present]).items():
        for kind in {finding.kind for finding in findings}:
            codes_of.setdefault(kind, []).append(present[index])
    rows = {kind: np.flatnonzero(np.isin(column.codes, codes)) for kind, codes in codes_of.items()}
    texts = {kind: len(codes) for kind, codes in codes_of.items()}
    hits = source_identifiers.find_in_column(column)
    if hits.rows.any():
        rows[OWN_IDENTIFIER] = np.flatnonzero(hits.rows)
        texts[OWN_IDENTIFIER] = len(np.unique(column.codes[hits.rows]))
    return _Seen(column.name, int(np.count_nonzero(~column.missing)), rows, texts, bool(hits.shows_own.any()))


def _may_identify(column: Column) -> bool:
    """Return whether a numeric column may hold personal numbers: whole numbers, some with 8 characters or more."""
    decimals = column.style.decimals if column.style is not None else 0
    return decimals == 0 and max(map(len, column.texts), default=0) >= LEAST_DIGITS
