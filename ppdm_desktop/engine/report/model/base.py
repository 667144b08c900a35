"""The base of every part of the report, and what several parts hold."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Status = Literal["green", "amber", "red", "not-applicable", "not-run"]


class Part(BaseModel):
    """A part of the report: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


class Sentence(Part):
    """A sentence by text id, with its arguments."""

    id: str
    arguments: dict[str, Any]
