"""The rank attack, made on a candidate with swapped columns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Ints, content_order, find_row_positions
from ppdm_desktop.engine.attacks.comparison import (
    REVERSAL_LIMIT,
    REVERSAL_SERIOUS,
    Severity,
    paired_advantage,
    severity_of_advantage,
    success_figure,
)
from ppdm_desktop.engine.identifiability.classes import (
    count_class_people,
    group_people_by_rows,
    quasi_identifier_classes,
)
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    exact_share,
    pair_released_columns,
    register,
    share_of,
    to_few_categories,
)
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, Sentence
from ppdm_desktop.engine.retracing.trial import Retraced, flag_sure_correct_guesses, retrace
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Names, Share

_HOW = lazy("naive Bayes fitted to the release; worst-fitting values taken for swapped")
_WITHOUT = lazy("naive Bayes fitted to the release without the person’s record")
_COMMONEST = lazy("the most common released value")
_BY_FIT = lazy("by rank of fit, 40 parts")
_BY_CHANCE = lazy("by the model’s own probability, 40 parts")
_AS_RELEASED = lazy("released values")


@register
class Rank(Attack):
    """Guesses the true values of swapped columns, and of columns swapped together.

    Attacked are the people who are unique by the quasi-identifiers.
    """

    id = "rank"
    title = "attack.name.rank"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.rank.none",
        "some": "attack.rank.some",
        "serious": "attack.rank.serious",
        "total": "attack.rank.total",
    }
    further: ClassVar[Mapping[str, str]] = {"shown_true": "attack.further.shown-true"}
    order = 50
    kind = "undoing"
    term = "attack.rank.term"
    source = "attack.rank.source"
    knows = "attack.knows.swapped"
    control = "attack.rank.control"
    chance = "attack.chance.commonest"
    most_gain = REVERSAL_LIMIT
    judged_by = "reversal"
    own_check = True
    unit = "share"
    undoes = True
    on_foreign = True

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if a step swapped a released column with people to attack, else the id of the reason's text.

        The people are those who were unique by the quasi-identifiers before the step and have a value.
        """
        there = any(
            _select_swapped_values(candidate, step, names) is not None
            for step, names in _list_swapped_columns(candidate)
        )
        return None if there else "attack.why-not.no-step"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return one result for each swapped column, and for each combination of columns that were swapped together.

        Attacked are people who were unique by the quasi-identifiers before the step. Columns of numbers, columns that
        are not released, and those in which nobody attacked has a value, are left out. The intruder knows from the
        public parameters how many records were changed. Naive Bayes is fitted to the quasi-identifiers, as the method
        did, or to all other released columns. As changed count either the same number of records of each value, or the
        records that fit worst. The attempt that recovers most is reported, or the released value itself if that is
        right more often. A combination is predicted from pairs of a known and a swapped column, as the method did, or
        as one value; what follows for a single column is another attempt at this column. A column that a later step
        changed is judged as released.
        """
        treated = _list_swapped_columns(evidence.candidate)
        attack_entries = []
        for done, (step, names) in enumerate(treated):
            with progress.part(done / len(treated), (done + 1) / len(treated)):
                progress.report(0.0, "doing.audit")
                swapped = _select_swapped_values(evidence.candidate, step, names)
                if swapped is None:
                    continue
                joint = joint_columns(step)
                whole = (
                    _select_swapped_values(evidence.candidate, step, joint)
                    if len(names) == 1 and names[0] in joint
                    else None
                )
                attack_entries.append(_build_entry(swapped, names, None if whole is None else (whole, joint)))
        return tuple(attack_entries)


@dataclass(frozen=True, eq=False)
class _Swapped:
    """One swapped column, or a combination of columns swapped together, with one row for each person.

    Attributes
    ----------
    before, after
        All released columns, before the steps and as released.
    truth, released
        int64, shape (rows,): categories of the swapped column, or combinations of several, -1 where missing.
    categories
        Number of categories, before and after taken together.
    rows
        int64: indices of the attacked rows, which are those of people who were unique before the step and have a value;
        ordered by their released values (`content_order`).
    views
        For each column of a combination its category in every combination; empty for one column.
    """

    before: list[Column]
    after: list[Column]
    truth: Ints
    released: Ints
    categories: int
    rows: Ints
    views: tuple[Ints, ...] = ()


def _list_swapped_columns(candidate: Candidate) -> list[tuple[StepRecord, tuple[str, ...]]]:
    """Return pairs of a step and the names of columns it swapped; none where released rows are not source rows.

    The names are one column that is not numeric, or all columns that the step swapped together.

    Only steps whose method declares this attack are considered.
    """
    if not candidate.rows_correspond:
        return []
    treated: list[tuple[StepRecord, tuple[str, ...]]] = []
    for step in candidate.steps:
        if Rank.id in step.method.attacks:
            # Numbers change places with close ones: which of them moved tells nothing.
            treated += [(step, (name,)) for name in step.settings.columns if step.before.column(name).kind != "numeric"]
            treated += [(step, joint)] if (joint := joint_columns(step)) else []
    return treated


def joint_columns(step: StepRecord) -> tuple[str, ...]:
    """Return the names of the columns that a step swapped together, in table order; empty for none."""
    named = step.settings.values.get("together") or ()
    return tuple(name for name in step.before.names if name in named)


def _select_swapped_values(candidate: Candidate, step: StepRecord, names: tuple[str, ...]) -> _Swapped | None:
    """Return the swapped column or combination with one row for each person; attacked are those unique before the step.

    None where a column is not released, no row is released, no unique person has a value before and after, or there are
    fewer than two different values.
    """
    before, after = pair_released_columns(candidate, candidate.described_names)
    places = [at for name in names for at, column in enumerate(after) if column.name == name]
    if len(places) < len(names) or not candidate.final.rows:
        return None
    merged = [merged_categories(before[index], after[index]) for index in places]
    truth, released, categories = merged[0][0], merged[0][1], len(merged[0][2])
    views: tuple[Ints, ...] = ()
    if len(names) > 1:
        truth, released, views = _combine_codes([codes[0] for codes in merged], [codes[1] for codes in merged])
        categories = len(views[0])
    wanted = _find_unique_rows(candidate, step) & (truth >= 0) & (released >= 0)
    # One row of each person, by which they are unique if by any: nobody is predicted from their own other rows.
    first_rows = candidate.persons.first_by(~wanted)
    before, after = [source.take(first_rows) for source in before], [final.take(first_rows) for final in after]
    truth, released, wanted = truth[first_rows], released[first_rows], wanted[first_rows]
    rows = np.flatnonzero(wanted)
    if not len(rows) or categories < 2:
        return None
    rows = rows[content_order((column.category_codes[rows] for column in after), len(rows))]
    return _Swapped(before, after, truth.astype(np.int64), released.astype(np.int64), categories, rows, views)


def _combine_codes(truth: Sequence[AnyInts], released: Sequence[AnyInts]) -> tuple[Ints, Ints, tuple[Ints, ...]]:
    """Return the code of each row's combination before and after, and for each column its code in every combination.

    Combinations that occur before or after are numbered from 0; a row without a value in one of the columns has -1.
    ``truth`` and ``released`` are the codes of each column, before and after.
    """
    lines = np.column_stack([np.concatenate(pair) for pair in zip(truth, released, strict=True)])
    is_complete = (lines >= 0).all(axis=1)
    kinds, combination_index = np.unique(lines[is_complete], axis=0, return_inverse=True)
    combination = np.full(len(lines), -1, dtype=np.int64)
    combination[is_complete] = combination_index.reshape(-1)
    return combination[: len(truth[0])], combination[len(truth[0]) :], tuple(kinds.T.astype(np.int64))


def _yield_attempts(swapped: _Swapped, attacked: tuple[str, ...]) -> Iterator[tuple[Retraced, list[str]]]:
    """Yield each attempt at the true values, with the names of the columns it used.

    First the quasi-identifiers are used and then all released columns, both without the columns ``attacked``. A
    combination is predicted from pairs of columns first, and then as one value.
    """
    truth, released, rows = swapped.truth, swapped.released, swapped.rows
    changed = int(np.count_nonzero(truth[rows] != released[rows]))
    for roles in (("quasi-identifier",), ("quasi-identifier", "confidential", "other")):
        progress.check()
        chosen = [
            (source, final)
            for source, final in zip(swapped.before, swapped.after, strict=True)
            if final.role in roles and final.name not in attacked
        ]
        known_codes = [to_few_categories(source, final)[1] for source, final in chosen]
        for views in (swapped.views, ()) if swapped.views else ((),):
            traced = retrace(known_codes, released, swapped.categories, rows, changed, views)
            yield traced, [released.name for _, released in chosen]


def _derive_column_attempts(
    swapped: _Swapped, name: str, whole: _Swapped, joint: tuple[str, ...]
) -> Iterator[tuple[Retraced, list[str]]]:
    """Yield the attempts at one column that follow from attempts at the combination of columns swapped with it.

    Each attempt comes with the names of the columns it used. People who are not in the combination keep the released
    value, with fit and margin 0.

    Parameters
    ----------
    swapped, name
        The single column.
    whole, joint
        The combination, and the names of its columns.
    """
    order = np.argsort(swapped.rows)
    # Who has the combination has each of its values.
    positions = order[np.searchsorted(swapped.rows, whole.rows, sorter=order)]
    view = whole.views[joint.index(name)]
    for traced, helpers in _yield_attempts(whole, joint):
        parts = []
        for codes in (traced.guess, traced.guess_of_all, traced.control_guess):
            guesses = swapped.released[swapped.rows].copy()
            guesses[positions] = view[codes]
            parts.append(guesses)
        fit, margin = np.zeros(len(swapped.rows)), np.zeros(len(swapped.rows))
        fit[positions], margin[positions] = traced.fit, traced.margin
        yield Retraced(parts[0], parts[1], parts[2], fit, margin), helpers


def _build_entry(
    swapped: _Swapped, attacked: tuple[str, ...], whole: tuple[_Swapped, tuple[str, ...]] | None = None
) -> AttackEntry:
    """Return the audit's entry for the attempt that is right for most people, or for the released values if they are.

    The success is the share of attacked people whose true value that attempt names, the control the share that its
    naive Bayes model names without the person's own released record. The chance is the share of the most frequent
    released value. ``further["shown_true"]`` is the share of attacked people whose released value is true.

    Parameters
    ----------
    swapped, attacked
        The swapped column or combination, and the names of its columns.
    whole
        The combination that a single column was swapped in, with its column names; None for a column swapped alone.
    """
    rows = swapped.rows
    truth, released, name = swapped.truth, swapped.released, ", ".join(attacked)
    changed = int(np.count_nonzero(truth[rows] != released[rows]))
    attempts = _yield_attempts(swapped, attacked)
    if whole is not None:
        attempts = itertools.chain(attempts, _derive_column_attempts(swapped, name, *whole))
    guesses = ((tried, guess, names) for tried, names in attempts for guess in (tried.guess, tried.guess_of_all))
    traced, guess, helpers = max(guesses, key=lambda tried: int((tried[1] == truth[rows]).sum()))
    right = (guess == truth[rows]).astype(np.float64)
    right_as_released = (truth[rows] == released[rows]).astype(np.float64)
    if right_as_released.sum() > right.sum():
        # Looking for swapped values does more harm than good here: the released ones are taken as they are.
        right = right_as_released
    model = (traced.control_guess == truth[rows]).astype(np.float64)
    success = success_figure(right, 1.0, _HOW)
    control = success_figure(model, 1.0, _WITHOUT)
    advantage = paired_advantage(right, model)
    severity = severity_of_advantage(success, advantage, REVERSAL_LIMIT, REVERSAL_SERIOUS)
    commonest = float(np.bincount(released[rows]).max() / len(rows))
    return AttackEntry(
        id=Rank.id,
        column=name,
        knows=Sentence.of(Rank.knows, {"column": Name(name), "columns": Names.of(helpers)}),
        success=success,
        control=control,
        chance=exact_share(commonest, len(rows), _COMMONEST),
        advantage=advantage,
        tail=AttackTail(
            share_sure_and_right=success_figure(flag_sure_correct_guesses(right, traced.fit), 1.0, _BY_FIT),
            control=success_figure(flag_sure_correct_guesses(model, traced.margin), 1.0, _BY_CHANCE),
        ),
        sampled=len(rows),
        severity=severity,
        sentence=Sentence.of(
            Rank.sentences[severity],
            {
                "column": Name(name),
                "records": len(rows),
                "success": share_of(success),
                "control": share_of(control),
                "kept": Share(len(rows) - changed, len(rows)),
            },
        ),
        further={"shown_true": success_figure(right_as_released, 1.0, _AS_RELEASED)},
    )


def _find_unique_rows(candidate: Candidate, step: StepRecord) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return which released rows are of people who were unique by the quasi-identifiers before the step, bool, (rows,).

    Rows are in the order before shuffling. Where an intruder can link a person's rows, all of these are flagged if
    nobody else had the same rows; else a row is flagged if nobody else had an equal one.
    """
    table = step.before
    classes, people = quasi_identifier_classes(table), table.persons
    if candidate.links_rows:
        is_unique = (group_people_by_rows(classes, people, ordered=candidate.keeps_order).size_of_record == 1)[
            people.of_row
        ]
    else:
        is_unique = (count_class_people(classes, people) == 1)[classes.ids]
    rows = find_row_positions(table.row_numbers, candidate.final.row_numbers)
    return np.asarray(is_unique[rows])
