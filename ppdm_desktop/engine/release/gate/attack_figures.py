"""What the checks of attacks ask of an attack's figures, and in whose words they give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.texts import Title
from ppdm_desktop.engine.wording.values import Value

ROUNDING = 1e-9
"""A figure that lies beyond its limit by no more is at the limit."""


def upper_end(figure: Figure) -> float:
    """Return the upper end of the interval, or the value where it is exact."""
    return float(figure.value or 0.0) if figure.high is None else figure.high


def stated(entry: AttackEntry, variant: str = "", **arguments: Value) -> tuple[str, Mapping[str, Any]]:
    """Return the variant of a check's sentence that is true of an attack, and what it says of it.

    Parameters
    ----------
    entry
        The result that decides.
    variant, arguments
        What is said where the check was written for this attack. Of any other it gives the attack's own
        sentence, in the variant ``attack``: what another attack does, no check can know.
    """
    attack = find_attack(entry.id)
    if attack.own_check:
        return variant, arguments
    finding = entry.sentence.note
    return "attack", {"attack": Title(attack.title), "finding": finding}
