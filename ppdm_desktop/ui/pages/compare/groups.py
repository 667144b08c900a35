"""Sizes of the groups that a step made, compared with the sizes that the levels demand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ppdm_desktop.engine.report.model import LevelProofEntry
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import Said
from ppdm_desktop.engine.wording.values import Terms
from ppdm_desktop.ui.charts.card import ChartCard, scene_card
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count


@dataclass(frozen=True)
class SizeBand:
    """A band of group sizes from ``low`` to ``high`` records (None: no upper end), and the levels demanding ``low``."""

    low: int
    high: int | None
    groups: int
    records: int
    levels: tuple[str, ...]
    said: Said = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The label of the band, with the levels that demand it."""
        if self.high is None:
            text = _("{low} and more", low=self.low)
        elif self.high == self.low:
            text = count(self.low)
        else:
            text = _("{low} to {high}", low=self.low, high=self.high)
        named = ", ".join(level_words(level, self.said) for level in self.levels)
        return f"{text} · {named}" if named else text


def size_bands(
    detail: Mapping[str, Any], proofs: Sequence[LevelProofEntry], said: Said | None = None
) -> list[SizeBand]:
    """Return bands of group sizes, cut at each demanded size, with their records; empty without groups."""
    sizes = detail.get("sizes")
    if not isinstance(sizes, list) or not sizes:
        return []
    asked = _levels_by_size(proofs)
    least = min(int(entry["size"]) for entry in sizes)
    starts = sorted({*asked, least} if not asked or least < min(asked) else set(asked))
    bands = []
    for low, following in zip(starts, [*starts[1:], None], strict=True):
        inside = [entry for entry in sizes if low <= entry["size"] and (following is None or entry["size"] < following)]
        bands.append(
            SizeBand(
                low,
                following - 1 if following is not None else None,
                sum(int(entry["groups"]) for entry in inside),
                sum(int(entry["records"]) for entry in inside),
                tuple(asked.get(low, ())),
                said or {},
            )
        )
    return bands


def _levels_by_size(proofs: Sequence[LevelProofEntry]) -> dict[int, dict[str, None]]:
    """Return the levels that ask for each size of group, in the order of the proofs."""
    levels: dict[int, dict[str, None]] = {}
    for proof in proofs:
        if proof.demanded is not None:
            levels.setdefault(round(proof.demanded), {})[proof.level] = None
    return levels


def size_title(detail: Mapping[str, Any], bands: Sequence[SizeBand]) -> str:
    """Return a sentence on the smallest group and the size that was demanded."""
    least = min(int(entry["size"]) for entry in detail["sizes"])
    asked = Terms(tuple(count(band.low) for band in bands if band.levels))
    if not asked.texts:
        return _("The smallest group has {k} {k:record|records}", k=least)
    return _(
        "The smallest group has {k} {k:record|records}. Required by protection level: at least {asked}",
        k=least,
        asked=asked,
    )


def group_sizes_card(index: int, detail: Mapping[str, Any], bands: Sequence[SizeBand]) -> ChartCard:
    """Return the bar chart of records by size of their group; ``index`` is the number of the step."""
    below = sum(not band.levels for band in bands)
    bars, rows = [], []
    for position, band in enumerate(bands):
        figures = (_("{n} {n:group|groups}", n=band.groups), count(band.records))
        bars.append(PartsRow(band.words, (band.records,), figures, alarming=position < below < len(bands)))
        rows.append((band.words, count(band.groups), count(band.records)))
    limit = (below, _("lowest requirement")) if 0 < below < len(bands) else None
    small = _(
        "Records by the size of their group. Each line starts at the group size that a protection level "
        "requires. The evidence below shows for each level whether its groups are large enough."
    )
    scene = parts_scene(size_title(detail, bands), small, bars, limit)
    headers = [_("Records in a group"), _("Groups"), _("Records")]
    topic = "figure.group-sizes"
    return scene_card(f"group_sizes_{index}", scene, headers, right=(1, 2), rows=rows, topic=topic)
