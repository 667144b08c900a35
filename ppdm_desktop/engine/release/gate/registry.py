"""Finding the checks, and running them in order."""

from __future__ import annotations

from dataclasses import replace

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import CHECKS, Check
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.wording.values import Quoted, Term


def all_checks() -> dict[str, Check]:
    """Return every check by id, in the order in which they are shown."""
    return CHECKS.all()


def find_check(id: str) -> Check:
    """Return a check by its id.

    Raises
    ------
    RecipeError
        When no check has this id; the nearest is named.
    """
    checks = all_checks()
    if id not in checks:
        near = CHECKS.nearest(id)
        raise RecipeError(
            "error.accept.unknown-near" if near else "error.accept.unknown",
            args={"check": Quoted(id), "known": Term(", ".join(checks)), "near": Quoted(near)},
        )
    return checks[id]


def run_gate(evidence: Evidence, progress: Progress) -> tuple[CheckResult, ...]:
    """Run every check, in order."""
    # Measured on a million records: what checks share takes twice as long as the checks, of fewer more.
    to_make_ready, to_check = progress.parts(7.0, 3.0)
    evidence.make_ready(to_make_ready)
    checks = all_checks()
    total = sum(check.weight for check in checks.values())
    found: list[CheckResult] = []
    done = 0
    for check in sorted(checks.values(), key=lambda each: each.after_others):
        if check.after_others and not evidence.results:
            evidence = replace(evidence, results=tuple(found))
        part = to_check.part(done / total, (done + check.weight) / total)
        done += check.weight
        part.report(0.0, "doing.gate")
        found.append(check.run(evidence, part))
    shown = list(checks)
    return tuple(sorted(found, key=lambda each: shown.index(each.id)))
