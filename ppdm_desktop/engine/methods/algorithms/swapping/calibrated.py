"""The calibrated search: of several temperatures the one that keeps most and cannot be retraced.

Each setting is drawn completely, with the key's numbers, and attacked as it would be released. Among the settings
whose retracing by naive Bayes and by gradient boosting gains nothing over the same attack without the person's
record, the one of least divergence is taken. Where none passes, records are chosen without regard to relations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.calibration import Leaning, Participants, calibrated_costs
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Members, Streams
from ppdm_desktop.engine.retracing.trial import Trial, Tried

Draw = Callable[[Floats], Ints]
"""Takes costs of the participants, in units of the Gumbel noise; returns every record's category after both phases."""

LEAST_TEMPERATURE, RUNGS = 0.07, 13
"""The lowest temperature, and how many there are: each is the square root of two times the one before."""
# Every so many of the temperatures are tried, by the participants up to which.
_EVERY = ((5_000, 1), (100_000, 3))
_EVERY_OF_MANY = 6
_EVERY_WHEN_ROUGH = 3


@dataclass(frozen=True)
class Point:
    """The result of one search: how much it changes relations, and how well it can be retraced.

    Attributes
    ----------
    search
        ``calibrated``, ``random``, ``exact``, ``greedy`` or ``as-set`` (the step's own, where it is another), all
        on the same people and counts.
    divergence
        I-divergence of the naive Bayes joint from the original's, nats.
    bayes, boosting
        Retracing by each; boosting is None where nobody was attacked by it.
    """

    search: str
    divergence: float
    bayes: Tried
    boosting: Tried | None

    @property
    def gains_nothing(self) -> bool:
        """Whether neither attack finds more than its control's interval contains."""
        return self.bayes.gains_nothing and (self.boosting is None or self.boosting.gains_nothing)


@dataclass(frozen=True, eq=False)
class Calibration:
    """The choice of the calibrated search.

    Attributes
    ----------
    temperature
        Nats of divergence that a nat of randomness is worth; None where records were chosen without regard to
        relations because every setting could be retraced.
    leaning
        Who changes beyond what the relations ask for; None as above.
    tried
        Settings drawn.
    chosen
        The point released.
    frontier
        That point and those of the other searches, on the same draw of people and counts.
    """

    temperature: float | None
    leaning: Leaning | None
    tried: int
    chosen: Point
    frontier: tuple[Point, ...]

    @property
    def kept(self) -> float | None:
        """Share of the relations lost by a random choice that this choice keeps; None where none are lost."""
        random = next(point.divergence for point in self.frontier if point.search == "random")
        return 1.0 - self.chosen.divergence / random if random > 0 else None


class Calibrator:
    """Draws, measures and attacks settings of the search for one column.

    Parameters
    ----------
    column, members
        The column and who takes part.
    streams
        The key's stream for a purpose.
    rough
        Try fewer temperatures: what a swap would come to, before it is made.
    """

    def __init__(self, column: ColumnInput, members: Members, streams: Streams, *, rough: bool = False) -> None:
        self._rough = rough
        self._given = Participants.of(column, members)
        self._streams = streams
        quasi_codes = [codes[column.people.first_rows].astype(np.int64) for codes in column.quasi]
        unique, stream = members.identified.unique, streams("calibration")
        self._trial = Trial(quasi_codes, column.truth, column.categories, unique, stream, column.views)

    def divergence(self, released: Ints) -> float:
        """Return the I-divergence of the released categories from the true ones, in nats."""
        relations = self._given.relations
        return relations.divergence(self._given.before, relations.tables(released))

    def point(self, search: str, released: Ints) -> Point:
        """Return the measures and attacks of the categories that a search would release."""
        bayes = self._trial.by_bayes(released)
        return Point(search, self.divergence(released), bayes, self._trial.by_boosting(released))

    def settings(self) -> list[tuple[Leaning, float]]:
        """Return the (leaning, temperature) pairs to try, fewer for more records."""
        records = len(self._given.rows)
        every = next((step for most, step in _EVERY if records <= most), _EVERY_OF_MANY)
        every = max(every, _EVERY_WHEN_ROUGH) if self._rough else every
        rungs = range(0, RUNGS, every)
        leanings: tuple[Leaning, ...] = ("even", "certain")
        return [(leaning, LEAST_TEMPERATURE * 2 ** (rung / 2)) for leaning in leanings for rung in rungs]

    def costs(self, leaning: Leaning, temperature: float) -> Floats:
        """Return the costs of the participants for a setting."""
        return calibrated_costs(self._given, temperature, leaning, self._streams("calibration-sample"))

    def search(self, draw: Draw) -> tuple[Floats, Leaning | None, float | None, int, Point]:
        """Return costs, leaning and temperature of the chosen setting, the number of settings tried, and its point."""
        settings = self.settings()
        trials = []
        for done, (leaning, temperature) in enumerate(settings):
            with progress.part(0.6 * done / len(settings), 0.6 * (done + 1) / len(settings)):
                progress.report(0.0, "progress.swap.calibrate")
                released = draw(self.costs(leaning, temperature))
                trials.append((self.divergence(released), leaning, temperature, released))
        # The least divergence first: most settings need no attack by boosting, which takes longest.
        trials.sort(key=lambda trial: trial[:3])
        for done, (_, leaning, temperature, released) in enumerate(trials):
            with progress.part(0.6 + 0.4 * done / len(trials), 0.6 + 0.4 * (done + 1) / len(trials)):
                progress.report(0.0, "progress.swap.calibrate")
                if not self._trial.by_bayes(released).gains_nothing:
                    continue
                point = self.point("calibrated", released)
                if point.gains_nothing:
                    return self.costs(leaning, temperature), leaning, temperature, len(trials), point
        flat = self.flat()
        return flat, None, None, len(trials), self.point("calibrated", progress.part(1.0, 1.0).run(draw, flat))

    def flat(self) -> Floats:
        """Return costs that are equal for all participants and categories."""
        return np.zeros((len(self._given.rows), self._given.relations.categories))
