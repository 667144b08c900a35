"""Check that every attack that applies to the release was made."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import all_attacks, declared_attacks, list_attacks_not_made
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, VerdictText
from ppdm_desktop.engine.wording.texts import Title
from ppdm_desktop.engine.wording.values import Terms


@register
class AuditComplete(Check):
    """Every attack that applies is known to this program and was made."""

    id = "audit-complete"
    title = "Attack tests"
    order = 280
    cause = WHAT_IS_LEARNT
    fix_on = "protect"
    on_protection = True
    figure_unit = "attacks"
    reads_file = False
    green = VerdictText.green("gate.audit-complete.green")
    amber = VerdictText.amber("gate.audit-complete.amber")
    amber_stopped = VerdictText.amber("gate.audit-complete.amber-stopped")
    not_applicable = VerdictText.not_applicable("gate.audit-complete.not-applicable")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the number of applicable attacks that were not made or that this program does not have.

        Amber if there are any, not applicable if no attack applies, else green. What the attacks found does not matter.
        """
        wanted = declared_attacks(evidence.candidate)
        missing = sorted(wanted.difference(all_attacks()))
        left_out = list_attacks_not_made(evidence.candidate, evidence.attacks)
        made = {entry.id for entry in evidence.attacks}
        figure = Figure(len(missing) + len(left_out), n=len(wanted), unit="attacks")
        if missing:
            return self.verdict(
                self.amber, figure, 0, attacks=_list_attack_names([*missing, *left_out], evidence.candidate)
            )
        if left_out:
            return self.verdict(self.amber_stopped, figure, 0, attacks=_list_attack_names(left_out, evidence.candidate))
        if not made:
            return self.verdict(self.not_applicable)
        return self.verdict(self.green, figure, 0, count=len(made))


def _list_attack_names(ids: Sequence[str], candidate: Candidate) -> Terms:
    """Return the titles of attacks, in the order of ``ids``; an attack without a known title is named by its id.

    Titles of attacks that are not installed come from the methods of the candidate's steps.
    """
    titles = {id: attack.title for id, attack in all_attacks().items()}
    for step in candidate.steps:
        titles.update(step.method.missing_attacks)
    return Terms(tuple(Title(titles[id]) if id in titles else id for id in ids))
