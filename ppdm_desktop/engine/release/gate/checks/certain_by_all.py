"""Check that knowing all other released details of a person does not give the confidential value away."""

from __future__ import annotations

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.causes import WHAT_IS_LEARNT
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import SHARE_OR_PEOPLE, share_of
from ppdm_desktop.engine.release.gate.results import CheckResult, VerdictText
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.values import Names, Share


@register
class CertainByAll(Check):
    """Nobody's confidential value is certain to someone who knows their other released details."""

    id = "certain-by-all"
    title = "Values revealed to those who know more"
    order = 112
    cause = WHAT_IS_LEARNT
    source = later("check", "A. Machanavajjhala et al., l-diversity, ACM TKDD 1(1), 2007 (positive disclosure)")
    fix_on = "columns"
    on_protection = True
    direction = "at-most"
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    residual = "everything"
    figure_title = "figure.certain-by-all"
    by_chance = True
    needs = ("written-back", "file-limits")
    green = VerdictText.green("gate.certain-by-all.green")
    amber = VerdictText.amber("gate.certain-by-all.amber")
    red = VerdictText.red("gate.certain-by-all.red")
    not_applicable = VerdictText.not_applicable("gate.certain-by-all.not-applicable")
    not_run = VerdictText.not_run("gate.certain-by-all.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours, as shares of the people."""
        red = 1.0 / k_min if type.is_public else None if type.is_internal else 0.5
        return Limits(0.0, red)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the people whose true value is certain by everything released but the confidential columns."""
        if not evidence.confidential or not evidence.judged.rows:
            return self.verdict(self.not_applicable)
        certain, people = int(evidence.certain_by_all.sum()), evidence.people
        limits = self.limits_of(evidence)
        if certain == 0:
            figure, limit = share_of(evidence, certain, people, limits.green)
            return self.verdict(self.green, figure, limit, counted=(certain, people))
        text, allowed = self.amber, limits.green
        if limits.red is not None and certain / people > limits.red:
            text, allowed = self.red, limits.red
        figure, limit = share_of(evidence, certain, people, allowed)
        columns = [each.column for each in evidence.beliefs if bool(each.all.certain.any())]
        return self.verdict(
            text,
            figure,
            limit,
            counted=(certain, people),
            share=Share(certain, people),
            columns=Names.of(columns),
        )
