"""`bit-plus-plus`: adds 1 to every digit after the first (9 becomes 0)."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.digits.digits import DigitShift
from ppdm_desktop.engine.methods.base.declaration import register
from ppdm_desktop.engine.wording.catalogue import lazy


@register
class BitPlusPlus(DigitShift):
    """Adds 1 to every digit after the first (9 becomes 0) (Vijayarani & Tamilarasi 2011)."""

    id = "bit-plus-plus"
    title = lazy("Raise all digits after the first (Bit++)")
    summary = lazy(
        "Adds 1 to every digit after the first (9 becomes 0). Anyone can undo it without a key: "
        "use it for teaching, not for a release."
    )
    recipients_learn = lazy("Every digit after the first was raised by 1, and 9 became 0.")
    by = 1
