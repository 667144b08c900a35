"""Small bar charts as inline SVG, each with a text alternative; no script, no outside reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_desktop.engine.report.model import ModelEntry, RiskBlock

BUCKETS = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, None))
_ROW, _BAR, _LEFT, _WIDTH, _TOP = 34, 13, 170, 640, 24


@dataclass(frozen=True)
class Marginal:
    """The shares of a column's values (or cells) before and after.

    Attributes
    ----------
    labels, before, after
        One each for every cell.
    """

    name: str
    labels: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


def percent(share: float) -> str:
    """Return a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def paired_bars(
    title: str, caption: str, labels: Sequence[str], before: Sequence[float], after: Sequence[float]
) -> Markup:
    """Return a figure with two horizontal bars a row, before above after."""
    most = max([*before, *after, 1e-9])
    scale = (_WIDTH - _LEFT - 70) / most
    height = _TOP + _ROW * len(labels) + 8
    described = "; ".join(
        f"{label}: before {percent(one)}, after {percent(other)}"
        for label, one, other in zip(labels, before, after, strict=True)
    )
    parts = [
        Markup('<figure><svg viewBox="0 0 {} {}" width="{}" role="img">').format(_WIDTH, height, _WIDTH),
        Markup("<title>{}</title><desc>{}</desc>").format(title, described),
        Markup(
            '<rect class="bar-before" x="{}" y="4" width="11" height="11"/><text x="{}" y="14">before</text>'
        ).format(_LEFT, _LEFT + 16),
        Markup('<rect class="bar-after" x="{}" y="4" width="11" height="11"/><text x="{}" y="14">after</text>').format(
            _LEFT + 80, _LEFT + 96
        ),
    ]
    for place, (label, one, other) in enumerate(zip(labels, before, after, strict=True)):
        top = _TOP + _ROW * place
        shown = label if len(label) <= 24 else label[:23] + "…"
        parts.append(Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(_LEFT - 8, top + 18, shown))
        for offset, name, value in ((2, "before", one), (2 + _BAR, "after", other)):
            width = max(value * scale, 0.5 if value else 0)
            parts.append(
                Markup('<rect class="bar-{}" x="{}" y="{}" width="{}" height="{}"/>').format(
                    name, _LEFT, top + offset, f"{width:.1f}", _BAR - 2
                )
            )
            parts.append(
                Markup('<text x="{}" y="{}">{}</text>').format(
                    f"{_LEFT + width + 5:.1f}", top + offset + 10, percent(value)
                )
            )
    line = '<line class="axis" x1="{}" y1="{}" x2="{}" y2="{}"/></svg>'
    parts.append(Markup(line).format(_LEFT, _TOP, _LEFT, height - 8))
    parts.append(Markup("<figcaption>{}</figcaption></figure>").format(caption))
    return Markup("").join(parts)


def class_size_chart(before: RiskBlock, after: RiskBlock, words: str) -> Markup:
    """Return a chart of the share of records by the size of their group."""
    labels = [f"{low}" if low == high else (f"{low} to {high}" if high else f"{low} or more") for low, high in BUCKETS]
    return paired_bars(
        f"Size of groups of records that look the same: {words}",
        "Share of records by how many records look the same as they do (size of the equivalence class). "
        "Records in small groups stand out.",
        labels,
        _in_buckets(before),
        _in_buckets(after),
    )


def _in_buckets(block: RiskBlock) -> list[float]:
    total = max(block.records, 1)
    return [
        sum(each.records for each in block.class_sizes if low <= each.size and (high is None or each.size <= high))
        / total
        for low, high in BUCKETS
    ]


def marginal_chart(marginal: Marginal) -> Markup:
    """Return a chart of a column's values before and after."""
    return paired_bars(
        f"Values of {marginal.name} before and after",
        f"{marginal.name}: share of records with each value (marginal distribution).",
        marginal.labels,
        marginal.before,
        marginal.after,
    )


def model_chart(entries: Sequence[ModelEntry], names: Sequence[str]) -> Markup:
    """Return a chart of how often learners are right, learnt from the original and from the release.

    Parameters
    ----------
    entries
        The learners of one task.
    names
        What each is called.
    """
    shown = [
        (name, entry.original.value, entry.released_true_labels.value)
        for name, entry in zip(names, entries, strict=True)
        if entry.original.value is not None and entry.released_true_labels.value is not None
    ]
    if not shown:
        return Markup("")
    baseline = entries[0].baseline.value
    words = f" Always saying the commonest is right for {percent(baseline)}." if baseline is not None else ""
    return paired_bars(
        f"How often {entries[0].target} is told rightly",
        f"{entries[0].target}: share of records told rightly ({entries[0].task}), learnt from the original records "
        f"(before) and from released ones (after), tested on the truth about other records.{words}",
        [name for name, _, _ in shown],
        [before for _, before, _ in shown],
        [after for _, _, after in shown],
    )
