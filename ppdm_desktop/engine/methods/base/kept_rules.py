"""The setting by which changed numbers keep what always holds in the source."""

from __future__ import annotations

from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter
from ppdm_desktop.engine.wording.catalogue import later

KEPT, COUNTED = "kept", "counted"

RULES_PARAMETER = ChoiceParameter(
    name="rules",
    label=later("method", "What always holds"),
    help=later("method", "Whether released numbers keep the steps and the range of the column’s own numbers."),
    effect=later("method", "Impossible values make recipients doubt all others; results change little."),
    default=COUNTED,
    choices={
        KEPT: later("method", "Numbers stay on the column’s own steps and out of impossible ranges."),
        COUNTED: later("method", "As in the papers: rows with impossible values are only counted."),
    },
    names={KEPT: later("method", "kept"), COUNTED: later("method", "only counted")},
    of_file=True,
    silent_unless_written=True,
    advanced=True,
)
