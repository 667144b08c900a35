"""The base of what a recipient may read."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Public(BaseModel):
    """A part of a public text: frozen, no key beyond those declared."""

    model_config = ConfigDict(extra="forbid", frozen=True)
