"""The nearest-record attack made on a candidate whose records were made, or averaged, by groups."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.attacks.gower import Ints, Values
from ppdm_desktop.engine.attacks.intervals import success_figure
from ppdm_desktop.engine.attacks.nearest_record import Linked, most_targets, nearest_record
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.candidate import Candidate, StepRecord
from ppdm_desktop.engine.release.compared import compared
from ppdm_desktop.engine.report.model import AttackEntry, AttackLevel, AttackTail, Sentence
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.models.features import paired_records

ID = "nearest-record"
MOST_OF_A_LEVEL = 500
"""Records of one level that are looked for, beside those of the sample of all."""
SURE, NEARLY_ALL = 0.95, 0.95
_FOUND = "nearest released record by Gower's distance; one of those equally near by chance"
_NAMED = f"{_FOUND}; times 1 / size of the group where it is the person's own"
_NO_CONTROL = "the attack needs no learning; what it gains by itself is chance"


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Attack every step that this attack applies to.

    The snooper knows the true values, before the first step, of all columns the step treated.
    Targets are all records, or a fixed sample of them (`most_targets`); of each level up to
    `MOST_OF_A_LEVEL` are looked for as well. A step is passed over when a later one made all
    records anew, for then none of its own are in the release.
    """
    steps = [step for step in candidate.steps if ID in step.method.attacks and _still_there(candidate, step)]
    found = []
    for done, step in enumerate(steps):
        entry = _entry(candidate, step, progress.part(done / len(steps), (done + 1) / len(steps)))
        found += [entry] if entry is not None else []
    return tuple(found)


def _still_there(candidate: Candidate, step: StepRecord) -> bool:
    return all(later.method.correspondence == "record" for later in candidate.steps if later.index > step.index)


def _entry(candidate: Candidate, step: StepRecord, progress: Progress) -> AttackEntry | None:
    final = candidate.final
    before, after = _sides(candidate, step)
    if not before or not final.rows:
        return None
    columns = [column.name for column in after]
    one, other = paired_records(before, after)
    true, shown = Values(one.numbers, one.codes), Values(other.numbers, other.codes)
    group = _groups(candidate, step)
    sizes = np.bincount(group)
    sample, of_levels = _targets(candidate, most_targets(true, shown))
    wanted = np.unique(np.concatenate([sample, *of_levels]))
    linked = nearest_record(true.take(wanted), group[wanted], shown, group, sizes, progress)

    def only(rows: Ints) -> Linked:
        place = np.searchsorted(wanted, rows)
        return Linked(linked.in_own_group[place], linked.gain[place], linked.most[place])

    everyone = only(sample)
    success = _success(everyone)
    chance = 1.0 / final.rows
    limit = 1.0 / candidate.prepared.type.k_min
    levels = _levels(candidate, [only(rows) for rows in of_levels], limit)
    severity = _severity(success, chance, limit, levels)
    hits = success_figure(everyone.in_own_group, 1.0, _FOUND)
    sure = everyone.gain >= SURE
    arguments = {
        "columns": len(columns),
        "hits": _percent(hits.value),
        "named": _percent(success.value),
        "chance": _percent(chance),
        "limit": _percent(limit),
    }
    return AttackEntry(
        id=ID,
        column=None,
        knows=Sentence(id="attack.knows.treated-columns", arguments={"columns": _listed(columns)}),
        success=success,
        control=Figure.absent(_NO_CONTROL, unit="share"),
        chance=Figure(chance, n=final.rows, unit="share", method="one released record taken blindly"),
        advantage=_less(success, chance),
        tail=AttackTail(
            share_sure_and_right=success_figure(sure.astype(np.float64), 1.0, "groups of one person that are found"),
            control=Figure.absent(_NO_CONTROL, unit="share"),
        ),
        tolerance=None,
        sampled=len(sample),
        severity=severity,  # type: ignore[arg-type]
        sentence=Sentence(id=f"attack.nearest-record.{severity}", arguments=arguments),
        levels=levels,
        further={"own_group": hits},
    )


def _sides(candidate: Candidate, step: StepRecord) -> tuple[list[Column], list[Column]]:
    """Return the treated columns as they were and as they are released, rows as in ``final``."""
    sides = compared(candidate)
    numbers = candidate.prepared.table.row_numbers
    rows = np.searchsorted(numbers, candidate.final.row_numbers)
    pairs = [
        (one.take(rows), other)
        for one, other in zip(sides.before, sides.after, strict=True)
        if one.name in step.settings.columns and one.kind != "text" and other.kind != "text"
    ]
    return [one for one, _ in pairs], [other for _, other in pairs]


def _groups(candidate: Candidate, step: StepRecord) -> Ints:
    """Return the group of each row of ``final``: the step's own, or the rows that it made look alike."""
    table, own = step.result.table, step.result.row_groups
    if own is None:
        own = equivalence_classes([table.column(name) for name in step.settings.columns], table.rows).ids
    order = np.argsort(table.row_numbers, kind="stable")
    place = np.searchsorted(table.row_numbers[order], candidate.final.row_numbers)
    return np.asarray(own[order[place]], dtype=np.int64)


def _targets(candidate: Candidate, most: int) -> tuple[Ints, list[Ints]]:
    levels = candidate.final.levels
    sample = sample_rows(candidate.final.rows, most)
    if levels is None:
        return sample, []
    found = []
    for code in range(len(levels.levels)):
        rows = np.flatnonzero(levels.codes == code)
        found.append(rows[sample_rows(len(rows), min(most, MOST_OF_A_LEVEL))].astype(np.int64))
    return sample, found


def _success(linked: Linked) -> Figure:
    return success_figure(linked.gain, float(linked.most.max(initial=0.0)), _NAMED)


def _levels(candidate: Candidate, linked: list[Linked], limit: float) -> list[AttackLevel]:
    levels = candidate.final.levels
    if levels is None:
        return []
    found = []
    for level, records, own in zip(levels.levels, levels.counts.tolist(), linked, strict=True):
        success, least = _success(own), min(limit, 1.0 / max(level.demand.group, 1))
        met = success.high is None or success.high <= least * (1 + 1e-9)
        found.append(AttackLevel(level=level.name, records=int(records), success=success, limit=least, met=met))
    return found


def _severity(success: Figure, chance: float, limit: float, levels: list[AttackLevel]) -> str:
    """Rate the attack.

    ``total`` from 95 % of the people named; ``serious`` when an interval goes beyond its limit, of
    everybody or of a level; ``none`` when the interval goes down to chance; else ``some``.
    """
    value, low, high = (float(each or 0.0) for each in (success.value, success.low, success.high))
    if value >= NEARLY_ALL:
        return "total"
    if high > limit * (1 + 1e-9) or not all(level.met for level in levels):
        return "serious"
    return "none" if low <= chance else "some"


def _less(figure: Figure, chance: float) -> Figure:
    low = None if figure.low is None else figure.low - chance
    high = None if figure.high is None else figure.high - chance
    value = None if figure.value is None else figure.value - chance
    return Figure(value, low=low, high=high, n=figure.n, unit="share", method="success less chance", note=figure.note)


def _percent(share: float | int | None) -> str:
    return f"{100 * float(share or 0.0):.2g}"


def _listed(names: list[str], most: int = 12) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
