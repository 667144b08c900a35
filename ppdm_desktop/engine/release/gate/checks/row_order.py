"""Check that the rows are in an order drawn by the key."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS, CheckResult, Colours

FEW_ROWS = 5


@register
class RowOrder(Check):
    """The rows are in a random order drawn with the key."""

    id = "row-order"
    title = "Order of rows"
    order = 80
    cause = KEYS_AND_DRAWS
    fix_on = "protect"
    figure_unit = ""
    reads_file = False
    usual = Colours.of("gate.row-order.green", "gate.row-order.amber", "gate.row-order.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result of comparing the rows' order with the source's.

        Green if rows were shuffled and are in another order; of fewer than 5 rows any order is green if they were
        shuffled. Synthetic rows count as shuffled. Else amber, or red in a public release with random steps: who knows
        a row's position in the source would know whose value it is.
        """
        order = evidence.candidate.row_order
        in_source_order = len(order) >= FEW_ROWS and bool(np.array_equal(order, np.arange(len(order))))
        shuffled = evidence.candidate.is_shuffled and not in_source_order
        if shuffled:
            return self.verdict(self.usual.green)
        undone = evidence.candidate.prepared.type.is_public and any(step.drawn for step in evidence.candidate.steps)
        return self.verdict(self.usual.red if undone else self.usual.amber)
