"""`bit-minus-minus`: takes 1 from every digit behind the first (0 becomes 9)."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.digits.digits import DigitShift
from ppdm_desktop.engine.methods.base.registry import register


@register
class BitMinusMinus(DigitShift):
    """Takes 1 from every digit behind the first (0 becomes 9) (Vijayarani & Tamilarasi 2011)."""

    id = "bit-minus-minus"
    title = "Lower the later digits (Bit--)"
    summary = (
        "Takes 1 from every digit behind the first (0 becomes 9). Anybody can undo it without a key, "
        "so it is for teaching and comparison, not for release."
    )
    by = -1
