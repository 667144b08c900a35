"""The fields of a record of processing (GDPR art. 5(2), 9 and 30), in their order.

Window, record and report read them here. A field nobody filled in is a line to fill in by hand.
"""

from __future__ import annotations

from collections.abc import Mapping

from ppdm_desktop.engine.recipe.models import Operator
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy

RECORD_FIELDS: Mapping[str, Sentence] = {
    "dataset": lazy("Data set"),
    "controller": lazy("Controller"),
    "purpose": lazy("Purpose"),
    "legal_basis": lazy("Legal basis"),
    "recipient": lazy("Recipient and agreement"),
    "dpo": lazy("Data protection officer"),
    "categories_of_persons": lazy("Categories of persons"),
    "retention": lazy("Retention (source, key, release)"),
    "measures": lazy("Access, encryption, training"),
    "incident": lazy("Who acts on an incident"),
    "special_categories": lazy("Special categories (art. 9)"),
}
"""What each field is called, by its key in the recipe's ``[operator]``; the last one is answered by yes or no."""


def record_fields(operator: Operator) -> list[tuple[str, str]]:
    """Return the label of each field of the record of processing and what was entered, in order; "" for nothing."""
    return [(str(label), _format_entry(getattr(operator, key))) for key, label in RECORD_FIELDS.items()]


def _format_entry(value: str | bool | None) -> str:
    """Return what was entered as text: "Yes" or "No" (translated) for an answer, "" for None, a text unchanged."""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    return value or ""
