"""The inference attack: guessing confidential values with and without the person's own released record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.comparison import (
    INFERENCE_LIMIT,
    INFERENCE_SERIOUS,
    Severity,
    paired_advantage,
    severity_of_advantage,
    success_figure,
)
from ppdm_desktop.engine.attacks.inference import Details, Inferred, Neighbours, find_near_records, infer
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    Instead,
    LargeFigure,
    Outcome,
    find_row_owners,
    has_ownerless_rows,
    known_values,
    limit_guessed_people,
    list_released_columns,
    pair_released_columns,
    register,
    released_with_role,
    share_of,
    take_first_rows,
    undo_public_steps,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Report, Sentence
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import SharedCells, shared_cells
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import ChangeBetween, LimitOf, Name, Names, Points, Value, Versus

_HOW = lazy("naive Bayes and the nearest released records, weighted by how often each is right for other people")
_WITHOUT = lazy("the same guess without the person’s own record or group")
_NO_VALUE = lazy("no value to guess")
_COMMONEST = lazy("the most common released value")


@register
class Inference(Attack):
    """Guesses each released confidential column of a person, with and without the person's own released record.

    The advantage of the record over the control, the guess without it, is what the release adds to the intruder's
    knowledge.
    """

    id = "inference"
    title = "attack.name.inference"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.inference.none",
        "some": "attack.inference.some",
        "serious": "attack.inference.serious",
        "total": "attack.inference.total",
    }
    order = 40
    kind = "guessing"
    term = "attack.inference.term"
    source = "attack.inference.source"
    knows = "attack.knows.quasi-identifiers"
    control = "attack.inference.control"
    chance = "attack.chance.commonest"
    most_gain = INFERENCE_LIMIT
    judged_by = "inference"
    own_check = True
    unit = "share"
    always = True
    on_person = True
    on_foreign = True

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if the attack applies, else the id of the text that says why nothing can be guessed.

        The attack needs a released quasi-identifier, rows that belong to people or groups, and a released confidential
        column with at least two different values to guess.
        """
        if not pair_released_columns(candidate, released_with_role(candidate, "quasi-identifier"))[0]:
            return "attack.why-not.no-columns"
        if find_row_owners(candidate) is None:
            return "attack.why-not.nobody"
        confidential = released_with_role(candidate, "confidential")
        there = any(_cells_to_guess(candidate, name) is not None for name in confidential)
        return None if there else "attack.why-not.nothing-to-guess"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return one result for each released confidential column in which there is something to guess.

        The intruder knows the true quasi-identifiers and undoes what can be undone without the key. They guess the
        value; if a column has more than 50 different ones, one of 20 ranges of numbers, or one of the 50 most frequent
        texts or "another". Targets are a fixed sample of the people who have a value (`limit_guessed_people`). The
        result is empty without quasi-identifiers or released rows, and for synthetic rows: no person has a record there
        that could be left out as a control.
        """
        candidate = evidence.candidate
        owner = find_row_owners(candidate)
        before, after = pair_released_columns(candidate, released_with_role(candidate, "quasi-identifier"))
        confidential = released_with_role(candidate, "confidential")
        if owner is None or not before or not candidate.final.rows:
            return ()
        people, records = known_values(before, after, owner, owner)
        most = limit_guessed_people(candidate)
        attack_entries = []
        nearest = _Nearest(people, records, _are_averages(candidate, after))
        for done, name in enumerate(confidential):
            with progress.part(done / len(confidential), (done + 1) / len(confidential)):
                entry = _attack_column(candidate, name, nearest, most)
                attack_entries += [entry] if entry is not None else []
        return tuple(attack_entries)

    def outcome(self, result: AttackEntry) -> Outcome:
        """Return how the attack ended: as `Attack.outcome` says, but stricter at severity ``some``.

        There, the question would be open (``note``). The attack ``works`` instead if even the lower end of the gain's
        confidence interval is above the limit of the gain.
        """
        text = super().outcome(result)
        gain = result.advantage.low
        return "works" if text == "note" and gain is not None and gain > INFERENCE_LIMIT else text

    def large_figure(self, result: AttackEntry, report: Report) -> LargeFigure:
        """Return the gain over the control in percentage points, at least 0, beside the limit of the gain.

        Where no gain was measured it is the share of right guesses, or None where that was not measured either.
        """
        if result.success.value is None or result.advantage.value is None:
            return super().large_figure(result, report)
        return LargeFigure(Versus(max(float(result.advantage.value), 0.0), INFERENCE_LIMIT, "points"))

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the sentence that says from which gain on the attack works, and from which gain on it is serious."""
        return Note("attack.inference.rule", {"limit": Points(INFERENCE_LIMIT), "serious": Points(INFERENCE_SERIOUS)})

    def instead(self, report: Report) -> tuple[Instead, ...]:
        """Return the note that synthetic rows cannot be attacked, as nobody has a record to leave out as a control.

        Empty where rows belong to people or groups, or no confidential column is released.
        """
        if not has_ownerless_rows(report) or not list_released_columns(report, "confidential"):
            return ()
        return (Instead("no_control", is_made=False, note=Note("attack.inference.no-control")),)


@dataclass(eq=False)
class _Nearest:
    """Finds the released records nearest to people, and reuses the last result if the same is asked again.

    Attributes
    ----------
    people, records
        What is known of the people, and the same columns of the released records.
    averaged
        Whether released numbers are averages of groups.
    """

    people: Details
    records: Details
    averaged: bool
    _of: tuple[Ints, Ints] | None = None
    _neighbours: Neighbours | None = None

    def among(self, targets: Details, rows: Ints, released_codes: Ints) -> Neighbours:
        """Return the released records nearest to each target, among those that show a category of the guessed column.

        The answer to the last question is kept and returned again for equal ``rows`` and rows with a category.

        Parameters
        ----------
        targets, rows
            The people attacked, and their row indices.
        released_codes
            Category of each released record, -1 where it shows none.
        """
        asked = rows, np.flatnonzero(released_codes >= 0)
        if self._neighbours is None or self._of is None or not all(map(np.array_equal, self._of, asked)):
            self._of, self._neighbours = asked, find_near_records(targets, self.records, asked[1])
        return self._neighbours


def _attack_column(candidate: Candidate, name: str, nearest: _Nearest, most: int) -> AttackEntry | None:
    """Return the result for one confidential column; None where there is nothing to guess.

    ``nearest`` finds the released records near to people, ``most`` is the largest number of targets. Nothing can be
    guessed where the column is not released or is free text, has fewer than two different values, or nobody has one.
    """
    cells = _cells_to_guess(candidate, name)
    if cells is None:
        return None
    categories = cells.count - 1
    rows_with_value = take_first_rows(candidate, np.flatnonzero(cells.before < categories))
    truth = cells.before
    draw = np.where(cells.after < categories, cells.after, -1)
    progress.check()
    rows = rows_with_value[sample_rows(len(rows_with_value), most)]
    targets = nearest.people.take(rows)
    known_near = nearest.among(targets, rows, draw)
    inferred = infer(targets, truth[rows], nearest.records, draw, categories, known_near, averaged=nearest.averaged)
    return _build_entry(candidate, name, inferred, truth[rows], draw, _number_equal_people(targets))


def _are_averages(candidate: Candidate, released: Sequence[Column]) -> bool:
    """Return whether a step averaged, condensed, rounded or limited any of the released numeric columns."""
    numbers = {column.name for column in released if column.kind == "numeric"}
    protections = (protection for step in candidate.steps for protection in step.result.protections)
    return any(protection.manner == "grouped" and protection.column in numbers for protection in protections)


def _number_equal_people(people: Details) -> Ints:
    """Return a number for each person, from 0 without gaps: equal where all that an intruder knows is equal.

    That is the quasi-identifiers; two missing values are equal. Shape (people,).
    """
    numbers = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in people.values.numbers.T]
    return classes_of_codes([*numbers, *people.values.codes.T], len(people.owner)).ids.astype(np.int64)


def _cells_to_guess(candidate: Candidate, name: str) -> SharedCells | None:
    """Return a column's true and released values in the same categories or ranges; None if there is nothing to guess.

    What anybody can undo without the key is undone in the released values. There is nothing to guess where the column
    is not released or is free text, has fewer than two categories, or nobody has a value.
    """
    before, after = pair_released_columns(candidate, [name])
    if not before:
        return None
    cells = shared_cells(before[0], undo_public_steps(candidate, after[0]))
    missing = cells.count - 1
    return cells if missing >= 2 and bool((cells.before < missing).any()) else None


def _build_entry(
    candidate: Candidate,
    name: str,
    inferred: Inferred,
    truth: Ints,
    released_codes: Ints,
    guess_groups: Ints,
) -> AttackEntry:
    """Return the audit's entry with the figures, severity and sentence of one guessed column.

    Success and control are the shares of targets guessed right with and without the person's record, the advantage is
    their difference (the sentence says 0 where it is negative). The chance is the share of targets who have the most
    frequent released category; it is absent where no value is released.

    Parameters
    ----------
    candidate, name
        The candidate release and the column.
    inferred
        Which guesses are right, with and without the person's record.
    truth, released_codes
        True category of each target, and category of each released record, -1 for a missing value.
    guess_groups
        A number for each target; targets with equal known values have the same number.
    """
    success = success_figure(inferred.attack.right, 1.0, _HOW)
    control = success_figure(inferred.control.right, 1.0, _WITHOUT)
    advantage = paired_advantage(inferred.attack.right, inferred.control.right, guess_groups=guess_groups)
    severity = severity_of_advantage(success, advantage, INFERENCE_LIMIT, INFERENCE_SERIOUS)
    common = np.bincount(released_codes[released_codes >= 0], minlength=1)
    chance = Figure.absent(_NO_VALUE, unit="share")
    if len(released_codes[released_codes >= 0]):
        chance = Figure(float((truth == common.argmax()).mean()), n=len(truth), unit="share", method=_COMMONEST)
    quasi = released_with_role(candidate, "quasi-identifier")
    # Fewer right guesses than without the record are nothing gained.
    ends = (advantage.value if end is None else end for end in (advantage.value, advantage.low, advantage.high))
    gain, low, high = (max(float(end or 0.0), 0.0) for end in ends)
    arguments: dict[str, Value] = {
        "column": Name(name),
        "success": share_of(success),
        "control": share_of(control),
        "more": Versus(gain, INFERENCE_LIMIT, "points"),
        "interval": ChangeBetween(low, high),
        "limit": LimitOf(gain, INFERENCE_LIMIT, "points"),
    }
    return AttackEntry(
        id=Inference.id,
        column=name,
        knows=Sentence.of(Inference.knows, {"columns": Names.of(quasi)}),
        success=success,
        control=control,
        chance=chance,
        advantage=advantage,
        tail=AttackTail(
            share_sure_and_right=success_figure(inferred.attack.sure_and_right, 1.0, _HOW),
            control=success_figure(inferred.control.sure_and_right, 1.0, _HOW),
        ),
        sampled=len(truth),
        severity=severity,
        sentence=Sentence.of(Inference.sentences[severity], arguments),
    )
