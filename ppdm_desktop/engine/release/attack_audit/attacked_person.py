"""Result classes of the attack on one person. They hold true values: they are shown to the owner and never written."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.attacks.inference import SURE


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
