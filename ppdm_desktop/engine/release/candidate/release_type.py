"""Release types: who will get the file, and the thresholds that follow (contract, section 4)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ReleaseType:
    """Thresholds of one type of release.

    Attributes
    ----------
    id
        Name in the recipe.
    k_min
        Smallest class of records, and smallest count in any public text.
    l_min
        Distinct confidential values asked of a class (fewer where the column has fewer).
    is_public
        Whether anyone may get the file.
    label
        The risk the threshold stands for, as usually printed.
    source
        Text id of where the threshold comes from.
    """

    id: str
    k_min: int
    l_min: int
    is_public: bool
    label: str
    source: str


RELEASE_TYPES: dict[str, ReleaseType] = {
    each.id: each
    for each in (
        ReleaseType("public", 11, 3, True, "0.09", "threshold.public"),
        ReleaseType("public-high-harm", 20, 3, True, "0.05", "threshold.public-high-harm"),
        ReleaseType("research", 5, 2, False, "0.20", "threshold.research"),
        ReleaseType("internal", 3, 2, False, "0.33", "threshold.internal"),
    )
}
