"""The rank attack made on a candidate with swapped columns."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.comparison import (
    REVERSAL_LIMIT,
    REVERSAL_SERIOUS,
    paired_advantage,
    severity_of_advantage,
)
from ppdm_desktop.engine.attacks.intervals import success_figure
from ppdm_desktop.engine.attacks.rank import Retraced, retrace, sure_and_right
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit.column_pairs import exact_share, few_cells, listed, of_hundred, sides
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Sentence
from ppdm_desktop.engine.utility.cells import merged_categories

ID = "rank"


def attack(candidate: Candidate, progress: Progress) -> tuple[AttackEntry, ...]:
    """Retrace each swapped column among the records that are alone in their class.

    The intruder knows how many records were changed, as the parameters say, and fits simple Bayes
    to the quasi-identifiers, as the method did, or to all other released columns, and takes as
    many of either value for changed or the worst-fitting of all; what retraces most is reported,
    or no search at all where that is right more often. A column that a later step changes again
    is judged as released.
    """
    if not candidate.rows_correspond:
        return ()
    treated = [(step, name) for step in candidate.steps if ID in step.method.attacks for name in step.settings.columns]
    found = []
    for done, (step, name) in enumerate(treated):
        part = progress.part(done / len(treated), (done + 1) / len(treated))
        part.report(0.0, "doing.audit")
        entry = _entry(candidate, step, name, part)
        found += [entry] if entry is not None else []
    return tuple(found)


def _entry(candidate: Candidate, step: StepRecord, name: str, progress: Progress) -> AttackEntry | None:
    before, after = sides(candidate, candidate.released_names)
    place = next((at for at, column in enumerate(after) if column.name == name), None)
    if place is None or not candidate.final.rows:
        return None
    truth, shown, names = merged_categories(before[place], after[place])
    alone = _alone(candidate, step) & (truth >= 0) & (shown >= 0)
    rows = np.flatnonzero(alone)
    if not len(rows) or len(names) < 2:
        return None
    changed = int(np.count_nonzero(truth[rows] != shown[rows]))
    best: tuple[Retraced, Ints, list[str]] | None = None
    for roles in (("quasi-identifier",), ("quasi-identifier", "confidential", "other")):
        progress.check()
        chosen = [
            (one, other) for one, other in zip(before, after, strict=True) if other.role in roles and other.name != name
        ]
        known = [few_cells(one, other)[1] for one, other in chosen]
        traced = retrace(known, shown.astype(np.int64), len(names), rows, changed, progress)
        for guess in (traced.guess, traced.guess_of_all):
            if best is None or (guess == truth[rows]).sum() > (best[1] == truth[rows]).sum():
                best = traced, guess, [other.name for _, other in chosen]
    assert best is not None
    traced, guess, others = best
    right = (guess == truth[rows]).astype(np.float64)
    as_shown = (truth[rows] == shown[rows]).astype(np.float64)
    if as_shown.sum() > right.sum():
        # Looking for swapped values does more harm than good here: the released ones are taken as they are.
        right = as_shown
    model = (traced.alone == truth[rows]).astype(np.float64)
    success = success_figure(right, 1.0, "simple Bayes fitted to the release; worst-fitting values taken for swapped")
    control = success_figure(model, 1.0, "simple Bayes fitted to the release without the person's record")
    advantage = paired_advantage(right, model)
    severity = severity_of_advantage(success, advantage, REVERSAL_LIMIT, REVERSAL_SERIOUS)
    commonest = float(np.bincount(shown[rows]).max() / len(rows))
    return AttackEntry(
        id=ID,
        column=name,
        knows=Sentence(id="attack.knows.swapped", arguments={"column": name, "columns": listed(others)}),
        success=success,
        control=control,
        chance=exact_share(commonest, len(rows), "the commonest released value, for everybody"),
        advantage=advantage,
        tail=AttackTail(
            share_sure_and_right=success_figure(sure_and_right(right, traced.fit), 1.0, "by rank of fit, 40 parts"),
            control=success_figure(sure_and_right(model, traced.margin), 1.0, "by the model's own chance, 40 parts"),
        ),
        tolerance=None,
        sampled=len(rows),
        severity=severity,
        sentence=Sentence(
            id=f"attack.rank.{severity}",
            arguments={
                "column": name,
                "records": len(rows),
                "success": of_hundred(success.value),
                "control": of_hundred(control.value),
                "kept": of_hundred(1 - changed / len(rows)),
            },
        ),
        levels=[],
        further={"shown_true": success_figure(as_shown, 1.0, "released values")},
    )


def _alone(candidate: Candidate, step: StepRecord) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    table = step.before
    alone = equivalence_classes(table.with_role("quasi-identifier"), table.rows).size_of_record == 1
    place = np.searchsorted(table.row_numbers, candidate.final.row_numbers)
    return np.asarray(alone[place])
