"""The draws that went before a candidate: how many there were, and which did not pass where it passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, NOT_RUN, RED, CheckResult
from ppdm_desktop.engine.release.storage.ledger import DrawEntry, draw_of, drawing_steps

_RANK = {GREEN: 0, NOT_APPLICABLE: 0, NOT_RUN: 1, AMBER: 1, RED: 2}


@dataclass(frozen=True)
class Draws:
    """Candidates drawn from one source by the same methods on the same columns, in their order.

    Attributes
    ----------
    earlier
        Those drawn before this one.
    tried
        How many there are, this one and later ones among them.
    since
        Day since which they are known; None where nobody kept them.
    """

    earlier: tuple[DrawEntry, ...] = ()
    tried: int = 1
    since: str | None = None

    @property
    def number(self) -> int:
        """The place of this candidate among them, from 1."""
        return len(self.earlier) + 1


@dataclass(frozen=True)
class Better:
    """An earlier draw that did not pass a check in which this one is better."""

    draw: int
    check: str
    status: str


def draws_before(candidate: Candidate, draw_entries: Sequence[DrawEntry], since: str | None) -> Draws:
    """Return the draws from the same source by the same steps, among which this candidate is one.

    Parameters
    ----------
    candidate
        A candidate; whether it is among those known makes no difference but for its place.
    draw_entries
        Draws of any source, oldest first; one that is there twice counts once.
    since
        Day since which they are known.
    """
    steps, source, current_draw = drawing_steps(candidate), candidate.prepared.account.sha256, draw_of(candidate)
    first: dict[str, DrawEntry] = {}
    for draw_entry in draw_entries:
        if draw_entry.input_sha256 == source and draw_entry.steps == steps:
            first.setdefault(draw_entry.draw, draw_entry)
    alike = list(first.values())
    draw_number = next((at for at, draw_entry in enumerate(alike) if draw_entry.draw == current_draw), len(alike))
    return Draws(tuple(alike[:draw_number]), max(len(alike), draw_number + 1), since)


def better_than_earlier(
    draws: Draws, results: Sequence[CheckResult], by_chance: Sequence[str], type: str
) -> tuple[Better, ...]:
    """Return every check in which an earlier draw was amber or red and this one is better.

    Parameters
    ----------
    draws
        What went before.
    results
        The verdicts on this candidate.
    by_chance
        Checks whose verdict hangs on the draw: another one gets better by what someone decided.
    type
        Type of the release; a draw judged for others was held against other limits.
    """
    now = {result.id: _RANK[result.status] for result in results if result.id in by_chance}
    return tuple(
        Better(number, check, status)
        for number, entry in enumerate(draws.earlier, start=1)
        if entry.type == type
        for check, status in entry.statuses.items()
        if status in (AMBER, RED) and check in now and now[check] < _RANK[status]
    )
