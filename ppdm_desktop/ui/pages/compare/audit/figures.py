"""Figures of an attack in words, and the bars that stand them side by side with the limit. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.attacks.comparison import FILTER_LIMIT, INFERENCE_LIMIT, REVERSAL_LIMIT
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.ui.pages.compare.audit.chart import AttackBar, Limit
from ppdm_desktop.ui.pages.compare.audit.words import limit_of, more_words, share_words
from ppdm_desktop.ui.state.number_words import count

BY_LIMIT = ("linkage", "nearest-record")
BY_ADVANTAGE = {
    "inference": INFERENCE_LIMIT,
    "rank": REVERSAL_LIMIT,
    "digit-inverse": REVERSAL_LIMIT,
    "two-constant-search": REVERSAL_LIMIT,
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("CompareAudit", text)


@dataclass(frozen=True)
class BarsShown:
    """The bars of an attack, the limit, the small print, and what turns values into the scale's numbers."""

    bars: tuple[AttackBar, ...]
    limit: Limit | None
    small: str
    scale: float


def figure_words(figure: Figure) -> str:
    """Write a figure with its interval in the words of its unit."""
    if figure.value is None:
        return _tr("not measured: {why}").format(why=figure.note)
    if figure.unit == "share":
        words = share_words(figure.value)
    elif figure.unit == "noise sd":
        words = _tr("{figure} times the noise").format(figure=f"{figure.value:.2f}")
    else:
        words = f"{figure.value:.2f}"
    if figure.low is None or figure.high is None:
        return words
    scale, digits = (100, 1) if figure.unit == "share" else (1, 2)
    return _tr("{words} (95 % interval {low} to {high})").format(
        words=words, low=f"{scale * figure.low:.{digits}f}", high=f"{scale * figure.high:.{digits}f}"
    )


def advantage_words(entry: AttackEntry) -> str:
    """Write what an attack gains over its control or chance, with its interval."""
    figure = entry.advantage
    if figure.value is None:
        return figure_words(figure)
    words = " ".join(more_words(float(figure.value)))
    if figure.low is None or figure.high is None:
        return words
    return (
        _tr("{words} (95 % interval {low} to {high})")
        .format(words=words, low=f"{100 * figure.low:+.1f}", high=f"{100 * figure.high:+.1f}")
        .replace("-", "−")
    )


def bars_shown(report: Report, entry: AttackEntry) -> BarsShown | None:
    """Return success, control and chance side by side; None where there are not two of them."""
    if entry.id == "seed-search":
        return None
    share = entry.success.unit == "share"
    labels = (_tr("This attack"), control_label(entry), chance_label(entry))
    figures = zip(("success", "control", "chance"), labels, (entry.success, entry.control, entry.chance), strict=True)
    bars = [
        AttackBar(
            kind,
            label,
            share_words(each.value) if share else f"{each.value:.2f}",
            float(each.value),
            each.low,
            each.high,
        )
        for kind, label, each in figures
        if each.value is not None
    ]
    if len(bars) < 2:
        return None
    small = (
        _tr("People of 100; {n} were looked for.")
        if share
        else _tr("Error of the estimate, in standard deviations of the noise; {n} people.")
    )
    if not entry.sampled:
        small = _tr("A forecast from the settings.")
    if any(bar.low is not None for bar in bars):
        small = f"{small} {_tr('Thin lines: 95 % interval.')}"
    return BarsShown(tuple(bars), _limit(report, entry), small.format(n=count(entry.sampled)), 100.0 if share else 1.0)


def control_label(entry: AttackEntry) -> str:
    """Return what the control of an attack is."""
    return {
        "singling-out": _tr("Taken for somebody else"),
        "inference": _tr("Without their record"),
        "rank": _tr("Without their own value"),
        "noise-filter": _tr("From the column alone"),
        "averaging": _tr("From this release alone"),
    }.get(entry.id, _tr("One guess for everybody"))


def chance_label(entry: AttackEntry) -> str:
    """Return what somebody gets who knows nothing of the person."""
    if entry.chance.unit != "share":
        return _tr("The average for all")
    return _tr("Always the commonest") if entry.id in ("inference", "rank") else _tr("By pure chance")


def _limit(report: Report, entry: AttackEntry) -> Limit | None:
    if entry.id in BY_LIMIT:
        value = limit_of(report, entry)
        return Limit(value, _tr("limit {share}").format(share=share_words(value)))
    if entry.id in BY_ADVANTAGE and entry.control.value is not None:
        more = BY_ADVANTAGE[entry.id]
        words = _tr('limit: {share} more than "{bar}"').format(share=share_words(more), bar=control_label(entry))
        return Limit(float(entry.control.value) + more, words)
    if entry.id == "noise-filter" and entry.control.value is not None:
        least = FILTER_LIMIT * float(entry.control.value)
        return Limit(least, _tr("limit: not less than {least}").format(least=f"{least:.2f}"))
    return None
