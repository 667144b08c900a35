"""The bars of an attack that stand its figures side by side with the limit. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.scene.shares import common_base, counted, records_of
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Number
from ppdm_desktop.ui.pages.compare.audit.chart import IN_PER_CENT, AttackBar, Limit
from ppdm_desktop.ui.pages.compare.audit.words import share_words
from ppdm_desktop.ui.state.number_words import said


@dataclass(frozen=True)
class BarsShown:
    """The bars of an attack, the limit, the small print, and what turns values into the scale's numbers.

    ``of`` is how few people all bars are counts of: then the scale is one of people; 0 for any other.
    """

    bars: tuple[AttackBar, ...]
    limit: Limit | None
    small: str
    scale: float
    of: int = 0


def bars_shown(report: Report, entry: AttackEntry) -> BarsShown | None:
    """Return success, control and chance side by side; None where there are not two of them."""
    attack = find_attack(entry.id)
    if attack.unit == "count":
        return None
    share = entry.success.unit == "share"
    labels = (Note("attack.bars.success"), Note(attack.control), attack.chance_label(entry))
    # The headline says the success: where it is no count of few people, all stand in per cent beside it.
    success = entry.success
    is_count = success.value is not None and counted(float(success.value), records_of(success)) is not None
    figures = zip(("success", "control", "chance"), labels, (entry.success, entry.control, entry.chance), strict=True)
    bars = [
        AttackBar(
            kind,
            said(label).sentence,
            _figure_words(float(each.value), share, records_of(each) if is_count else 0),
            _interval_words(each, share),
            float(each.value),
            each.low,
            each.high,
        )
        for kind, label, each in figures
        if each.value is not None
    ]
    if len(bars) < 2:
        return None
    three = (entry.success, entry.control, entry.chance)
    of = common_base((float(each.value), records_of(each)) for each in three if each.value is not None) if share else 0
    unit = "attack.bars.count" if of else "attack.bars.people" if share else "attack.bars.noise"
    small = Note(unit, {"people": entry.sampled})
    text = said(small if entry.sampled else Note("attack.bars.forecast")).sentence
    if any(bar.low is not None for bar in bars):
        text = f"{text} {said(Note('attack.bars.intervals')).sentence}"
    line = attack.limit_line(entry, report)
    limit = None if line is None else Limit(line.value, said(line.words).sentence, _figure_words(line.value, share, of))
    return BarsShown(tuple(bars), limit, text, IN_PER_CENT if share and not of else 1.0, of)


def _figure_words(value: float, share: bool, of: int) -> str:
    return share_words(min(value, 1.0), of) if share else numbers_of(language()).number(value)


def _interval_words(figure: Figure, share: bool) -> str:
    if figure.low is None or figure.high is None:
        return _("exact")
    if share:
        return numbers_of(language()).between(figure.low, figure.high)
    return _("{low} to {high}", low=Number(figure.low), high=Number(figure.high))
