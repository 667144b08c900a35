"""Check that the attack audit is whole."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks, declared_attacks, not_made
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, CheckResult
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.texts import Title, all_texts
from ppdm_desktop.engine.wording.values import Terms


@register
class AuditComplete(Check):
    """Every attack that applies exists and was made."""

    id = "audit-complete"
    title = "Attack tests"
    order = 280
    source = later("check", "Own rule. No attack that applies is left out without saying so")
    fix_on = "protect"
    on_protection = True
    direction = "at-most"
    figure_unit = "attacks"
    reads_file = False

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the attacks that apply and do not exist, or were not made."""
        wanted = declared_attacks(evidence.candidate)
        lacking = sorted(wanted.difference(all_attacks()))
        left_out = not_made(evidence.candidate, evidence.attacks, progress)
        made = {entry.id for entry in evidence.attacks}
        figure = Figure(len(lacking) + len(left_out), n=len(wanted), unit="attacks")
        if lacking:
            return self.verdict(AMBER, figure, 0, attacks=_named([*lacking, *left_out]))
        if left_out:
            return self.verdict(AMBER, figure, 0, variant="stopped", attacks=_named(left_out))
        if not made:
            return self.verdict(NOT_APPLICABLE)
        return self.verdict(GREEN, figure, 0, count=len(made))


def _named(ids: Sequence[str]) -> Terms:
    """Return what attacks are called; one that nobody has described keeps its id."""
    names = {id: f"attack.name.{id}" for id in ids}
    return Terms(tuple(Title(name) if name in all_texts() else id for id, name in names.items()))
