"""How each language writes numbers, lists, names, days and plurals, independent of the operating system's settings.

Marks, months, lists and plural rules are those of the Unicode CLDR (``en_GB`` and ``de``), against which a test checks
them. The few words are here and not in a catalogue, because they are part of how a language writes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

NO_BREAK = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class Plurals:
    """The plural forms of a language.

    Attributes
    ----------
    categories
        CLDR's names of the forms, in the order in which a sentence gives them.
    category
        Function that returns the category of a number that is not negative. Written decimals count: "1.0" may have a
        different form from "1".
    """

    categories: tuple[str, ...]
    category: Callable[[Decimal], str]

    def form(self, number: int | Decimal, forms: Sequence[str]) -> str:
        """Return the form of a word that goes with a number, such as "row" for 1 and "rows" for 2.

        Parameters
        ----------
        number
            The number as it is written: ``Decimal("1.0")`` has a decimal.
        forms
            The word's forms, one for each plural category, in the order of the categories.

        Raises
        ------
        ValueError
            When there are more or fewer forms than the language has.
        """
        if len(forms) != len(self.categories):
            raise ValueError(f"{len(forms)} forms where the language has {len(self.categories)}")
        return forms[self.categories.index(self.category(Decimal(number).copy_abs()))]


def _count_decimals(number: Decimal) -> int:
    """Return how many decimals a number is written with (operand "v" of CLDR's rules)."""
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _choose_one_or_other(number: Decimal) -> str:
    """Return the plural category of a number in English and German.

    ``one`` for 1 written without decimals, ``other`` for all else.
    """
    return "one" if number == 1 and not _count_decimals(number) else "other"


def _choose_polish_plural(number: Decimal) -> str:
    """Return the plural category of a number in Polish: ``one``, ``few``, ``many`` or ``other``.

    ``few`` is for a last digit of 2 to 4, but not for 12 to 14; ``other`` for numbers with decimals.
    """
    if _count_decimals(number):
        return "other"
    if number == 1:
        return "one"
    last, last_two = int(number) % 10, int(number) % 100
    return "few" if 2 <= last <= 4 and not 12 <= last_two <= 14 else "many"


_GERMANIC = Plurals(("one", "other"), _choose_one_or_other)

PLURALS: Mapping[str, Plurals] = {
    "en": _GERMANIC,
    "de": _GERMANIC,
    "pl": Plurals(("one", "few", "many", "other"), _choose_polish_plural),
    "qps": _GERMANIC,
}
"""The plural forms of each language that a catalogue may be in."""


@dataclass(frozen=True)
class NumberPhrases:
    """The words that a language writes around numbers, such as "less than {}".

    ``{}`` is the number; a tuple has a form for each plural category.
    """

    none: str
    """Not measured, in a sentence."""
    less_than: str
    more_than: str
    fewer_than: str
    just_below: str
    just_above: str
    about: str
    between: str
    """From one number to another; both are said."""
    of: str
    """A count out of another."""
    of_the_people: str
    of_the_rows: str
    people: tuple[str, ...]
    rows: tuple[str, ...]
    one_in: str
    in_hundred: str
    never: str
    always: str
    no_change: str
    points: tuple[str, ...]
    less_than_a_second: str
    seconds: tuple[str, ...]
    minutes: tuple[str, ...]
    hours: tuple[str, ...]
    bytes: tuple[str, ...]


@dataclass(frozen=True)
class Locale:
    """The writing rules of one language.

    Attributes
    ----------
    language
        Code of the language, which is also the name of its catalogue's folder.
    decimal, group
        The marks before decimals and between groups of three digits.
    percent
        The pattern of a percentage; the space before the sign is no-break.
    last_of_list, more_of_list
        How the last name of a list is joined, and how the names that were left out are counted.
    quotes
        Opening and closing quotation mark.
    months, day
        Long names of the months, and the pattern of day, month and year.
    plurals
        The plural forms.
    phrases
        The words written around numbers.
    """

    language: str
    decimal: str
    group: str
    percent: str
    last_of_list: str
    more_of_list: str
    quotes: tuple[str, str]
    months: tuple[str, ...]
    day: str
    plurals: Plurals
    phrases: NumberPhrases


_ENGLISH = Locale(
    language="en",
    decimal=".",
    group=",",
    percent="{}%",
    last_of_list="{} and {}",
    more_of_list="{} and {} more",
    quotes=("\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"),
    months=(
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    day="{day} {month} {year}",
    plurals=PLURALS["en"],
    phrases=NumberPhrases(
        none="not measured",
        less_than="less than {}",
        more_than="more than {}",
        fewer_than="fewer than {}",
        just_below="just below {}",
        just_above="just above {}",
        about="about {}",
        between="{} to {}",
        of="{} of {}",
        of_the_people="{} of the people",
        of_the_rows="{} of the rows",
        people=("{} person", "{} people"),
        rows=("{} row", "{} rows"),
        one_in="1 in {}",
        in_hundred="{} in 100",
        never="never",
        always="always",
        no_change="no change",
        points=("{} percentage point", "{} percentage points"),
        less_than_a_second="less than a second",
        seconds=("{} second", "{} seconds"),
        minutes=("{} minute", "{} minutes"),
        hours=("{} hour", "{} hours"),
        bytes=("{} byte", "{} bytes"),
    ),
)

_GERMAN = Locale(
    language="de",
    decimal=",",
    group=".",
    percent="{}" + NO_BREAK + "%",
    last_of_list="{} und {}",
    more_of_list="{} und {} weitere",
    quotes=("\N{DOUBLE LOW-9 QUOTATION MARK}", "\N{LEFT DOUBLE QUOTATION MARK}"),
    months=(
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ),
    day="{day}. {month} {year}",
    plurals=PLURALS["de"],
    phrases=NumberPhrases(
        none="nicht gemessen",
        less_than="weniger als {}",
        more_than="mehr als {}",
        fewer_than="weniger als {}",
        just_below="knapp unter {}",
        just_above="knapp über {}",
        about="etwa {}",
        between="{} bis {}",
        of="{} von {}",
        of_the_people="{} der Personen",
        of_the_rows="{} der Zeilen",
        people=("{} Person", "{} Personen"),
        rows=("{} Zeile", "{} Zeilen"),
        one_in="1 von {}",
        in_hundred="{} von 100",
        never="nie",
        always="immer",
        no_change="unverändert",
        points=("{} Prozentpunkt", "{} Prozentpunkte"),
        less_than_a_second="weniger als eine Sekunde",
        seconds=("{} Sekunde", "{} Sekunden"),
        minutes=("{} Minute", "{} Minuten"),
        hours=("{} Stunde", "{} Stunden"),
        bytes=("{} Byte", "{} Bytes"),
    ),
)

LOCALES: Mapping[str, Locale] = {
    locale.language: locale for locale in (_ENGLISH, _GERMAN, replace(_ENGLISH, language="qps", plurals=PLURALS["qps"]))
}
"""Each language that can be shown. ``qps``, accents put on English to find what no catalogue has, counts as English."""


def locale_of(language: str) -> Locale:
    """Return the writing rules of a language: marks, months, lists, plural forms and words around numbers.

    Parameters
    ----------
    language
        One of `LOCALES`.

    Raises
    ------
    ValueError
        When the program does not write this language.
    """
    if language not in LOCALES:
        raise ValueError(f"no numbers are written in {language!r}")
    return LOCALES[language]
