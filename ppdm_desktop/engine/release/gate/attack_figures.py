"""How checks read the figures of attacks."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import find_attack
from ppdm_desktop.engine.release.gate.base import FINDING
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.texts import Title

ROUNDING = 1e-9
"""A figure that lies beyond its limit by no more is at the limit."""


def upper_end(figure: Figure) -> float:
    """Return the upper end of a figure's interval, or its value without an interval."""
    return float(figure.value or 0.0) if figure.high is None else figure.high


def quotation_of(entry: AttackEntry) -> dict[str, Any] | None:
    """Return an attack's name and sentence, for quotation by a check that was not written for this attack.

    None where the check was written for the attack and describes the result itself.
    """
    attack = find_attack(entry.id)
    return None if attack.own_check else {"attack": Title(attack.title), FINDING: entry.sentence.note}
