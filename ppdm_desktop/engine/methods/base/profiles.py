"""Whose settings a step has as a whole: the paper's, the recommended ones, or a person's own.

A method declares its profiles; which of them a step has follows from its parameters alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ppdm_desktop.engine.methods.base.parameters import Parameter
from ppdm_desktop.engine.recipe.models import ProfileName

PAPER: ProfileName = "paper"
SAFE: ProfileName = "safe"
OWN: Literal["own"] = "own"
Mode = Literal["paper", "safe", "own"]
Profiles = Mapping[ProfileName, Mapping[str, Any]]
"""Parameters that a profile writes, by name of the profile; other parameters stay unwritten."""


def effective_values(parameters: Sequence[Parameter], written: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a step's parameters that are compared with a profile.

    Parameters that belong to the file and the question are left out. A level parameter that nobody wrote is None,
    because every level then takes its own value: the same number, written, is another setting. Lists become tuples.
    """
    effective = {
        parameter.name: written.get(parameter.name, None if parameter.level_key is not None else parameter.default)
        for parameter in parameters
        if not (parameter.of_file or parameter.found_by_run)
    }
    return {name: tuple(value) if isinstance(value, list) else value for name, value in effective.items()}


def mode_of(parameters: Sequence[Parameter], profiles: Profiles, written: Mapping[str, Any]) -> Mode:
    """Return the profile whose values all effective parameters have, the paper's first; ``own`` where none fits.

    Parameters
    ----------
    parameters, profiles
        As the method declares them; a method without profiles is ``safe`` as long as nothing is changed.
    written
        The parameters that were written, by name.
    """
    effective = effective_values(parameters, written)
    for name in (PAPER, SAFE):
        declared = profiles.get(name, {} if name == SAFE else None)
        if declared is not None and _same(effective_values(parameters, declared), effective):
            return name
    return OWN


def _same(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Return whether values are equal as in a recipe: 1 and 1.0 are one number, true is none."""
    return all(
        value == second[name] and isinstance(value, bool) == isinstance(second[name], bool)
        for name, value in first.items()
    )
