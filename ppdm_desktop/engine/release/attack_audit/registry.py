"""The registry of attacks, and the audit that makes every applicable attack on a candidate.

Attacks are found by importing all modules of this package: every registered attack is made, judged and shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ppdm_desktop.engine import plugins, progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.release.attack_audit.base import Attack, AttackEvidence
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.values import Quoted, Term

ATTACKS: Registry[Attack] = Registry("ppdm_desktop.engine.release.attack_audit")
register, forget = ATTACKS.register, ATTACKS.forget


def all_attacks() -> Mapping[str, Attack]:
    """Return every attack by id, in the order in which they are made and shown."""
    return ATTACKS.all()


def find_attack(id: str) -> Attack:
    """Return an attack by id.

    Raises
    ------
    InputError
        When no attack has this id; the nearest is named.
    """
    attacks = all_attacks()
    if id not in attacks:
        near = ATTACKS.nearest(id)
        raise InputError(
            "error.attack.unknown-near" if near else "error.attack.unknown",
            args={"attack": Quoted(id), "known": Term(", ".join(attacks)), "near": Quoted(near)},
        )
    return attacks[id]


def always_made() -> tuple[str, ...]:
    """Return the ids of the attacks that are made on every release."""
    return tuple(id for id, attack in all_attacks().items() if attack.always)


def entries_for(check: str, entries: Iterable[AttackEntry]) -> list[AttackEntry]:
    """Return the attack results that one check of the gate judges."""
    attacks = all_attacks()
    return [entry for entry in entries if entry.id in attacks and attacks[entry.id].judged_by == check]


def judges(check: str) -> bool:
    """Return whether results of attacks are judged by this check of the gate."""
    return any(attack.judged_by == check for attack in all_attacks().values())


def audit(candidate: Candidate, *, earlier: int = 0) -> tuple[AttackEntry, ...]:
    """Return the results of all attacks that apply to a candidate, by an intruder who has everything but the key.

    Nothing is drawn at random, and samples are fixed: the same candidate gives the same figures.

    Parameters
    ----------
    candidate
        What is to be released.
    earlier
        Number of earlier releases of the same source in the ledger, each made with another key.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    declared = declared_attacks(candidate)
    wanted = [attack for id, attack in all_attacks().items() if id in declared]
    evidence = AttackEvidence(candidate, earlier)
    attack_entries: list[AttackEntry] = []
    for done, attack in enumerate(wanted):
        progress.report(done / len(wanted), "doing.audit")
        attack_entries += progress.part(done / len(wanted), (done + 1) / len(wanted)).run(attack.run, evidence)
    return labelled(attack_entries)


def labelled(entries: Iterable[AttackEntry]) -> tuple[AttackEntry, ...]:
    """Return results with the labels that their attacks declare; results of unknown attacks are unchanged."""
    attacks = all_attacks()
    return tuple(
        entry.model_copy(update={"labels": attacks[entry.id].labels(entry.severity)}) if entry.id in attacks else entry
        for entry in entries
    )


def declared_attacks(candidate: Candidate) -> frozenset[str]:
    """Return the ids of the attacks that apply: those the steps ask for and those of every release; none on groups."""
    if candidate.prepared.rows_are_groups:
        return frozenset()
    declared = {attack for step in candidate.steps for attack in step.method.attacks}
    # A method of others may add attacks; what is always made it cannot take away.
    built_in_methods = (step.method for step in candidate.steps if plugins.of_method(step.method.id) is None)
    unfit = {attack for method in built_in_methods for attack in method.unfit_attacks}
    unnamed = plugins.attacks_of_others(candidate.prepared.recipe.plugins.use)
    return frozenset((declared | set(always_made())) - unfit - unnamed)


def not_made(candidate: Candidate, entries: Sequence[AttackEntry], *, check: str | None = None) -> tuple[str, ...]:
    """Return the ids of the attacks that apply to a candidate but have no result (stopped or left out).

    Parameters
    ----------
    candidate
        The attacked candidate.
    entries
        The results there are.
    check
        Id of a check; only the attacks that it judges are considered. All when None.
    """
    made = {entry.id for entry in entries}
    declared = declared_attacks(candidate)
    lacking = [
        attack for id, attack in all_attacks().items() if id in declared - made and check in (None, attack.judged_by)
    ]
    missing_attacks = []
    for attack in lacking:
        progress.check()
        if attack.applies(candidate) is None:
            missing_attacks.append(attack.id)
    return tuple(missing_attacks)
