"""Checks of the source: roles, rows read, unchanged, persons."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult, named, verdict

MOST_UNREAD = 0.05


def roles_decided(evidence: Evidence) -> CheckResult:
    """Check that every source column has a role."""
    columns = evidence.candidate.prepared.original.columns
    without = [column.name for column in columns if column.role is None]
    figure = Figure(len(without), n=len(columns), unit="columns")
    if without:
        return verdict("roles-decided", RED, figure, 0, columns=named(without), count=len(without))
    return verdict("roles-decided", GREEN, figure, 0, count=len(columns))


def rows_read(evidence: Evidence) -> CheckResult:
    """Count the rows of the source that could not be read."""
    account = evidence.candidate.prepared.account
    unread, total = len(account.rows_unread), account.rows_read + len(account.rows_unread)
    figure = Figure(unread, n=total, unit="rows")
    if unread == 0:
        return verdict("rows-read", GREEN, figure, 0, rows=total)
    lines = ", ".join(str(row.line) for row in account.rows_unread[:10]) + (", …" if unread > 10 else "")
    status = RED if unread > MOST_UNREAD * total else AMBER
    return verdict("rows-read", status, figure, 0, rows=unread, total=total, lines=lines)


def source_unchanged(evidence: Evidence) -> CheckResult:
    """Check that the source is still the file that was read."""
    same = evidence.source_sha256 == evidence.candidate.prepared.account.sha256
    return verdict("source-unchanged", GREEN if same else RED, None, None)


def one_row_per_person(evidence: Evidence) -> CheckResult:
    """Check that persons are counted, not rows."""
    prepared = evidence.candidate.prepared
    given = prepared.complete.input
    if given.person is not None and given.person in prepared.original:
        person = prepared.original.column(given.person)
        persons = len(person.categories)
        figure = Figure(persons, n=len(person), unit="persons")
        if persons == len(person):
            return verdict("one-row-per-person", GREEN, figure, None)
        return verdict("one-row-per-person", AMBER, figure, None, variant="several", persons=persons, rows=len(person))
    if given.one_row_per_person:
        return verdict("one-row-per-person", GREEN)
    return verdict("one-row-per-person", AMBER)
