"""`bit-plus-plus`: adds 1 to every digit behind the first (9 becomes 0)."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.digits.digits import DigitShift
from ppdm_desktop.engine.methods.base.registry import register
from ppdm_desktop.engine.wording.catalogue import later


@register
class BitPlusPlus(DigitShift):
    """Adds 1 to every digit behind the first (9 becomes 0) (Vijayarani & Tamilarasi 2011)."""

    id = "bit-plus-plus"
    title = later("method", "Raise all digits after the first (Bit++)")
    summary = later(
        "method",
        "Adds 1 to every digit after the first (9 becomes 0). Anyone can undo it without a key: "
        "use it for teaching, not for a release.",
    )
    recipients_learn = later("note", "Every digit after the first was raised by 1, and 9 became 0.")
    by = 1
