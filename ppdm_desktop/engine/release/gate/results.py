"""What a check of the gate returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Residual
from ppdm_desktop.engine.wording.texts import Note

GREEN, AMBER, RED = "green", "amber", "red"
NOT_APPLICABLE, NOT_RUN = "not-applicable", "not-run"
NEED_REASON = (AMBER, NOT_RUN)
"""What a check comes to that a written reason can let pass."""
Direction = Literal["at-most", "at-least"]


@dataclass(frozen=True)
class VerdictText:
    """One sentence that a check may say.

    Attributes
    ----------
    status
        What a check comes to that says it: ``green``, ``amber``, ``red``, ``not-applicable`` or ``not-run``.
    id
        Its text id.
    figure_title
        Text id of what the figure is called, where this sentence counts something else than the others.
    """

    status: str
    id: str
    figure_title: str = ""

    @classmethod
    def green(cls, id: str) -> VerdictText:
        """Return a sentence of what is within its limit."""
        return cls(GREEN, id)

    @classmethod
    def amber(cls, id: str, figure_title: str = "") -> VerdictText:
        """Return a sentence of what needs a written reason."""
        return cls(AMBER, id, figure_title)

    @classmethod
    def red(cls, id: str, figure_title: str = "") -> VerdictText:
        """Return a sentence of what stops the release."""
        return cls(RED, id, figure_title)

    @classmethod
    def not_applicable(cls, id: str) -> VerdictText:
        """Return a sentence of what there is nothing to be judged by."""
        return cls(NOT_APPLICABLE, id)

    @classmethod
    def not_run(cls, id: str) -> VerdictText:
        """Return a sentence of what could not be judged."""
        return cls(NOT_RUN, id)


class Colours(NamedTuple):
    """The three sentences of one finding, from good to bad."""

    green: VerdictText
    amber: VerdictText
    red: VerdictText

    @classmethod
    def of(cls, green: str, amber: str, red: str) -> Colours:
        """Return the three sentences with these text ids."""
        return cls(VerdictText.green(green), VerdictText.amber(amber), VerdictText.red(red))


@dataclass(frozen=True)
class Remedy:
    """A way to correct what a check found.

    Attributes
    ----------
    text
        The text whose remedy says what to do, with its arguments.
    page
        Id of the page where it is done.
    """

    text: Note
    page: str


@dataclass(frozen=True)
class CheckResult:
    """One check's verdict.

    Attributes
    ----------
    id
        Name of the check.
    status
        ``green``, ``amber``, ``red``, ``not-applicable`` or ``not-run``.
    figure
        What was measured.
    limit
        What it was measured against.
    sentence
        What the check says, one of its texts with its arguments.
    direction
        Whether the limit is the most that is allowed, or the least that is wanted.
    on_certificate
        Whether the certificate names it even where nothing was found.
    residual
        Which half of the sentence on the residual risk its figure is.
    is_gain
        Whether its figure is a share less another: written in percentage points, and so is its limit.
    hits, of
        The people it speaks of, and of how many; None where it counts nobody.
    remedies
        What corrects it; empty where nothing is to be corrected.
    columns
        The columns that its sentence names, in the source's order.
    figure_title
        Text id of what the figure is called where that stands alone; empty where the check's title has to do.
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
