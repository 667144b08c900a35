"""Earlier random draws of the same candidate: how many, and which checks they failed that this one passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, NOT_RUN, RED, CheckResult
from ppdm_desktop.engine.release.storage.ledger import DrawEntry, draw_of, drawing_steps

_RANK = {GREEN: 0, NOT_APPLICABLE: 0, NOT_RUN: 1, AMBER: 1, RED: 2}


@dataclass(frozen=True)
class Draws:
    """The candidates drawn at random from one source by the same methods on the same columns, in order.

    Attributes
    ----------
    earlier
        The draws before this candidate's.
    tried
        Number of all draws, this and later ones included.
    since
        First day on which draws were recorded (ISO); None if none are.
    """

    earlier: tuple[DrawEntry, ...] = ()
    tried: int = 1
    since: str | None = None

    @property
    def number(self) -> int:
        """The position of this candidate among the draws, from 1."""
        return len(self.earlier) + 1


@dataclass(frozen=True)
class Better:
    """An earlier draw with a worse result in a check than this candidate.

    Its attributes are the number of the draw, the id of the check, and the status that the earlier draw had.
    """

    draw: int
    check: str
    status: str


def collect_draws(candidate: Candidate, draw_entries: Sequence[DrawEntry], since: str | None) -> Draws:
    """Return the draws before this candidate's from the same source by the same steps, each once, oldest first.

    The result also has the number of all such draws, later ones and this candidate's included. If this candidate is not
    recorded, it counts as the last.

    Parameters
    ----------
    candidate
        The candidate, recorded or not.
    draw_entries
        Recorded draws of any source, oldest first; a repeated one counts once.
    since
        First day on which draws were recorded; None if none are.
    """
    steps, source, current_draw = drawing_steps(candidate), candidate.prepared.account.sha256, draw_of(candidate)
    first: dict[str, DrawEntry] = {}
    for draw_entry in draw_entries:
        if draw_entry.input_sha256 == source and draw_entry.steps == steps:
            first.setdefault(draw_entry.draw, draw_entry)
    equal = list(first.values())
    draw_number = next((at for at, draw_entry in enumerate(equal) if draw_entry.draw == current_draw), len(equal))
    return Draws(tuple(equal[:draw_number]), max(len(equal), draw_number + 1), since)


def find_improved_checks(
    draws: Draws, results: Sequence[CheckResult], by_chance: Sequence[str], type: str
) -> tuple[Better, ...]:
    """Return an entry for each earlier draw and check that was amber or red then and is better now.

    An entry has the number of the draw, from 1, the check's id and its status then. Entries are in the order of the
    draws; a check may have several. A check that did not run now is no better than amber.

    Parameters
    ----------
    draws
        The earlier draws.
    results
        The results of this candidate.
    by_chance
        Ids of the checks whose result depends on the draw; only these are returned.
    type
        Id of the release type; draws judged for another type had other limits and do not count.
    """
    now = {result.id: _RANK[result.status] for result in results if result.id in by_chance}
    return tuple(
        Better(number, check, status)
        for number, entry in enumerate(draws.earlier, start=1)
        if entry.type == type
        for check, status in entry.statuses.items()
        if status in (AMBER, RED) and check in now and now[check] < _RANK[status]
    )
