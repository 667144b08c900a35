"""The attack that undoes shifted digits, which needs no key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.release.attack_audit.base import register, undo_public_steps
from ppdm_desktop.engine.release.attack_audit.inverse_attacks import InverseAttack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.table.column import Column


@register
class DigitInverse(InverseAttack):
    """Undoes a shift of digits in each number; a number counts as recovered when it equals the true one."""

    id = "digit-inverse"
    title = "attack.name.digit-inverse"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.digit-inverse.none",
        "some": "attack.digit-inverse.some",
        "serious": "attack.digit-inverse.serious",
        "total": "attack.digit-inverse.total",
    }
    order = 70
    term = "attack.digit-inverse.term"
    source = "attack.digit-inverse.source"

    def undo(self, candidate: Candidate, before: Column, column: Column) -> tuple[Column, float]:
        """Return the column with its digits shifted back, and 0 as the tolerance."""
        return undo_public_steps(candidate, column), 0.0
