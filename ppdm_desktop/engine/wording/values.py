"""The typed values of sentences: each knows what it is, and the language's writer turns it into text.

A value is never a text that was put together before: a share keeps its two counts, a name is a name. So one figure
reads the same wherever it stands, and another language can write it in its own way.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import Decimal
from numbers import Integral
from typing import Any, Literal

from ppdm_desktop.engine.wording.numbers import FEW, End, Numbers

MANY = 2
"""A number that goes with the words for many, where no count is shown."""


class Spoken:
    """The base of values that are sentences themselves and are translated with the sentence around them.

    Text that was put together before is none, though it has words as well.
    """


class Figure:
    """The base of values that are numbers."""

    def amount(self) -> float:
        """Return the number by which a plural form is chosen: 2, the plural, unless a class says otherwise."""
        return MANY


@dataclass(frozen=True)
class Share(Figure):
    """A number of people out of all people; rows where a row is not a person.

    ``beside`` is another share, where the sentence states the difference of both: it is written so that they add up.
    """

    hits: int
    of: int
    noun: Literal["people", "rows"] = "people"
    beside: float | None = None

    def amount(self) -> float:
        """Return the count where it is shown (a whole below 100), else 2, which takes the plural."""
        return self.hits if self.of < FEW else MANY


@dataclass(frozen=True)
class Ratio(Figure):
    """A share that was not counted: a mean of probabilities, or an end of an interval; None was not measured.

    For ``beside`` see `Share`.
    """

    value: float | None
    noun: Literal["people", "rows"] = "people"
    end: End = ""
    beside: float | None = None


@dataclass(frozen=True)
class Between(Figure):
    """The interval of a share, 95 % certain; its ends are rounded outward."""

    low: float
    high: float


@dataclass(frozen=True)
class Versus(Figure):
    """A figure and its limit (`LimitOf`), written so that the texts compare as the numbers do."""

    figure: float
    limit: float
    unit: Literal["share", "points", "ratio"] = "share"
    end: End = ""


@dataclass(frozen=True)
class LimitOf(Figure):
    """The limit of a figure, written as precisely as the figure."""

    figure: float
    limit: float
    unit: Literal["share", "points", "ratio"] = "share"


@dataclass(frozen=True)
class Chance(Figure):
    """One person's probability, or a limit of one in k."""

    value: float


@dataclass(frozen=True)
class Points(Figure):
    """A difference of two shares, in percentage points."""

    value: float
    end: End = ""


@dataclass(frozen=True)
class ChangeBetween(Figure):
    """The interval of a difference of two shares, 95 % certain; its ends are rounded outward and keep their signs."""

    low: float
    high: float


@dataclass(frozen=True)
class Number(Figure):
    """A measured number, written with three digits; None means not measured."""

    value: float | None


@dataclass(frozen=True)
class Exact(Figure):
    """A number of the data with all its digits, such as the end of a range."""

    value: float


def round_to_digits(value: float, digits: int) -> Exact | Number:
    """Return a number rounded to so many significant digits, to be written with all of them.

    One closer to 0 than 0.0001 is written in words instead, "less than 0.001".
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
    """A duration in seconds, written roughly."""

    seconds: float


@dataclass(frozen=True)
class Size(Figure):
    """A number of bytes."""

    bytes: int


@dataclass(frozen=True)
class Day(Figure):
    """A day."""

    day: datetime.date


@dataclass(frozen=True)
class Row:
    """A row of the file by its number in a spreadsheet program."""

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
    """Several names; only the first ones are written where there are many."""

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

    text: str | Spoken

    def __str__(self) -> str:
        """Return the words, unchanged or as a sentence in the current language."""
        return str(self.text)


@dataclass(frozen=True)
class Terms:
    """Several terms, joined as a list; a long list ends with how many more there are.

    Attributes
    ----------
    all_named
        However long the list is, each of them is named.
    """

    texts: tuple[str | Spoken, ...]
    all_named: bool = False


@dataclass(frozen=True)
class Beside(Spoken):
    """Data that a report keeps with a sentence and that no placeholder shows."""

    data: Sequence[Mapping[str, object]]


Value = int | Figure | Row | Name | Names | Quoted | FilePath | Reason | Term | Terms | Spoken
"""What stands in a sentence. Neither a text nor a bare float: nobody could say what they are in another language."""

_VALUES = (int, Figure, Row, Name, Names, Quoted, FilePath, Reason, Term, Terms, Spoken, Integral)


def refuse_untyped(said: str, values: Mapping[str, object]) -> None:
    """Raise TypeError for values that no sentence can hold.

    Parameters
    ----------
    said
        Which sentence it is for.
    values
        What is to stand in its places.

    Raises
    ------
    TypeError
        Naming the sentence, the place and the type found, never what it holds (a fault of the program).
    """
    for name, value in values.items():
        if not isinstance(value, _VALUES):
            raise TypeError(f"{said}: {name} is a {type(value).__name__}, which does not say what it means")


def format_sentence_value(value: Value, numbers: Numbers, kind: str = "") -> str:
    """Return a value as text in a language.

    Raise TypeError for what no sentence shows.

    Parameters
    ----------
    value, numbers
        The value, and the writer of the language.
    kind
        How it is to be written where its type can be written in several manners, as in ``{share:people}``, or
        ``{share:rows}`` where a row need not be a person.
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
        case Spoken() if not isinstance(value, Beside):
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
    """Return a share as text: by ``kind`` with the noun, with the percentage, as percentage only, or plain.

    ``people`` and ``rows`` add the noun, ``full`` gives count and percentage, ``percent`` the percentage. Any other
    kind gives the count of few and the percentage of many.
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

    Unchanged unless ``kind`` is ``people`` or ``rows``; ``rows`` asks for rows in either case.
    """
    phrases = numbers.locale.words
    if kind not in ("people", "rows"):
        return share
    return (phrases.of_the_rows if rows or kind == "rows" else phrases.of_the_people).format(share)


def choose_plural_form(value: Value, forms: Sequence[str], numbers: Numbers) -> str:
    """Return the form of a word that goes with a value, chosen among the language's plural forms in their order."""
    return numbers.locale.plurals.form(_to_plural_number(value), forms)


def _to_plural_number(value: Value) -> int | Decimal:
    """Return the number by which a plural form is chosen: a whole number, a figure's amount or a list's length.

    Else 1.
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
    """Return a value as plain data that keeps its counts, ``{"is": "share", "hits": 10, "of": 16, ...}``.

    Anything else is returned unchanged.
    """
    if isinstance(value, Beside):
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
    """Return a field of a value as plain data: lists, mappings, numbers and texts, dates as ISO text.

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
    """Return the value from which `as_data` made data; other data unchanged."""
    if not isinstance(data, Mapping) or data.get(_KIND) not in KINDS:
        return data
    kind = KINDS[data[_KIND]]
    given = {name: item for name, item in data.items() if name != _KIND}
    if kind is Day:
        return Day(datetime.date.fromisoformat(given["day"]))
    return kind(**{name: _from_plain_data(item) for name, item in given.items()})


def restore_values(arguments: Mapping[str, Any]) -> dict[str, Value]:
    """Return the values of a sentence, by placeholder, from data that a report keeps; a list becomes a `Beside`."""
    return {name: Beside(data) if isinstance(data, list) else from_data(data) for name, data in arguments.items()}


def _from_plain_data(data: Any) -> Any:
    """Return a field of a value from plain data; lists become tuples."""
    if isinstance(data, list):
        return tuple(_from_plain_data(item) for item in data)
    if isinstance(data, Mapping) and _KIND not in data:
        return {name: _from_plain_data(item) for name, item in data.items()}
    return from_data(data)
