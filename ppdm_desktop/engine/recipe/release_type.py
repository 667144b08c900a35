"""Release types: the kinds of recipients and the thresholds for them (contract, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ReleaseType:
    """One type of release with its thresholds.

    Attributes
    ----------
    id
        Name in the recipe.
    title
        Id of the text that says who gets it and what that means.
    who
        Id of the text by which documents call the recipients.
    k_min
        Smallest class of records, and smallest count in any public text.
    threshold
        The risk the threshold stands for, as usually printed.
    threshold_source
        Text id of where the threshold comes from.
    is_public
        Whether anyone may get the file.
    is_internal
        Whether it stays with named people inside the organisation.
    """

    id: str
    title: str
    who: str
    k_min: int
    threshold: float
    threshold_source: str
    is_public: bool = False
    is_internal: bool = False

    @property
    def relies_on_agreement(self) -> bool:
        """Return whether recipients may sign an agreement on which checks rely: only if neither public nor internal."""
        return not self.is_public and not self.is_internal

    @property
    def lifts(self) -> Mapping[str, int]:
        """Return the least demand of any privacy level by its key: {"group": k_min}."""
        return {"group": self.k_min}


RELEASE_TYPES: Mapping[str, ReleaseType] = {
    release_type.id: release_type
    for release_type in (
        ReleaseType(
            id="public",
            title="release-type.public",
            who="release-type.public.who",
            k_min=11,
            threshold=0.09,
            threshold_source="threshold.public",
            is_public=True,
        ),
        ReleaseType(
            id="public-high-harm",
            title="release-type.public-high-harm",
            who="release-type.public-high-harm.who",
            k_min=20,
            threshold=0.05,
            threshold_source="threshold.public-high-harm",
            is_public=True,
        ),
        ReleaseType(
            id="research",
            title="release-type.research",
            who="release-type.research.who",
            k_min=5,
            threshold=0.20,
            threshold_source="threshold.research",
        ),
        ReleaseType(
            id="internal",
            title="release-type.internal",
            who="release-type.internal.who",
            k_min=3,
            threshold=0.33,
            threshold_source="threshold.internal",
            is_internal=True,
        ),
    )
}
UNDECIDED = RELEASE_TYPES["research"]
"""What a file is looked at for while nobody has said who will get it."""
