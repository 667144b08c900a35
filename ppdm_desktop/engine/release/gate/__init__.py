"""The gate: every check of a release, each green, amber (needs a written reason) or red (blocks)."""

from ppdm_desktop.engine.release.gate.decision import Decision, check_accepts, decide
from ppdm_desktop.engine.release.gate.environment_terms import surroundings
from ppdm_desktop.engine.release.gate.evidence import Evidence, ReleaseTexts
from ppdm_desktop.engine.release.gate.registry import CHECK_IDS, CHECKS, run_gate
from ppdm_desktop.engine.release.gate.results import CheckResult

__all__ = [
    "CHECKS",
    "CHECK_IDS",
    "CheckResult",
    "Decision",
    "Evidence",
    "ReleaseTexts",
    "check_accepts",
    "decide",
    "run_gate",
    "surroundings",
]
