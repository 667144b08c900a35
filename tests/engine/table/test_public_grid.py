"""The public grid of a column: which step, and that rounding never leaves a value outside."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from optional import existing

from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.public_grid import DateGrid, NumberGrid, are_whole_weeks


def _numbers(texts: list[str], bounds: tuple[float, float] | None = None, mark: str = ".") -> Column:
    style = NumberStyle.seen_in(texts, mark)
    return Column.from_texts("x", texts, kind="numeric", style=style, bounds=bounds)


@pytest.mark.parametrize(
    ("texts", "bounds", "step"),
    [
        ([str(age) for age in range(18, 91)], None, "1"),
        ([str(age) for age in range(18, 91)], (0, 120), "2"),
        ([str(1_000 * n + 7) for n in range(1_000)], None, "10000"),
        ([f"{n / 7:.6f}" for n in range(700)], None, "1"),
        ([f"{n / 70:.6f}" for n in range(700)], None, "0.1"),
        (["5"] * 9, None, "1"),
        (["3", "4", "5", "900000"], None, "1"),  # one person far away does not show in the step
    ],
)
def test_the_step(texts: list[str], bounds: tuple[float, float] | None, step: str) -> None:
    assert NumberGrid.of(_numbers(texts, bounds)).step == Decimal(step)


def test_numbers_are_rounded_outwards_and_never_beyond_the_bounds() -> None:
    grid = NumberGrid.of(_numbers(["12,5", "999,25", "1333,75"], (5, 1501), ","))
    assert (grid.step, grid.text_down("12,5"), grid.text_up("12,5")) == (Decimal(20), "5", "20")
    assert (grid.text_down("1500,25"), grid.text_up("1500,25")) == ("1500", "1501")


def test_an_end_on_the_grid_or_of_ranges_of_one_width_is_nobodys_value() -> None:
    grid = NumberGrid.of(_numbers([str(1_000 * n + 7) for n in range(200)]))
    assert [grid.holds(Decimal(end)) for end in (4_000, 5_000, 4_007)] == [True, True, False]
    assert grid.share_a_width({Decimal(2_500 * n) for n in range(1, 6)})
    assert not grid.share_a_width({Decimal(1_000 * n + 7) for n in (1, 4, 9, 12, 14)} | {Decimal(3_003)})


def test_ranges_of_dates_share_a_width_of_weeks_or_months() -> None:
    grid = DateGrid(existing(DateFormat.parse("%Y-%m-%d")))
    weeks = [datetime(2020, 1, 6) + timedelta(weeks=n) for n in range(20)]
    months = [datetime(2020, month, 6) for month in range(1, 7)]
    for starts in (weeks, months):
        to_the_day_before = {start - timedelta(days=1) for start in starts[1:]}
        assert grid.share_a_width(set(starts))
        assert grid.share_a_width({*starts[:-1], *to_the_day_before})
        assert not grid.share_a_width({*starts, starts[0] + timedelta(days=3)})
        assert not grid.share_a_width(set(starts[:4]))
    assert not grid.share_a_width({*weeks[::4], *weeks[3::4]}), "of four people with a visit a week: their own dates"
    assert not grid.share_a_width({*weeks, datetime(9999, 12, 31)})


def test_ranges_from_mondays_to_sundays_are_whole_weeks() -> None:
    mondays = [datetime(2020, 1, 6) + timedelta(weeks=3 * number) for number in range(4)]
    weeks = [[monday, monday + timedelta(days=6)] for monday in mondays]
    assert are_whole_weeks([[], *weeks, mondays[:1]])
    assert not are_whole_weeks(weeks[:2]), "four days may lie so by chance"
    assert not are_whole_weeks([*weeks, [mondays[0], mondays[1]]])
    assert not are_whole_weeks([[monday] for monday in (*mondays, datetime(2021, 1, 4))]), "visits on Mondays"


@pytest.mark.parametrize(("days", "months", "years"), [(90, 0, 0), (2_000, 1, 0), (9_000, 3, 0), (20_000, 0, 1)])
def test_dates_have_days_months_quarters_or_years(days: int, months: int, years: int) -> None:
    rng = np.random.default_rng(1)
    drawn = [date(1960, 3, 4) + timedelta(days=int(day)) for day in rng.integers(0, days, 500)]
    texts = [day.strftime("%d.%m.%Y") for day in drawn]
    grid = DateGrid.of(Column.from_texts("x", texts, kind="date", date_format="%d.%m.%Y"))
    assert grid is not None
    assert (grid.months, grid.years) == (months, years)
    for text in texts:
        low, moment, high = (grid.read(each) for each in (grid.text_down(text), text, grid.text_up(text)))
        assert low is not None
        assert moment is not None
        assert high is not None
        assert low <= moment <= high
        assert grid.holds(low)
        assert grid.holds(high)
