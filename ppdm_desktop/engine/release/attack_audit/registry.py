"""The attack audit: every attack that exists and applies, made on a candidate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.release.attack_audit import (
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
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry

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
APPLIES: Mapping[str, Callable[[Candidate, Progress], bool]] = {
    singling_out.ID: singling_out.applies,
    linkage.ID: linkage.applies,
    nearest_record.ID: nearest_record.applies,
    inference.ID: inference.applies,
}
"""What tells of an attack that found nothing whether there was anything to attack."""


def audit(candidate: Candidate, progress: Progress, *, earlier: int = 0) -> tuple[AttackEntry, ...]:
    """Attack a candidate as an intruder could who has everything but the key.

    Nothing is drawn anew, and samples are fixed: the same candidate gives the same figures.

    Parameters
    ----------
    candidate
        What is to be released.
    progress
        Reports attacks and targets done.
    earlier
        Releases of the same source that the ledger knows, drawn anew each.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    declared = declared_attacks(candidate)
    wanted = [id for id in ATTACKS if id in declared]
    found: list[AttackEntry] = []
    for done, id in enumerate(wanted):
        progress.report(done / len(wanted), "doing.audit")
        part = progress.part(done / len(wanted), (done + 1) / len(wanted))
        found += averaging.attack(candidate, part, earlier) if id == averaging.ID else ATTACKS[id](candidate, part)
    return tuple(found)


def declared_attacks(candidate: Candidate) -> frozenset[str]:
    """Return the ids of all attacks that the steps call for, those on any release among them."""
    declared = {attack for step in candidate.steps for attack in step.method.attacks}
    unfit = {attack for step in candidate.steps for attack in step.method.unfit_attacks}
    return frozenset((declared | ALWAYS) - unfit)


def not_made(candidate: Candidate, entries: Sequence[AttackEntry], progress: Progress | None = None) -> tuple[str, ...]:
    """Return the attacks that apply to a candidate and of which nothing was found: stopped or left out.

    An audit that was made is whole. So where something was found, an attack without an entry had
    nothing to attack, unless the candidate shows that it had; where nothing was found at all, every
    attack that a step calls for was left out. The progress is checked between the steps.
    """
    watch = progress or silent()
    made = {entry.id for entry in entries}
    declared = declared_attacks(candidate)
    lacking = [id for id in ATTACKS if id in declared - made]
    return tuple(id for id in lacking if (APPLIES[id](candidate, watch) if id in APPLIES else not entries))
