"""Check that the key cannot be guessed."""

from __future__ import annotations

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult
from ppdm_desktop.engine.wording.catalogue import later

SEEDS = 2**20
"""Numbers that are tried on a key from a file."""


@register
class GuessableKey(Check):
    """The key cannot be guessed."""

    id = "guessable-key"
    title = "Secret key"
    order = 250
    source = later("check", "A. Kerckhoffs, La cryptographie militaire, 1883 (only the key may be secret)")
    fix_on = "protect"
    direction = "at-most"
    figure_unit = ""
    reads_file = False

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Look at where the key comes from: one made of a seed is found by trying seeds.

        A key from a file may be one, whatever its owner says, so a million seeds are tried on it; one that
        the system has just drawn is none.
        """
        key = evidence.candidate.key
        if key.origin == "system":
            return self.verdict(GREEN)
        status = RED if evidence.candidate.prepared.type.is_public else AMBER
        if key.origin == "seed":
            return self.verdict(status)
        if key.is_regular():
            return self.verdict(status, variant="regular")
        seed = key.find_seed(progress, SEEDS)
        if seed is not None:
            return self.verdict(status, variant="found", seed=seed)
        # A replicate of a trial is the system's own; of a file nobody knows how its digits were drawn.
        return self.verdict(GREEN, variant="file", tried=SEEDS)
