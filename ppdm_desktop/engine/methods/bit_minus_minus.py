"""`bit-minus-minus`: subtracts 1 from every digit after the first (0 becomes 9)."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.digits.digits import DigitShift
from ppdm_desktop.engine.methods.base.declaration import register
from ppdm_desktop.engine.wording.catalogue import lazy


@register
class BitMinusMinus(DigitShift):
    """Subtracts 1 from every digit after the first (0 becomes 9) (Vijayarani & Tamilarasi 2011)."""

    id = "bit-minus-minus"
    title = lazy("Lower all digits after the first (Bit--)")
    summary = lazy(
        "Subtracts 1 from every digit after the first (0 becomes 9). Anyone can undo it without "
        "a key: use it for teaching, not for a release."
    )
    recipients_learn = lazy("Every digit after the first was lowered by 1, and 0 became 9.")
    by = -1
