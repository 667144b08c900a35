"""The clauses of the agreement: what a contract with the recipients should say, and what fails without it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.public.columns import is_synthetic
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Term

_RANDOM = ("randomisation", "permutation")
"""How the treatments begin that give a value to another person or add noise to it."""


class Clause(NamedTuple):
    """What the recipients agree to, and the assumption that fails without it."""

    text: str
    protects: str


def agreement_clauses(report: Report) -> list[Clause]:
    """Return the clauses for a contract on a release: seven that every release needs, then those of its findings."""
    always = {
        _("Nobody tries to identify or contact anyone, or links the data with other data to do so."): _(
            "An intruder knows only what the record states."
        ),
        _("The data are used for the stated purpose, by the stated people only."): _(
            "The risk was measured for these recipients."
        ),
        _("The data are not passed on."): _("Nobody else sees the data."),
        _("No count of fewer than {k} people is published.", k=report.release.k_min): _(
            "Nobody is found in a group smaller than the limit."
        ),
        _("The recipients tell us at once if they recognise a person."): _(
            "We can stop the use before anybody is harmed."
        ),
        _("The data are deleted on the day agreed."): _("The risk was measured for today’s other data."),
        _("We may ask how the data are kept."): _("Only the stated people can open the data."),
    }
    return [Clause(*clause) for clause in (*always.items(), *_clauses_of_findings(report))]


def all_named(columns: Iterable[str]) -> Term:
    """Return names of columns as a list that leaves none out, however long it is."""
    numbers = numbers_of(language())
    return Term(numbers.list(list(map(numbers.name, columns)), all_named=True))


def _clauses_of_findings(report: Report) -> list[tuple[str, str]]:
    """Return a (clause, what it protects against) pair for each finding that needs a clause; empty without any.

    The findings are people who are singled out where a check relies on the agreement, columns with unique values,
    random changes, codes or other released identifiers, and synthetic rows.
    """
    verdict = report.verdict
    released = [column for column in report.columns if column.released]
    treatments = [part for column in released for part in column.treatment.split("; ")]
    relied_on = [check for check in verdict.checks if check.is_agreed or check.id in verdict.decision.accepted]
    clauses = []
    if verdict.singled and any(check.counts_singled or check.residual == "everything" for check in relied_on):
        columns = all_named(verdict.singled.columns)
        nobody = _(
            "Nobody works with the data who knows these columns of the people from elsewhere: {columns}.",
            columns=columns,
        )
        clauses.append((nobody, _("Together, these columns pick out people or reveal confidential values.")))
    if near := [entry.column for entry in verdict.near if entry.alone]:
        beside = _("The data are not kept beside lists of people with {columns}.", columns=all_named(near))
        clauses.append((beside, _("Some people have a value of their own in these columns.")))
    of_treatments = (
        (
            any(part.startswith(_RANDOM) for part in treatments),
            _("The data are not combined with another release of this source, and decide nothing about a person."),
            _("Several releases together undo random changes, and a single value may be another person’s."),
        ),
        (
            any(column.role not in ATTRIBUTE_ROLES for column in released),
            _("The data are still personal data. The secret of the codes stays with us."),
            _("Codes cannot be turned back into identifiers."),
        ),
        (
            any(map(is_synthetic, treatments)),
            _("Rows are artificial: no row is taken for a person."),
            _("Nobody is judged by an invented row."),
        ),
    )
    return [*clauses, *((text, protects) for holds, text, protects in of_treatments if holds)]
