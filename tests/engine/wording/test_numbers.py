"""Every number as a person reads it: the golden table, and what holds of any number in both languages.

The properties write 100,000 drawn numbers each, and read the text back with rules of their own.
"""

from __future__ import annotations

import ast
import csv
import decimal
import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.wording.numbers import LONGEST_NAME, End, Kind, Numbers, shorten_name

TABLE = Path(__file__).parents[2] / "golden" / "numbers.csv"
LANGUAGES = ("en", "de")
DRAWS = 30_000
NO_BREAK = "\N{NO-BREAK SPACE}"
DASH = "\N{EN DASH}"

in_both_languages = pytest.mark.parametrize("language", LANGUAGES)


def golden() -> list[dict[str, str]]:
    with TABLE.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def called(numbers: Numbers, call: str) -> str:
    """Make a call that stands in the table: a method's name and plain values."""
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    assert isinstance(tree.func, ast.Name)
    values = [math.nan if ast.unparse(each) == "nan" else ast.literal_eval(each) for each in tree.args]
    written = getattr(numbers, tree.func.id)(*values)
    assert isinstance(written, str)
    return written


@pytest.mark.parametrize(("language", "column"), [*zip(LANGUAGES, LANGUAGES, strict=True), ("qps", "en")])
def test_golden_numbers(language: str, column: str) -> None:
    """The pseudo-language writes numbers as English does."""
    numbers, rows = Numbers(language), golden()
    assert len(rows) == 140
    assert {row["call"]: called(numbers, row["call"]) for row in rows} == {row["call"]: row[column] for row in rows}


# --- reading back -----------------------------------------------------------------------

LESS = ("less", "weniger", "just below", "knapp unter")
MORE = ("more", "mehr", "just above", "knapp über")
DIGITS = re.compile(r"[−+]?\d[\d.,]*")


def plain(digits: str, language: str) -> str:
    """Write digits as Python has them."""
    if language == "de":
        digits = digits.replace(".", "").replace(",", ".")
    return digits.replace(",", "").replace("\N{MINUS SIGN}", "-")


def read(words: str, language: str) -> tuple[float, int]:
    """Return the number in words, and on which side of it they say the figure lies."""
    found = DIGITS.search(words)
    assert found, words
    return float(plain(found[0], language)), words.startswith(MORE) - words.startswith(LESS)


def read_percent(words: str, language: str) -> tuple[float, float]:
    """Return the ends between which a person takes a percentage to lie."""
    assert words.endswith("%" if language == "en" else f"{NO_BREAK}%"), words
    number, side = read(words, language)
    return (0.0, number) if side < 0 else (number, 100.0) if side > 0 else (number, number)


def shares(seed: int) -> list[float]:
    """Draw shares everywhere, beside 0 and 1, on and beside what is rounded, and counted of some."""
    draws = np.random.default_rng(seed)
    part = DRAWS // 5
    near = 10.0 ** -draws.uniform(0, 9, part)
    ties = draws.integers(0, 20_001, part) / 20_000 + draws.choice([0.0, 0.0, 1e-12, -1e-12, 1e-5], part)
    of = draws.integers(1, 120_000, part)
    drawn = np.concatenate([draws.uniform(0, 1, part), near, 1 - near, ties, draws.integers(0, of + 1) / of])
    return [float(share) for share in np.clip(drawn, 0, 1)]


def compared(one: float, other: float) -> int:
    return (one > other) - (one < other)


# --- shares -----------------------------------------------------------------------------


@in_both_languages
def test_a_percentage_is_near_and_nothing_and_everything_are_exact(language: str) -> None:
    percent, before = Numbers(language).percent, (0.0, 0.0)
    for share in sorted(shares(1)):
        low, high = read_percent(percent(share), language)
        assert (low, high) >= before, share
        before = (low, high)
        assert (high == 0) == (share == 0), share
        assert (low == 100) == (share == 1), share
        if low < high:
            assert low < 100 * share < high
        else:
            assert abs(low - 100 * share) <= (0.5 if 1 <= 100 * share <= 99 else 0.05) + 1e-9
            assert low >= 0.1 or share == 0


@in_both_languages
def test_a_share_is_its_own_percentage_and_few_are_counted(language: str) -> None:
    numbers, draws = Numbers(language), np.random.default_rng(2)
    of = np.concatenate([draws.integers(1, 200, DRAWS // 2), draws.integers(100, 10_000_000, DRAWS // 2)])
    beside = draws.choice([0, 1, 2, -1, -2, -3], DRAWS)
    hits = np.where(draws.uniform(size=DRAWS) < 0.5, draws.integers(0, of + 1), beside % (of + 1))
    word = {"en": "of", "de": "von"}[language]
    for part, whole in zip(hits.tolist(), of.tolist()):
        written = numbers.share(part, whole)
        if whole < 100:
            assert written == f"{part} {word} {whole}"
        else:
            assert written == numbers.percent(part / whole), (part, whole)
            assert numbers.full(part, whole).endswith(f"({written})")


@in_both_languages
def test_half_is_rounded_up_on_the_decimal_text(language: str) -> None:
    numbers = Numbers(language)
    for whole in range(1, 99):
        assert read_percent(numbers.percent(float(f"{whole}.5") / 100), language) == (whole + 1, whole + 1)
        assert read_percent(numbers.percent(float(f"0.{whole:02}5")), language) == (whole + 1, whole + 1)
        # Just short of the half it is rounded down.
        assert read_percent(numbers.percent(float(f"0.{whole:02}4999")), language) == (whole, whole)
    for tenth in range(1, 9):
        shown = (tenth + 1) / 10
        assert read_percent(numbers.percent(float(f"0.00{tenth}5")), language) == (shown, shown)
        assert read(numbers.points(float(f"0.00{tenth}5")), language)[0] == shown
    assert read(numbers.number(2.675), language)[0] == 2.68


@in_both_languages
def test_the_written_interval_contains_the_measured_one(language: str) -> None:
    numbers, draws = Numbers(language), np.random.default_rng(3)
    word = {"en": " to ", "de": " bis "}[language]
    others = np.asarray(shares(3))
    draws.shuffle(others)
    for pair in zip(shares(4), others.tolist()):
        low, high = sorted(pair)
        written = numbers.between(low, high).split(word)
        below, above = (read_percent(end, language) for end in (written[0], written[-1]))
        assert below[0] <= 100 * low * (1 + 1e-12), (low, high)
        assert above[1] >= 100 * high * (1 - 1e-12), (low, high)
        assert (below[1] == 0) == ((low == 0 and len(written) == 2) or high == 0), (low, high)
        assert (above[0] == 100) == (high == 1), (low, high)
        # No wider than to the next whole per cent, or the next tenth beside 0 and 100.
        assert 100 * low - below[0] < (1 if 1 <= 100 * low <= 99 else 0.1 + 1e-9), (low, high)
        assert above[1] - 100 * high < (1 if 1 <= 100 * high <= 99 else 0.1 + 1e-9), (low, high)


def read_chance(words: str, language: str) -> tuple[float, int]:
    """Return a written probability, and on which side of it the words say the chance lies."""
    if words in ("never", "nie", "always", "immer"):
        return float(words in ("always", "immer")), 0
    part, whole = (int(plain(each, language)) for each in re.findall(r"\d[\d.,]*", words))
    return part / whole, read(words, language)[1]


@in_both_languages
def test_a_chance_is_near_and_never_and_always_are_exact(language: str) -> None:
    numbers, before = Numbers(language), (0.0, -1)
    limits = [1 / k for k in range(1, 1_001)]
    for probability in sorted(shares(5) + limits):
        chance, side = read_chance(numbers.chance(probability), language)
        assert (chance, side) >= before, probability
        before = (chance, side)
        assert (chance == 0) == (probability == 0), probability
        assert (chance == 1) == (probability == 1), probability
        if side:
            assert compared(probability, chance) == side
        elif 0 < probability <= 0.25:
            assert abs(1 / chance - 1 / probability) <= 0.5 + 1e-9
        else:
            assert abs(chance - probability) <= 0.005 + 1e-9
    for k in range(2, 1_001):
        assert read_chance(numbers.chance(1 / k), language) == (1 / k, 0)


# --- beside a limit ---------------------------------------------------------------------


def beside_limits(seed: int, kind: Kind) -> list[tuple[float, float]]:
    """Draw figures with their limits: far, near and exactly on it, beside 0 and 1."""
    draws = np.random.default_rng(seed)
    third = DRAWS // 3
    usual = np.array(
        [0.0, 0.0004, 0.01, 0.05, 0.09, 1 / 11, 0.0925, 0.125, 0.2, 1 / 3, 0.5, 0.75, 0.9, 0.95, 0.9996, 1]
    )
    limits = np.concatenate([draws.choice(usual, 2 * third), draws.uniform(0, 1, DRAWS - 2 * third)])
    far = np.asarray(shares(seed))[:third]
    near = limits[third:] + draws.choice([-1, 1, 0], DRAWS - third) * 10.0 ** -draws.uniform(1, 8.5, DRAWS - third)
    figures = np.concatenate([far, near])
    if kind == "share":
        figures = np.clip(figures, 0, 1)
    elif kind == "points":
        figures[: third // 2] *= -1
    else:
        figures[: third // 2] *= draws.choice([1, 1, 3, 1_000], third // 2)
    pairs = zip(figures.tolist(), limits.tolist())
    # What sums of floats are off by is the same number.
    return [(figure, limit) for figure, limit in pairs if figure == limit or abs(figure - limit) > 2e-9]


@in_both_languages
@pytest.mark.parametrize("kind", ["share", "points"])
def test_an_end_of_an_interval_is_rounded_outward_and_compares_with_its_limit(language: str, kind: Kind) -> None:
    versus = Numbers(language).versus
    for figure, limit in beside_limits(12, kind)[:: max(DRAWS // 2_000, 1)]:
        if figure < 0:
            continue
        edge, edge_side = read(versus(figure, limit, kind)[1], language)
        ends: tuple[tuple[End, int], ...] = (("high", 1), ("low", -1))
        for end, outward in ends:
            said, side = read(versus(figure, limit, kind, end)[0], language)
            # "At most 6" of 6.4 would be untrue; "less than" and "just below" say themselves on which side they are.
            # At the limit itself stand the limit's words.
            is_limit = compared(figure, limit) == 0
            assert is_limit or side or outward * (said - 100 * figure) >= -1e-6, (figure, end)
            assert (compared(said, edge) or side - edge_side) == compared(figure, limit), (figure, limit, end)


@in_both_languages
def test_crumbs_of_a_sum_are_not_beyond_a_limit(language: str) -> None:
    numbers = Numbers(language)
    kinds: tuple[Kind, ...] = ("share", "points", "ratio")
    for kind in kinds:
        figure, limit = numbers.versus(0.1 + 0.2, 0.3, kind)
        assert figure == limit
    # But 0 and 100 % have none: a share of them would be claimed that nobody measured.
    assert numbers.versus(1e-12, 0.0)[0] == numbers.percent(1e-12) != numbers.percent(0)
    assert numbers.versus(1 - 1e-12, 1.0)[0] == numbers.percent(0.99999) != numbers.percent(1)
    assert numbers.versus(None, 0.2) == (numbers.none(), numbers.percent(0.2))


# --- all of them ------------------------------------------------------------------------


@in_both_languages
def test_no_number_has_an_exponent(language: str) -> None:
    numbers, draws = Numbers(language), np.random.default_rng(7)
    sizes = draws.choice([1, -1], DRAWS) * 10.0 ** draws.uniform(-15, 20, DRAWS)
    exponent = re.compile(r"\d[eE]|nan|inf|None|\+-|-")
    for value in sizes.tolist():
        assert not exponent.search(numbers.number(value)), value
    for value in sizes[:5_000].tolist():
        small = value / 1e20
        texts = [numbers.amount(value, "x"), numbers.change(small), numbers.points(small), numbers.percent(abs(small))]
        texts += [numbers.axis((0, value, 2 * value)), numbers.chance(abs(value / 1e20))]
        texts += numbers.versus(abs(value), abs(value) / 3, "ratio")
        texts += numbers.versus(abs(value / 1e20), abs(value / 3e20))
        texts += [numbers.size(int(abs(value))), numbers.duration(abs(value)), numbers.count(int(value))]
        assert not exponent.search(" ".join(texts)), value
    assert len(numbers.number(1.7976931348623157e308)) > 308
    assert "1" in numbers.number(5e-324)


@in_both_languages
def test_three_significant_digits_as_python_has_them(language: str) -> None:
    numbers, draws = Numbers(language), np.random.default_rng(8)
    values = draws.choice([1, -1], DRAWS) * 10.0 ** draws.uniform(-3, 12, DRAWS)
    for value in values.tolist():
        shown, side = read(numbers.number(value), language)
        assert side == 0
        # Python rounds the binary number; the ties of decimal texts are in the golden table.
        assert shown == float(f"{value:.3g}")


@in_both_languages
def test_any_count_is_grouped_and_any_place_is_not(language: str) -> None:
    numbers, mark = Numbers(language), {"en": ",", "de": "."}[language]
    for number in np.random.default_rng(9).integers(-(10**12), 10**12, 2_000).tolist() + [0, 7, 999, 1_000, -1_000]:
        groups = numbers.count(number).removeprefix("\N{MINUS SIGN}").split(mark)
        assert [len(group) for group in groups[1:]] == [3] * (len(groups) - 1)
        assert int("".join(groups)) == abs(number)
        assert numbers.place(number).replace("\N{MINUS SIGN}", "-") == str(number)


def test_numpy_and_a_foreign_context_change_nothing() -> None:
    numbers = Numbers("de")
    assert numbers.percent(np.float64(0.145)) == numbers.percent(0.145)
    assert numbers.number(np.float64(36_024)) == numbers.number(36_024)
    assert numbers.count(np.int64(1_000)) == "1.000"
    calls: list[Callable[[], object]] = [
        lambda: [called(numbers, row["call"]) for row in golden()],
        lambda: [numbers.versus(share, 0.0912345678901) for share in shares(10)[::100]],
        lambda: [numbers.number(share * 1e9) for share in shares(11)[::100]],
        lambda: [numbers.change(-share) for share in shares(11)[::100]],
        lambda: [numbers.chance(share) for share in shares(11)[::100]],
        lambda: [numbers.versus(share, 0.9995, "ratio") for share in (0.9999, 1.0001, -0.0001, 0.0001)],
        lambda: numbers.ticks((0.1, 0.2, 0.30000000000000004)),
    ]
    before = [call() for call in calls]
    with decimal.localcontext(decimal.Context(prec=2, rounding=decimal.ROUND_UP)):
        assert [call() for call in calls] == before


# --- differences, units, time -----------------------------------------------------------


@in_both_languages
def test_a_difference_has_its_direction_and_never_reads_as_none(language: str) -> None:
    numbers, draws = Numbers(language), np.random.default_rng(12)
    for value in (np.asarray(shares(12)) * draws.choice([1, -1], DRAWS)).tolist():
        points, change = numbers.points(value), numbers.change(value)
        if value == 0:
            assert points.startswith("0 ")
            assert change == {"en": "no change", "de": "unverändert"}[language]
            continue
        assert change.removeprefix("+") == points or value > 0
        assert change.replace("+", "") == points
        assert ("+" in change) == (value > 0)
        assert points.startswith("\N{MINUS SIGN}") == (value < 0)
        said, side = read(points, language)
        if abs(value) < 0.001 or (0.999 < abs(value) < 1 and value < 0):
            assert side == (-1 if value > 0 else 0)
            assert said <= 100 * value <= 0 or 0 < 100 * value <= said
        elif side == 0:
            assert said != 0
            assert (abs(said) == 100) == (abs(value) == 1)
            assert abs(said - 100 * value) <= (0.5 if 10 <= abs(100 * value) <= 99 else 0.05) + 1e-9


# --- nouns, names, lists ----------------------------------------------------------------


@given(st.text(max_size=90))
def test_a_shortened_name_keeps_both_ends(name: str) -> None:
    short = shorten_name(name)
    if len(name) <= LONGEST_NAME:
        assert short == name
    else:
        start, _, end = short.partition("…") if "…" not in name else (short[:18], "…", short[19:])
        assert len(short) == LONGEST_NAME
        assert name.startswith(start)
        assert name.endswith(end)
        assert abs(len(start) - len(end)) <= 1


# --- what is not measured, and what cannot be -------------------------------------------


@in_both_languages
def test_not_measured(language: str) -> None:
    numbers = Numbers(language)
    words = {"en": "not measured", "de": "nicht gemessen"}[language]
    assert numbers.none(cell=True) == DASH
    for nothing in (None, math.nan, math.inf, -math.inf, Decimal("NaN")):
        texts = {numbers.percent(nothing), numbers.chance(nothing), numbers.number(nothing), numbers.points(nothing)}
        texts |= {numbers.change(nothing), numbers.amount(nothing, "EUR"), numbers.between(nothing, 0.5)}
        assert texts == {words, numbers.between(0.5, nothing), numbers.versus(nothing, 0.2)[0]}


def test_what_cannot_be_is_refused() -> None:
    numbers = Numbers("en")
    refused: Iterable[Callable[[], object]] = (
        lambda: numbers.percent(1.01),
        lambda: numbers.percent(-0.01),
        lambda: numbers.versus(0.1, 20.0),
        lambda: numbers.share(3, 2),
        lambda: numbers.full(-1, 200),
        lambda: numbers.between(0.4, 0.3),
        lambda: numbers.fewer(-1, 11),
        lambda: numbers.duration(-1),
        lambda: numbers.size(-1),
        lambda: numbers.day(2026, 2, 29),
        lambda: Numbers("xx"),
    )
    for call in refused:
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        numbers.count(2.5)  # type: ignore[arg-type]  # a count that is none
    # What sums are off by is not beyond.
    assert numbers.percent(1 + 2e-16) == "100%"
    assert numbers.percent(-1e-17) == "0%"


@pytest.mark.parametrize(("low", "high", "words"), case_rows("numbers-the-interval-of-a-change-says-its-unit-once-and"))
def test_the_interval_of_a_change_says_its_unit_once_and_holds_its_ends(
    low: float | None, high: float | None, words: str
) -> None:
    assert Numbers("en").change_between(low, high) == words
    with pytest.raises(ValueError, match="low to high"):
        Numbers("en").change_between(0.2, 0.1)
