"""The schema of ``recipe.toml``, format 1.

Only rules that need no input file are checked here. Whether columns exist and steps fit them is checked once the input
has been read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticKnownError

from ppdm_desktop.engine.plugins import plugin_name
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.wording.catalogue import SOURCE, lazy, list_languages
from ppdm_desktop.engine.wording.values import Quoted, Term

Role = Literal["identifier", "quasi-identifier", "confidential", "other", "privacy-level", "left-out"]
Kind = Literal["numeric", "ordinal", "nominal", "date", "text"]
ROLES: tuple[str, ...] = get_args(Role)
ProfileName = Literal["paper", "safe"]
"""All settings of a method at once: as in its paper, or as recommended (``safe``)."""
KINDS: tuple[str, ...] = get_args(Kind)
COMMON = 0.9
"""A value that this share of the people holds is no secret, unless ``common_is_secret`` says so of its column."""
PSEUDONYM = "pseudonym"
"""Role of a column of codes that replace an identifier. Only a step can set it, so ``ROLES`` does not contain it."""
ATTRIBUTE_ROLES = frozenset({"quasi-identifier", "confidential", "other"})
"""Roles of released columns that describe a person, by which people can be found or values guessed."""
RELEASED_ROLES = ATTRIBUTE_ROLES | {PSEUDONYM}
LEVEL_KEYS = ("group", "intervals", "noise", "swap", "selection_noise", "doubt")
RISING_LEVEL_KEYS = ("group", "doubt")
"""Demands of a privacy level that must not be lower than those of a weaker level; the other demands may be."""
JUDGING_LEVEL_KEYS = ("doubt",)
"""Demands of a privacy level by which a release is only judged: no method reads them, and no random draw depends on
them.
"""
_ROWS = re.compile(r"^\s*(\d+)\s*-\s*(\d+)\s*$")

Scalar = str | int | float | bool


def join_with_or(names: Iterable[str]) -> str:
    """Return the names in quotes, joined by commas and "or": 'a', 'b' or 'c'. ValueError if there are no names."""
    *names_before, last = map(repr, names)
    return f"{', '.join(names_before)} or {last}" if names_before else last


def _lacks(key: str, needed: str) -> ValueError:
    """Return the error that a key of the recipe needs another key or value, ``needed``."""
    return ValueError(lazy("'{key}' needs '{needed}'", key=Term(key), needed=Term(needed)))


def _excludes(key: str, conflicting: str) -> ValueError:
    """Return the error that a key or value of the recipe cannot be combined with another."""
    return ValueError(lazy("'{key}' cannot be combined with '{other}'", key=Term(key), other=Term(conflicting)))


def _misnames(key: str) -> ValueError:
    """Return the error that a list of the recipe is empty, or has an empty name, or the same entry twice."""
    return ValueError(lazy("'{key}' names nothing, or something twice", key=Term(key)))


class Section(BaseModel):
    """The base class of all sections of the recipe; an unknown key in a section is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False, strict=True)


def _normalise_sha256(value: str) -> str:
    """Return a SHA-256 of 64 hexadecimal digits in small letters; ValueError for any other text."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise ValueError(lazy("it must be 64 hexadecimal digits"))
    return value.lower()


Sha256 = Annotated[str, AfterValidator(_normalise_sha256)]


def _to_tuple(value: object) -> object:
    """Return a list as a tuple; any other value unchanged."""
    return tuple(value) if isinstance(value, list) else value


LISTED = BeforeValidator(_to_tuple)
"""Validator for a tuple that TOML and JSON write as a list."""


def _to_name_tuple(value: object) -> object:
    """Return a single name or a list of names as a tuple; any other value unchanged."""
    return (value,) if isinstance(value, str) else _to_tuple(value)


RowSpans = Annotated[tuple[int | str, ...], LISTED]
"""Rows by number: whole numbers and spans such as "40-57"."""


def row_spans(rows: Iterable[int | str]) -> list[tuple[int, int]]:
    """Return row numbers and spans as pairs (first, last): 12 and "40-57" become (12, 12) and (40, 57).

    A number may also be a text, such as "12". Pairs are in the order given; they may overlap.

    Raises
    ------
    ValueError
        For a row number below 1, a span whose numbers fall, or a text that is neither a number nor a span.
    """
    spans = []
    for row in rows:
        if isinstance(row, int):
            first = last = row
        elif match := _ROWS.match(row):
            first, last = int(match[1]), int(match[2])
        elif row.strip().isdigit():
            first = last = int(row)
        else:
            raise ValueError(lazy('row {row} is neither a number nor a range such as "40-57"', row=Quoted(row)))
        if first < 1 or last < first:
            raise ValueError(
                lazy("rows {row} do not fit, because rows count from 1 and a range must rise", row=Quoted(str(row)))
            )
        spans.append((first, last))
    return spans


LeaveReason = Literal["sum", "note", "repeated-names", "names", "blank", "below", "other"]
"""Why a row of the source is not a record; "below" means that it stands below the table."""
Findable = Literal["sum", "note", "repeated-names", "names"]
"""The reasons for leaving out a row for which the program has a detector."""


class LeaveOutSection(Section):
    """Source rows that are not records, either listed by number or found by a detector."""

    rows: RowSpans | None = None
    reason: LeaveReason | None = None
    found: Findable | None = None

    @model_validator(mode="after")
    def _require_rows_or_detector(self) -> LeaveOutSection:
        """Return the section unchanged; ValueError unless it has rows and a reason, or only a detector in ``found``.

        ValueError also if the list of rows is empty, or one of them is neither a number from 1 on nor a rising span.
        """
        if self.found is not None:
            if self.rows is not None or self.reason is not None:
                raise _excludes("found", "rows" if self.rows is not None else "reason")
        elif self.rows is None or self.reason is None:
            raise ValueError(lazy("it needs 'rows' and 'reason', or 'found'"))
        elif not self.rows:
            raise _misnames("rows")
        self.spans()
        return self

    def spans(self) -> list[tuple[int, int]]:
        """Return the rows as pairs (first, last), both included; empty if the rows are found by a detector."""
        return row_spans(self.rows or ())


Minus = Literal["leading", "trailing", "brackets"]
_DATE_SIGNS = frozenset("YymdbBHIMSpZ")


WithinPersonWay = Literal["first", "most-frequent"]
"""Which of a person's values in a column replaces all of the person's values."""


class RepairSection(Section):
    """How the cells of one column are rewritten before its kind is guessed; without a section no cell is.

    ``within_person`` is applied last: it gives all rows of a person the same value in this column.
    """

    decimal: Literal[".", ","] | None = None
    thousands: Literal[".", ",", "'", "\u2019", " ", "\u00a0", "\u2009", "\u202f"] | None = None
    strip: Annotated[tuple[str, ...] | None, LISTED] = None
    percent: Literal[False] | None = None
    minus: Annotated[tuple[Minus, ...] | None, LISTED] = None
    missing: Annotated[tuple[str, ...] | None, LISTED] = None
    dates: Annotated[tuple[str, ...] | None, LISTED] = None
    century_from: Annotated[int, Field(ge=1000, le=9900)] | None = None
    serials: Literal["1900", "1904"] | None = None
    values: dict[str, str] | None = None
    within_person: WithinPersonWay | None = None

    @property
    def in_reading(self) -> bool:
        """Return whether any setting but ``within_person`` is set, so that reading the file rewrites cells."""
        return any(value is not None for key, value in self if key != "within_person")

    @property
    def amounts(self) -> bool:
        """Return whether cells are read as amounts, which is the case if a decimal sign is set."""
        return self.decimal is not None

    @property
    def kind(self) -> Literal["amounts", "dates", "words", "missing"]:
        """The main kind of the repair: the first of "amounts", "dates" and "words" that it contains, or else "missing".

        It is "dates" for written dates and for serial numbers of days, and "words" if it replaces values by others.
        """
        if self.amounts:
            return "amounts"
        if self.dates or self.serials:
            return "dates"
        return "words" if self.values else "missing"

    @model_validator(mode="after")
    def _refuse_contradictions(self) -> RepairSection:
        """Return the section unchanged; ValueError for repairs that contradict each other or are incomplete.

        These are settings of amounts without a decimal sign, one sign for thousands and decimals, amounts together with
        dates or serial numbers of days, a wrong date form, and the replacement of a value by one that is itself to be
        replaced by another, such as a by b and b by c.
        """
        if self.decimal is None and any((self.thousands, self.strip, self.minus, self.percent is not None)):
            raise _lacks("thousands, strip, percent, minus", "decimal")
        if self.decimal is not None and self.decimal == self.thousands:
            raise ValueError(lazy("'thousands' and 'decimal' are the same sign"))
        for form in self.dates or ():
            self._check_date_form(form)
        if self.amounts and (self.dates or self.serials):
            raise _excludes("decimal", "dates")
        values = self.values or {}
        chained = sorted(
            key for key, value in values.items() if value in values and value != key and values[value] != value
        )
        if chained:
            raise ValueError(lazy("'values' changes {text} into a text that it changes again", text=Quoted(chained[0])))
        return self

    def _check_date_form(self, form: str) -> None:
        """Raise ValueError for a date form, such as %d.%m.%Y, that does not name a day, a month and exactly one year.

        It may name only parts of dates and times, each once; a two-digit year (%y) needs ``century_from``.
        """
        used = re.findall(r"%(.)", form)
        if not set(used) <= _DATE_SIGNS or len(set(used)) != len(used) or {"b", "B"} <= set(used):
            raise ValueError(lazy("{form} in 'dates' is not a way to write dates", form=Quoted(form)))
        if len({"Y", "y"} & set(used)) != 1 or "d" not in used or not {"m", "b", "B"} & set(used):
            raise ValueError(lazy("{form} in 'dates' needs a day, a month and one year", form=Quoted(form)))
        if "y" in used and self.century_from is None:
            raise _lacks("dates with %y", "century_from")


ReduceWay = Literal["first", "last", "min", "max", "mean", "sum", "most-frequent"]
"""How one value of a column is computed from the rows of one person."""


def _refuse_empty_name(value: str) -> str:
    """Return the name of a new column unchanged; ValueError if it is empty or only blanks."""
    if not value.strip():
        raise ValueError(lazy("it must be the name of a new column"))
    return value


class ReduceSection(Section):
    """How the rows of each person become one row; ``by`` is used for every column that ``columns`` does not name.

    ``rows`` is the name of a new column with the number of rows of each person; None for no such column.
    """

    by: Literal["first", "last"]
    columns: dict[str, ReduceWay] = {}
    rows: Annotated[str, AfterValidator(_refuse_empty_name)] | None = None

    def way(self, column: str) -> ReduceWay:
        """Return how the values of a person's rows become one value in a column, from ``columns`` or else ``by``."""
        return self.columns.get(column, self.by)


WhichReading = Literal["first", "second"]
"""Which of two ways of reading a workbook's column is right, where both give different values."""


class DictionarySection(Section):
    """What a data dictionary says of a column: its label, its codes, and whether it identifies people."""

    label: str = ""
    codes: dict[str, str] = {}
    identifier: bool = False


class InputSection(Section):
    """How the source is read; the program guesses and reports every setting that is left out.

    Rows are numbered as in a spreadsheet program. If each row is a group of people, ``people_count`` names the column
    that counts them (by default, a column whose name says so), ``least_count`` is the fewest people of any group where
    no such column is released, and ``largest`` names, by confidential column, the column with the largest contribution
    of one person. ``dictionary`` may describe columns that the file does not have.
    """

    sheet: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: Literal[".", ","] | None = None
    header_row: Annotated[int, Field(ge=0)] | None = None
    last_row: Annotated[int, Field(ge=1)] | None = None
    missing: Annotated[tuple[str, ...] | None, LISTED] = None
    names: dict[str, str] = {}
    leave_out: Annotated[tuple[LeaveOutSection, ...], LISTED] = ()
    people: RowSpans = ()
    repair: dict[str, RepairSection] = {}
    readings: dict[str, WhichReading] = {}
    dictionary: dict[str, DictionarySection] = {}
    person: Annotated[tuple[str, ...] | None, BeforeValidator(_to_name_tuple)] = None
    household: str | None = None
    one_row_per_person: bool = False
    quota: bool = False
    rows: Literal["groups"] | None = None
    people_count: str | None = None
    least_count: Annotated[int, Field(ge=1)] | None = None
    largest: dict[str, str] = {}
    columns_are_people: bool | None = None
    order_by: str | None = None
    reduce: ReduceSection | None = None
    sha256: Sha256 | None = None

    @model_validator(mode="after")
    def _refuse_unclear_input(self) -> InputSection:
        """Return the section unchanged; ValueError if settings are contradictory or incomplete.

        These are rows listed by number in ``leave_out`` or ``people`` without the file's SHA-256, a listed row that is
        neither a number nor a rising span, empty or blank new names of columns, and contradictory settings about
        people.
        """
        by_number = [entry for entry in self.leave_out if entry.rows is not None]
        if self.sha256 is None and (by_number or self.people):
            raise _lacks("rows", "sha256")
        row_spans(self.people)
        if "" in (name.strip() for name in self.names.values()):
            raise _misnames("names")
        self._check_people()
        return self

    @property
    def counts_rows(self) -> bool:
        """Return whether rows are counted instead of people.

        This is so if no column names the person and nobody said that each row is a different person.
        """
        return self.person is None and not self.one_row_per_person

    @property
    def repairs_of_cells(self) -> dict[str, RepairSection]:
        """Return the repair sections by column without ``within_person``: the repairs made while reading the file.

        Sections that have no other setting are left out.
        """
        left = {name: section.model_copy(update={"within_person": None}) for name, section in self.repair.items()}
        return {name: section for name, section in left.items() if section.in_reading}

    def _check_people(self) -> None:
        """Raise ValueError for contradictory or incomplete settings about which rows belong to one person.

        These are ``people_count``, ``least_count`` and ``largest`` without ``rows = "groups"``; two of ``person``,
        ``one_row_per_person`` and ``rows = "groups"`` together; an empty ``person``, or a column named twice in
        ``person`` and ``household``; ``order_by`` without ``reduce``; and, without ``person``, any setting that needs
        it.
        """
        if self.rows is None:
            for key in ("people_count", "least_count", "largest"):
                if getattr(self, key):
                    raise _lacks(key, 'rows = "groups"')
        elif self.person is not None or self.one_row_per_person:
            raise _excludes('rows = "groups"', "person" if self.person is not None else "one_row_per_person")
        if self.person is not None:
            if self.one_row_per_person:
                raise _excludes("person", "one_row_per_person")
            if not self.person or len(set(self.person)) < len(self.person):
                raise _misnames("person")
            if self.household in self.person:
                raise _misnames("person, household")
        else:
            self._check_without_person()
        if self.order_by is not None and self.reduce is None:
            raise _lacks("order_by", "reduce")

    def _check_without_person(self) -> None:
        """Raise ValueError if a setting needs a person column: ``within_person``, ``reduce`` or ``household``."""
        for name, section in self.repair.items():
            if section.within_person is not None:
                raise _lacks(f"{name}.within_person", "person")
        for key in ("reduce", "household"):
            if getattr(self, key) is not None:
                raise _lacks(key, "person")


class BinsSection(Section):
    """How a numeric column is cut into categories before the first step.

    Attributes
    ----------
    count
        Number of categories for the methods ``equal-frequency`` and ``equal-width``.
    at
        Rising cut points for the method ``cuts``.
    against
        Column whose prediction decides the cuts for the method ``mdl`` (minimum description length).
    release
        Whether categories are released, or numbers drawn from them.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    method: Literal["equal-frequency", "equal-width", "cuts", "mdl"]
    count: Annotated[int, Field(ge=2)] | None = None
    at: Annotated[tuple[float | int, ...] | None, LISTED] = None
    against: str | None = None
    release: Literal["category", "draw"] = "category"

    @model_validator(mode="after")
    def _refuse_wrong_keys(self) -> BinsSection:
        """Return the section unchanged; ValueError if its keys do not fit its method.

        A key that the method needs is missing, or one is set that only another method uses; or the list of cut points
        is empty or does not rise.
        """
        needs = {"equal-frequency": "count", "equal-width": "count", "cuts": "at", "mdl": "against"}
        wanted = needs[self.method]
        for key in ("count", "at", "against"):
            is_set = getattr(self, key) is not None
            if is_set != (key == wanted):
                raise _lacks(self.method, key) if key == wanted else _excludes(self.method, key)
        if self.at is not None and (not self.at or list(self.at) != sorted(set(self.at))):
            raise ValueError(lazy("'at' must be rising numbers without repetition"))
        return self


DetailMark = Literal["keep", "may-go"]
"""How much a column's detail matters when versions are planned: it must stay, or may be given up first."""


class ColumnSection(Section):
    """What a column is and how it is treated before the first step."""

    model_config = ConfigDict(allow_inf_nan=False)

    role: Role
    kind: Kind | None = None
    order: Annotated[tuple[str, ...] | None, LISTED] = None
    format: str | None = None
    bounds: Annotated[tuple[float | int, float | int] | None, LISTED] = None
    not_negative: bool | None = None
    step: float | int | None = None
    hierarchy: str | None = None
    hierarchy_sha256: Sha256 | None = None
    bins: BinsSection | None = None
    tolerance: Annotated[float | int, Field(gt=0)] | None = None
    measured: bool | None = None
    common_is_secret: bool | None = None
    texts_read: Sha256 | None = None
    detail: DetailMark | None = None

    @model_validator(mode="after")
    def _refuse_bad_settings(self) -> ColumnSection:
        """Return the section unchanged; ValueError for settings that contradict each other or are impossible.

        These are a hash without a hierarchy, a step that is not above 0, bounds that do not rise, and a value that is
        named twice in the order.
        """
        if self.hierarchy_sha256 is not None and self.hierarchy is None:
            raise _lacks("hierarchy_sha256", "hierarchy")
        if self.bounds is not None and not self.bounds[0] < self.bounds[1]:
            raise ValueError(lazy("'bounds' must be [low, high], with low below high"))
        if self.step is not None and not self.step > 0:
            raise ValueError(lazy("'step' must be above 0"))
        if self.order is not None and len(set(self.order)) != len(self.order):
            raise _misnames("order")
        return self


class LevelSection(Section):
    """The demands of one named privacy level; a demand left out has its default, or that of the next weaker level."""

    model_config = ConfigDict(allow_inf_nan=False)

    group: Annotated[int, Field(ge=1)] | None = None
    intervals: Annotated[int, Field(ge=1)] | None = None
    noise: Annotated[float | int, Field(gt=0)] | None = None
    swap: Annotated[float | int, Field(gt=0, le=1)] | None = None
    selection_noise: Annotated[float | int, Field(ge=0)] | Literal["uniform"] | None = None
    doubt: Annotated[float | int, Field(gt=1)] | None = None


class Condition(Section):
    """One condition of a rule: a test of a column's value, or a status that follows from the whole table.

    ``status`` is ``unique`` for records that nobody shares all quasi-identifiers with, and ``collective`` for groups
    with equal quasi-identifiers and one confidential value.
    """

    column: str | None = None
    equals: Scalar | None = None
    in_: Annotated[tuple[Scalar, ...] | None, LISTED] = Field(default=None, alias="in")
    at_least: Scalar | None = None
    at_most: Scalar | None = None
    between: Annotated[tuple[Scalar, Scalar] | None, LISTED] = None
    missing: Literal[True] | None = None
    status: Literal["unique", "collective"] | None = None

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True)

    @model_validator(mode="after")
    def _require_one_test(self) -> Condition:
        """Return the condition unchanged; ValueError unless it has a column with exactly one test, or a status alone.

        Tests are ``equals``, ``in``, ``at_least``, ``at_most``, ``between`` and ``missing``. With a status neither a
        column nor a test is allowed.
        """
        tests = [
            name
            for name in ("equals", "in_", "at_least", "at_most", "between", "missing")
            if getattr(self, name) is not None
        ]
        if self.status is not None:
            if self.column is not None or tests:
                raise _excludes("status", "column" if self.column is not None else tests[0])
        elif self.column is None:
            raise ValueError(lazy("it needs 'column' and one test, or 'status'"))
        elif len(tests) != 1:
            raise ValueError(lazy("it needs exactly one of equals, in, at_least, at_most, between and missing"))
        return self


def _to_condition_tuple(value: object) -> object:
    """Return one condition or a list of conditions as a tuple; any other value unchanged."""
    return (value,) if isinstance(value, dict) else _to_tuple(value)


class Rule(Section):
    """A rule: records that fulfil all conditions get at least this privacy level."""

    where: Annotated[tuple[Condition, ...], BeforeValidator(_to_condition_tuple)]
    level: str | int

    @model_validator(mode="after")
    def _require_conditions(self) -> Rule:
        """Return the rule unchanged; ValueError if it has no condition."""
        if not self.where:
            raise _misnames("where")
        return self


class RowsRule(Section):
    """A rule: rows listed by number get at least this privacy level."""

    rows: RowSpans
    level: str | int

    @model_validator(mode="after")
    def _refuse_unreadable_rows(self) -> RowsRule:
        """Return the rule unchanged; ValueError unless all rows are numbers from 1 or spans as "40-57"."""
        self.spans()
        return self

    def spans(self) -> list[tuple[int, int]]:
        """Return the rows as pairs (first, last), both included."""
        return row_spans(self.rows)


class PrivacySection(Section):
    """The privacy levels of records; a record gets the strictest of all levels that apply to it.

    ``words`` maps the words in the column of levels to levels; "" stands for an empty cell. If it is set, words that it
    does not list mean nothing, even if they are names of levels; only whole numbers keep their meaning.
    """

    default: str | int = "normal"
    column: str | None = None
    words: dict[str, str | int] = {}
    rules: Annotated[tuple[Rule, ...], LISTED] = ()
    rows: Annotated[tuple[RowsRule, ...], LISTED] = ()
    levels: dict[str, LevelSection] = {}

    @field_validator("words")
    @classmethod
    def _refuse_two_meanings(cls, value: dict[str, str | int]) -> dict[str, str | int]:
        """Return the levels by word, without blanks around the words; ValueError if two words are then equal."""
        trimmed = {word.strip(): level for word, level in value.items()}
        if len(trimmed) < len(value):
            raise ValueError(lazy("two words differ only in spaces around them"))
        return trimmed


class ValueRuleSection(Section):
    """A rule that the file's values obey, such as a range, and whether released values keep it.

    Settings left out are read from the file. A rule that the program finds in the file is kept unless a section with
    the same kind and columns says otherwise.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    kind: Literal["range", "grid", "list", "spike", "pair", "limits", "filled", "order", "years", "sum", "product"]
    columns: Annotated[tuple[str, ...], LISTED]
    kept: bool = True
    low: float | int | str | None = None
    high: float | int | str | None = None
    step: Annotated[float | int, Field(gt=0)] | None = None
    value: float | int | None = None
    values: Annotated[tuple[float | int, ...] | None, LISTED] = None
    minus: Annotated[tuple[str, ...] | None, LISTED] = None

    @model_validator(mode="after")
    def _refuse_wrong_column_count(self) -> ValueRuleSection:
        """Return the section unchanged; ValueError if the number of columns does not fit the kind of rule.

        A sum needs 3 or more columns, a product 2 or more, rules between two columns 2, any other kind 1; all must
        differ.
        """
        length = len(self.columns)
        most = {"product": max(length, 2), "sum": max(length, 3)}
        two = ("pair", "limits", "filled", "order", "years")
        count = 2 if self.kind in two else most.get(self.kind, 1)
        if len(set(self.columns)) != count or length != count:
            raise ValueError(lazy("a rule of this kind needs {count} different columns", count=count))
        return self


class StepSection(Section):
    """A method applied to some columns.

    ``parameters`` replace those of the ``profile``, and None as columns means the default.
    """

    method: str
    profile: ProfileName | None = None
    columns: Annotated[tuple[str, ...] | None, LISTED] = None
    enabled: bool = True
    parameters: dict[str, object] = {}


class RiskSection(Section):
    """How risk is counted: whether a missing value is a value of its own or matches any value.

    ``population`` is an old place for the file of the population; see `PopulationSection`.
    """

    missing: Literal["own-value", "matches-anything"] = "own-value"
    population: str | None = None


class PopulationSection(Section):
    """All the people from whom the file's people were drawn.

    It only helps to judge the risk and changes no released value.

    Attributes
    ----------
    who
        Who they are, in words that are printed next to every figure.
    size
        Their number; if left out, the sum of the weights or the number of rows of the table.
    drawn
        How the people of the file were drawn from them.
    weight
        Column that says how many people each person of the file stands for.
    table
        File with the quasi-identifiers of all of them, one row per person.
    """

    who: str
    size: Annotated[int, Field(ge=1)] | None = None
    drawn: Literal["everybody", "random", "not-random"] = "not-random"
    weight: str | None = None
    table: str | None = None

    @field_validator("who")
    @classmethod
    def _refuse_short_description(cls, value: str) -> str:
        """Return the description without blanks around it; ValueError if it has fewer than three words."""
        if len(value.split()) < 3:
            raise ValueError(lazy("it must say in at least three words who these people are"))
        return value.strip()

    @model_validator(mode="after")
    def _refuse_unusable_draw(self) -> PopulationSection:
        """Return the section unchanged; ValueError for weights without a random draw, or a random draw of unknown size.

        The size is known from ``size``, ``weight`` or ``table``.
        """
        if self.weight is not None and self.drawn != "random":
            raise _lacks("weight", 'drawn = "random"')
        if self.drawn == "random" and self.size is None and self.weight is None and self.table is None:
            raise _lacks('drawn = "random"', "size, weight, table")
        return self


LEARN_FROM = Literal["released", "global", "by-class", "local"]
"""What learners learn a noisy column from: its released values, or one of three reconstructions of its distribution."""


class RegressionSection(Section):
    """A regression whose conclusions are compared before and after: ``y`` is explained by the columns ``x``."""

    y: str
    x: Annotated[tuple[str, ...], LISTED]

    @model_validator(mode="after")
    def _refuse_bad_model(self) -> RegressionSection:
        """Return the model unchanged; ValueError if ``x`` is empty, repeats a column or contains ``y``."""
        if not self.x or len({self.y, *self.x}) <= len(self.x):
            raise ValueError(lazy("'x' must name one or more different columns, without the one in 'y'"))
        return self


class UtilitySection(Section):
    """How usefulness is measured; no random draw of a release depends on it.

    ``targets`` are the columns to be predicted and ``models`` up to five regressions; for None the program chooses
    them. ``learn_from`` says what learners learn columns with noise from.
    """

    targets: Annotated[tuple[str, ...] | None, LISTED] = None
    learn_from: LEARN_FROM = "released"
    models: Annotated[tuple[RegressionSection, ...] | None, LISTED, Field(max_length=5)] = None


def _refuse_unknown_type(value: object) -> object:
    """Return the id of a known release type; raise an error that lists the known ids for any other value."""
    if isinstance(value, str) and value in RELEASE_TYPES:
        return value
    raise PydanticKnownError("literal_error", {"expected": join_with_or(RELEASE_TYPES)})


def _refuse_unknown_language(value: object) -> object:
    """Return the code of an available language, such as ``en``; for any other value raise an error listing them."""
    if isinstance(value, str) and value in list_languages():
        return value
    raise PydanticKnownError("literal_error", {"expected": join_with_or(list_languages())})


ReleaseTypeId = Annotated[str, PlainValidator(_refuse_unknown_type)]
LanguageCode = Annotated[str, PlainValidator(_refuse_unknown_language)]


class ReleaseSection(Section):
    """The type of the release (who gets it), its format and its language.

    With an ``agreement`` the recipients sign that they will not link the data with other files, try to find people, or
    pass the data on; only the type for researchers takes it into account. A ``teaching_copy`` is not a release: only
    checks on protection can block it, and every output says so. With ``four_eyes`` a release waits in its own folder
    until a second person approves it.
    """

    type: ReleaseTypeId | None = None
    format: str = "csv"
    shuffle_rows: bool = True
    file_name: str | None = None
    formula_guard: bool = True
    teaching_copy: bool = False
    agreement: bool = False
    analysis_kit: bool = False
    four_eyes: bool = False
    note_language: LanguageCode = SOURCE
    report_language: LanguageCode = SOURCE

    @field_validator("format", mode="before")
    @classmethod
    def _refuse_unknown_format(cls, value: object, info: ValidationInfo) -> object:
        """Return the format unchanged; raise an error that lists the known formats if it is none of them.

        They are the ``formats`` of the validation context; without these any format is returned.
        """
        formats = (info.context or {}).get("formats")
        if formats is not None and value not in formats:
            raise PydanticKnownError("literal_error", {"expected": join_with_or(formats)})
        return value


class AcceptedCheck(Section):
    """One check that a written reason covers; ``figure`` is the worst value that the reason accepts."""

    figure: float | int | str | None = None
    limit: float | int | str | None = None
    columns: Annotated[tuple[str, ...] | None, LISTED] = None


class AcceptSection(Section):
    """The written reason for accepting amber checks that have the same cause, and the figures for which it was given.

    If ``type`` is missing, it is unknown for which figures the reason was given, and it has to be confirmed.
    """

    reason: str
    input: str | None = None
    at: str | None = None
    type: ReleaseTypeId | None = None
    checks: dict[str, AcceptedCheck] = {}

    @model_validator(mode="before")
    @classmethod
    def _refuse_misplaced_figures(cls, value: object) -> object:
        """Return the section unchanged; ValueError if a check's figures are written next to the reason.

        These are ``figure``, ``limit`` and ``columns``; the message names the right place for them.
        """
        if isinstance(value, dict) and set(AcceptedCheck.model_fields) & set(value):
            raise ValueError(lazy("a reason belongs to a cause; its figures stand in [accept.CAUSE.checks.CHECK]"))
        return value


def is_day(text: str) -> bool:
    """Return whether a text is a valid day written as YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _refuse_bad_day(value: str) -> str:
    """Return the day unchanged; ValueError for a text that is not a day written as YYYY-MM-DD."""
    if not is_day(value):
        raise ValueError(lazy("it must be a day written as YYYY-MM-DD"))
    return value


Day = Annotated[str, AfterValidator(_refuse_bad_day)]


class Operator(Section):
    """Who is responsible for the release, its purpose and recipients, as texts for the report and the release record.

    Most fields are those of a record of processing (GDPR art. 5(2), 9 and 30). ``dpo`` is the data protection officer,
    ``measures`` are access, encryption and training, ``incident`` is who acts if a person is found, and
    ``special_categories`` is whether there are data of art. 9. On ``review_date`` the release is to be looked at again,
    and it is not to be used after ``expires``. None means that the question was not answered.
    """

    name: str | None = None
    note: str | None = None
    approver: str | None = None
    review_date: Day | None = None
    expires: Day | None = None
    dataset: str | None = None
    controller: str | None = None
    purpose: str | None = None
    legal_basis: str | None = None
    recipient: str | None = None
    dpo: str | None = None
    categories_of_persons: str | None = None
    retention: str | None = None
    measures: str | None = None
    incident: str | None = None
    special_categories: bool | None = None


class OperatorSection(Operator):
    """Who is responsible for the release, and the day on which it is made, which the report does not state."""

    release_day: Day | None = None

    @property
    def of_any_file(self) -> dict[str, str]:
        """Return the answered fields that can be reused for other files, such as name and approver.

        Left out are the note, the days of review, expiry and release, the data set, and whether there are special
        categories.
        """
        of_this_file = {"note", "review_date", "expires", "release_day", "dataset", "special_categories"}
        return self.model_dump(exclude=of_this_file, exclude_none=True)


def _normalise_plugin_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the plug-ins' names in their standard spelling, without repetitions, in the order given."""
    return tuple(dict.fromkeys(map(plugin_name, names)))


class PluginsSection(Section):
    """The distribution names of the plug-ins that may be used; without this section, no plug-in may be."""

    use: Annotated[tuple[str, ...], LISTED, AfterValidator(_normalise_plugin_names)] = ()


class Recipe(Section):
    """A whole recipe. ``dossier`` holds answers that people typed into printed forms, by form and field."""

    recipe: Literal[1]
    input: InputSection = InputSection()
    columns: dict[str, ColumnSection] = {}
    privacy: PrivacySection = PrivacySection()
    rules: Annotated[tuple[ValueRuleSection, ...], LISTED] = ()
    steps: Annotated[tuple[StepSection, ...], LISTED] = ()
    risk: RiskSection = RiskSection()
    population: PopulationSection | None = None
    utility: UtilitySection = UtilitySection()
    release: ReleaseSection = ReleaseSection()
    plugins: PluginsSection = PluginsSection()
    accept: dict[str, AcceptSection] = {}
    operator: OperatorSection = OperatorSection()
    dossier: dict[str, dict[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _move_risk_population(cls, value: object) -> object:
        """Return the recipe with the table named in ``[risk] population`` moved to the section ``[population]``.

        The new section describes the population as "the people in TABLE". The recipe is unchanged if no table is named
        there or the section exists.
        """
        if not isinstance(value, dict) or not isinstance(risk := value.get("risk"), dict):
            return value
        table = risk.get("population")
        if not isinstance(table, str) or value.get("population") is not None:
            return value
        section = {"who": f"the people in {table}", "table": table}
        return {**value, "risk": {**risk, "population": None}, "population": section}


class SweepSection(Section):
    """What a parameter sweep (runs over several values of a parameter) should try; a release ignores it.

    Attributes
    ----------
    over
        The parameter and its values as the command ``sweep`` takes them: ``group=3,5,10``.
    repeats
        Number of keys, and so of runs, for each value.
    attacks, analyses
        Whether attacks are made on each result, and whether models are trained on it.
    """

    over: str
    repeats: Annotated[int, Field(ge=1, le=1_000)] = 3
    attacks: bool = True
    analyses: bool = False


class SweepFile(Section):
    """A recipe file of which only the ``[sweep]`` table is read."""

    sweep: SweepSection | None = None
