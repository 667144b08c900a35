"""The attack on one person: which released records an intruder finds, and which values they guess.

The data owner sees the result. The attack uses the functions of the whole audit on one target; what is learned from
other people is computed once. The result holds true values, so it is only shown and never written to a file.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats, Ints, find_first_largest, on_grid
from ppdm_desktop.engine.attacks.gower import Values, compute_gower_distances, range_scale
from ppdm_desktop.engine.attacks.inference import SURE, collect_clues, weigh_clues
from ppdm_desktop.engine.attacks.reversal import compare_with_controls
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import NoisyStep
from ppdm_desktop.engine.release.attack_audit.prepared_attack import (
    NO_PERSON,
    RecordAttack,
    Taught,
    prepare_attack,
)
from ppdm_desktop.engine.table.column import Column

MOST_NEAR = 8
"""Released records shown."""


# --- results: they hold true values, are shown to the owner and never written ------------------


@dataclass(frozen=True)
class NearRecord:
    """A released record near to the attacked person.

    Attributes
    ----------
    row
        Its row in the released file, from 1.
    distance
        Gower's distance, 0 (equal) to 1, or above 1 for a true value outside the release's range.
    values, confidential
        The record's released texts of the known and the confidential columns, in the order of the attack's columns.
    own
        Whether the record is the person's own, or was made from the person's group.
    group, group_size
        Number of the group that the record was made from, and its size in people; None and 1 where each record is one
        person's own.
    """

    row: int
    distance: float
    values: tuple[str, ...]
    confidential: tuple[str, ...]
    own: bool
    group: int | None
    group_size: int


@dataclass(frozen=True)
class Guess:
    """An intruder's guess at one confidential value of the person.

    Attributes
    ----------
    column
        Name of the confidential column.
    value, chance
        The likeliest value, and the probability that the intruder gives to it.
    control_value, control_chance
        The likeliest value and its probability without the person's record; None where nothing was released of the
        person or of anybody.
    truth, truth_value
        The true text, and the category or range that it falls into (None where the true value is missing).
    truth_chance
        Probability that the intruder gives to the true value; None where it is missing.
    shown
        The value in the person's own released record; None without such a record.
    """

    column: str
    value: str
    chance: float
    control_value: str | None
    control_chance: float | None
    truth: str
    truth_value: str | None
    truth_chance: float | None
    shown: str | None

    @property
    def right(self) -> bool:
        """Whether the likeliest value is the true one; False where the true value is missing."""
        return self.value == self.truth_value

    @property
    def sure(self) -> bool:
        """Whether the intruder gives the likeliest value a probability of at least 95 %."""
        return self.chance >= SURE


@dataclass(frozen=True)
class UndoneValue:
    """A released number, and the number that anybody computes from it without a key.

    Attributes
    ----------
    attack
        Id of the attack.
    column
        Name.
    shown, value, truth
        The number as released, after the inverse of the method, and in the source.
    right
        Whether the inverse found the value within the tolerance.
    tolerance
        Largest error that still counts as recovered, in the column's unit.
    """

    attack: str
    column: str
    shown: str
    value: str
    truth: str
    right: bool
    tolerance: float


@dataclass(frozen=True)
class FilteredValue:
    """A noisy released number, and the best estimate of the true number once the noise is filtered out.

    Attributes
    ----------
    column
        Name of the noisy column.
    shown, truth
        The number as released and in the source.
    noise
        Standard deviation of the noise, in the column's unit.
    guess
        The best linear estimate from all released columns; None where a number of the person is
        missing, so that the audit leaves the person out.
    off, off_alone, off_shown
        How far the estimate, the estimate from the column alone, and the released number are from the
        true number, in standard deviations of the noise; None without an estimate.
    as_near
        Share of the audited people whose estimate lies at least as near to their true number; None without an estimate.
    """

    column: str
    shown: str
    truth: str
    noise: float
    guess: float | None
    off: float | None
    off_alone: float | None
    off_shown: float | None
    as_near: float | None


@dataclass(frozen=True)
class AttackedRecord:
    """The result of attacking a person by one of their source rows.

    Attributes
    ----------
    number
        Row number in the source.
    removed
        Whether the person's record was left out of the release.
    known
        The columns that the intruder knows, each with the person's true text.
    nearest
        Released records, nearest first; the nearest one of the person's own comes last where it is
        farther than those shown.
    tied, own_tied
        How many released records are at the least distance, and how many of these are the person's own.
    tied_people
        Number of different people (or groups, where records were made from groups) that the records at the least
        distance belong to.
    group_size
        People in the person's group; 1 where records are people's own, 0 where the person has no record.
    found, named
        Probability that a record drawn from those at the least distance is the person's own; and the same divided by
        the group size.
    farther
        How many released records are nearer than the person's nearest own record; None if the person has none.
    guesses, undone, filtered
        The guess at each confidential column; the number for each column that anybody can undo; the estimate for each
        column whose noise can be filtered out.
    """

    number: int
    removed: bool
    known: tuple[tuple[str, str], ...]
    nearest: tuple[NearRecord, ...]
    tied: int
    own_tied: int
    tied_people: int
    group_size: int
    found: float
    named: float
    farther: int | None
    guesses: tuple[Guess, ...]
    undone: tuple[UndoneValue, ...]
    filtered: tuple[FilteredValue, ...]


@dataclass(frozen=True)
class PersonMatches:
    """How many released people match all rows of one person taken together.

    Attributes
    ----------
    rows
        Number of the person's rows that are in the release.
    fit
        Number of released people whose rows together equal the known values of this person's rows.
    own
        Whether the person themself is among these people.
    shown
        For each confidential column, how many of these people also show this person's true values in all rows.
    """

    rows: int
    fit: int
    own: bool
    shown: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class AttackedPerson:
    """The results of attacking a person by each of their rows, and by all rows together.

    Attributes
    ----------
    records
        One result for each of the person's rows, in file order; a single one where each person has one row.
    linked
        Whether the release lets an intruder link a person's rows, so that the result by all rows counts.
    together
        The result by all rows; None where the person has one row, no column is known, none of the rows is released,
        nobody has several released rows, or a step made groups or synthetic rows.
    """

    records: tuple[AttackedRecord, ...]
    linked: bool
    together: PersonMatches | None


# --- the attack --------------------------------------------------------------------------------


def attack_record(attack: RecordAttack, number: int) -> AttackedRecord:
    """Return which released records and values an intruder finds who knows one source row.

    If the row is not in the release (``removed`` in the result), the intruder guesses from the records of everybody in
    it, no value is undone or filtered, and what is learned from other people is computed again, which takes longer.
    Nothing is undone or filtered for synthetic rows either; there ``removed`` is False, because no record belongs to
    anybody.

    Parameters
    ----------
    attack
        Made by `prepare_attack`.
    number
        Row number of the source, one of ``attack.numbers``.

    Raises
    ------
    ValueError
        For a row that the source does not have.
    """
    row = _find_row(attack, number)
    positions = np.flatnonzero(attack.people == row)
    removed = not len(positions)
    if removed:
        # Nobody's own record is left out, and cells are cut with this person among the known ones.
        attack = prepare_attack(attack.candidate, row)
        positions = np.flatnonzero(attack.people == row)
    target = int(positions[0])
    nearest, tied, own_tied, tied_people, farther = _find_nearest_records(attack, target)
    owner = int(attack.owner[target])
    size = int(np.count_nonzero(attack.made_from == owner)) if owner != NO_PERSON else 0
    if attack.candidate.persons.with_several:
        # Rows of one person are no group of people.
        size = min(size, 1)
    found_chance = own_tied / tied if tied else 0.0
    guesses = tuple(_guess_value(attack, taught, target, at) for at, taught in enumerate(attack.taught))
    return AttackedRecord(
        number=number,
        removed=removed,
        known=tuple((name, _source_text(attack, name, row)) for name in attack.columns),
        nearest=nearest,
        tied=tied,
        own_tied=own_tied,
        tied_people=tied_people,
        group_size=size,
        found=found_chance,
        named=found_chance / size if size else 0.0,
        farther=farther,
        guesses=tuple(guess for guess in guesses if guess is not None),
        undone=() if removed else tuple(_undone_value(target, *inverse) for inverse in attack.inverses),
        filtered=tuple(value for step in attack.noisy for value in _filtered_values(attack, step, target)),
    )


def _find_row(attack: RecordAttack, number: int) -> int:
    """Return the index in ``attack.numbers`` of a source row, by its row number; ValueError where there is none."""
    row = int(np.searchsorted(attack.numbers, number))
    if row >= len(attack.numbers) or attack.numbers[row] != number:
        raise ValueError(f"no row {number}")
    return row


def attack_person(attack: RecordAttack, number: int) -> AttackedPerson:
    """Return the attack on a person: one result for each of their source rows, and one for all rows taken together.

    The results for single rows are in the order of the source. The result for all rows is None where the person has a
    single row, none of their rows is released, nobody has several released rows, a step made groups or synthetic rows,
    or no released column is one the intruder knows. Also returned is whether an intruder can link a person's rows.

    Parameters
    ----------
    attack
        Made by `prepare_attack`.
    number
        Row number of the source, one of ``attack.numbers``: any row of the person.

    Raises
    ------
    ValueError
        For a row that the source does not have.
    """
    whose = attack.candidate.prepared.table.persons.of_row
    rows = np.flatnonzero(whose == whose[_find_row(attack, number)])
    records = tuple(
        progress.part(done / len(rows), (done + 1) / len(rows)).run(attack_record, attack, row_number)
        for done, row_number in enumerate(attack.numbers[rows].tolist())
    )
    return AttackedPerson(
        records, attack.candidate.links_rows, _count_matching_people(attack, rows) if len(rows) > 1 else None
    )


def _count_matching_people(attack: RecordAttack, rows: Ints) -> PersonMatches | None:
    """Return how many released people match all rows of one person; None where no row of the person is released.

    The result also has the number of the person's released rows, whether the person is among the matching people, and
    for each confidential column how many of the matching people show the person's values. ``rows`` are the indices of
    the person's source rows. None too where nobody has several released rows, a step made groups or synthetic rows, or
    no released column is known to the intruder.
    """
    all = attack.all_rows
    there = np.flatnonzero(np.isin(attack.people, rows))
    if all is None or not len(there):
        return None
    person = int(all.people.of_row[there[0]])
    showing_people = tuple((name, int(same[person])) for name, same in all.values)
    return PersonMatches(len(there), int(all.fit[person]), bool(all.is_own[person]), showing_people)


def _find_nearest_records(
    attack: RecordAttack, target: int
) -> tuple[tuple[NearRecord, ...], int, int, int, int | None]:
    """Return the released records nearest to a person, at most 8, and counts about them.

    They are ordered by Gower's distance of the quasi-identifiers, and equally near ones by their row in the released
    file. The nearest record of the person's own is always listed, in the last position if 8 others come before it.
    Without quasi-identifiers or released rows, there are no records, all counts are 0, and the last part is None.
    ``target`` is the person's index in ``attack.people``.

    Returns
    -------
    The nearest records; how many records are at the least distance; how many of these are the person's own; how many
    people (or groups, where records were made from groups) they belong to; and how many records are nearer than the
    person's nearest own record (None if the person has none).
    """
    if not attack.quasi or not attack.candidate.final.rows:
        return (), 0, 0, 0, None
    scale = range_scale(attack.released.values.numbers)
    truth, all = attack.known.values.take(np.array([target])), attack.released.values
    apart = compute_gower_distances(Values(truth.numbers * scale, truth.codes), Values(all.numbers * scale, all.codes))[
        0
    ]
    file_position = attack.candidate.row_in_file
    is_own = (
        attack.made_from == attack.owner[target] if attack.owner[target] != NO_PERSON else np.zeros(len(apart), bool)
    )
    tied = apart <= apart.min() + GRID
    order = np.lexsort((file_position, on_grid(apart)))
    nearest_rows = order[:MOST_NEAR].tolist()
    mine = order[is_own[order]]
    farther = None
    if len(mine):
        farther = int(np.count_nonzero(apart < apart[mine[0]] - GRID))
        if mine[0] not in nearest_rows:
            nearest_rows = [*nearest_rows[:-1], int(mine[0])]
    sizes = np.bincount(attack.made_from)
    grouped = attack.correspondence == "group"
    records = tuple(
        NearRecord(
            int(file_position[row]) + 1,
            round(float(apart[row] / len(attack.quasi)), 9),
            tuple(_format_cell(column, row) for _, column in attack.quasi),
            tuple(_format_cell(column, row) for _, column in attack.secret),
            bool(is_own[row]),
            int(attack.made_from[row]) + 1 if grouped else None,
            int(sizes[attack.made_from[row]]) if grouped else 1,
        )
        for row in nearest_rows
    )
    return records, int(tied.sum()), int((tied & is_own).sum()), len(np.unique(attack.made_from[tied])), farther


def _guess_value(attack: RecordAttack, taught: Taught, target: int, secret_index: int) -> Guess | None:
    """Return the intruder's guess at one confidential value of a person, with and without the person's released record.

    Each guess is a category or a range of numbers, and comes with its probability. Also returned are the person's true
    value and the probability it had (None without a value), and the text in the person's own released record (None
    without such a record, and where records were made from groups). None where nobody has a value in the column, or
    nobody else while the release shows several; a value that all people share is guessed with probability 1. The guess
    without the record is None where the release has no record of the person. ``target`` is the index of the person,
    ``secret_index`` that of the column in ``attack.secret``.
    """
    cells, categories = taught.cells, taught.cells.count - 1
    _, after = attack.secret[secret_index]
    if taught.clues is None and categories != 1:
        return None
    chance = control = np.ones(1)
    if taught.clues is not None:
        chance, control = _compute_probabilities(attack, taught, target, categories)
    best, control_best = (int(category) for category in find_first_largest(np.stack([chance, control])))
    there = int(cells.before[target])
    truth = there if there < categories else None
    owner = attack.owner[target]
    is_unowned = owner == NO_PERSON
    # A row that was removed has no place among the released rows, though its person may have others there.
    is_shown = attack.correspondence == "record" and not is_unowned and target < len(after)
    released_text = _format_cell(after, target) if is_shown else None
    return Guess(
        taught.name,
        str(cells.labels[best]),
        float(chance[best]),
        None if is_unowned else str(cells.labels[control_best]),
        None if is_unowned else float(control[control_best]),
        _source_text(attack, taught.name, int(attack.people[target])),
        None if truth is None else str(cells.labels[truth]),
        None if truth is None else float(chance[truth]),
        released_text,
    )


def _compute_probabilities(attack: RecordAttack, taught: Taught, target: int, categories: int) -> tuple[Floats, Floats]:
    """Return the probability of each category, first with and then without what was released of the person.

    Both have shape (categories,). How far near records can be trusted is learned from one half of the sampled people:
    the half that the target is not in, or would not be in if it is not sampled.
    """
    assert taught.clues is not None
    target_clues = collect_clues(
        attack.known.take(np.array([target])), attack.released, taught.released_codes, categories
    )
    # Every other person of the sample teaches: the half this one is not in, as in the whole audit.
    at = int(np.searchsorted(taught.rows, target))
    teachers = np.arange(len(taught.rows)) % 2 != at % 2
    truth = taught.cells.before[taught.rows][teachers]
    sides = (
        (target_clues.prior, target_clues.near, taught.clues.near),
        (target_clues.prior_without, target_clues.near_without, taught.clues.near_without),
    )
    chance, control = (
        weigh_clues(prior, near, learned[teachers], truth, categories)[0] for prior, near, learned in sides
    )
    return chance, control


def _undone_value(target: int, id: str, before: Column, after: Column, guess: Column, tolerance: float) -> UndoneValue:
    """Return a released number of one person, the number that anybody computes from it without a key, and the true one.

    The three are texts, "" where missing. Also returned is whether the computed number is right: off from the true one
    by at most ``tolerance``; False where one of the two is missing.

    Parameters
    ----------
    target
        The person's index in the columns.
    id
        Id of the attack.
    before, after, guess
        The column with true values, as released, and after the attack undid the method.
    tolerance
        Largest error that counts as recovered.
    """
    target_row = np.array([target])
    gains = compare_with_controls(before.numbers[target_row], guess.numbers[target_row], after.numbers, tolerance)
    right = bool(len(gains.success)) and bool(gains.success[0])
    released_text, value, truth = (_format_cell(column, target) for column in (after, guess, before))
    return UndoneValue(id, before.name, released_text, value, truth, right, tolerance)


def _filtered_values(attack: RecordAttack, step: NoisyStep, target: int) -> list[FilteredValue]:
    """Return for each noisy column of a step one person's released number, true number, estimate and errors.

    The released and the true number are texts, "" where missing; they and the standard deviation of the noise are
    always given. The other figures are the linear estimate from all columns, in the column's unit; the absolute errors
    of this estimate, of the estimate from the column alone and of the released number, in standard deviations of the
    noise; and the share of the sampled people whose estimate is no worse. These five are None where a number of the
    person is missing in any of the step's noisy columns. ``target`` is the person's index.
    """
    target_row = np.array([target])
    numbers = np.concatenate([step.truth[target], step.seen[target]])
    made = None
    if not np.isnan(numbers).any():
        guess = step.together(target_row)[0]
        apart = [
            (numbers_off - step.truth[target]) / step.sizes
            for numbers_off in (guess, step.separately(target_row)[0], step.seen[target])
        ]
        off, off_alone, off_released = np.abs(apart)
        # A row guessed among others may differ in the last digit from the same row by itself.
        made = guess, off, off_alone, off_released, (step.off <= off + GRID).mean(axis=0)
    filtered_values = []
    for index, name in enumerate(step.names):
        figures = (None,) * 5 if made is None else tuple(float(part[index]) for part in made)
        texts = (
            _format_cell(attack.candidate.final.column(name), target),
            _source_text(attack, name, int(attack.people[target])),
        )
        filtered_values.append(FilteredValue(name, *texts, float(step.sizes[index]), *figures))
    return filtered_values


def _source_text(attack: RecordAttack, name: str, row: int) -> str:
    """Return the text of a cell as it stands in the source, "" where missing; ``row`` is a row index."""
    return _format_cell(attack.candidate.prepared.original.column(name), row)


def _format_cell(column: Column, row: int) -> str:
    """Return the text of a cell, "" where it is missing; ``row`` is a row index."""
    text = column.texts[int(column.codes[row])]
    return "" if text in column.missing_texts else text
