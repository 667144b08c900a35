"""The types of release: who receives the file, and the risk thresholds for it (contract, section 4)."""

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
        Text id of a sentence on who gets the file and what that means.
    who
        Text id of what documents call the recipients.
    k_min
        Smallest group of records with equal quasi-identifiers, and smallest count in any public text.
    threshold
        Largest risk of re-identification, as usually printed: 0.09 for ``k_min`` 11.
    threshold_source
        Text id of where the threshold comes from.
    is_public
        Whether anyone may get the file.
    is_internal
        Whether only named people inside the organisation get it.
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
        """Return whether recipients can sign an agreement that checks take into account, as researchers can.

        False for releases to the public and inside the organisation.
        """
        return not self.is_public and not self.is_internal

    @property
    def lifts(self) -> Mapping[str, int]:
        """Return the smallest value that any privacy level may demand, by the name of the demand: {"group": k_min}."""
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
"""The type by which a file is judged as long as nobody has said who will get it."""
