"""The gate: checks of a release, each with the result green, amber (needs a written reason) or red (blocks)."""

from ppdm_desktop.engine.release.gate.base import all_checks, find_cause, find_check, run_gate
from ppdm_desktop.engine.release.gate.decision import Decision, check_accepts, decide
from ppdm_desktop.engine.release.gate.environment_terms import collect_surroundings
from ppdm_desktop.engine.release.gate.evidence import Evidence, ReleaseTexts
from ppdm_desktop.engine.release.gate.results import CheckResult

__all__ = [
    "CheckResult",
    "Decision",
    "Evidence",
    "ReleaseTexts",
    "all_checks",
    "check_accepts",
    "collect_surroundings",
    "decide",
    "find_cause",
    "find_check",
    "run_gate",
]
