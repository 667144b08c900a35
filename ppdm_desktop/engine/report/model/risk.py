"""Risk before and after."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part


class ClassSize(Part):
    """How many classes of equal records have one size."""

    size: int
    classes: int
    records: int


class IdentifiableEntry(Part):
    """Identifiable records of one confidential column."""

    uniquely: int
    collectively: int
    groups: int
    unidentifiable: int
    no_value: int


class RiskBlock(Part):
    """Risk of a table for one set of columns that an intruder is taken to know."""

    columns: list[str]
    records: int
    equivalence_classes: int
    k: int
    class_sizes: list[ClassSize]
    unique: int
    identifiable: dict[str, IdentifiableEntry]
    prosecutor_max: float
    prosecutor_mean: float
    share_over_threshold: float
    journalist_max: Figure
    journalist_mean: Figure
    marketer: float
    l_distinct: int | None
    l_entropy: Figure
    t_closeness: Figure
    unique_sets: list[list[str]] | None


class RiskScopes(Part):
    """The same figures for two intruders: one knows the quasi-identifiers, one all but the confidential."""

    quasi_identifiers: RiskBlock | None
    released: RiskBlock | None


class RiskSide(Part):
    """Risk of one table."""

    scope: RiskScopes
    applies: bool


class Risk(Part):
    """Risk before and after."""

    before: RiskSide
    after: RiskSide
