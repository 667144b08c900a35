"""The results that checks return, and the causes by which checks are grouped.

A written reason is given for a cause, and answers all its checks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model import Residual
from ppdm_desktop.engine.wording.texts import Note, Title

# --- causes -------------------------------------------------------------------------------


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
"""Every cause by its id, in the order of display."""


# --- results ------------------------------------------------------------------------------

GREEN, AMBER, RED = "green", "amber", "red"
NOT_APPLICABLE, NOT_RUN = "not-applicable", "not-run"
NEED_REASON = (AMBER, NOT_RUN)
"""The statuses of a check's result that a written reason can let pass."""
Direction = Literal["at-most", "at-least"]


@dataclass(frozen=True)
class VerdictText:
    """One sentence that a check may use, with the status that it stands for.

    Attributes
    ----------
    status
        Status of a result with this sentence: ``green``, ``amber``, ``red``, ``not-applicable`` or ``not-run``.
    id
        Text id of the sentence.
    figure_title
        Text id of the figure's name, if this sentence counts something else than the check's other sentences.
    """

    status: str
    id: str
    figure_title: str = ""

    @classmethod
    def green(cls, id: str) -> VerdictText:
        """Return a sentence, with this text id, for a finding within its limit."""
        return cls(GREEN, id)

    @classmethod
    def amber(cls, id: str, figure_title: str = "") -> VerdictText:
        """Return a sentence, with this text id, for a finding that needs a written reason."""
        return cls(AMBER, id, figure_title)

    @classmethod
    def red(cls, id: str, figure_title: str = "") -> VerdictText:
        """Return a sentence, with this text id, for a finding that blocks the release."""
        return cls(RED, id, figure_title)

    @classmethod
    def not_applicable(cls, id: str) -> VerdictText:
        """Return a sentence, with this text id, for a release in which there is nothing to judge."""
        return cls(NOT_APPLICABLE, id)

    @classmethod
    def not_run(cls, id: str) -> VerdictText:
        """Return a sentence, with this text id, for a check that could not run."""
        return cls(NOT_RUN, id)


class Colours(NamedTuple):
    """The green, amber and red sentence of one finding."""

    green: VerdictText
    amber: VerdictText
    red: VerdictText

    @classmethod
    def of(cls, green: str, amber: str, red: str) -> Colours:
        """Return the three sentences with these text ids."""
        return cls(VerdictText.green(green), VerdictText.amber(amber), VerdictText.red(red))


@dataclass(frozen=True)
class Remedy:
    """A way to correct a finding.

    Attributes
    ----------
    text
        The text whose remedy describes what to do, with its arguments.
    page
        Id of the page where it can be done.
    """

    text: Note
    page: str


@dataclass(frozen=True)
class CheckResult:
    """The result of one check.

    Attributes
    ----------
    id
        Id of the check.
    status
        ``green``, ``amber``, ``red``, ``not-applicable`` or ``not-run``.
    figure
        The measured figure; None without one.
    limit
        The limit of the figure; None without one.
    sentence
        The sentence, one of the check's texts with its arguments.
    direction
        Whether the limit is a maximum or a minimum.
    on_certificate
        Whether the certificate names it even if nothing was found.
    residual
        The part of the sentence on residual risk that its figure fills.
    is_gain
        Whether its figure is a difference of shares; figure and limit are then written in percentage points.
    hits, of
        Number of people affected, and number of people in all; None if nobody is counted.
    remedies
        Ways to correct the finding; empty if nothing is to be corrected.
    columns
        The columns that the finding is about, in source order: those named in the sentence, or more of them.
    figure_title
        Text id of the figure's name if it is shown alone; empty to use the check's title.
    """

    id: str
    status: str
    figure: Figure | None
    limit: float | int | str | None
    sentence: Note
    direction: Direction = "at-most"
    on_certificate: bool = False
    residual: Residual = ""
    is_gain: bool = False
    hits: int | None = None
    of: int | None = None
    remedies: tuple[Remedy, ...] = ()
    columns: tuple[str, ...] = ()
    figure_title: str = ""
