"""Check of groups whose new records could lie in the plane of the true ones."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, RED, CheckResult, verdict


def small_groups(evidence: Evidence) -> CheckResult:
    """Count groups that were made anew from no more records than columns of numbers."""
    made = [step for step in evidence.candidate.steps if "small_groups" in step.result.detail]
    if not made:
        return verdict("small-groups", NOT_APPLICABLE)
    small = [step.result.detail for step in made if step.result.detail["small_groups"]]
    groups = sum(int(detail["small_groups"]) for detail in small)
    records = sum(int(detail["small_records"]) for detail in small)
    figure = Figure(groups, n=sum(int(step.result.detail["groups"]) for step in made), unit="groups")
    if not groups:
        return verdict("small-groups", GREEN, figure, 0)
    status = AMBER if all(detail["floor"] for detail in small) else RED
    columns = max(int(detail["regenerated"]) for detail in small)
    return verdict("small-groups", status, figure, 0, groups=groups, records=records, columns=columns)
