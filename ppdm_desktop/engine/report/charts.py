"""Charts of risk and attacks, each with a sentence that states what it shows, and its figures as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ppdm_desktop.engine.report.bars import Bar, Series, bar_of, bars_scene
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.model import AttackEntry, RiskBlock
from ppdm_desktop.engine.report.report_words import write_value
from ppdm_desktop.engine.report.scene.model import Role, Scene
from ppdm_desktop.engine.wording.catalogue import Sentence, _
from ppdm_desktop.engine.wording.values import Chance, Term

NOISE = "noise sd"
"""Unit of the figures of attacks that estimate a number instead of naming a person or a value."""
MOST_ATTACKS = 16
"""In one drawing; more make another."""
_BESIDE = ("chance", "control", "success")
_ROLES: tuple[Role, Role, Role] = ("original", "third", "released")
BUCKETS = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))


@dataclass(frozen=True)
class Marginal:
    """The shares of a column's values (or cells) before and after.

    Attributes
    ----------
    labels, before, after
        One each for every cell.
    records
        Of how many records, before and after.
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
    """Return charts with two bars in each row, before above after.

    Parameters
    ----------
    of
        How many records the shares of each row are of, before and after; 0 where they are means of chances.
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


def class_size_chart(before: RiskBlock, after: RiskBlock, words: str) -> tuple[Scene, ...]:
    """Return charts of the share of records by the size of their equivalence class, before and after."""
    return paired_bars(
        _("Size of groups of records with the same details: {who}", who=Term(words)),
        _(
            "The chart shows the share of records by the size of their group (size of the equivalence class). "
            "Records in small groups could be recognised."
        ),
        [_bucket(low, high) for low, high in BUCKETS],
        _in_buckets(before),
        _in_buckets(after),
        [(before.records, after.records)] * len(BUCKETS),
    )


def _bucket(low: int, high: int | None) -> str:
    """Return the label of a range of class sizes, such as "2 to 4"."""
    if high is None:
        return _("{low} or more", low=low)
    return str(low) if low == high else _("{low} to {high}", low=low, high=high)


def _in_buckets(block: RiskBlock) -> list[float]:
    """Return the share of records in each range of class sizes."""
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
    """Return charts of the success of each kind of intruder, before and after, with the limit."""
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


def identifiable_chart(before: RiskBlock, after: RiskBlock) -> tuple[Scene, ...]:
    """Return charts of the share of records whose confidential value their class reveals; none without such columns."""
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
        [_identifiable(before, name) for name in names],
        [_identifiable(after, name) for name in names],
        [(before.records, after.records)] * len(names),
    )


def _identifiable(block: RiskBlock, name: str) -> float:
    """Return the share of records whose value of a confidential column is revealed."""
    identifiable = block.identifiable[name]
    return (identifiable.uniquely + identifiable.collectively) / max(block.records, 1)


# --- attacks -----------------------------------------------------------------------------


def attack_chart(entries: Sequence[AttackEntry], titles: Sequence[str]) -> tuple[Scene, ...]:
    """Return charts of every attack's success, next to its control and to chance.

    Parameters
    ----------
    entries
        The attacks.
    titles
        Name of each attack.
    """
    named = list(zip(titles, entries, strict=True))
    shares = [(title, entry) for title, entry in named if entry.success.unit != NOISE]
    errors = [(title, entry) for title, entry in named if entry.success.unit == NOISE]
    return (
        *_attack_bars(
            _("How often each attack is right"),
            _(
                "The chart shows the share of people for whom the intruder is right, with its 95% interval. "
                "Beside it stand a comparison (control), named in the table of each attack, and a blind guess. "
                "What counts is how far the attack lies above the other two."
            ),
            shares,
            (
                _("by a blind guess"),
                _("by the comparison"),
                _("the attack"),
            ),
            percent,
        ),
        *_attack_bars(
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


def _attack_bars(
    title: str,
    caption: str,
    named: Sequence[tuple[str, AttackEntry]],
    names: tuple[str, str, str],
    write_value: Callable[[float], str],
) -> tuple[Scene, ...]:
    """Return charts of attacks that share a unit, a few attacks in each."""
    rows = [(name, entry) for name, entry in named if entry.success.value is not None]
    drawn = []
    for start in range(0, len(rows), MOST_ATTACKS):
        part = rows[start : start + MOST_ATTACKS]
        series = [
            (role, name, [bar_of(getattr(entry, key)) for _, entry in part])
            for role, name, key in zip(_ROLES, names, _BESIDE, strict=True)
        ]
        drawn.append(bars_scene(title, caption, [name for name, _ in part], series, shown=write_value))
    return tuple(drawn)
