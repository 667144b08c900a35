"""The parameter by which a method keeps changed numbers within the rules that the source's numbers obey."""

from __future__ import annotations

from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter
from ppdm_desktop.engine.wording.catalogue import lazy

KEPT, COUNTED = "kept", "counted"

RULES_PARAMETER = ChoiceParameter(
    name="rules",
    label=lazy("What always holds"),
    help=lazy("Whether released numbers keep the steps and the range of the column’s own numbers."),
    effect=lazy("Impossible values make recipients doubt all others; results change little."),
    default=COUNTED,
    choices={
        KEPT: lazy("Numbers stay on the column’s own steps and out of impossible ranges."),
        COUNTED: lazy("As in the papers: rows with impossible values are only counted."),
    },
    names={KEPT: lazy("kept"), COUNTED: lazy("only counted")},
    of_file=True,
    silent_unless_written=True,
    advanced=True,
    checked_with={"rules": "kept", "roles": {"Score": "confidential"}},
)
