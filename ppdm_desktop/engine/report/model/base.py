"""The base of every part of the report, and what several parts hold."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, field_validator

from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Value, as_data, refuse_untyped, restore_values

Status = Literal["green", "amber", "red", "not-applicable", "not-run"]
Residual = Literal["", "certain", "everything", "found"]
"""Which half of the sentence on the residual risk a check's figure is: values revealed for certain, the same
to someone who knows all else that is released, and people found."""
INFINITE = "infinite"
"""How report.json writes a number without an end, of which JSON knows none."""


class Part(BaseModel):
    """A part of the report: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    @classmethod
    def copy_of(cls, measured: object, **fields: Any) -> Self:
        """Return the part with those of its fields that ``measured`` has as attributes, and with the given ones.

        Given fields win; NumPy numbers become plain ones. A missing or unfit field raises pydantic's ValidationError.
        """
        names = [name for name in cls.model_fields if name not in fields and hasattr(measured, name)]
        copied = {name: getattr(measured, name) for name in names}
        plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in copied.items()}
        return cls.model_validate(plain | fields)


def _to_plain_value(value: object) -> object:
    """Return a value of a sentence as data for report.json, integers of NumPy as plain ones."""
    if isinstance(value, int):
        return value
    return int(value) if isinstance(value, Integral) else as_data(value)


class Sentence(Part):
    """A sentence by text id, with its arguments."""

    id: str
    arguments: dict[str, object]

    @classmethod
    def of(cls, id: str, arguments: Mapping[str, Value] | None = None) -> Self:
        """Return a sentence with its arguments kept as data.

        Raises
        ------
        TypeError
            When a value is a text or a bare float (a fault of the program).
        """
        refuse_untyped(id, arguments or {})
        return cls(id=id, arguments=dict(arguments or {}))

    @property
    def note(self) -> Note:
        """The sentence as a note with typed values, which can be written in the current language."""
        return Note(self.id, restore_values(self.arguments))

    @field_validator("arguments", mode="before")
    @classmethod
    def _to_plain_arguments(cls, arguments: object) -> object:
        """Return the arguments of a sentence as data from which it can be written again.

        What is no dict is returned unchanged, for the validation to refuse.
        """
        if not isinstance(arguments, dict):
            return arguments
        # NumPy's whole numbers are counts like any other.
        return {name: _to_plain_value(argument) for name, argument in arguments.items()}
