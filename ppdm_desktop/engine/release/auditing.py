"""The attack audit: every attack that exists and applies, made on a candidate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.audits import (
    averaging,
    inference,
    linkage,
    nearest_record,
    noise_filter,
    rank,
    reversal,
    seed_search,
    singling_out,
)
from ppdm_desktop.engine.release.candidate import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, Report

Attack = Callable[[Candidate, Progress], tuple[AttackEntry, ...]]

ATTACKS: Mapping[str, Attack] = {
    singling_out.ID: singling_out.attack,
    linkage.ID: linkage.attack,
    nearest_record.ID: nearest_record.attack,
    inference.ID: inference.attack,
    rank.ID: rank.attack,
    noise_filter.ID: noise_filter.attack,
    reversal.DIGIT_INVERSE: reversal.digit_inverse,
    reversal.TWO_CONSTANTS: reversal.two_constant_search,
    seed_search.ID: seed_search.attack,
    averaging.ID: averaging.attack,
}
"""Attacks by id; a method names in its declaration those that apply to it."""
ALWAYS: frozenset[str] = frozenset({singling_out.ID, linkage.ID, inference.ID})
"""Attacks on any release, whatever was done to it or left undone."""
BUILT_ATTACKS: frozenset[str] = frozenset(ATTACKS)


def audit(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Attack a candidate as a snooper could who has everything but the key.

    Nothing is drawn anew, and samples are fixed: the same candidate gives the same figures.

    Parameters
    ----------
    candidate
        What is to be released.
    progress
        Reports attacks and targets done.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    declared = {attack for step in candidate.steps for attack in step.method.attacks}
    unfit = {attack for step in candidate.steps for attack in step.method.unfit_attacks}
    wanted = [id for id in ATTACKS if id in (declared | ALWAYS) - unfit]
    found: list[AttackEntry] = []
    for done, id in enumerate(wanted):
        progress.report(done / len(wanted), "doing.audit")
        found += ATTACKS[id](candidate, progress.part(done / len(wanted), (done + 1) / len(wanted)))
    return tuple(found)


def with_audit(report: Report, entries: tuple[AttackEntry, ...]) -> Report:
    """Return the report with the attacks filled in."""
    return report.model_copy(update={"attacks": list(entries)})
