"""Exact numbers as whole multiples of their last decimal, read and written without binary floats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints

MOST_DIGITS = 15
"""Significant digits that every reader of the release keeps."""

_EXACT = 2**53
"""Whole numbers up to here have a double of their own."""

_MOST_POWER = 22
"""Powers of ten up to here have a double of their own."""

_FEW = 256
"""Below so many texts the plain way is as fast."""

_BLOCK = 1 << 15
_NEWLINE, _MINUS, _ZERO = 10, 45, 48


def scaled_int(text: str, decimals: int, mark: str = ".") -> int:
    """Return the number in a text as a whole number of units of 10 ** -``decimals``: "1.5" with two decimals gives 150.

    Parameters
    ----------
    text
        A number with at most ``decimals`` digits behind the mark.
    decimals
        Digits behind the mark that the unit has.
    mark
        Decimal mark.

    Raises
    ------
    ValueError
        When the text is no number, or has more digits behind the mark.
    """
    whole, _, fraction = text.partition(mark)
    if len(fraction) > decimals:
        raise ValueError("more decimals than the unit")
    return int(whole + fraction.ljust(decimals, "0"))


def scaled_ints(texts: Sequence[str], decimals: int, mark: str = ".") -> Ints:
    """Return the numbers in many texts as whole numbers of units of 10 ** -``decimals``, shape (texts,).

    "1.5" with two decimals gives 150.

    Raises
    ------
    ValueError
        When a text is no number, or has more digits behind the mark, or has a mark while ``decimals`` is 0.
    OverflowError
        When a value has more than 64 bits.
    """
    digits = _read_digits(texts, mark) if len(texts) >= _FEW else None
    if digits is not None:
        values, behind = digits
        padding = np.maximum(decimals - behind, 0)
        if int(padding.max()) <= MOST_DIGITS and int(behind.max()) <= decimals:
            factor = 10**padding
            if (np.abs(values) <= (2**63 - 1) // factor).all():
                return np.asarray(values * factor)
    if decimals == 0:
        return np.array([int(text) for text in texts], dtype=np.int64)
    return np.array([scaled_int(text, decimals, mark) for text in texts], dtype=np.int64)


def text_floats(texts: Sequence[str], mark: str = ".") -> Floats:
    """Return number texts as 64-bit floats, shape (texts,), each nearest to the exact value; zero has no minus.

    Raises
    ------
    ValueError
        When a text is no number.
    """
    digits = _read_digits(texts, mark) if len(texts) >= _FEW else None
    if digits is not None:
        values, behind = digits
        if int(behind.max()) <= _MOST_POWER and int(np.abs(values).max()) <= _EXACT:
            # The quotient of two exact doubles is rounded once, so it is the nearest.
            return np.asarray(values / 10.0**behind)
    plain = texts if mark == "." else [text.replace(mark, ".") for text in texts]
    return np.array([float(text) for text in plain], dtype=np.float64) + 0.0


def scaled_floats(values: Ints, decimals: int) -> Floats | None:
    """Return whole numbers in units of 10 ** -``decimals`` as floats; None where they could not be rounded correctly.

    That is so when a number is beyond 2**53, or for more than 22 decimals.
    """
    if decimals > _MOST_POWER or (len(values) and max(int(values.max()), -int(values.min())) > _EXACT):
        return None
    return np.asarray(values / 10.0**decimals)


def _read_digits(texts: Sequence[str], mark: str) -> tuple[Ints, Ints] | None:
    """Return the digits of each text as a signed whole number, and the number of its decimals, (texts,) each.

    ``-1.50`` gives -150 and 2. None without texts, and where some text is not an optional minus and 1 to 18 digits with
    at most one mark between them.
    """
    joined = "\n".join(texts)
    if not joined.isascii():
        return None
    buffer = np.frombuffer(joined.encode("ascii"), dtype=np.uint8)
    ends = np.append(np.flatnonzero(buffer == _NEWLINE), len(buffer))
    if len(ends) != len(texts):
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    minus = np.flatnonzero(buffer == _MINUS)
    marks = np.flatnonzero(buffer == ord(mark))
    digits = int(np.count_nonzero((buffer >= _ZERO) & (buffer < _ZERO + 10)))
    if digits + len(minus) + len(marks) + len(ends) - 1 != len(buffer):
        return None
    first = starts.copy()
    if len(minus):
        owner = np.searchsorted(starts, minus)
        if owner[-1] >= len(starts) or (starts[owner] != minus).any():
            return None
        first[owner] += 1
    behind = np.zeros(len(ends), dtype=np.int64)
    if len(marks):
        owner = np.arange(len(ends)) if len(marks) == len(ends) else np.searchsorted(ends, marks)
        # In order and each between digits of its own text, so no text has two.
        if (marks <= first[owner]).any() or (marks >= ends[owner] - 1).any() or (np.diff(owner) < 1).any():
            return None
        behind[owner] = ends[owner] - marks - 1
        joined = joined.replace(mark, "")
    length = ends - first - (behind > 0)
    # Eighteen digits fit 64 bits whatever they are.
    if int(length.min()) < 1 or int(length.max()) > 18:
        return None
    return np.fromstring(joined, dtype=np.int64, sep="\n"), behind


def scaled_text(value: int, decimals: int, mark: str = ".") -> str:
    """Return the text of a whole number of units of 10 ** -``decimals``: 1250 with two decimals gives ``12.50``.

    5 with two decimals gives ``0.05``; without decimals there is no mark. ``mark`` is the decimal mark.
    """
    digits = str(abs(value)).rjust(decimals + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-decimals]}{mark}{digits[-decimals:]}" if decimals else sign + digits


def scaled_texts(values: Sequence[int] | Ints, decimals: int, mark: str = ".") -> list[str]:
    """Return the texts of whole numbers of units of 10 ** -``decimals``, in their order.

    1234 with two decimals gives ``12.34``, 5 gives ``0.05``, -1250 gives ``-12.50``. ``mark`` is the decimal mark.
    """
    if len(values) < _FEW:
        listed = values.tolist() if isinstance(values, np.ndarray) else values
        return [scaled_text(value, decimals, mark) for value in listed]
    whole = np.asarray(values, dtype=np.int64)
    lines = b"".join(
        _format_number_lines(whole[at : at + _BLOCK], decimals, mark) for at in range(0, len(whole), _BLOCK)
    )
    return lines.decode("ascii").split("\n")[:-1]


def _format_number_lines(values: Ints, decimals: int, mark: str) -> bytes:
    """Return whole numbers of units of 10 ** -``decimals`` as text in bytes, each followed by a line break.

    1234 with two decimals gives ``12.34``; at least one digit stands before the mark. At least one number is needed.
    """
    left = np.abs(values)
    width = max(len(str(int(left.max()))), decimals + 1)
    signs = np.empty((width + 2 + (decimals > 0), len(values)), dtype=np.uint8)
    used = np.ones(signs.shape, dtype=np.bool_)
    signs[0], used[0] = _MINUS, values < 0
    at = len(signs) - 1
    signs[at] = _NEWLINE
    for position in range(width):
        at -= 1
        if decimals and position == decimals:
            signs[at] = ord(mark)
            at -= 1
        if position > decimals:
            used[at] = left > 0
        rest = left // 10
        signs[at] = left - 10 * rest + _ZERO
        left = rest
    return signs.T[used.T].tobytes()


def distinct_values(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values, rising, and each value's index among them: [5, 3, 5] gives [3, 5] and [1, 0, 1].

    The same as ``np.unique`` with its inverse, but faster.
    """
    count = len(values)
    if not count:
        return values, np.zeros(0, dtype=np.int64)
    low = int(values.min())
    span = int(values.max()) - low + 1
    bits = count.bit_length()
    if span <= 4 * count + 1024:
        # Marking a short range of numbers takes a fraction of the time of sorting.
        there = np.zeros(span, dtype=np.bool_)
        there[values - low] = True
        index_of = np.cumsum(there, dtype=np.int64) - 1
        return np.flatnonzero(there) + low, index_of[values - low]
    if span.bit_length() + bits > 62:
        distinct, inverse = np.unique(values, return_inverse=True)
        return distinct, inverse.reshape(-1).astype(np.int64)
    # Value and row in one number: sorting those is several times faster than sorting rows by value.
    packed = np.sort((values - low << bits) | np.arange(count))
    order = packed & ((1 << bits) - 1)
    packed >>= bits
    new = np.ones(count, dtype=np.bool_)
    np.not_equal(packed[1:], packed[:-1], out=new[1:])
    inverse = np.empty(count, dtype=np.int64)
    inverse[order] = np.cumsum(new) - 1
    return packed[new] + low, inverse
