"""The attack that finds the two constants of constant additive noise and subtracts them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.methods.algorithms.digits.scaled import replace_values, step_units, style_of
from ppdm_desktop.engine.methods.algorithms.digits.two_constant_undo import undo_rounded
from ppdm_desktop.engine.release.attack_audit.base import register, undo_public_steps
from ppdm_desktop.engine.release.attack_audit.inverse_attacks import InverseAttack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.table.column import Column


@register
class TwoConstantSearch(InverseAttack):
    """Finds both constants that were added to a column and subtracts them.

    If the release is not rounded to the source's step, the extra digits reveal the constants, and the value must be
    recovered exactly. If it is rounded, every possible number of high values is tried, and an error of one step counts
    as recovered. A step is the unit of the column's last digit.
    """

    id = "two-constant-search"
    title = "attack.name.two-constant-search"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.two-constant-search.none",
        "some": "attack.two-constant-search.some",
        "serious": "attack.two-constant-search.serious",
        "total": "attack.two-constant-search.total",
    }
    order = 80
    term = "attack.two-constant-search.term"
    source = "attack.two-constant-search.source"

    def undo(self, candidate: Candidate, before: Column, column: Column) -> tuple[Column, float]:
        """Return the column without the constants (the column itself where none are found), and the tolerance.

        If a step on the column can be undone exactly without the key, the column undone in this way is returned. The
        tolerance is one step of the released column, the unit of its last digit. Where a step was undone exactly, it is
        one step of the source, or 0 if the release has finer digits than the source.
        """
        undone_column = undo_public_steps(candidate, column)
        if undone_column is not column:
            finer = style_of(column).step < style_of(before).step
            return undone_column, 0.0 if finer else float(style_of(before).step)
        present, whole = ~column.missing, np.zeros(len(column), dtype=np.int64)
        guess = undo_rounded(column.scaled[present], step_units(style_of(column)))
        if guess is None:
            return column, float(style_of(column).step)
        whole[present] = guess
        return replace_values(column, whole, guessed=True), float(style_of(column).step)
