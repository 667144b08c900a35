"""Noise filtering made on a candidate with noisy columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.attacks.comparison import severity_of_filter
from ppdm_desktop.engine.attacks.noise_filter import all_columns, error_figure, one_column, ratio_figure
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.audits.sides import listed, no_tail, sides
from ppdm_desktop.engine.release.candidate import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.models.features import Encoder, paired_records

ID = "noise-filter"
MOST_RECORDS = 50_000
LEAST_RECORDS = 10

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Noisy:
    """Complete records of a step's noisy columns, and their noise."""

    names: list[str]
    truth: Floats
    seen: Floats
    clean: Floats
    noise: Floats


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Guess the values behind every noisy column from all released columns.

    At most `MOST_RECORDS` complete records, a fixed sample, are fitted and guessed. A step whose
    column a later one changed again is passed over.
    """
    if not candidate.rows_correspond:
        return ()
    steps = [step for step in candidate.steps if ID in step.method.attacks]
    found: list[AttackEntry] = []
    for done, step in enumerate(steps):
        progress.report(done / len(steps), "doing.audit")
        noisy = _noisy(candidate, step)
        if noisy is None:
            continue
        progress.check()
        base, guess = one_column(noisy.seen, noisy.noise), all_columns(noisy.seen, noisy.clean, noisy.noise)
        others = [name for name in candidate.released_names if name not in noisy.names]
        found += [_entry(noisy, place, base, guess, others) for place in range(len(noisy.names))]
    return tuple(found)


def _noisy(candidate: Candidate, step: StepRecord) -> _Noisy | None:
    before, after = sides(candidate, candidate.released_names)
    by_name = {one.name: (one, other) for one, other in zip(before, after, strict=True)}
    names = [name for name in step.settings.columns if name in by_name]
    later = {name for each in candidate.steps if each.index > step.index for name in each.settings.columns}
    wanted = [by_name[name] for name in names]
    if not names or later.intersection(names) or any(other.kind != "numeric" for _, other in wanted):
        return None
    truth = np.column_stack([one.numbers for one, _ in wanted])
    seen = np.column_stack([other.numbers for _, other in wanted])
    complete = np.flatnonzero(~np.isnan(truth).any(axis=1) & ~np.isnan(seen).any(axis=1))
    if len(complete) < LEAST_RECORDS:
        return None
    rows = complete[sample_rows(len(complete), MOST_RECORDS)]
    rest = [pair for name, pair in by_name.items() if name not in names]
    clean = np.zeros((len(rows), 0))
    if rest:
        _, records = paired_records([one for one, _ in rest], [other for _, other in rest])
        mine = records.take(rows)
        clean = Encoder.fit(mine).matrix(mine).astype(np.float64)
    return _Noisy(names, truth[rows], seen[rows], clean, _noise(step.result.detail, names))


def _noise(detail: Mapping[str, Any], names: list[str]) -> Floats:
    """Return the covariance of the noise, averaged over levels, cells of phase 2 included."""
    columns = detail["covariance"]["columns"]
    places = [columns.index(name) for name in names]
    weakest = np.array(detail["covariance"]["matrix"], dtype=np.float64)[np.ix_(places, places)]
    own = [detail["columns"][name]["levels"] for name in names]
    shares = np.array([level["records"] for level in own[0]], dtype=np.float64)
    shares /= max(shares.sum(), 1.0)
    larger = np.array([level["noise"] / own[0][0]["noise"] for level in own[0]])
    total = weakest * float((shares * larger**2).sum())
    for place, (name, levels) in enumerate(zip(names, own, strict=True)):
        width = np.array([level["width"] for level in levels])
        step = detail["columns"][name]["step"]
        # What cutting into cells adds, and the draw inside the cell (contract, section 1).
        total[place, place] += float((shares * (width**2 / 12 + (width**2 - step**2) / 12)).sum())
    return np.asarray(total)


def _entry(noisy: _Noisy, place: int, base: Floats, guess: Floats, others: list[str]) -> AttackEntry:
    name, truth = noisy.names[place], noisy.truth[:, place]
    size = float(np.sqrt(noisy.noise[place, place]))
    success = error_figure(truth, guess[:, place], size, "best linear guess from all released columns")
    control = error_figure(truth, base[:, place], size, "best linear guess from the column alone")
    chance = error_figure(truth, np.full(len(truth), noisy.seen[:, place].mean()), size, "the mean, for everybody")
    ratio = ratio_figure(truth, guess[:, place], base[:, place])
    severity = severity_of_filter(float(ratio.value) if ratio.value is not None else 0.0)
    advantage = Figure.absent(ratio.note or "no ratio of errors", unit="share")
    if ratio.value is not None and ratio.low is not None and ratio.high is not None:
        advantage = Figure(
            1 - ratio.value, low=1 - ratio.high, high=1 - ratio.low, n=ratio.n, unit="share", method="error taken away"
        )
    arguments = {
        "column": name,
        "others": len(noisy.names) - 1 + len(others),
        "left": f"{float(success.value or 0.0):.2f}",
        "alone": f"{float(control.value or 0.0):.2f}",
        "ratio": f"{float(ratio.value or 0.0):.2f}",
    }
    return AttackEntry(
        id=ID,
        column=name,
        knows=Sentence(
            id="attack.knows.noisy",
            arguments={"columns": listed([*noisy.names, *others])},
        ),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=no_tail(),
        tolerance=None,
        sampled=len(truth),
        severity=severity,
        sentence=Sentence(id=f"attack.noise-filter.{severity}", arguments=arguments),
        levels=[],
        further={"ratio": ratio},
    )
