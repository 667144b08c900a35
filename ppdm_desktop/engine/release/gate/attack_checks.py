"""Checks of what the attacks on any release found: people linked, confidential values guessed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ppdm_desktop.engine.attacks.comparison import INFERENCE_LIMIT, INFERENCE_SERIOUS
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit import inference as inference_attack
from ppdm_desktop.engine.release.attack_audit import linkage as linkage_attack
from ppdm_desktop.engine.release.attack_audit.column_pairs import of_hundred, owners
from ppdm_desktop.engine.release.gate.disclosure import open_columns
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import (
    AMBER,
    GREEN,
    NOT_APPLICABLE,
    NOT_RUN,
    RED,
    CheckResult,
    named,
    verdict,
)
from ppdm_desktop.engine.report.model import AttackEntry

_ROUNDING = 1e-9


@dataclass(frozen=True)
class _Share:
    """A share of people found, beside its limit."""

    who: str
    success: Figure
    limit: float

    @property
    def excess(self) -> float:
        """The upper end of its interval as a multiple of the limit."""
        return float(_high(self.success)) / self.limit


def linkage(evidence: Evidence, progress: Progress | None = None) -> CheckResult:
    """Hold the share of people whose record is found against the limit, of everybody and level by level.

    Levels are held against a limit of their own where records were made by groups (contract,
    section 4); what counts is the upper end of the 95 % interval.
    """
    entries = _entries(evidence, linkage_attack.ID)
    if not entries:
        if linkage_attack.applies(evidence.candidate, progress):
            return verdict("linkage", NOT_RUN, variant="stopped")
        again = evidence.judged.with_role("quasi-identifier") and owners(evidence.candidate, progress) is None
        return verdict("linkage", NOT_APPLICABLE, variant="anew" if again else "")
    limit = 1.0 / evidence.candidate.prepared.type.k_min
    shares = [_Share("everybody", entry.success, limit) for entry in entries]
    shares += [
        _Share(f'the privacy level "{level.level}"', level.success, level.limit)
        for entry in entries
        for level in entry.levels
        if level.success.value is not None
    ]
    worst = max(shares, key=lambda each: each.excess)
    arguments: dict[str, Any] = {
        "who": worst.who,
        "found": of_hundred(worst.success.value),
        "most": _beside(_high(worst.success), worst.limit),
        "allowed": of_hundred(worst.limit),
        "people": worst.success.n or 0,
    }
    if worst.excess <= 1 + _ROUNDING:
        return verdict("linkage", GREEN, worst.success, worst.limit, **arguments)
    lacking = open_columns(evidence)
    hidden = bool(evidence.confidential) and not lacking
    variant = "few" if (worst.success.value or 0.0) <= worst.limit else ""
    columns = named(lacking) if lacking else "no confidential column"
    status = AMBER if hidden else RED
    return verdict("linkage", status, worst.success, worst.limit, variant=variant, columns=columns, **arguments)


def inference(evidence: Evidence, progress: Progress | None = None) -> CheckResult:
    """Hold what being in the release adds to guessing a confidential value against the limits, the worst column."""
    entries = [entry for entry in _entries(evidence, inference_attack.ID) if entry.advantage.value is not None]
    if not entries:
        fit = inference_attack.ID not in _unfit(evidence)
        applies = fit and inference_attack.applies(evidence.candidate, progress)
        return verdict("inference", NOT_RUN if applies else NOT_APPLICABLE)
    worst = max(entries, key=lambda entry: _high(entry.advantage))
    more, high = float(worst.advantage.value or 0.0), _high(worst.advantage)
    arguments: dict[str, Any] = {
        "column": f'"{worst.column}"',
        "success": of_hundred(worst.success.value),
        "control": of_hundred(worst.control.value),
        "more": of_hundred(max(more, 0.0)),
        "most": _beside(max(high, 0.0), INFERENCE_LIMIT, INFERENCE_SERIOUS),
        "allowed": of_hundred(INFERENCE_LIMIT),
        "people": worst.sampled,
    }
    if high <= INFERENCE_LIMIT + _ROUNDING:
        return verdict("inference", GREEN, worst.advantage, INFERENCE_LIMIT, **arguments)
    public = evidence.candidate.prepared.type.is_public
    status = RED if high > INFERENCE_SERIOUS + _ROUNDING and public else AMBER
    variant = "few" if more <= INFERENCE_LIMIT else ""
    return verdict("inference", status, worst.advantage, INFERENCE_LIMIT, variant=variant, **arguments)


def _entries(evidence: Evidence, id: str) -> list[AttackEntry]:
    return [entry for entry in evidence.attacks if entry.id == id]


def _unfit(evidence: Evidence) -> set[str]:
    return {attack for step in evidence.candidate.steps for attack in step.method.unfit_attacks}


def _beside(share: float, *limits: float) -> str:
    """Return a share as ``of_hundred`` does; finer and rounded up where it is above a limit and would read like it."""
    words = of_hundred(share)
    if any(share > limit + _ROUNDING and words == of_hundred(limit) for limit in limits):
        return f"{math.ceil(1_000 * share - _ROUNDING):,} of 1,000"
    return words


def _high(figure: Figure) -> float:
    """Return the upper end of the interval, or the value where it is exact."""
    return float(figure.value or 0.0) if figure.high is None else figure.high
