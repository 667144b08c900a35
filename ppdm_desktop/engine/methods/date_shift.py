"""`date-shift`: moves all dates of a person by the same random number of days.

The module draws the shift (number of days) of each person, and counts which shifts a reader of the release cannot
exclude, because all true dates would lie within the possible days.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import level_proofs
from ppdm_desktop.engine.methods.algorithms.pseudonyms.codes import JOINED_BY, build_message
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of, same_values
from ppdm_desktop.engine.methods.base.declaration import Method, register
from ppdm_desktop.engine.methods.base.parameters import (
    LARGER_HIDES_MORE,
    ChoiceParameter,
    NumberParameter,
    RecipientParameter,
    TextParameter,
)
from ppdm_desktop.engine.methods.base.recipients import FINGERPRINT, FINGERPRINT_PARAMETER, RECIPIENT, recipient_secret
from ppdm_desktop.engine.methods.base.step import Guarantee, Protection, Recount, Settings, StepResult, Suggestion
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.day_numbers import NO_DAY, day_limits, days_of, has_full_dates, with_days_moved
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import PERSON
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Quoted, Term, Value

# --- shifts -------------------------------------------------------------------------------

_MOST_DRAWS = 21
"""Largest number of times that a person's shift is drawn, until enough shifts are possible."""
_DOING = "doing.candidate"


@dataclass(frozen=True, eq=False)
class DateShifts:
    """The people whose dates move, and the shifts (in days) that each of them may have.

    Attributes
    ----------
    columns
        Names of the treated columns.
    bounds
        First and last possible day of each of these columns, as day numbers.
    people
        The person of each row.
    most
        int64, shape (people,): the largest shift of each person in days, earlier or later.
    by_level
        The largest shift for each privacy level in use.
    every
        Shifts are multiples of this number of days, such as 7.
    demands
        int64, shape (people,): how many shifts must be possible for each person.
    """

    columns: tuple[str, ...]
    bounds: tuple[tuple[int, int], ...]
    people: People
    most: Ints
    by_level: tuple[int, ...]
    every: int
    demands: Ints

    @classmethod
    def of(
        cls, table: Table, columns: tuple[str, ...], bounds: tuple[tuple[int, int], ...], most: int, every: int
    ) -> DateShifts:
        """Return the people of a table with the shifts that their privacy levels allow and demand.

        A level's largest shift is ``most`` times the level's noise in whole days, rounded down to a multiple of
        ``every``: 100 days with a noise of 1.5 and whole weeks give 147 days. For a person with rows of several levels,
        the largest shift and the largest demand hold.

        Parameters
        ----------
        table
            The step's input.
        columns, bounds
            Names of the treated columns, and the first and last possible day of each.
        most
            The largest shift in days at a level whose noise is 1.
        every
            Shifts are multiples of this number of days.
        """
        people, levels = table.people or table.persons, levels_of(table)
        by_level = np.array([round(most * level.demand.noise) // every * every for level in levels.levels], np.int64)
        largest, demands = np.zeros(people.count, dtype=np.int64), np.zeros(people.count, dtype=np.int64)
        np.maximum.at(largest, people.of_row, by_level[levels.codes])
        np.maximum.at(demands, people.of_row, levels.of("group").astype(np.int64))
        return cls(columns, bounds, people, largest, tuple(by_level.tolist()), every, demands)

    @property
    def largest(self) -> int:
        """Largest shift that any person may have, in days; 0 without people."""
        return int(self.most.max(initial=0))

    def possible(self, released: Table) -> tuple[Ints, Ints]:
        """Return for each person the smallest and the largest shift with which all true dates would be possible days.

        Both are in days, shape (people,), negative for a move to an earlier day, and within the person's largest shift;
        they need not be multiples of ``every``. If 1 January is the first possible day, a released 5 January excludes a
        shift of more than 4 days. If no shift fits, the smallest is above the largest. For a person without a date,
        only the person's largest shift limits them.

        Parameters
        ----------
        released
            The table with moved dates.
        """
        low, high = -self.most, self.most.copy()
        for name, (first, last) in zip(self.columns, self.bounds, strict=True):
            days = days_of(released.column(name))
            rows = np.flatnonzero(days != NO_DAY)
            np.maximum.at(low, self.people.of_row[rows], days[rows] - last)
            np.minimum.at(high, self.people.of_row[rows], days[rows] - first)
        return low, high

    def count_possible(self, ends: tuple[Ints, Ints]) -> Ints:
        """Return how many shifts lie between the smallest and the largest possible one of each person, shape (people,).

        Only multiples of ``every`` count; it is 0 if the smallest is above the largest. ``ends`` are the smallest and
        the largest shifts, as ``possible`` returns them.
        """
        low, high = ends
        return np.asarray(np.maximum(high // self.every + -low // self.every + 1, 0))

    def drawn(self, table: Table, streams: StepStream) -> Ints:
        """Return a random shift in days for each person, redrawn while fewer shifts would be possible than demanded.

        int64, shape (people,). In each draw, every multiple of ``every`` within the person's largest shift is equally
        likely, also 0. After 21 draws the last one is kept, even if it leaves too few possible shifts.
        """
        ends = self._count_days_to_bounds(table)
        shifts = np.zeros(self.people.count, dtype=np.int64)
        open_people = self._sort_people_by_id(table)
        for turn in range(_MOST_DRAWS):
            progress.report(0.5 * turn / _MOST_DRAWS, _DOING)
            for most in np.unique(self.most[open_people]).tolist():
                chosen = open_people[self.most[open_people] == most]
                half = most // self.every
                draws = streams.stream(f"shift-{most}-{turn}").integers(2 * half + 1, len(chosen))
                shifts[chosen] = self.every * (draws - half)
            open_people = open_people[self._count_shifts_left(ends, shifts)[open_people] < self.demands[open_people]]
            if not len(open_people):
                break
        return shifts

    def drawn_by_secret(self, table: Table, secret: bytes) -> Ints:
        """Return the shift in days of each person that follows from the recipient's secret and the person's id.

        It is the same in every file for this recipient in which the person's largest shift and ``every`` are the same,
        except for people without an id, whose row number in the source counts instead. It is not redrawn where too few
        shifts are possible. int64, shape (people,), multiples of ``every`` within the person's largest shift.
        """
        halves = (self.most // self.every).tolist()
        identities = _list_identities(table, self.people)
        shifts = [_derive_shift(secret, *pair) for pair in progress.each(list(zip(identities, halves, strict=True)))]
        return self.every * np.array(shifts, dtype=np.int64)

    def _count_days_to_bounds(self, table: Table) -> tuple[Ints, Ints]:
        """Return how many days each person's dates could move to the first, and to the last, possible day.

        The date that is nearest to the end counts, over all columns. Both have shape (people,), are negative if a date
        is beyond the end, and very large for people without a date.
        """
        far = np.iinfo(np.int64).max // 4
        before, after = np.full(self.people.count, far), np.full(self.people.count, far)
        for name, (first, last) in zip(self.columns, self.bounds, strict=True):
            days = days_of(table.column(name))
            rows = np.flatnonzero(days != NO_DAY)
            np.minimum.at(before, self.people.of_row[rows], days[rows] - first)
            np.minimum.at(after, self.people.of_row[rows], last - days[rows])
        return before, after

    def _count_shifts_left(self, ends: tuple[Ints, Ints], shifts: Ints) -> Ints:
        """Return how many shifts a reader could not exclude for each person, if dates move by ``shifts``.

        Both have shape (people,). ``ends`` are the days from each person's first and last date to the first and last
        possible day.
        """
        before, after = ends
        return self.count_possible((np.maximum(-self.most, shifts - after), np.minimum(self.most, shifts + before)))

    def _sort_people_by_id(self, table: Table) -> Ints:
        """Return the indexes of the people sorted by their ids, so that draws do not depend on the order of rows.

        Ids are sorted as texts, "10" before "9". People without an id come last. If the table has no id column, all
        come in the order of their first rows.
        """
        if not any(column.identifies == PERSON for column in table.columns):
            return np.arange(self.people.count)
        # Sorted by texts alone: pairs with a flag would take several times as long.
        order = np.array(
            sorted(range(self.people.count), key=_list_identities(table, self.people).__getitem__), np.int64
        )
        has_no_id = self.people.has_no_id[self.people.first_rows][order]
        return np.concatenate([order[~has_no_id], order[has_no_id]])


def _list_identities(table: Table, people: People) -> list[str]:
    """Return the id of each person as one text, in the order of the people; for people without an id, the row number.

    Ids in several columns are joined by a control character, which also precedes a row number (from 1, in the source).
    If the table has no id column, all texts are empty.
    """
    columns = [column for column in table.columns if column.identifies == PERSON]
    rows = people.first_rows
    parts = [[column.texts[code] for code in column.codes_at(rows).tolist()] for column in columns]
    texts = [JOINED_BY.join(part) for part in zip(*parts, strict=True)] if columns else [""] * len(rows)
    for person in np.flatnonzero(people.has_no_id[people.first_rows]).tolist():
        texts[person] = f"{JOINED_BY}{int(table.row_numbers[rows[person]])}"
    return texts


def _derive_shift(secret: bytes, identity: str, half: int) -> int:
    """Return a whole number from -half to half that follows from a secret and an id; all are equally likely.

    The same secret and id always give the same number.
    """
    choices = 2 * half + 1
    for turn in itertools.count():
        digest = hmac.new(secret, build_message(f"shift-{turn}", identity), hashlib.sha256).digest()
        word = int.from_bytes(digest[:8], "big")
        if word < 2**64 // choices * choices:
            return word % choices - half
    raise AssertionError


# --- date shift ---------------------------------------------------------------------------

NOTHING, WEEKDAY = "nothing", "weekday"
_EVERY = {NOTHING: 1, WEEKDAY: 7}
_SHORT_YEAR, _SHORT_MONTH = 365, 28
_NEARLY_ALL = 0.95
_ISO = "[0-9]{4}-[0-9]{2}-[0-9]{2}"


def _make_day_parameter(name: str, label: Sentence, help: Sentence) -> TextParameter:
    """Return the parameter for the first or the last possible day of all treated columns.

    Its value is a text such as 2020-01-31, empty by default. ``name`` is "earliest" or "latest".
    """
    return TextParameter(
        name=name,
        label=label,
        help=help,
        effect=lazy("If empty, the first or last date in the file is taken, which belongs to a person."),
        default="",
        pattern=_ISO,
        wanted=lazy("a date such as 2020-01-31"),
        of_file=True,
        checked_with={name: {"earliest": "2010-01-01", "latest": "2021-12-31"}[name]},
    )


@register
class DateShift(Method):
    """Move all dates of a person by the same random number of days."""

    id = "date-shift"
    title = lazy("Move the dates of each person")
    paper = lazy(
        "A. E. W. Johnson et al., MIMIC-III, a freely accessible critical care database, Scientific Data 3, 2016"
    )
    summary = lazy(
        "Moves all dates of a person by the same random number of days. No date is true, and the time between "
        "dates stays true."
    )
    promises = (
        lazy("Nobody can read a true date; the time between dates stays true."),
        lazy("At least as many shifts are possible for each person as the protection level asks for."),
    )
    limits = (
        lazy("The first and the last days of the file are weak: near them fewer shifts are possible."),
        lazy("Unusual times between dates can pick a person out. An attack test counts these people."),
        lazy("Dates are not removed: rules that allow only the year are not met."),
        lazy("The time of the day, seasons and holidays are not protected."),
    )
    several_rows = "people"
    recipients_learn = lazy("Dates were moved by a random number of days, the same for all dates of a person.")
    protects = "identity"
    keeps_differences = True
    values_label = lazy("moved")
    draws_for_people = True
    treatment = lazy("randomisation (shift per person)")
    kinds = frozenset({"date"})
    roles = ATTRIBUTE_ROLES
    reads_levels = ("noise", "group")
    public_parameters = frozenset({"most", "keep"})
    private_parameters = frozenset({RECIPIENT, FINGERPRINT})
    attacks = ("linkage", "date-intervals")
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "largest_shift": lazy("Largest shift in days"),
        "people_short": lazy("People with fewer possible shifts than asked for"),
        "no_value": lazy("Records without a value"),
    }
    parameters = (
        NumberParameter(
            name="most",
            label=lazy("Largest shift"),
            help=lazy("By how many days dates move at most, earlier or later."),
            effect=LARGER_HIDES_MORE,
            default=183,
            low=1,
            high=36_500,
            whole=True,
            unit=lazy("days"),
        ),
        ChoiceParameter(
            name="keep",
            label=lazy("What stays"),
            help=lazy("Whether dates keep their day of the week."),
            effect=lazy("With the day of the week, a seventh of the shifts is left."),
            default=NOTHING,
            choices={
                NOTHING: lazy("The day of the week may change."),
                WEEKDAY: lazy("The day of the week stays: dates move by whole weeks."),
            },
            names={NOTHING: lazy("nothing"), WEEKDAY: lazy("day of the week")},
        ),
        _make_day_parameter("earliest", lazy("First possible day"), lazy("No true date of these columns is earlier.")),
        _make_day_parameter("latest", lazy("Last possible day"), lazy("No true date of these columns is later.")),
        RecipientParameter(
            name=RECIPIENT,
            label=lazy("Recipient"),
            help=lazy(
                "Who receives the file. With a secret kept for a recipient, a person’s dates move alike in every "
                "file for this recipient."
            ),
            effect=lazy("If empty, the shifts are for this release only and fit no other."),
            default="",
            mark=FINGERPRINT,
            advanced=True,
        ),
        FINGERPRINT_PARAMETER,
    )

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of all released date columns: one that stays true would show how far others moved."""
        return tuple(column.name for column in table.with_role(*self.roles) if column.kind in self.kinds)

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return the usual settings as the only suggestion if some people have several rows and there is a date column.

        Otherwise nothing.
        """
        if not table.persons.with_several or not self.default_columns(table):
            return ()
        return (Suggestion(lazy("dates of each person moved together")),)

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on what stays visible; raise an error for dates that cannot move or would reveal the shift.

        Notes name columns with times of the day, which stay as they are, and columns that show the year of a moved
        date.

        Raises
        ------
        InputError
            For dates without a day, outside the possible days, or too near the ends of what their format can write.
        RecipeError
            For a further column of dates that would be released unchanged and is exact enough to reveal the shift, a
            recipient if people have no ids, a largest shift that rounds to 0 days for some people, or a first or last
            possible day that no calendar has.
        """
        if settings.values[RECIPIENT] and table.people is None:
            raise RecipeError("error.date-shift.no-person")
        shifts = _make_date_shifts(table, settings)
        largest = shifts.largest
        if unmoved := int(np.count_nonzero(shifts.most == 0)):
            arguments: dict[str, Value] = {"days": int(settings.values["most"]), "people": unmoved}
            raise RecipeError("error.date-shift.no-shift", column=settings.columns[0], args=arguments)
        for name, (first, last) in zip(settings.columns, shifts.bounds, strict=True):
            _refuse_unfit(table, table.column(name), (first, last), largest)
        for column in table.with_role(*self.roles):
            if column.name not in settings.columns:
                _refuse_true_dates(column, settings.columns[0], largest)
        return tuple(_list_notes(table, settings))

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on how many days dates move at most; RecipeError for a possible day that no calendar has."""
        days = _make_date_shifts(table, settings).largest
        return Note("note.date-shift.effect", {"columns": Names.of(settings.columns), "days": days})

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with all dates of each person moved by the same number of days.

        The number is random or, for a recipient, follows from the recipient's secret and the person's id; the secret's
        fingerprint is then in the result's ``reached`` unless the recipe has it. The number can be 0. People for whom
        fewer shifts are possible than demanded do not count as protected; a note counts them. Times of the day and
        empty cells stay. The step's figures are, by column, the possible days and whether both were declared, the rows
        without a value, the largest shift (also by level), the unit of shifts and the people with too few possible
        shifts; then whether a recipient's secret was used. It does not run ``check``.

        Raises
        ------
        InputError
            When a recipient is named, but the secret was not opened.
        RecipeError
            When the secret that was opened is not the one recorded in the recipe, or no calendar has a possible day
            that the recipe sets.
        """
        progress.report(0.0, "doing.candidate")
        shifts, (secret, reached) = _make_date_shifts(table, settings), recipient_secret(settings, streams)
        days = shifts.drawn(table, streams) if secret is None else shifts.drawn_by_secret(table, secret)
        moved: list[Column] = []
        detail: dict[str, dict[str, Any]] = {}
        for index, (name, bounds) in enumerate(zip(settings.columns, shifts.bounds, strict=True)):
            progress.report(0.5 + 0.5 * index / len(settings.columns), "doing.candidate")
            column = table.column(name)
            moved.append(with_days_moved(column, days[shifts.people.of_row]))
            declared = settings.values["earliest"] and settings.values["latest"]
            detail[name] = {
                "bounds": [date.fromordinal(day).isoformat() for day in bounds],
                "bounds_source": "declared" if declared else "data",
                "no_value": int(np.count_nonzero(column.missing)),
            }
        after = table.replacing(*moved)
        possible = shifts.count_possible(shifts.possible(after))
        protected = (possible >= shifts.demands)[shifts.people.of_row]
        short = int(np.count_nonzero(possible < shifts.demands))
        for figures in detail.values():
            figures |= {"largest_shift": shifts.largest, "people_short": short}
            figures |= {"shifts": list(shifts.by_level), "every": shifts.every}
        levels = np.where(protected, levels_of(table).codes, -1).astype(np.int64)
        progress.report(1.0, "doing.candidate")
        notes = (Note("note.date-shift.short", {"people": short}),) if short else ()
        protections = tuple(Protection(name, "noise", protected, levels) for name in settings.columns)
        whole = {"columns": detail, "kept_secret": secret is not None}
        return StepResult(after, protections, whole, notes, reached=reached)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether all dates of each person moved by the same allowed shift, and how many shifts are possible.

        A shift is allowed if it is within the person's largest one and, where the day of the week stays, whole weeks.
        The promise is also broken if a person's dates cannot move, or more people have a shift of 0 than chance
        explains: then by all of them. ``worst`` is the number of people who break it; the proofs count possible
        shifts, 0 for these people.
        """
        shifts = _make_date_shifts(before, settings)
        of_row, days = shifts.people.of_row, np.zeros(shifts.people.count, dtype=np.int64)
        dated = np.zeros(shifts.people.count, dtype=np.bool_)
        for name in settings.columns:
            true, moved = days_of(before.column(name)), days_of(after.column(name))
            rows = np.flatnonzero((true != NO_DAY) & (moved != NO_DAY))
            days[of_row[rows]], dated[of_row[rows]] = moved[rows] - true[rows], True
        allowed = (np.abs(days) <= shifts.most) & (days % shifts.every == 0)
        wrong = ~allowed | (dated & (shifts.most == 0))
        for name in settings.columns:
            column = before.column(name)
            expected = with_days_moved(column, np.where(allowed, days, 0)[of_row])
            wrong |= shifts.people.with_any(~same_values(expected, after.column(name)))
        unmoved = dated & (days == 0)
        by_chance = float((1 / (2 * (shifts.most[dated] // shifts.every) + 1)).sum())
        if np.count_nonzero(unmoved) > by_chance + 4 * by_chance**0.5 + 3:
            wrong |= unmoved
        possible = np.where(wrong, 0, shifts.count_possible(shifts.possible(after)))
        proofs = level_proofs(before, settings.columns, shifts.demands[of_row], possible[of_row], firm=False)
        off = int(np.count_nonzero(wrong))
        return Recount(Guarantee("file+original", off == 0, before.rows, float(off)), proofs)


def _make_date_shifts(table: Table, settings: Settings) -> DateShifts:
    """Return the people with the shifts that they may have, and the possible days of each column.

    If the recipe does not set the first or last possible day, it is the first or last date in the column (1 January of
    year 1 without dates). RecipeError for a day that no calendar has.
    """
    bounds = []
    for name in settings.columns:
        days = days_of(table.column(name))
        days = days[days != NO_DAY]
        ends = (int(days.min()), int(days.max())) if len(days) else (1, 1)
        written = [_read_day(settings, key) for key in ("earliest", "latest")]
        bounds.append((written[0] or ends[0], written[1] or ends[1]))
    every = _EVERY[str(settings.values["keep"])]
    return DateShifts.of(table, settings.columns, tuple(bounds), int(settings.values["most"]), every)


def _read_day(settings: Settings, key: str) -> int | None:
    """Return the day that the recipe writes as 2020-01-31 as a day number (1 for 1 January of year 1).

    None if it has none. ``key`` is the parameter's name, "earliest" or "latest".

    Raises
    ------
    RecipeError
        For a day that no calendar has.
    """
    text = str(settings.values[key])
    try:
        return date.fromisoformat(text).toordinal() if text else None
    except ValueError as error:
        raise RecipeError("error.date-shift.no-day", args={"key": Term(key), "day": Quoted(text)}) from error


def _refuse_unfit(table: Table, column: Column, bounds: tuple[int, int], largest: int) -> None:
    """Raise InputError for dates without a day, outside the possible days, or too near the ends of their format.

    With a two-digit year, for example, a moved date could leave what the format can write: 1970 to 2069. The error
    names the first such row. ``bounds`` are the first and last possible day, and ``largest`` is the largest shift in
    days.
    """
    if not has_full_dates(column) and not column.missing.all():
        rows = np.flatnonzero(~column.missing)
        row = int(table.row_numbers[rows[0]])
        raise InputError("error.date-shift.partial", column=column.name, row=row, args={"count": len(rows)})
    days, (first, last) = days_of(column), day_limits(column)
    for id, low, high in (
        ("error.date-shift.outside", bounds[0], bounds[1]),
        ("error.date-shift.beyond", first + largest, last - largest),
    ):
        rows = np.flatnonzero((days != NO_DAY) & ((days < low) | (days > high)))
        if len(rows):
            raise InputError(
                id, column=column.name, row=int(table.row_numbers[rows[0]]), args={"count": len(rows), "days": largest}
            )


def _refuse_true_dates(column: Column, moved: str, largest: int) -> None:
    """Raise RecipeError for a column of unmoved dates that are exact enough to reveal by how much other dates moved.

    They are if a value covers at most twice the largest shift (in days): 1 day, 28 days for a month, 365 for a year.
    Texts that are dates count, whatever kind the recipe says, unless it says numeric. ``moved`` is the name of a moved
    column, for the message.
    """
    texts = [] if column.kind == "numeric" else present_texts(column)
    form = guess_date_format(texts).format if column.date_format is None else DateFormat.parse(column.date_format)
    if form is None or not texts:
        return
    width = 1 if "%d" in form.pattern else _SHORT_MONTH if "%m" in form.pattern else _SHORT_YEAR
    if width <= 2 * largest:
        arguments: dict[str, Value] = {"other": Name(column.name), "column": Name(moved)}
        raise RecipeError("error.date-shift.true-dates", column=column.name, args=arguments)


def _list_notes(table: Table, settings: Settings) -> Iterator[Note]:
    """Yield notes on times of the day, which do not move, and on columns that show the year of a moved date.

    There is one note for all columns with times, and one for each moved column whose year a released numeric column
    shows, such as an age.
    """
    columns = [table.column(name) for name in settings.columns]
    timed = [column.name for column in columns if "%H" in (column.date_format or "")]
    if timed:
        yield Note("note.date-shift.time", {"columns": Names.of(timed)})
    numbers = [column for column in table.with_role(*ATTRIBUTE_ROLES) if column.kind == "numeric"]
    for column in columns:
        days = days_of(column)
        years = np.where(days == NO_DAY, np.nan, 1 + days / 365.2425)
        showing = [number.name for number in numbers if _shows_year(number, years)]
        if showing:
            yield Note("note.date-shift.year", {"others": Names.of(showing), "column": Name(column.name)})


def _shows_year(column: Column, years: np.ndarray) -> bool:
    """Return whether a numeric column shows the year of dates: whether it is a year, or an age on a fixed day.

    It does if its sum with the year, or its difference from it, is the same within 1.5 years in 95 % of the rows that
    have both. False if the dates span less than two years or the numbers less than 2. ``years`` are the dates in years,
    NaN if missing.
    """
    both = ~np.isnan(years) & ~column.missing
    if not both.any() or np.ptp(years[both]) < 2:
        return False
    numbers = column.numbers[both]
    for same in (years[both] - numbers, years[both] + numbers):
        if np.mean(np.abs(same - np.median(same)) <= 1.5) >= _NEARLY_ALL:
            return bool(np.ptp(numbers) >= 2)
    return False
