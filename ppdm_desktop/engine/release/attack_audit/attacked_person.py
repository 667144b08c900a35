"""What is found of one attacked person. It holds true values: for the owner's eyes, written nowhere."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.attacks.inference import SURE


@dataclass(frozen=True)
class NearRecord:
    """A released record near to the person.

    Attributes
    ----------
    row
        Its row in the released file, from 1.
    distance
        Gower's distance, 0 (equal) to 1, or beyond for a true value outside the release's range.
    values, confidential
        Its released texts, in the order of the attack's columns.
    own
        Whether it is the person's own, or made from their group.
    group, group_size
        Number of the group it was made from and how many people that has; None and 1 where records
        are people's own.
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
    """A guess at one confidential value.

    Attributes
    ----------
    column
        Name.
    value, chance
        The likeliest value, and how likely the intruder takes it to be.
    control_value, control_chance
        The same without what was released of the person; None where nothing was released of them
        or of anybody.
    truth, truth_value
        The true text, and the one of the guessed values that it belongs to; None where it is missing.
    truth_chance
        How likely the intruder takes the truth to be.
    shown
        What the person's own released record shows; None where there is none.
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
        """Whether the likeliest value is the true one."""
        return self.value == self.truth_value

    @property
    def sure(self) -> bool:
        """Whether the intruder is at least 95 % sure."""
        return self.chance >= SURE

    @property
    def sure_without(self) -> bool:
        """Whether the intruder is as sure without what was released of the person."""
        return (self.control_chance or 0.0) >= SURE


@dataclass(frozen=True)
class UndoneValue:
    """A released value and what anybody makes of it without a key.

    Attributes
    ----------
    attack
        Id of the attack.
    column
        Name.
    shown, value, truth
        As released, after the inverse, and as it was.
    right
        Whether the inverse found the value within the tolerance.
    tolerance
        How far off still counts.
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
    """A noisy released number and what an intruder makes of it by filtering the noise out.

    Attributes
    ----------
    column
        Name.
    shown, truth
        As released and as it was.
    noise
        Standard deviation of the noise, in the column's unit.
    guess
        The best linear guess from all released columns; None where a number of the person is
        missing, so that the audit passes them over.
    off, off_alone, off_shown
        How far the guess, the guess from the column alone, and the released number are from the
        true one, in standard deviations of the noise; None without a guess.
    as_near
        Share of the audit's people whose guess lies as near to the truth or nearer; None without
        a guess.
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
    """What is found of one person.

    Attributes
    ----------
    number
        Row of the source.
    removed
        Whether the person's record was left out of the release.
    known
        The columns the intruder knows with the person's true texts.
    nearest
        Released records, nearest first; the nearest of the person's own comes last where it is
        farther than those shown.
    tied, own_tied
        How many released records are at the least distance, and how many of these are the person's own.
    tied_people
        Of how many different people these records are; of how many groups, where they were made by groups.
    group_size
        People in the person's group; 1 where records are people's own, 0 where there is no own record.
    found, named
        Chance that one of the nearest, taken blindly, is the person's own; the same times
        1 / group size.
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
    """Who fits all rows of one person taken together.

    Attributes
    ----------
    rows
        Rows of the person that are in the release.
    fit
        People released whose rows are, all together, what is known of this person's.
    own
        Whether the person's own released rows are among these.
    shown
        Each confidential column with the number of those who fit that show, beside what is known, this person's true
        values in all their rows.
    """

    rows: int
    fit: int
    own: bool
    shown: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class AttackedPerson:
    """What is found of a person by one of their rows, and by all of them.

    Attributes
    ----------
    records
        One for each row of theirs, in the order of the file; a single one where a row is a person.
    linked
        Whether the release lets an intruder put a person's rows together, so that all rows judge.
    together
        What all rows find; None where a row is a person, nothing is known of people, or no row of theirs is released.
    """

    records: tuple[AttackedRecord, ...]
    linked: bool
    together: FoundTogether | None
