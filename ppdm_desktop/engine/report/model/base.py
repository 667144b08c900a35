"""The base of every part of the report, and what several parts hold."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator

from ppdm_desktop.engine.wording.values import as_data

Status = Literal["green", "amber", "red", "not-applicable", "not-run"]
Residual = Literal["", "certain", "everything", "found"]
"""Which half of the sentence on the residual risk a check's figure is: values revealed for certain, the same
to someone who knows all else that is released, and people found."""


class Part(BaseModel):
    """A part of the report: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class Sentence(Part):
    """A sentence by text id, with its arguments."""

    id: str
    arguments: dict[str, Any]

    @field_validator("arguments", mode="before")
    @classmethod
    def _as_data(cls, arguments: object) -> object:
        """Keep the values of a sentence as the data from which it can be said again."""
        return {name: as_data(each) for name, each in arguments.items()} if isinstance(arguments, dict) else arguments
