"""The causes by which checks are grouped; a written reason is given for a cause and answers all its checks."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.wording.texts import Title


@dataclass(frozen=True)
class Cause:
    """The subject of a group of checks.

    Attributes
    ----------
    id
        Name in recipes (``[accept.<id>]``), on the command line and in the report.
    text
        Id of the text with the cause's title and question.
    about_people
        Whether its checks are about single people, so that they do not apply to rows that are groups.
    """

    id: str
    text: str
    about_people: bool = False

    @property
    def title(self) -> Title:
        """The cause's name in quotation marks, for a sentence."""
        return Title(self.text)


WHO_IS_FOUND = Cause("who-is-found", "cause.who-is-found", about_people=True)
WHAT_IS_LEARNT = Cause("what-is-learnt", "cause.what-is-learnt", about_people=True)
READING_AND_ROLES = Cause("reading-and-roles", "cause.reading-and-roles")
KEYS_AND_DRAWS = Cause("keys-and-draws", "cause.keys-and-draws")

CAUSES = {cause.id: cause for cause in (WHO_IS_FOUND, WHAT_IS_LEARNT, READING_AND_ROLES, KEYS_AND_DRAWS)}
"""Every cause by its id, in the order in which they are shown."""
