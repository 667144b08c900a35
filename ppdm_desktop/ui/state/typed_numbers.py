"""Numbers in fields as text, and typed texts as numbers, in the format of the language.

Ambiguous texts are refused; see ``ppdm_desktop.engine.wording.numbers.read_number``.
"""

from __future__ import annotations

import re
from decimal import Decimal

from ppdm_desktop.engine.recipe.models import Scalar
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.numbers import UnreadableNumber, read_number
from ppdm_desktop.engine.wording.values import Quoted, Term

_PLAIN = re.compile(r"[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)")


def format_as_typed(value: Scalar) -> str:
    """Return a value as the user would type it, with the language's decimal mark and without exponent.

    Texts, whole numbers and truth values are written unchanged; other numbers keep at most 15 digits, so that 0.1 + 0.2
    gives "0.3", 5.0 gives "5", and 1e-7 "0.0000001".
    """
    if not isinstance(value, float):
        return str(value)
    number = Decimal(f"{value:.15g}")
    text = f"{number:f}" if number != number.to_integral() else f"{int(number)}"
    return text.replace(".", numbers_of(language()).locale.decimal)


def parse_typed_number(text: str, mark: str = ".") -> int | float | None:
    """Return the number for a typed text, in the format of the language, else of the file; None for any other text.

    A whole number is an int: "5.0" gives 5. ``mark`` is the file's decimal mark. None, too, for infinity and for a text
    that can be meant in two ways, such as "1,234" in English; see `ppdm_desktop.engine.wording.numbers.read_number`.
    """
    try:
        number = float(read_number(text, language()))
    except UnreadableNumber as error:
        plain = text.replace("\u00a0", "").replace(" ", "").replace(mark, ".")
        if error.why != "not-a-number" or not _PLAIN.fullmatch(plain):
            return None
        number = float(plain)
    if abs(number) == float("inf"):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def parse_typed_numbers(text: str, mark: str = ".") -> list[float] | str:
    """Return the numbers in a text, separated by semicolons or blanks, or a sentence on the first unreadable one.

    A comma separates numbers only before a blank: "1, 2" gives 1 and 2, but "1,2" is one number or unreadable,
    depending on the language. The list is empty for an empty text.
    """
    numbers = []
    for part in (piece.removesuffix(",") for piece in re.split(r"[;\s]+", text.strip())):
        if not part:
            continue
        number = parse_typed_number(part, mark)
        if number is None:
            return explain_no_number(part)
        numbers.append(float(number))
    return numbers


def explain_no_number(text: str) -> str:
    """Return a sentence on why a text is not read as a number.

    It proposes two ways to write it if the text can be meant in two ways, one if there is one likely way, else none.
    """
    readings: tuple[str, ...] = ()
    try:
        read_number(text, language())
    except UnreadableNumber as error:
        readings = error.readings
    typed, numbers = Quoted(text), [Term(reading) for reading in readings]
    if len(numbers) == 2:
        return _("{text} could mean two numbers. Write {one} or {other}.", text=typed, one=numbers[0], other=numbers[1])
    if numbers:
        return _("{text} is not written as a number. Write {number}.", text=typed, number=numbers[0])
    return _("{text} is not a number.", text=typed)
