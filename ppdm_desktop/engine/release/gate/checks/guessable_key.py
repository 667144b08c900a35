"""Check that the key cannot be guessed."""

from __future__ import annotations

from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy

SEEDS = 2**20
"""Number of seeds that are tried on a key from a file."""


@register
class GuessableKey(Check):
    """The secret key of the random draws cannot be found by trying."""

    id = "guessable-key"
    title = "Secret key"
    order = 250
    cause = KEYS_AND_DRAWS
    source = lazy("A. Kerckhoffs, La cryptographie militaire, 1883 (only the key may be secret)")
    fix_on = "protect"
    figure_unit = ""
    reads_file = False
    usual = Colours.of("gate.guessable-key.green", "gate.guessable-key.amber", "gate.guessable-key.red")
    green_file = VerdictText.green("gate.guessable-key.green-file")
    amber_found = VerdictText.amber("gate.guessable-key.amber-found")
    amber_regular = VerdictText.amber("gate.guessable-key.amber-regular")
    red_found = VerdictText.red("gate.guessable-key.red-found")
    red_regular = VerdictText.red("gate.guessable-key.red-regular")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for how the secret key of the random draws was made.

        - Drawn by the system just now: green.
        - Made from a seed, or with regular digits: red in a public release, else amber. A million seeds are tried on a
          key from a file, to see whether it was made from one of them.
        - Any other key from a file: green.
        """
        key = evidence.candidate.key
        if key.origin == "system":
            return self.verdict(self.usual.green)
        public = evidence.candidate.prepared.type.is_public
        if key.origin == "seed":
            return self.verdict(self.usual.red if public else self.usual.amber)
        if key.is_regular():
            return self.verdict(self.red_regular if public else self.amber_regular)
        seed = key.find_seed(SEEDS)
        if seed is not None:
            return self.verdict(self.red_found if public else self.amber_found, seed=seed)
        # A replicate of a trial is the system's own; of a file nobody knows how its digits were drawn.
        return self.verdict(self.green_file, tried=SEEDS)
