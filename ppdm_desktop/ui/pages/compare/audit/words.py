"""Shares as people count them, and what an attack says of a result as headline and second line. No widget."""

from __future__ import annotations

from ppdm_desktop.engine.release.attack_audit.base import LargeFigure
from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.wording.values import BASES, Share
from ppdm_desktop.ui.state.number_words import count, said


def share_words(share: float | None, least: int = BASES[0]) -> str:
    """Return a share in words, "37 of 100"; ``least`` is the smallest base that will do, one of `BASES`."""
    return Share(share, least).written(count)


def attack_words(report: Report, entry: AttackEntry) -> tuple[str, str]:
    """Return headline and second line of an attack, as its declaration says them."""
    texts = [said(note) for note in find_attack(entry.id).explain(entry, report)]
    return texts[0].title, " ".join(text.sentence for text in texts if text.sentence)


def figure_parts(large: LargeFigure) -> tuple[str, str, str]:
    """Return a large figure, what it counts, and what it is to be compared with."""
    beside = said(large.beside).sentence if large.beside is not None else ""
    if large.figure is None:
        return "–", "", ""
    if isinstance(large.figure, Share):
        return (*large.figure.parts(count), beside)
    figure = count(large.figure) if isinstance(large.figure, int) else str(large.figure)
    return figure, said(large.unit).sentence if large.unit is not None else "", beside
