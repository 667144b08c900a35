"""The registry of checks, and running them in order."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import replace

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.release.gate.base import CHECKS, Check
from ppdm_desktop.engine.release.gate.causes import CAUSES, Cause
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.wording.values import Quoted, Term


def all_checks() -> dict[str, Check]:
    """Return every check by id, in display order."""
    return CHECKS.all()


def find_check(id: str) -> Check:
    """Return a check by its id."""
    return all_checks()[id]


def find_cause(id: str) -> Cause:
    """Return a cause by its id.

    Raises
    ------
    RecipeError
        When no cause has this id; the cause of the check that has it is named, or the nearest cause.
    """
    if id in CAUSES:
        return CAUSES[id]
    check = all_checks().get(id)
    if check is not None:
        raise RecipeError(
            "error.accept.is-check", args={"check": Quoted(id), "title": check.cause.title, "id": Term(check.cause.id)}
        )
    near = next(iter(difflib.get_close_matches(id, CAUSES, n=1)), "")
    raise RecipeError(
        "error.accept.unknown-near" if near else "error.accept.unknown",
        args={"cause": Quoted(id), "known": Term(", ".join(CAUSES)), "near": Quoted(near)},
    )


def run_gate(evidence: Evidence, *, only: Collection[str] | None = None) -> tuple[CheckResult, ...]:
    """Return the results of all checks in order.

    With ``only`` just these checks, and only what they need is measured.
    """
    # Measured on a million records: what checks share takes twice as long as the checks, of fewer more.
    to_make_ready, to_check = progress.parts(7.0, 3.0)
    checks = {id: check for id, check in all_checks().items() if only is None or id in only}
    if only is None:
        to_make_ready.run(evidence.make_ready)
    total = sum(check.weight for check in checks.values())
    check_results: list[CheckResult] = []
    done = 0
    for check in sorted(checks.values(), key=lambda declared_check: declared_check.after_others):
        if check.after_others and not evidence.results:
            evidence = replace(evidence, results=tuple(check_results))
        with to_check.part(done / total, (done + check.weight) / total):
            done += check.weight
            progress.report(0.0, "doing.gate")
            check_results.append(check.run(evidence))
    order = list(checks)
    return tuple(sorted(check_results, key=lambda check_result: order.index(check_result.id)))
