"""Check that the key cannot be guessed."""

from __future__ import annotations

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult


@register
class GuessableKey(Check):
    """The key cannot be guessed."""

    id = "guessable-key"
    title = "Key"
    order = 250
    source = "A. Kerckhoffs, La cryptographie militaire, 1883: only the key may be secret"
    fix_on = "protect"
    direction = "at-most"
    figure_unit = ""
    reads_file = False

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Look at where the key comes from: one made of a seed is found by trying seeds."""
        if evidence.candidate.key.origin != "seed":
            return self.verdict(GREEN)
        return self.verdict(RED if evidence.candidate.prepared.type.is_public else AMBER)
