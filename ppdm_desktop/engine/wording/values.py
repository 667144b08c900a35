"""The typed values of sentences: each value knows what it is, so that every language can write it in its own way.

A value is never an already formatted text: a share keeps its two counts, a name is a name. So a figure has the same
text wherever it appears.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from numbers import Integral
from typing import Any, Literal

from ppdm_desktop.engine.wording.numbers import FEW, End, Numbers

MANY = 2
"""A number that goes with the words for many, where no count is shown."""


class LazyText:
    """Base class of values that are sentences and are translated together with the sentence that contains them.

    Text that was formatted before does not count as such a value.
    """


class Figure:
    """Base class of values that are numbers."""

    def amount(self) -> float:
        """Return the number by which a plural form is chosen: 2, for the plural, unless a subclass overrides it."""
        return MANY


@dataclass(frozen=True)
class Share(Figure):
    """A number of people out of a larger number of people, such as 3 of 120; or of rows.

    ``beside`` is a second share if the sentence states the difference of both: decimals are then chosen so that the
    numbers add up.
    """

    hits: int
    of: int
    noun: Literal["people", "rows"] = "people"
    beside: float | None = None

    def amount(self) -> float:
        """Return the count if it is shown (total below 100), else 2, which selects the plural."""
        return self.hits if self.of < FEW else MANY


@dataclass(frozen=True)
class Ratio(Figure):
    """A share that is not a count: a mean of probabilities, or an end of an interval; None means not measured.

    ``beside`` is a second share if the sentence states the difference of both, see `Share`.
    """

    value: float | None
    noun: Literal["people", "rows"] = "people"
    end: End = ""
    beside: float | None = None


@dataclass(frozen=True)
class Between(Figure):
    """The 95 % confidence interval of a share; its ends are rounded outward."""

    low: float
    high: float


@dataclass(frozen=True)
class Versus(Figure):
    """A figure, written precisely enough to show whether it is above or below its limit (`LimitOf`)."""

    figure: float
    limit: float
    unit: Literal["share", "points", "ratio"] = "share"
    end: End = ""


@dataclass(frozen=True)
class LimitOf(Figure):
    """The limit of a figure, written with as many decimals as the figure (`Versus`)."""

    figure: float
    limit: float
    unit: Literal["share", "points", "ratio"] = "share"


@dataclass(frozen=True)
class Chance(Figure):
    """A probability for one person, or a limit written as "1 in k"."""

    value: float


@dataclass(frozen=True)
class Points(Figure):
    """A difference of two shares, in percentage points."""

    value: float
    end: End = ""


@dataclass(frozen=True)
class ChangeBetween(Figure):
    """The 95 % confidence interval of a difference of two shares; ends are rounded outward and have their signs."""

    low: float
    high: float


@dataclass(frozen=True)
class Number(Figure):
    """A measured number, written with three digits; None means not measured."""

    value: float | None


@dataclass(frozen=True)
class Exact(Figure):
    """A number from the data, written with all its digits, such as the end of a range."""

    value: float


def to_year_or_amount(value: float, numbers: Iterable[float]) -> Exact | int:
    """Return a number of the data as a value of sentences, written like a year only where all numbers may be years.

    Years are whole numbers from 1,000 to below 2,100; ``numbers`` are all that are shown together, or known to be in
    the column. Among years 2000 is an `Exact`, written "2000"; beside 0 or 7,500 it is an int, written "2,000". Any
    value that is not a whole number from 1,900 to below 2,100 is an `Exact`.
    """
    may_be_year = all(1_000 <= number < 2_100 and not number % 1 for number in numbers)
    return Exact(value) if may_be_year or value % 1 or not 1_900 <= value < 2_100 else int(value)


def round_to_digits(value: float, digits: int) -> Exact | Number:
    """Return a number rounded to ``digits`` significant digits, as a value that is written with all digits.

    Closer to 0 than 0.0001, but not 0, it is written as "less than 0.001", or "−0.001 to 0" if negative.
    """
    return Exact(float(f"{value:.{digits}g}")) if abs(value) >= 0.0001 or not value else Number(value)


@dataclass(frozen=True)
class Amount(Figure):
    """A measured number with the unit of its column, where it has one."""

    value: float
    unit: str = ""

    def amount(self) -> float:
        """Return the number itself."""
        return self.value


@dataclass(frozen=True)
class Span(Figure):
    """A duration in seconds, written as a rounded text such as "about 5 minutes"."""

    seconds: float


@dataclass(frozen=True)
class Size(Figure):
    """A size of a file in bytes, written in a suitable unit."""

    bytes: int


@dataclass(frozen=True)
class Day(Figure):
    """A calendar day, written with the month's name."""

    day: datetime.date


@dataclass(frozen=True)
class Row:
    """A row of the file, given by its number in a spreadsheet program."""

    number: int


@dataclass(frozen=True)
class Name:
    """A name given by the owner, such as that of a column or file; written in quotation marks."""

    text: str

    def __str__(self) -> str:
        """Return the name unchanged, for look-ups."""
        return self.text


@dataclass(frozen=True)
class Names:
    """Several names; if there are more than five, only the first ones are written."""

    texts: tuple[str, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Names:
        """Return the names in a sequence, in its order."""
        return cls(tuple(texts))


@dataclass(frozen=True)
class Quoted:
    """The text of a cell or a path: shown to the user, kept out of every log."""

    text: str

    def __str__(self) -> str:
        """Return the text unchanged, for look-ups."""
        return self.text


@dataclass(frozen=True)
class FilePath:
    """A path, written with its whole file name, and kept out of every log."""

    text: str

    def __str__(self) -> str:
        """Return the path unchanged, for look-ups."""
        return self.text


@dataclass(frozen=True)
class Reason:
    """The operating system's reason for an error, in its own words."""

    text: str

    @classmethod
    def of(cls, error: OSError) -> Reason:
        """Return the reason of an OSError; its class name where the system has no words for it."""
        return cls(error.strerror or type(error).__name__)


@dataclass(frozen=True)
class Term:
    """Words that are translated already, or a key of recipe or command line: written unchanged."""

    text: str | LazyText

    def __str__(self) -> str:
        """Return the words, unchanged or as a sentence in the current language."""
        return str(self.text)


@dataclass(frozen=True)
class Terms:
    """Several terms, joined as a list; a long list ends with how many more there are.

    Attributes
    ----------
    all_named
        Whether every term is named, however long the list is.
    """

    texts: tuple[str | LazyText, ...]
    all_named: bool = False


@dataclass(frozen=True)
class AttachedData(LazyText):
    """Data that a report stores with a sentence but that no placeholder shows."""

    data: Sequence[Mapping[str, object]]


Value = int | Figure | Row | Name | Names | Quoted | FilePath | Reason | Term | Terms | LazyText
"""What stands in a sentence. Neither a text nor a bare float: nobody could say what they are in another language."""

_VALUES = (int, Figure, Row, Name, Names, Quoted, FilePath, Reason, Term, Terms, LazyText, Integral)


def refuse_untyped(message: str, values: Mapping[str, object]) -> None:
    """Raise TypeError if a value is not of a type that a sentence can contain, such as a plain text or float.

    Parameters
    ----------
    message
        The sentence or text id, to be named in the error.
    values
        The values by placeholder.

    Raises
    ------
    TypeError
        The message names the sentence, the placeholder and the type, never the value (a fault of the program).
    """
    for name, value in values.items():
        if not isinstance(value, _VALUES):
            raise TypeError(f"{message}: {name} is a {type(value).__name__}, which does not say what it means")


def format_sentence_value(value: Value, numbers: Numbers, kind: str = "") -> str:
    """Return a value of a sentence as text in a language.

    A whole number is written as a count, or with the format ``place`` as a row number; a share as ``kind`` says; names
    and paths are shortened. TypeError is raised for a value that no sentence can show.

    Parameters
    ----------
    value, numbers
        The value, and the object that writes numbers in the language.
    kind
        The format in the placeholder, such as ``people`` in ``{share:people}``; "" for the standard format.
    """
    match value:
        case Integral():
            return numbers.place(value) if kind == "place" else numbers.count(value)
        case Share():
            return _format_share(value, numbers, kind)
        case Ratio(share, noun, end, beside):
            percentage = numbers.percent(share, end) if beside is None else numbers.apart(share, beside)
            return _add_share_noun(percentage, numbers, kind, rows=noun == "rows")
        case Versus(figure, limit, unit, end):
            return _add_share_noun(numbers.versus(figure, limit, unit, end)[0], numbers, kind)
        case Figure() | Row():
            return _FIGURE_TEXTS[type(value)](value, numbers)
        case Name(text) | Quoted(text):
            return numbers.name(text)
        case FilePath(text):
            return numbers.path(text)
        case Names(texts):
            return numbers.names(texts)
        case Reason(text) | Term(text):
            return str(text)
        case Terms(texts, all_named):
            return numbers.list([str(text) for text in texts], all_named=all_named)
        case LazyText() if not isinstance(value, AttachedData):
            return str(value)
    raise TypeError(type(value).__name__)


_FIGURE_TEXTS: Mapping[type, Callable[[Any, Numbers], str]] = {
    Between: lambda value, numbers: numbers.between(value.low, value.high),
    LimitOf: lambda value, numbers: numbers.versus(value.figure, value.limit, value.unit)[1],
    Chance: lambda value, numbers: numbers.chance(value.value),
    Points: lambda value, numbers: numbers.points(value.value, value.end),
    ChangeBetween: lambda value, numbers: numbers.change_between(value.low, value.high),
    Number: lambda value, numbers: numbers.number(value.value),
    Exact: lambda value, numbers: numbers.exact(value.value),
    Amount: lambda value, numbers: numbers.amount(value.value, value.unit),
    Span: lambda value, numbers: numbers.duration(value.seconds),
    Size: lambda value, numbers: numbers.size(value.bytes),
    Day: lambda value, numbers: numbers.day(value.day.year, value.day.month, value.day.day),
    Row: lambda value, numbers: numbers.place(value.number),
}


def _format_share(share: Share, numbers: Numbers, kind: str) -> str:
    """Return a share as text in the format ``kind``.

    ``people`` and ``rows`` add the noun, ``full`` gives count and percentage, ``percent`` the percentage. Any other
    kind gives the count if the total is below 100, else the percentage. With a total from 100, a share with ``beside``
    is a percentage with the decimals of `Numbers.apart`, except in the format ``full``.
    """
    if share.beside is not None and share.of >= FEW and kind in ("", "people", "rows", "share", "percent"):
        percentage = numbers.apart(share.hits / share.of, share.beside)
        return _add_share_noun(percentage, numbers, kind, rows=share.noun == "rows")
    if kind in ("people", "rows"):
        return numbers.people(share.hits, share.of, rows="rows" in (kind, share.noun))
    if kind == "full":
        return numbers.full(share.hits, share.of)
    if kind == "percent":
        return numbers.percent(share.hits / share.of if share.of else None)
    return numbers.share(share.hits, share.of)


def _add_share_noun(share: str, numbers: Numbers, kind: str, *, rows: bool = False) -> str:
    """Return a percentage with the noun that the placeholder asks for, such as "of the people".

    It is unchanged unless ``kind`` is ``people`` or ``rows``; with ``rows=True`` the noun is always rows.
    """
    phrases = numbers.locale.phrases
    if kind not in ("people", "rows"):
        return share
    return (phrases.of_the_rows if rows or kind == "rows" else phrases.of_the_people).format(share)


def choose_plural_form(value: Value, forms: Sequence[str], numbers: Numbers) -> str:
    """Return the form of a word that goes with a value, chosen among the language's plural forms in their order."""
    return numbers.locale.plurals.form(_to_plural_number(value), forms)


def _to_plural_number(value: Value) -> int | Decimal:
    """Return the number by which the plural form beside a value is chosen, such as "rows" for 2.

    It is a whole number itself, a figure's amount or a list's length; for any other value it is 1.
    """
    match value:
        case Integral():
            return int(value)
        case Figure():
            return Decimal(repr(value.amount()))
        case Names(texts) | Terms(texts, _):
            return len(texts)
    return 1


# --- as data ------------------------------------------------------------------------------

_KIND, _UNSAID = "is", {"end": "", "beside": None}
KINDS: dict[str, type[Any]] = {
    value_class.__name__.lower(): value_class
    for value_class in (
        Share, Ratio, Between, Versus, LimitOf, Chance, Points, ChangeBetween, Number, Exact, Amount, Span,
        Size, Day, Row, Name, Names, Quoted, FilePath, Reason, Term, Terms,
    )
}  # fmt: skip
"""What a value is called in report.json, under the key ``is``."""


def as_data(value: object) -> Any:
    """Return a value of a sentence as plain data for a file, such as ``{"is": "share", "hits": 10, "of": 16, ...}``.

    ``end`` and ``beside`` are left out where they have their usual value. An `AttachedData` gives its data, and
    anything that is no value of a sentence is returned unchanged. `from_data` reads it back.
    """
    if isinstance(value, AttachedData):
        return value.data
    if type(value) not in KINDS.values():
        return value
    assert is_dataclass(value)
    attributes = {field.name: getattr(value, field.name) for field in fields(value)}
    attributes = {
        name: attribute for name, attribute in attributes.items() if name not in _UNSAID or attribute != _UNSAID[name]
    }
    return {
        _KIND: type(value).__name__.lower(),
        **{name: _to_plain_data(attribute) for name, attribute in attributes.items()},
    }


def _to_plain_data(value: object) -> Any:
    """Return one field of a value as plain data: lists, mappings, numbers and texts, with dates as ISO text.

    A number that is not finite becomes None.
    """
    if isinstance(value, tuple):
        return [_to_plain_data(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _to_plain_data(item) for key, item in value.items()}
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return as_data(value) if type(value) in KINDS.values() else value if value is None else str(value)


def from_data(data: Any) -> Any:
    """Return the value that `as_data` turned into this data; other data unchanged."""
    if not isinstance(data, Mapping) or data.get(_KIND) not in KINDS:
        return data
    kind = KINDS[data[_KIND]]
    fields_by_name = {name: item for name, item in data.items() if name != _KIND}
    if kind is Day:
        return Day(datetime.date.fromisoformat(fields_by_name["day"]))
    return kind(**{name: _from_plain_data(item) for name, item in fields_by_name.items()})


def restore_values(arguments: Mapping[str, Any]) -> dict[str, Value]:
    """Return the values of a sentence by placeholder, from data stored in a report; lists become `AttachedData`."""
    return {name: AttachedData(data) if isinstance(data, list) else from_data(data) for name, data in arguments.items()}


def _from_plain_data(data: Any) -> Any:
    """Return one field of a value from its plain data; lists become tuples, and data of values become values.

    Texts stay texts, also those that are dates; `from_data` reads the date of a `Day` itself.
    """
    if isinstance(data, list):
        return tuple(_from_plain_data(item) for item in data)
    if isinstance(data, Mapping) and _KIND not in data:
        return {name: _from_plain_data(item) for name, item in data.items()}
    return from_data(data)
