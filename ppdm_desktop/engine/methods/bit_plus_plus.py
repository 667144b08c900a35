"""`bit-plus-plus`: adds 1 to every digit behind the first (9 becomes 0)."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.digits.digits import DigitShift
from ppdm_desktop.engine.methods.base.registry import register


@register
class BitPlusPlus(DigitShift):
    """Adds 1 to every digit behind the first (9 becomes 0) (Vijayarani & Tamilarasi 2011)."""

    id = "bit-plus-plus"
    title = "Raise the later digits (Bit++)"
    summary = (
        "Adds 1 to every digit behind the first (9 becomes 0). Anybody can undo it without a key, "
        "so it is for teaching and comparison, not for release."
    )
    by = 1
