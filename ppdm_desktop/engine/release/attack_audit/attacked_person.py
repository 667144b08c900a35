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
        Gower's distance, 0 (equal) to 1, or beyond for a true value outside the release's range.
    values, confidential
        The record's released texts of the known and the confidential columns, in the order of the attack's columns.
    own
        Whether the record is the person's own, or was made from the person's group.
    group, group_size
        Number and size (people) of the group that the record was made from; None and 1 where each record is one
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
        Name.
    value, chance
        The likeliest value, and how likely the intruder takes it to be.
    control_value, control_chance
        The likeliest value and its probability without the person's record; None where nothing was released of the
        person or of anybody.
    truth, truth_value
        The true text, and the guessable value (such as a range) that it falls into; None where it is missing.
    truth_chance
        Probability that the intruder gives to the true value.
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

    @property
    def sure_without(self) -> bool:
        """Whether the intruder gives some value at least 95 % even without the person's record.

        False where there is no guess without the record.
        """
        return (self.control_chance or 0.0) >= SURE


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
    """A noisy released number, and the best guess at the true number once the noise is filtered out.

    Attributes
    ----------
    column
        Name.
    shown, truth
        The number as released and in the source.
    noise
        Standard deviation of the noise, in the column's unit.
    guess
        The best linear guess from all released columns; None where a number of the person is
        missing, so that the audit passes them over.
    off, off_alone, off_shown
        How far the guess, the guess from the column alone, and the released number are from the
        true one, in standard deviations of the noise; None without a guess.
    as_near
        Share of the audited people whose guess lies at least as near to their true value; None without a guess.
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
        Row of the source.
    removed
        Whether the person's record was left out of the release.
    known
        The columns that the intruder knows, each with the person's true text.
    nearest
        Released records, nearest first; the nearest of the person's own comes last where it is
        farther than those shown.
    tied, own_tied
        How many released records are at the least distance, and how many of these are the person's own.
    tied_people
        Number of different people (or groups, where records were made from groups) that these records belong to.
    group_size
        People in the person's group; 1 where records are people's own, 0 where there is no own record.
    found, named
        Probability that a record drawn from the nearest ones is the person's own; and the same divided by the group
        size.
    farther
        How many released records are nearer than the nearest own one; None without one.
    guesses, undone, filtered
        One for each confidential column; one for each column that anybody can undo; one for each
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
class FoundTogether:
    """The released people who match all rows of one person taken together.

    Attributes
    ----------
    rows
        Number of the person's rows that are in the release.
    fit
        Number of released people whose rows together equal the known values of this person's rows.
    own
        Whether the person themself is among them.
    shown
        For each confidential column, how many of the matching people also show this person's true values in all rows.
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
        One result for each of the person's rows, in file order; a single one where a row is a person.
    linked
        Whether the release lets an intruder put a person's rows together, so that all rows judge.
    together
        The result by all rows; None where a row is a person, no column is known, or none of the rows is released.
    """

    records: tuple[AttackedRecord, ...]
    linked: bool
    together: FoundTogether | None
