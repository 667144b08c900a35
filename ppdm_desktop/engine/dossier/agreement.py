"""The clauses of the agreement: what a contract with the recipients should say, and what each clause protects."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.public.columns import is_synthetic
from ppdm_desktop.engine.wording.catalogue import SOURCE, fill_placeholders, language, numbers_of
from ppdm_desktop.engine.wording.rows import reword_for_rows, rows_are_counted
from ppdm_desktop.engine.wording.values import Term, Value

_RANDOM = ("randomisation", "permutation")
"""How the treatments begin that give a value to another person or add noise to it."""


class Clause(NamedTuple):
    """A clause of the agreement: what the recipients agree to, and the assumption that fails without it."""

    text: str
    protects: str


@cache
def _declared() -> list[dict[str, str]]:
    """Return the declarations of all clauses, read from a file once.

    Each has its text and purpose by language (``text_en``, ``protects_de``) and, under ``when``, the finding that makes
    it necessary, or "always".
    """
    file = resources.files("ppdm_desktop.resources") / "forms" / "clauses" / "agreement.toml"
    clauses: list[dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))["clauses"]
    return clauses


def agreement_clauses(report: Report) -> list[Clause]:
    """Return the clauses that a contract on this release needs: those for every release, and those for its findings.

    A finding is, for example, that columns with unique values are released (see `_findings`). Each clause has its text
    and the assumption that it protects, in the current language or else in English; clauses are in the order of their
    file.
    """
    findings = {"always": ["always"], **_findings(report)}
    clauses = []
    for clause in (clause for clause in _declared() if findings[clause["when"]]):
        values: dict[str, Value] = {"k": report.release.k_min, "columns": list_all_names(findings[clause["when"]])}
        clauses.append(Clause(*(_translate_part(clause, part, values) for part in ("text", "protects"))))
    return clauses


def _translate_part(clause: Mapping[str, str], part: str, values: Mapping[str, Value]) -> str:
    """Return one part of a clause, ``text`` or ``protects``, in the current language or else in English.

    ``values`` replace the placeholders. The text speaks of rows instead of people where rows are counted.
    """
    code = language() if f"{part}_{language()}" in clause else SOURCE
    text = clause[f"{part}_{code}"]
    if rows_are_counted():
        text = reword_for_rows("", clause[f"{part}_{SOURCE}"], text, code)
    return fill_placeholders(text, values, code)


def list_all_names(columns: Iterable[str]) -> Term:
    """Return names of columns as a list in the current language that leaves none out, however long it is."""
    numbers = numbers_of(language())
    return Term(numbers.list(list(map(numbers.name, columns)), all_named=True))


def _findings(report: Report) -> dict[str, Sequence[str]]:
    """Return, by finding that needs a clause, the columns it concerns; empty for a finding that does not apply.

    The findings are: people who are singled out, if the check of them, or of values certain to someone who knows all
    else that is released, relies on the agreement or a written reason ("singled"); columns with unique values ("near");
    random changes ("random"); codes or other released identifiers ("codes"); and synthetic values ("artificial").
    """
    verdict = report.verdict
    released = [column for column in report.columns if column.released]
    parts = {column.name: column.treatment.split("; ") for column in released}
    relied_on = [check for check in verdict.checks if check.is_agreed or check.id in verdict.decision.accepted]
    is_singled = any(check.counts_singled or check.residual == "everything" for check in relied_on)
    return {
        "singled": verdict.singled.columns if verdict.singled and is_singled else [],
        "near": [entry.column for entry in verdict.near if entry.alone],
        "random": [name for name in parts if any(part.startswith(_RANDOM) for part in parts[name])],
        "codes": [column.name for column in released if column.role not in ATTRIBUTE_ROLES],
        "artificial": [name for name in parts if any(map(is_synthetic, parts[name]))],
    }
