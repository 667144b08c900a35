"""The schema of ``recipe.toml``, format 1.

Only rules that need no input file are checked here. Whether columns exist and steps fit them is checked where the input
is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Annotated, Literal

from pydantic import (
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
from ppdm_desktop.engine.wording.values import Name, Quoted, Term, Value

Role = Literal["identifier", "quasi-identifier", "confidential", "other", "privacy-level", "left-out"]
Kind = Literal["numeric", "ordinal", "nominal", "date", "text"]
ROLES: tuple[str, ...] = (
    "identifier",
    "quasi-identifier",
    "confidential",
    "other",
    "privacy-level",
    "left-out",
)
ProfileName = Literal["paper", "safe"]
"""All settings of a method at once: as in its paper, or as recommended."""
KINDS: tuple[str, ...] = ("numeric", "ordinal", "nominal", "date", "text")
PSEUDONYM = "pseudonym"
"""Role of a column of codes in place of an identifier. A step gives it, no recipe can, so it is none of ``ROLES``."""
ATTRIBUTE_ROLES = frozenset({"quasi-identifier", "confidential", "other"})
"""Roles of released columns that say something of a person: by them people are found and values are guessed."""
RELEASED_ROLES = ATTRIBUTE_ROLES | {PSEUDONYM}
LEVEL_KEYS = ("group", "intervals", "noise", "swap", "selection_noise", "doubt")
RISING_LEVEL_KEYS = ("group", "doubt")
"""Keys in which no level may ask for less than a weaker one; of the others its owner decides."""
JUDGING_LEVEL_KEYS = ("doubt",)
"""Keys of a level that only judge a release: no method reads them, and they move no random draw."""
_ROWS = re.compile(r"^\s*(\d+)\s*-\s*(\d+)\s*$")

Scalar = str | int | float | bool


def join_with_or(names: Iterable[str]) -> str:
    """Return names in quotes, joined by commas and "or": 'a', 'b' or 'c'; ValueError without names."""
    *names_before, last = map(repr, names)
    return f"{', '.join(names_before)} or {last}" if names_before else last


class Section(BaseModel):
    """The base of all sections of the recipe; an unknown key is an error that names it."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=False, strict=True)


def _normalise_sha256(value: str | None) -> str | None:
    """Return a SHA-256 in small letters, None for None; raise ValueError for any other text."""
    if value is not None and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
        raise ValueError(lazy("it must be 64 hexadecimal digits"))
    return value.lower() if value else value


def _to_tuple(value: object) -> object:
    """Return a list as a tuple; any other value unchanged."""
    return tuple(value) if isinstance(value, list) else value


LISTED = BeforeValidator(_to_tuple)
"""Marks a tuple that TOML and JSON write as a list."""


def _to_name_tuple(value: object) -> object:
    """Return a single name or a list of names as a tuple."""
    return (value,) if isinstance(value, str) else _to_tuple(value)


RowSpans = Annotated[tuple[int | str, ...], LISTED]
"""Rows by number: whole numbers and spans such as "40-57"."""


def row_spans(rows: Iterable[int | str]) -> list[tuple[int, int]]:
    """Return rows by number as inclusive spans (first, last).

    Raises
    ------
    ValueError
        For a text that is neither a number nor a rising span of rows from 1 on.
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
"""Why a row of the source is no record."""
Findable = Literal["sum", "note", "repeated-names", "names"]
"""The reasons that a detector looks for."""


class LeaveOutSection(Section):
    """Source rows that are no records: named by number, or found by a detector."""

    rows: RowSpans | None = None
    reason: LeaveReason | None = None
    found: Findable | None = None

    @model_validator(mode="after")
    def _require_rows_or_detector(self) -> LeaveOutSection:
        """Raise ValueError unless the section has either rows and a reason, or ``found``, the name of a detector.

        Also for an empty list of rows, or rows that are no spans. Returns the section unchanged.
        """
        if self.found is not None:
            if self.rows is not None or self.reason is not None:
                raise ValueError(lazy("'found' cannot be combined with 'rows' or 'reason'"))
        elif self.rows is None or self.reason is None:
            raise ValueError(lazy("it needs 'rows' and 'reason', or 'found'"))
        elif not self.rows:
            raise ValueError(lazy("'rows' contains no row"))
        self.spans()
        return self

    def spans(self) -> list[tuple[int, int]]:
        """Return the rows as inclusive spans (first, last); empty where a detector finds them."""
        return row_spans(self.rows or ())


Minus = Literal["leading", "trailing", "brackets"]
_DATE_SIGNS = frozenset("YymdbBHIMSpZ")


WithinPersonWay = Literal["first", "most-frequent"]
"""Which of a person's values of a column holds in all their rows."""


class RepairSection(Section):
    """How cells of one column are rewritten before kinds are judged; without a section nothing is repaired.

    ``within_person`` is applied last: it makes the column constant within each person.
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
        """Return whether any cell is rewritten when reading, not only within people afterwards."""
        return any(value is not None for key, value in self if key != "within_person")

    @property
    def amounts(self) -> bool:
        """Return whether cells are read as amounts, which is so where a decimal sign is named."""
        return self.decimal is not None

    @property
    def kind(self) -> Literal["amounts", "dates", "words", "missing"]:
        """Return the main kind of repair: amounts, else dates, else words; "missing" where it is none of these."""
        if self.amounts:
            return "amounts"
        if self.dates or self.serials:
            return "dates"
        return "words" if self.values else "missing"

    @model_validator(mode="after")
    def _refuse_contradictions(self) -> RepairSection:
        """Refuse repairs that contradict each other, such as amounts and dates in one column, with a ValueError.

        Also a wrong form of dates, and replacements of values by values that are replaced again.
        """
        if self.decimal is None and any((self.thousands, self.strip, self.minus, self.percent is not None)):
            raise ValueError(lazy("'thousands', 'strip', 'percent' and 'minus' need 'decimal'"))
        if self.decimal is not None and self.decimal == self.thousands:
            raise ValueError(lazy("'thousands' and 'decimal' are the same sign"))
        for form in self.dates or ():
            self._check_date_form(form)
        if self.amounts and (self.dates or self.serials):
            raise ValueError(lazy("a column contains amounts or dates, not both"))
        values = self.values or {}
        chained = sorted(
            key for key, value in values.items() if value in values and value != key and values[value] != value
        )
        if chained:
            raise ValueError(lazy("'values' changes {text} into a text that it changes again", text=Quoted(chained[0])))
        return self

    def _check_date_form(self, form: str) -> None:
        """Raise ValueError for a date form that does not name day, month and exactly one year."""
        used = re.findall(r"%(.)", form)
        if not set(used) <= _DATE_SIGNS or len(set(used)) != len(used) or {"b", "B"} <= set(used):
            raise ValueError(lazy("{form} in 'dates' is not a way to write dates", form=Quoted(form)))
        if len({"Y", "y"} & set(used)) != 1:
            raise ValueError(lazy("{form} in 'dates' has no year, or two", form=Quoted(form)))
        if "d" not in used or not {"m", "b", "B"} & set(used):
            raise ValueError(lazy("{form} in 'dates' needs a day and a month", form=Quoted(form)))
        if "y" in used and self.century_from is None:
            raise ValueError(lazy("'dates' with %y needs 'century_from', the first year that two digits can mean"))


ReduceWay = Literal["first", "last", "min", "max", "mean", "sum", "most-frequent"]
"""How a column's value is made of the rows of one person."""


class ReduceSection(Section):
    """How the rows of each person become one row; ``by`` holds for every column that ``columns`` does not name."""

    by: Literal["first", "last"]
    columns: dict[str, ReduceWay] = {}
    rows: str | None = None

    @field_validator("rows")
    @classmethod
    def _refuse_empty_name(cls, value: str | None) -> str | None:
        """Refuse an empty name for a new column with a ValueError; None is allowed."""
        if value is not None and not value.strip():
            raise ValueError(lazy("it must be the name of a new column"))
        return value

    def way(self, column: str) -> ReduceWay:
        """Return the way in which a column is reduced to one value for each person: its own, else ``by``."""
        return self.columns.get(column, self.by)


WhichReading = Literal["first", "second"]
"""Which of two readings of a workbook is right where they differ."""


class DictionarySection(Section):
    """What a data dictionary beside the file says of a column: its label, its codes, whether it identifies people."""

    label: str = ""
    codes: dict[str, str] = {}
    identifier: bool = False


class InputSection(Section):
    """How the source is read; everything left out is guessed and stated.

    Rows are numbered as a spreadsheet program shows them. Where each row is a group of people, ``people_count`` names
    the column that counts them (left out, the one whose name says so), ``least_count`` is the fewest people of any
    group where no such column is released, and ``largest`` names for a confidential column the column that holds the
    largest contribution of one person. ``dictionary`` may say more columns than the file has.
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
    sha256: str | None = None

    @field_validator("sha256")
    @classmethod
    def _refuse_bad_digest(cls, value: str | None) -> str | None:
        """Return the SHA-256 in small letters; refuse any other text."""
        return _normalise_sha256(value)

    @model_validator(mode="after")
    def _refuse_unclear_input(self) -> InputSection:
        """Raise ValueError for rows named by number without the file's SHA-256, empty new names, and unclear people.

        Returns the section unchanged; for people see `_check_people`.
        """
        by_number = [entry for entry in self.leave_out if entry.rows is not None]
        if self.sha256 is None and (by_number or self.people):
            raise ValueError(lazy("rows by number need 'sha256', which says for which file they are"))
        row_spans(self.people)
        if "" in (name.strip() for name in self.names.values()):
            raise ValueError(lazy("'names' gives an empty name"))
        self._check_people()
        return self

    @property
    def counts_rows(self) -> bool:
        """Return whether rows are counted instead of people.

        No column names the person and nobody said each row is another's.
        """
        return self.person is None and not self.one_row_per_person

    @property
    def repairs_of_cells(self) -> dict[str, RepairSection]:
        """Return the repair sections by column that apply when reading, without their ``within_person``.

        Sections with nothing else are left out.
        """
        left = {name: section.model_copy(update={"within_person": None}) for name, section in self.repair.items()}
        return {name: section for name, section in left.items() if section.in_reading}

    def _check_people(self) -> None:
        """Raise ValueError for contradictory answers to which rows belong to one person, or settings that lack one.

        Such are ``people_count``, ``least_count`` and ``largest`` without ``rows = "groups"``, ``person`` beside
        another answer, and the settings of `_check_without_person`.
        """
        if self.rows is None:
            for key in ("people_count", "least_count", "largest"):
                if getattr(self, key):
                    raise ValueError(lazy("'{key}' needs 'rows = \"groups\"'", key=Term(key)))
        elif self.person is not None or self.one_row_per_person:
            raise ValueError(lazy("'rows = \"groups\"' contradicts 'person' and 'one_row_per_person', so use only one"))
        if self.person is not None:
            if self.one_row_per_person:
                raise ValueError(
                    lazy("'person' and 'one_row_per_person' contradict each other, so use only one of them")
                )
            if not self.person or len(set(self.person)) < len(self.person):
                raise ValueError(lazy("'person' names no column, or one column twice"))
            if self.household in self.person:
                raise ValueError(lazy("'household' names a column that 'person' also names"))
        else:
            self._check_without_person()
        if self.order_by is not None and self.reduce is None:
            raise ValueError(lazy("'order_by' needs 'reduce'"))

    def _check_without_person(self) -> None:
        """Raise ValueError for a setting that needs a person column: ``within_person``, ``reduce`` or ``household``."""
        for name, section in self.repair.items():
            if section.within_person is not None:
                raise ValueError(
                    lazy(
                        "'within_person' of {column} needs 'person', the column that says whose row it is",
                        column=Name(name),
                    )
                )
        for key in ("reduce", "household"):
            if getattr(self, key) is not None:
                raise ValueError(lazy("'{key}' needs 'person', the column that says whose row it is", key=Term(key)))


class BinsSection(Section):
    """How a numeric column is cut into categories before the first step."""

    model_config = ConfigDict(allow_inf_nan=False)

    method: Literal["equal-frequency", "equal-width", "cuts", "mdl"]
    count: Annotated[int, Field(ge=2)] | None = None
    at: Annotated[tuple[float | int, ...] | None, LISTED] = None
    against: str | None = None
    release: Literal["category", "draw"] = "category"

    @model_validator(mode="after")
    def _refuse_wrong_keys(self) -> BinsSection:
        """Raise ValueError for keys missing for the method or not used by it, and for cuts that do not rise.

        Returns the section unchanged.
        """
        needs = {"equal-frequency": "count", "equal-width": "count", "cuts": "at", "mdl": "against"}
        wanted = needs[self.method]
        for key in ("count", "at", "against"):
            given = getattr(self, key) is not None
            if given != (key == wanted):
                arguments: dict[str, Value] = {"method": Term(self.method), "key": Term(key)}
                if key == wanted:
                    raise ValueError(lazy("the method '{method}' needs '{key}'", **arguments))
                raise ValueError(lazy("the method '{method}' cannot be combined with '{key}'", **arguments))
        if self.at is not None and (not self.at or list(self.at) != sorted(set(self.at))):
            raise ValueError(lazy("'at' must be rising numbers without repetition"))
        return self


DetailMark = Literal["keep", "may-go"]
"""How much the detail of a column matters where versions are planned: it must stay, or may be given up first."""


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
    hierarchy_sha256: str | None = None
    bins: BinsSection | None = None
    tolerance: Annotated[float | int, Field(gt=0)] | None = None
    measured: bool | None = None
    common_is_secret: bool | None = None
    texts_read: str | None = None
    detail: DetailMark | None = None

    @field_validator("hierarchy_sha256", "texts_read")
    @classmethod
    def _refuse_bad_digest(cls, value: str | None) -> str | None:
        """Return the SHA-256 in small letters; refuse any other text."""
        return _normalise_sha256(value)

    @model_validator(mode="after")
    def _refuse_bad_settings(self) -> ColumnSection:
        """Raise ValueError for keys that do not fit each other or hold no possible value; return the section unchanged.

        That is a hash without hierarchy, a step of 0 or less, bounds that do not rise, and a value ordered twice.
        """
        if self.hierarchy_sha256 is not None and self.hierarchy is None:
            raise ValueError(lazy("'hierarchy_sha256' needs 'hierarchy'"))
        if self.bounds is not None and not self.bounds[0] < self.bounds[1]:
            raise ValueError(lazy("'bounds' must be [low, high], with low below high"))
        if self.step is not None and not self.step > 0:
            raise ValueError(lazy("'step' must be above 0"))
        if self.order is not None and len(set(self.order)) != len(self.order):
            raise ValueError(lazy("'order' names a value twice"))
        return self


class LevelSection(Section):
    """The demands of one named level; a key left out keeps its default, or that of the next level below."""

    model_config = ConfigDict(allow_inf_nan=False)

    group: Annotated[int, Field(ge=1)] | None = None
    intervals: Annotated[int, Field(ge=1)] | None = None
    noise: Annotated[float | int, Field(gt=0)] | None = None
    swap: Annotated[float | int, Field(gt=0, le=1)] | None = None
    selection_noise: Annotated[float | int, Field(ge=0)] | Literal["uniform"] | None = None
    doubt: Annotated[float | int, Field(gt=1)] | None = None


class Condition(Section):
    """One condition of a rule: a test of a column's value, or a status on the input."""

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
        """Refuse a condition that has neither a column with exactly one test nor a status alone, with a ValueError."""
        tests = [
            name
            for name in ("equals", "in_", "at_least", "at_most", "between", "missing")
            if getattr(self, name) is not None
        ]
        if self.status is not None:
            if self.column is not None or tests:
                raise ValueError(lazy("'status' cannot be combined with 'column' or another test"))
        elif self.column is None:
            raise ValueError(lazy("it needs 'column' and one test, or 'status'"))
        elif len(tests) != 1:
            raise ValueError(lazy("it needs exactly one of equals, in, at_least, at_most, between and missing"))
        return self


class Rule(Section):
    """A rule: records that fulfil all conditions get at least this level."""

    where: tuple[Condition, ...]
    level: str | int

    @field_validator("where", mode="before")
    @classmethod
    def _to_condition_tuple(cls, value: object) -> object:
        """Return one condition or a list of conditions as a tuple.

        Any other value unchanged, for the schema to refuse.
        """
        if isinstance(value, dict):
            return (value,)
        if isinstance(value, list):
            return tuple(value)
        return value

    @model_validator(mode="after")
    def _require_conditions(self) -> Rule:
        """Refuse a rule without conditions."""
        if not self.where:
            raise ValueError(lazy("'where' contains no condition"))
        return self


class RowsRule(Section):
    """A rule for rows picked by number, see ``InputSection.row_numbers``."""

    rows: RowSpans
    level: str | int

    @model_validator(mode="after")
    def _refuse_unreadable_rows(self) -> RowsRule:
        """Refuse rows that cannot be read as numbers or spans."""
        self.spans()
        return self

    def spans(self) -> list[tuple[int, int]]:
        """Return the rows as inclusive spans (first, last)."""
        return row_spans(self.rows)


class PrivacySection(Section):
    """The privacy level of records; the strictest of all that apply wins.

    ``words`` maps the words of the level column to levels, "" for an empty cell. With it, a word that is not listed
    means nothing, not even a level's own name; only whole numbers keep their meaning.
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
        """Return the levels by word, words without blanks at their ends; ValueError where two words become equal."""
        trimmed = {word.strip(): level for word, level in value.items()}
        if len(trimmed) < len(value):
            raise ValueError(lazy("two words differ only in spaces around them"))
        return trimmed


class ValueRuleSection(Section):
    """A rule that values of the file obey, and whether it is kept; settings left out are read from the file.

    A rule that is found in the file is kept unless a section with its kind and columns says otherwise.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    kind: Literal["range", "grid", "list", "spike", "pair", "order", "sum"]
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
        """Refuse a number of columns that does not fit the kind.

        2 for a pair or order, 3 or more for a sum, else 1, all different.
        """
        count = {"pair": 2, "order": 2, "sum": max(len(self.columns), 3)}.get(self.kind, 1)
        if len(set(self.columns)) != count or len(self.columns) != count:
            raise ValueError(lazy("a rule of this kind needs {count} different columns", count=count))
        return self


class StepSection(Section):
    """A method applied to some columns; ``parameters`` override those of ``profile``."""

    method: str
    profile: ProfileName | None = None
    columns: Annotated[tuple[str, ...] | None, LISTED] = None
    enabled: bool = True
    parameters: dict[str, object] = {}


class RiskSection(Section):
    """How risk is counted."""

    missing: Literal["own-value", "matches-anything"] = "own-value"
    population: str | None = None


class PopulationSection(Section):
    """All the people that the file was drawn from, which only judges the risk of unique people; it changes no release.

    Attributes
    ----------
    who
        Who they are, in words that are printed beside every figure.
    size
        How many there are; left out, the sum of the weights or the rows of the table.
    drawn
        How the people of the file were drawn from them.
    weight
        Column that says how many people each person of the file stands for.
    table
        File with the quasi-identifiers of all of them, one row a person.
    """

    who: str
    size: Annotated[int, Field(ge=1)] | None = None
    drawn: Literal["everybody", "random", "not-random"] = "not-random"
    weight: str | None = None
    table: str | None = None

    @field_validator("who")
    @classmethod
    def _refuse_short_description(cls, value: str) -> str:
        """Return the description; refuse one of fewer than three words."""
        if len(value.split()) < 3:
            raise ValueError(lazy("it must say in at least three words who these people are"))
        return value.strip()

    @model_validator(mode="after")
    def _refuse_unusable_draw(self) -> PopulationSection:
        """Raise ValueError for weights without a random draw, and a random draw without size, weights or table.

        Returns the section unchanged.
        """
        if self.weight is not None and self.drawn != "random":
            raise ValueError(lazy("weights need people who were drawn at random"))
        if self.drawn == "random" and self.size is None and self.weight is None and self.table is None:
            raise ValueError(lazy("a random draw needs the number of all people, a column of weights or a table"))
        return self


LEARN_FROM = Literal["released", "global", "by-class", "local"]
"""From what learners learn a column that got noise: as it is released, or reconstructed in one of three ways."""


class RegressionSection(Section):
    """A regression whose conclusions are compared: the column explained, and those that explain it."""

    y: str
    x: Annotated[tuple[str, ...], LISTED]

    @model_validator(mode="after")
    def _refuse_bad_model(self) -> RegressionSection:
        """Refuse a model that explains a column by nothing, by itself, or by one column twice."""
        if not self.x or len({self.y, *self.x}) <= len(self.x):
            raise ValueError(lazy("'x' must name one or more different columns, without the one in 'y'"))
        return self


class UtilitySection(Section):
    """What usefulness is measured against, and from what learners learn noisy columns; neither changes a draw.

    ``targets`` are the columns to be predicted and ``models`` up to five regressions; None means that both are chosen
    by the program.
    """

    targets: Annotated[tuple[str, ...] | None, LISTED] = None
    learn_from: LEARN_FROM = "released"
    models: Annotated[tuple[RegressionSection, ...] | None, LISTED, Field(max_length=5)] = None


def _refuse_unknown_type(value: object) -> object:
    """Return the id of a declared release type; raise an error that lists the types for any other value."""
    if isinstance(value, str) and value in RELEASE_TYPES:
        return value
    raise PydanticKnownError("literal_error", {"expected": join_with_or(RELEASE_TYPES)})


class ReleaseSection(Section):
    """The recipients of the release, its format and language.

    With an agreement the recipients sign that they will not link the data with other files, try to find people, or pass
    the data on; it counts for researchers only. A teaching copy is no release: only the checks on protection may block
    it, and every output says so. With ``four_eyes`` a release waits in a folder of its own until a second person
    approves it.
    """

    type: Annotated[str, PlainValidator(_refuse_unknown_type)] | None = None
    format: str = "csv"
    shuffle_rows: bool = True
    file_name: str | None = None
    formula_guard: bool = True
    teaching_copy: bool = False
    agreement: bool = False
    analysis_kit: bool = False
    four_eyes: bool = False
    note_language: str = SOURCE
    report_language: str = SOURCE

    @field_validator("format", mode="before")
    @classmethod
    def _refuse_unknown_format(cls, value: object, info: ValidationInfo) -> object:
        """Return the format.

        Refuse one that is not among ``formats`` of the validation context, where that is given.
        """
        formats = (info.context or {}).get("formats")
        if formats is not None and value not in formats:
            raise PydanticKnownError("literal_error", {"expected": join_with_or(formats)})
        return value

    @field_validator("note_language", "report_language", mode="before")
    @classmethod
    def _refuse_unknown_language(cls, value: object) -> object:
        """Return a language that has a catalogue; refuse any other."""
        if not isinstance(value, str) or value not in list_languages():
            raise PydanticKnownError("literal_error", {"expected": join_with_or(list_languages())})
        return value


class AcceptedCheck(Section):
    """A check that a reason was given for; ``figure`` is the worst value that it accepts."""

    figure: float | int | str | None = None
    limit: float | int | str | None = None
    columns: Annotated[tuple[str, ...] | None, LISTED] = None


class AcceptSection(Section):
    """The written reason for passing the amber checks of one cause, and the figures for which it was given.

    Without a type the figures are unknown and the reason has to be confirmed.
    """

    reason: str
    input: str | None = None
    at: str | None = None
    type: Annotated[str, PlainValidator(_refuse_unknown_type)] | None = None
    checks: dict[str, AcceptedCheck] = {}

    @model_validator(mode="before")
    @classmethod
    def _refuse_misplaced_figures(cls, value: object) -> object:
        """Return the value unchanged; refuse figures that were written next to the reason and say where they belong."""
        if isinstance(value, dict) and set(AcceptedCheck.model_fields) & set(value):
            raise ValueError(lazy("a reason belongs to a cause; its figures stand in [accept.CAUSE.checks.CHECK]"))
        return value


def is_day(text: str) -> bool:
    """Return whether a text is a day written as YYYY-MM-DD."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class OperatorSection(Section):
    """Who is responsible for the release, its purpose and recipients: texts for report and release record only.

    ``dataset``, ``controller``, ``purpose``, ``legal_basis``, ``recipient``, ``dpo`` (the data protection officer),
    ``categories_of_persons``, ``retention``, ``measures`` (access, encryption, training), ``incident`` (who acts if a
    person is found) and ``special_categories`` (whether there are data of art. 9) are fields of a record of processing
    (GDPR art. 5(2), 9 and 30). On ``review_date`` the release is to be looked at again, and it is not to be
    used after ``expires``. None means that the question was not answered.
    """

    name: str | None = None
    note: str | None = None
    approver: str | None = None
    review_date: str | None = None
    expires: str | None = None
    release_day: str | None = None
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

    @property
    def of_any_file(self) -> dict[str, str]:
        """Return the answered fields that do not concern one file only, such as name and approver.

        Left out are note, review, expiry and release day, the data set, and whether there are special categories.
        """
        of_this_file = {"note", "review_date", "expires", "release_day", "dataset", "special_categories"}
        return self.model_dump(exclude=of_this_file, exclude_none=True)

    @field_validator("release_day", "review_date", "expires")
    @classmethod
    def _refuse_bad_day(cls, value: str | None) -> str | None:
        """Return an ISO day; refuse any other text, since it is printed and compared with today."""
        if value is not None and not is_day(value):
            raise ValueError(lazy("it must be a day written as YYYY-MM-DD"))
        return value


class PluginsSection(Section):
    """The plug-ins that may be used, by distribution name; none without this section."""

    use: Annotated[tuple[str, ...], LISTED] = ()

    @field_validator("use")
    @classmethod
    def _normalise_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        """Return the plug-ins' names in their standard spelling, each once, in the order given."""
        return tuple(dict.fromkeys(map(plugin_name, value)))


class Recipe(Section):
    """A whole recipe; ``dossier`` holds what people answered by hand, by form and field of a paper."""

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
        """Return the recipe with the table that ``[risk] population`` names in its section ``[population]``.

        It is unchanged where no table is named or that section exists.
        """
        if not isinstance(value, dict) or not isinstance(risk := value.get("risk"), dict):
            return value
        table = risk.get("population")
        if not isinstance(table, str) or value.get("population") is not None:
            return value
        section = {"who": f"the people in {table}", "table": table}
        return {**value, "risk": {**risk, "population": None}, "population": section}


class SweepSection(Section):
    """What a parameter sweep should try; a release ignores it.

    Attributes
    ----------
    over
        As the command ``sweep`` takes it: ``group=3,5,10``.
    repeats
        Keys for each value.
    attacks, analyses
        Whether attacks are made and models trained.
    """

    over: str
    repeats: Annotated[int, Field(ge=1, le=1_000)] = 3
    attacks: bool = True
    analyses: bool = False


class SweepFile(Section):
    """A recipe file as ``sweep`` reads it: only the ``[sweep]`` table."""

    sweep: SweepSection | None = None
