"""Re-identification risk before and after, in the report."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part


class ClassSize(Part):
    """How many equivalence classes have one size."""

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


class MeasureEntry(Part):
    """What someone learns who knows one row of a person, or all of them; in people.

    Attributes
    ----------
    judges
        Whether limits are held against this measure, or it stands beside.
    equivalence_classes
        Classes of rows that look the same, or of people all of whose rows do.
    k, unique, below_k_min
        Fewest people from whom a person cannot be distinguished; people alone; people below the release type's limit.
    unique_with_several
        People alone who have several rows.
    """

    judges: bool
    people: int
    equivalence_classes: int
    k: int
    unique: int
    unique_with_several: int
    below_k_min: int
    identifiable: dict[str, IdentifiableEntry]
    prosecutor_max: float
    prosecutor_mean: float
    l_distinct: int | None


class HouseholdsEntry(Part):
    """Households, which are shown and not judged.

    Attributes
    ----------
    count, with_several
        Households, and those of two people or more.
    unique
        Households like no other.
    found_mean, found_max
        Chance that at least one member is found.
    """

    count: int
    with_several: int
    unique: int
    found_mean: float
    found_max: float


class RiskBlock(Part):
    """Risk of a table for one set of columns that an intruder is taken to know, by the measure that judges.

    Where people have several rows, ``records`` and all counts are of people, and ``rows`` says how many rows they have.
    """

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
    rows: int | None = None
    one_row: MeasureEntry | None = None
    all_rows: MeasureEntry | None = None
    households: HouseholdsEntry | None = None


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
