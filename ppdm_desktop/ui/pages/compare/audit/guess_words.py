"""An intruder's guesses of one attacked person, in words: guesses, what can be undone, noise taken off. No widget."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedRecord, Guess
from ppdm_desktop.ui.pages.compare.audit.record_words import shown
from ppdm_desktop.ui.pages.compare.audit.words import share_words

MOST_DIGITS = 8


def _tr(text: str) -> str:
    return QCoreApplication.translate("CompareAudit", text)


# --- guesses ------------------------------------------------------------------------------


def guess_headers() -> tuple[str, ...]:
    """Return the headings of the guesses."""
    return (
        _tr("Column"),
        _tr("Guess"),
        _tr("How likely"),
        _tr("Without their record"),
        _tr("How likely"),
        _tr("The truth"),
        _tr("Result"),
    )


def guess_rows(found: AttackedRecord) -> list[tuple[str, ...]]:
    """Return the guesses beside the same without the person's record, and the truth."""
    rows: list[tuple[str, ...]] = []
    for guess in found.guesses:
        control = (_tr("no record to leave out"), "–")
        if guess.control_value is not None and guess.control_chance is not None:
            control = (guess.control_value, share_words(guess.control_chance))
        rows.append(
            (
                guess.column,
                guess.value,
                share_words(guess.chance),
                *control,
                shown(guess.truth),
                result_word(guess),
            )
        )
    return rows


def result_word(guess: Guess) -> str:
    """Say what became of a guess."""
    if guess.truth_value is None:
        return _tr("– no true value")
    if not guess.right:
        return _tr("× sure, but wrong") if guess.sure else _tr("× wrong")
    return _tr("✓ right, and sure") if guess.sure else _tr("✓ right")


def guess_words(found: AttackedRecord) -> str:
    """Say what a person's own record adds to the guesses."""
    told = [guess for guess in found.guesses if guess.control_value is not None and guess.truth_value is not None]
    if not told:
        return _tr("A guess from all released records and the nearest ones; nothing of this person's is among them.")
    gained = [each.column for each in told if each.right and each.control_value != each.truth_value]
    if gained:
        return _tr("Right only because of this person's own record: {columns}.").format(columns=", ".join(gained))
    surer = [each.column for each in told if each.right and each.sure and not each.sure_without]
    if surer:
        return _tr("Right without this person's own record too, but sure only with it: {columns}.").format(
            columns=", ".join(surer)
        )
    return _tr("No guess is right, or sure, because of this person's own record: without it the guess is as good.")


def undone_headers() -> tuple[str, ...]:
    """Return the headings of what can be undone."""
    return (_tr("Column"), _tr("As released"), _tr("Undone"), _tr("The truth"), _tr("Result"))


def undone_rows(found: AttackedRecord) -> list[tuple[str, ...]]:
    """Return what anybody makes of released values without a key."""
    return [
        (
            each.column,
            shown(each.shown),
            shown(each.value),
            shown(each.truth),
            _tr("✓ recovered") if each.right else _tr("× not recovered"),
        )
        for each in found.undone
    ]


# --- noise filtered out -------------------------------------------------------------------


def filtered_headers() -> tuple[str, ...]:
    """Return the headings of what becomes of noisy numbers."""
    return (
        _tr("Column"),
        _tr("As released"),
        _tr("Guess"),
        _tr("The truth"),
        _tr("Usual noise"),
        _tr("Guess is off by"),
        _tr("As near for"),
        _tr("Result"),
    )


def filtered_rows(found: AttackedRecord) -> list[tuple[str, ...]]:
    """Return released numbers, the guesses behind the noise, the truth, and how near a guess comes."""
    rows: list[tuple[str, ...]] = []
    for each in found.filtered:
        told = shown(each.shown), shown(each.truth), amount(each.noise, each.noise)
        if each.guess is None or each.off is None or each.off_shown is None:
            rows.append((each.column, told[0], "–", told[1], told[2], "–", "–", _tr("– a number is missing")))
            continue
        nearer = _tr("✓ nearer than released") if each.off < each.off_shown else _tr("× no nearer than released")
        off = _tr("{n} × the noise").format(n=f"{each.off:.2f}")
        guess = amount(each.guess, each.noise)
        rows.append((each.column, told[0], guess, told[1], told[2], off, share_words(each.as_near), nearer))
    return rows


def amount(value: float, noise: float) -> str:
    """Write a number as exactly as hundredths of its noise ask for."""
    digits = max(0, math.ceil(-math.log10(noise / 50))) if noise > 0 else 0
    return QLocale().toString(float(value), "f", min(digits, MOST_DIGITS))


def filtered_words(found: AttackedRecord) -> str:
    """Say of a person's noisy numbers how near an intruder comes, and for how many people guesses come as near."""
    told = [each for each in found.filtered if each.guess is not None]
    if not told:
        return _tr("A number of this person is missing, so there is nothing to guess from.")
    if len(told) > 1:
        nearer = [each.column for each in told if (each.off or 0.0) < (each.off_shown or 0.0)]
        if not nearer:
            return _tr("No guess is nearer to the truth than what the release shows.")
        return _tr("Nearer to the truth than what the release shows: {columns}.").format(columns=", ".join(nearer))
    (one,) = told
    words = _tr(
        "The guess at {column} is {off} times the usual noise away from the truth; the released number is {shown} "
        "times. Guesses are this near or nearer for {share} people."
    )
    return words.format(
        column=one.column, off=f"{one.off:.2f}", shown=f"{one.off_shown:.2f}", share=share_words(one.as_near)
    )
