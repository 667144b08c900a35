"""Bar charts in which the series of a row lie one below the other, each with its figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.scene.model import Axis, Bars, Role, Row, Rule, Scene
from ppdm_desktop.engine.report.scene.shares import common_base, records_of, share_words
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Term


@dataclass(frozen=True)
class Bar:
    """One value of a series, with the ends of its interval where it has one.

    Attributes
    ----------
    value, low, high
        In the unit of the bars; None where there is none.
    of
        How many records it is a share of; 0 where it is a share of nothing that was counted.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    of: int = 0

    @property
    def span(self) -> tuple[float, float] | None:
        """Return the ends of the interval, None where there is none."""
        return None if self.low is None or self.high is None else (float(self.low), float(self.high))

    @property
    def words(self) -> str:
        """Return the value as a chart writes it: a share, or words where it was not measured."""
        return numbers_of(language()).none() if self.value is None else share_words(float(self.value), self.of)


def bar_of(figure: Figure) -> Bar:
    """Return the bar of a report figure; an empty bar for a figure that is absent."""
    if figure.value is None:
        return Bar(None)
    return Bar(float(figure.value), figure.low, figure.high, records_of(figure))


Series = tuple[Role, str, Sequence[Bar]]
"""What a series is, its name, and a bar for each row; one without a value is left out and said to be missing."""

_LEAST_SHARE = 0.01
"""The least upper end of a scale of shares: else a bar of less than 0.1% would fill the drawing."""


def bars_scene(
    title: str,
    source: str,
    labels: Sequence[str],
    series: Sequence[Series],
    *,
    limits: Sequence[tuple[str, float]] = (),
    shown: Callable[[float], str] = percent,
    dotted: bool = False,
) -> Scene:
    """Return a chart of bars from 0 up, or of marks on a scale that need not start at 0.

    Parameters
    ----------
    labels
        One for each row.
    limits
        Lines over all rows: what each is, and where it stands.
    shown
        Writes a value; when left out they are shares, of fewer than 100 records written as counts.
    dotted
        Whether they are marks.
    """
    percents = shown is percent
    measured = ((bar.value, bar.of) for _, _, bars in series for bar in bars if bar.value is not None)
    few = common_base(measured) if percents else 0
    tall = [bar.high or bar.value for _, _, bars in series for bar in bars if bar.value is not None]
    most = max([*tall, *(value for _, value in limits), _LEAST_SHARE if percents else 1e-9])
    rows = [_row(index, label, series, shown, most) for index, label in enumerate(labels)]
    rules = [Rule("limit", value, f"{name} {_shown(Bar(value, of=few), shown)}") for name, value in limits]
    drawn = [_drawn_bars(role, name, bars, shown, dotted=dotted) for role, name, bars in series]
    sentence = "; ".join([*(row.words for row in rows), *(rule.words for rule in rules)])
    low, high = _ends_of_marks(series, limits, percents=percents) if dotted else (0.0, float(most))
    x, y = Axis("", low, high, percent=percents, of=few), Axis("", 0.0, float(len(labels)), names=tuple(labels))
    return Scene(title, "", source, x, y, (*drawn, *rules), sentence, tuple(rows))


def _row(index: int, label: str, series: Sequence[Series], write_value: Callable[[float], str], most: float) -> Row:
    """Return a chart's row: its label, figures and sentence."""
    stated = [_stated(bars[index], write_value) for _, _, bars in series]
    said = ", ".join(f"{name} {figure}" for (_, name, _), figure in zip(series, stated, strict=True))
    return Row((label, *stated), f"{label}: {said}", (most / 2, index + 0.5), (most, 1.0))


def _drawn_bars(
    role: Role, name: str, bars: Sequence[Bar], write_value: Callable[[float], str], *, dotted: bool
) -> Bars:
    """Return one series of bars with the texts of their figures."""
    values = tuple(None if bar.value is None else float(bar.value) for bar in bars)
    texts = tuple(_shown(bar, write_value) for bar in bars)
    return Bars(role, name, values, tuple(bar.span for bar in bars), texts, dotted=dotted)


def _ends_of_marks(
    series: Sequence[Series], limits: Sequence[tuple[str, float]], *, percents: bool
) -> tuple[float, float]:
    """Return the ends of a scale that contains every mark, interval and limit, with a little room.

    The scale begins below 0 only if a value does.
    """
    ends = [end for _, _, bars in series for bar in bars for end in (bar.value, bar.low, bar.high)]
    placed = [float(end) for end in [*ends, *(value for _, value in limits)] if end is not None]
    low, high = min(placed, default=0.0), max(placed, default=1.0)
    spare = max((high - low) * 0.06, 0.01 if percents else 0.0) or max(abs(high) * 0.05, 1e-9)
    below, above = low - spare, high + spare
    return max(below, 0.0) if low >= 0 else below, min(above, 1.0) if percents and high <= 1 else above


def _stated(bar: Bar, write_value: Callable[[float], str]) -> str:
    """Return a bar's value with its interval in brackets."""
    text = _shown(bar, write_value)
    return text if bar.value is None or bar.span is None else f"{text} ({_ends(bar.span, write_value)})"


def _shown(bar: Bar, write_value: Callable[[float], str]) -> str:
    """Return a bar's value as text, as a count or percentage where it is a share of records."""
    return bar.words if bar.value is None or write_value is percent else write_value(bar.value)


def _ends(span: tuple[float, float], write_value: Callable[[float], str]) -> str:
    """Return an interval as text, such as "2% to 5%"."""
    low, high = span
    if write_value is percent and 0 <= low <= high <= 1:
        return numbers_of(language()).between(low, high)
    return _("{low} to {high}", low=Term(write_value(low)), high=Term(write_value(high)))
