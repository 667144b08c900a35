"""What an attack says of a result as headline and second line, and its figures where they stand alone. No widget."""

from __future__ import annotations

from ppdm_desktop.engine.release.attack_audit.base import LargeFigure
from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.scene import shares
from ppdm_desktop.engine.wording.catalogue import language, numbers_of
from ppdm_desktop.engine.wording.values import Change, written
from ppdm_desktop.ui.state.number_words import said


def share_words(share: float | None, of: int = 0) -> str:
    """Return a share where it stands alone, "37%", or "6 of 16" of few people; a dash where it was not measured.

    Parameters
    ----------
    of
        How many people it is a share of; 0 where it is one of nobody who was counted.
    """
    return numbers_of(language()).none(cell=True) if share is None else shares.share_words(share, of)


def attack_words(report: Report, entry: AttackEntry) -> tuple[str, str]:
    """Return headline and second line of an attack, as its declaration says them."""
    texts = [said(note) for note in find_attack(entry.id).explain(entry, report)]
    return texts[0].title, " ".join(text.sentence for text in texts if text.sentence)


def figure_parts(large: LargeFigure) -> tuple[str, str, str]:
    """Return a large figure, what it counts, and what it is to be compared with."""
    numbers = numbers_of(language())
    sentence = said(large.beside).sentence if large.beside is not None else ""
    if large.figure is None:
        return numbers.none(cell=True), "", ""
    figure = written(large.figure, numbers)
    if isinstance(large.figure, Change):
        # The digits are large, what they count stands beside them; what is said in words alone is no figure.
        digits, _, unit = figure.partition(" ")
        return (digits, unit, sentence) if digits[-1:].isdigit() else ("", figure, sentence)
    return figure, said(large.unit).sentence if large.unit is not None else "", sentence
