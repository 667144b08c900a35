"""Charts of risk and attacks, each with a sentence that states what it shows, and its figures as text.

Also the general bar chart, in which the bars of a row lie one below the other, each with its figure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.model import AttackEntry, RiskBlock
from ppdm_desktop.engine.report.report_texts import write_value
from ppdm_desktop.engine.report.scene.model import Axis, Bars, Role, Row, Rule, Scene
from ppdm_desktop.engine.report.scene.shares import common_base, count_base_records, format_share_of
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, numbers_of
from ppdm_desktop.engine.wording.values import Chance, Term


@dataclass(frozen=True)
class Bar:
    """One bar of a chart: a value, with the ends of its confidence interval where it has one.

    Attributes
    ----------
    value, low, high
        The value and the ends of its interval, in the unit of the bars; None where there is none.
    of
        Number of records that the value is a share of; 0 where it is no share of counted records.
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
    def text(self) -> str:
        """The value as a chart writes it: a percentage, a count of fewer than 100 records, or "not measured"."""
        return numbers_of(language()).none() if self.value is None else format_share_of(float(self.value), self.of)


def bar_of(figure: Figure) -> Bar:
    """Return the bar of a report figure, with its interval and number of records; without a value if it is absent."""
    if figure.value is None:
        return Bar(None)
    return Bar(float(figure.value), figure.low, figure.high, count_base_records(figure))


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
    format_number: Callable[[float], str] = percent,
    dotted: bool = False,
) -> Scene:
    """Return a chart of bars that start at 0, or of marks on a scale that need not start at 0.

    Its text alternative states every row and limit. The scale of bars ends at the largest value, interval end or limit,
    for shares at 1 % at least.

    Parameters
    ----------
    title, source
        Title of the chart, and where the figures come from.
    labels
        One for each row.
    series
        For each kind of bar its role, its name, and one bar for each row.
    limits
        Lines across all rows: the name and the value of each.
    format_number
        Function that writes a value as text; when left out, values are shares, written as counts for fewer than 100
        records.
    dotted
        Whether values are drawn as marks instead of bars.
    """
    percents = format_number is percent
    measured = ((bar.value, bar.of) for _, _, bars in series for bar in bars if bar.value is not None)
    few = common_base(measured) if percents else 0
    tall = [bar.high or bar.value for _, _, bars in series for bar in bars if bar.value is not None]
    most = max([*tall, *(value for _, value in limits), _LEAST_SHARE if percents else 1e-9])
    rows = [_build_row(index, label, series, format_number, most) for index, label in enumerate(labels)]
    rules = [
        Rule("limit", value, f"{name} {_format_bar_value(Bar(value, of=few), format_number)}") for name, value in limits
    ]
    drawn = [_build_bars(role, name, bars, format_number, dotted=dotted) for role, name, bars in series]
    sentence = "; ".join([*(row.text for row in rows), *(rule.text for rule in rules)])
    low, high = _find_scale_ends(series, limits, percents=percents) if dotted else (0.0, float(most))
    x, y = Axis("", low, high, percent=percents, of=few), Axis("", 0.0, float(len(labels)), names=tuple(labels))
    return Scene(title, "", source, x, y, (*drawn, *rules), sentence, tuple(rows))


def _build_row(
    index: int, label: str, series: Sequence[Series], write_value: Callable[[float], str], most: float
) -> Row:
    """Return a row of a chart: its label, the text of each figure with its interval, and all of this as a sentence.

    Example of the sentence: "income: before 12%, after 4% (3% to 6%)". ``index`` is the row's position from 0,
    ``write_value`` writes a figure as text. ``most`` is the end of the scale; the row's area, in which a pointer finds
    it, extends over the whole scale.
    """
    stated = [_format_with_interval(bars[index], write_value) for _, _, bars in series]
    figures_text = ", ".join(f"{name} {figure}" for (_, name, _), figure in zip(series, stated, strict=True))
    return Row((label, *stated), f"{label}: {figures_text}", (most / 2, index + 0.5), (most, 1.0))


def _build_bars(
    role: Role, name: str, bars: Sequence[Bar], write_value: Callable[[float], str], *, dotted: bool
) -> Bars:
    """Return one series of bars with their intervals and the texts of their figures.

    A bar without a value has None in place of it, and a text that says so. ``dotted`` draws marks instead of bars.
    """
    values = tuple(None if bar.value is None else float(bar.value) for bar in bars)
    texts = tuple(_format_bar_value(bar, write_value) for bar in bars)
    return Bars(role, name, values, tuple(bar.span for bar in bars), texts, dotted=dotted)


def _find_scale_ends(
    series: Sequence[Series], limits: Sequence[tuple[str, float]], *, percents: bool
) -> tuple[float, float]:
    """Return the lower and upper end of a scale that contains every mark, interval and limit, with a little room.

    The scale begins below 0 only if one of these does. The margin at each end is 6 % of the distance between the lowest
    and the highest of them, at least 0.01 for shares (otherwise 5 % of the value if all are equal). A scale of shares
    up to 1 does not end above 1. Without any value it is as for 0 and 1.
    """
    ends = [end for _, _, bars in series for bar in bars for end in (bar.value, bar.low, bar.high)]
    placed = [float(end) for end in [*ends, *(value for _, value in limits)] if end is not None]
    low, high = min(placed, default=0.0), max(placed, default=1.0)
    spare = max((high - low) * 0.06, 0.01 if percents else 0.0) or max(abs(high) * 0.05, 1e-9)
    below, above = low - spare, high + spare
    return max(below, 0.0) if low >= 0 else below, min(above, 1.0) if percents and high <= 1 else above


def _format_with_interval(bar: Bar, write_value: Callable[[float], str]) -> str:
    """Return a bar's value as text, with its interval in brackets if it has one; "not measured" without a value."""
    text = _format_bar_value(bar, write_value)
    return text if bar.value is None or bar.span is None else f"{text} ({_format_interval(bar.span, write_value)})"


def _format_bar_value(bar: Bar, write_value: Callable[[float], str]) -> str:
    """Return a bar's value as text: by ``write_value``, a share as count or percentage, or "not measured"."""
    return bar.text if bar.value is None or write_value is percent else write_value(bar.value)


def _format_interval(span: tuple[float, float], write_value: Callable[[float], str]) -> str:
    """Return an interval as text, such as "2% to 5%", with the ends written by ``write_value``.

    If this is ``percent``, ends between 0 and 1 are rounded outward, so that the interval is never shown too narrow.
    """
    low, high = span
    if write_value is percent and 0 <= low <= high <= 1:
        return numbers_of(language()).between(low, high)
    return _("{low} to {high}", low=Term(write_value(low)), high=Term(write_value(high)))


NOISE = "noise sd"
"""Unit of the figures of attacks that estimate a number instead of naming a person or a value."""
MOST_ATTACKS = 16
"""In one drawing; more make another."""
_SERIES = ("chance", "control", "success")
_ROLES: tuple[Role, Role, Role] = ("original", "third", "released")
BUCKETS = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))


@dataclass(frozen=True)
class Marginal:
    """The distribution of one column before and after: the share of each value (or of each range of values).

    Attributes
    ----------
    labels, before, after
        Name and shares of each value or range, of equal length.
    records
        Number of records that the shares refer to, before and after.
    """

    name: str
    labels: tuple[str | Sentence, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    records: tuple[int, int]


def paired_bars(
    title: str,
    caption: str,
    labels: Sequence[str],
    before: Sequence[float],
    after: Sequence[float],
    of: Sequence[tuple[int, int]],
    *,
    limits: Sequence[tuple[str, float]] = (),
) -> tuple[Scene, ...]:
    """Return one chart, as a tuple, with two bars in each row, before above after.

    Parameters
    ----------
    title, caption
        Title of the chart, and the sentence below it.
    labels
        One for each row.
    before, after
        The share that each row shows, before and after.
    of
        Number of records that each row's shares refer to, before and after; 0 where the shares are mean probabilities.
    limits
        Lines across all rows: the name and the value of each.
    """
    bases = list(zip(*of, strict=True)) or [(), ()]
    first, then = (
        [Bar(share, of=base) for share, base in zip(shares, bases[side], strict=True)]
        for side, shares in enumerate((before, after))
    )
    series: list[Series] = [
        ("original", _("before"), first),
        ("released", _("after"), then),
    ]
    return (bars_scene(title, caption, labels, series, limits=limits),)


# --- risk --------------------------------------------------------------------------------


def class_size_chart(before: RiskBlock, after: RiskBlock, title: str) -> tuple[Scene, ...]:
    """Return a chart, as a tuple, of the share of records by the size of their equivalence class, before and after.

    ``title`` says by which columns classes are formed and is added to the title.
    """
    return paired_bars(
        _("Size of groups of records with the same details: {who}", who=Term(title)),
        _(
            "The chart shows the share of records by the size of their group (size of the equivalence class). "
            "Records in small groups could be recognised."
        ),
        [_format_size_range(low, high) for low, high in BUCKETS],
        _compute_size_shares(before),
        _compute_size_shares(after),
        [(before.records, after.records)] * len(BUCKETS),
    )


def _format_size_range(low: int, high: int | None) -> str:
    """Return the label of a range of class sizes: "2", "3 to 4", or "50 or more" without an upper end."""
    if high is None:
        return _("{low} or more", low=low)
    return str(low) if low == high else _("{low} to {high}", low=low, high=high)


def _compute_size_shares(block: RiskBlock) -> list[float]:
    """Return the share of records in each range of class sizes: 1, 2, 3-4, 5-9, 10-19, 20-49 and 50 or more people.

    The shares are of the records, not of the classes, and add up to 1; all are 0 without records.
    """
    total = max(block.records, 1)
    return [
        sum(
            size_entry.records
            for size_entry in block.class_sizes
            if low <= size_entry.size and (high is None or size_entry.size <= high)
        )
        / total
        for low, high in BUCKETS
    ]


def risk_chart(before: RiskBlock, after: RiskBlock, k_min: int) -> tuple[Scene, ...]:
    """Return a chart, as a tuple of one, of three probabilities of re-identification and the share in small classes.

    The probabilities are the largest and the mean for an intruder who looks for one person, and the mean for one who
    looks for everybody. Each is shown before and after. The last row is the share of records in classes of fewer than
    ``k_min`` people. A dashed line marks 1/``k_min``.
    """
    keys = ("prosecutor_max", "prosecutor_mean", "marketer", "share_over_threshold")
    return paired_bars(
        _("What each kind of intruder achieves, before and after"),
        _(
            "The chart shows the chances of being found, and the share of records in groups of fewer than {k}. "
            "The dashed line is the limit for a chance: {limit}.",
            k=k_min,
            limit=Chance(1 / k_min),
        ),
        [
            _("The person most at risk is found"),
            _("A person is found, on average"),
            _("Found when everyone is looked for"),
            _("In groups that are too small"),
        ],
        [getattr(before, key) for key in keys],
        [getattr(after, key) for key in keys],
        # The last is a share of the records; the others are chances, or means of them.
        [(0, 0)] * (len(keys) - 1) + [(before.records, after.records)],
        limits=[(_("limit"), 1 / k_min)],
    )


def chart_revealed_values(before: RiskBlock, after: RiskBlock) -> tuple[Scene, ...]:
    """Return a chart of the share of records whose confidential value is revealed, before and after, by column.

    The result is a tuple of one chart, or empty if the two tables have no confidential column in common.
    """
    names = [name for name in after.identifiable if name in before.identifiable]
    if not names:
        return ()
    return paired_bars(
        _("Identifiable records before and after"),
        _(
            "The chart shows the share of records that are unique, or whose whole group has the same value "
            "(uniquely and collectively identifiable). "
            "Where values were swapped or noise was added, the value shown need not be the true one."
        ),
        names,
        [_compute_revealed_share(before, name) for name in names],
        [_compute_revealed_share(after, name) for name in names],
        [(before.records, after.records)] * len(names),
    )


def _compute_revealed_share(block: RiskBlock, name: str) -> float:
    """Return the share, 0 to 1, of records whose value of the confidential column ``name`` is certain from their class.

    They have a value and are unique, or all of their class have the same value. People count where they have several
    rows.
    """
    identifiable = block.identifiable[name]
    return (identifiable.uniquely + identifiable.collectively) / max(block.records, 1)


# --- attacks -----------------------------------------------------------------------------


def attack_chart(entries: Sequence[AttackEntry], titles: Sequence[str]) -> tuple[Scene, ...]:
    """Return charts of every attack's success, next to its control and to guessing by chance.

    Attacks whose result is a share come first; those whose result is a remaining error have charts of their own. No
    chart has more than 16 attacks. Attacks that were not measured are left out, so that the tuple may be empty.
    ``titles`` has the label of each entry.
    """
    named = list(zip(titles, entries, strict=True))
    shares = [(title, entry) for title, entry in named if entry.success.unit != NOISE]
    errors = [(title, entry) for title, entry in named if entry.success.unit == NOISE]
    return (
        *_build_attack_charts(
            _("How often each attack is right"),
            _(
                "The chart shows the share of people for whom the intruder is right, with its 95% interval. "
                "Beside it stand a comparison (control), named in the table of each attack, and a blind guess. "
                "What counts is how far the attack lies above the other two."
            ),
            shares,
            (
                _("By a blind guess"),
                _("by the comparison"),
                _("the attack"),
            ),
            percent,
        ),
        *_build_attack_charts(
            _("What error is left when noise is filtered out"),
            _(
                "The chart shows the error of the intruder’s best estimate, in units of the noise that was added: "
                "by guessing the mean, from the noisy value alone, and by the attack. "
                "The smaller the last one, the more of the noise is gone."
            ),
            errors,
            (_("the mean"), _("the value alone"), _("the attack")),
            partial(write_value, kind="noise"),
        ),
    )


def _build_attack_charts(
    title: str,
    caption: str,
    named: Sequence[tuple[str, AttackEntry]],
    names: tuple[str, str, str],
    write_value: Callable[[float], str],
) -> tuple[Scene, ...]:
    """Return bar charts of attacks that share a unit, at most 16 in each.

    Attacks that were not measured are left out. ``named`` has the label and the result of each attack; ``names`` are
    the names of the three series in the order they are drawn (chance, control, success).
    """
    rows = [(name, entry) for name, entry in named if entry.success.value is not None]
    drawn = []
    for start in range(0, len(rows), MOST_ATTACKS):
        part = rows[start : start + MOST_ATTACKS]
        series = [
            (role, name, [bar_of(getattr(entry, key)) for _, entry in part])
            for role, name, key in zip(_ROLES, names, _SERIES, strict=True)
        ]
        drawn.append(bars_scene(title, caption, [name for name, _ in part], series, format_number=write_value))
    return tuple(drawn)
