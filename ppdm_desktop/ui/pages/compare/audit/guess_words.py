"""An intruder's guesses of one attacked person, in words: guesses, what can be undone, noise filtered. No widget."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedRecord, Guess
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Name, Names, Number, Ratio
from ppdm_desktop.ui.pages.compare.audit.record_words import shown
from ppdm_desktop.ui.state.number_words import percent

MOST_DIGITS = 8


# --- guesses ------------------------------------------------------------------------------


def guess_headers() -> tuple[str, ...]:
    """Return the headings of the guesses."""
    return (
        _("Column"),
        _("Guess"),
        _("How likely"),
        _("Without their record"),
        _("How likely"),
        _("True value"),
        _("Result"),
    )


def guess_rows(attacked_record: AttackedRecord) -> list[tuple[str, ...]]:
    """Return the guesses beside the same without the person's record, and the truth."""
    rows: list[tuple[str, ...]] = []
    for guess in attacked_record.guesses:
        control = (_("no record to leave out"), numbers_of(language()).none(cell=True))
        if guess.control_value is not None and guess.control_chance is not None:
            control = (guess.control_value, percent(guess.control_chance))
        rows.append(
            (
                guess.column,
                guess.value,
                percent(guess.chance),
                *control,
                shown(guess.truth),
                result_word(guess),
            )
        )
    return rows


def result_word(guess: Guess) -> str:
    """Say what became of a guess."""
    if guess.truth_value is None:
        return _("– no true value")
    if not guess.right:
        return _("× sure, but wrong") if guess.sure else _("× wrong")
    return _("✓ right, and sure") if guess.sure else _("✓ right")


def guess_words(attacked_record: AttackedRecord) -> str:
    """Say what a person's own record adds to the guesses."""
    compared = [
        guess for guess in attacked_record.guesses if guess.control_value is not None and guess.truth_value is not None
    ]
    if not compared:
        return _("These are guesses from all released records and the nearest ones. None of them is this person’s.")
    gained = [each.column for each in compared if each.right and each.control_value != each.truth_value]
    if gained:
        return _("Right only because of this person’s own record: {columns}.", columns=Names.of(gained))
    surer = [each.column for each in compared if each.right and each.sure and not each.sure_without]
    if surer:
        return _(
            "Right also without this person’s own record, but sure only with it: {columns}.", columns=Names.of(surer)
        )
    return _("This person’s own record makes no guess right or sure: without it, the guesses are as good.")


def undone_headers() -> tuple[str, ...]:
    """Return the headings of what can be undone."""
    return (
        _("Column"),
        _("As released"),
        _("Undone"),
        _("True value"),
        _("Result"),
    )


def undone_rows(attacked_record: AttackedRecord) -> list[tuple[str, ...]]:
    """Return what anybody makes of released values without a key."""
    return [
        (
            each.column,
            shown(each.shown),
            shown(each.value),
            shown(each.truth),
            _("✓ recovered") if each.right else _("× not recovered"),
        )
        for each in attacked_record.undone
    ]


# --- noise filtered out -------------------------------------------------------------------


def filtered_headers() -> tuple[str, ...]:
    """Return the headings of what becomes of noisy numbers."""
    return (
        _("Column"),
        _("As released"),
        _("Guess"),
        _("True value"),
        _("Usual noise"),
        _("Guess is off by"),
        _("As close for"),
        _("Result"),
    )


def filtered_rows(attacked_record: AttackedRecord) -> list[tuple[str, ...]]:
    """Return released numbers, the guesses behind the noise, the truth, and how near a guess comes."""
    rows: list[tuple[str, ...]] = []
    for each in attacked_record.filtered:
        released, truth, noise = shown(each.shown), shown(each.truth), amount(each.noise, each.noise)
        if each.guess is None or each.off is None or each.off_shown is None:
            none = numbers_of(language()).none(cell=True)
            missing = _("– a number is missing")
            rows.append((each.column, released, none, truth, noise, none, none, missing))
            continue
        closer = _("✓ closer than released") if each.off < each.off_shown else _("× no closer than released")
        off = _("{n} × the noise", n=Number(each.off))
        guess = amount(each.guess, each.noise)
        rows.append((each.column, released, guess, truth, noise, off, percent(each.as_near), closer))
    return rows


def amount(value: float, noise: float) -> str:
    """Write a number as exactly as hundredths of its noise ask for."""
    digits = max(0, math.ceil(-math.log10(noise / 50))) if noise > 0 else 0
    step = Decimal(1).scaleb(-min(digits, MOST_DIGITS))
    numbers, rounded = numbers_of(language()), Decimal(repr(float(value))).quantize(step, rounding=ROUND_HALF_UP)
    return numbers.ticks([rounded])[0] if rounded or not value else numbers.number(value)


def filtered_words(attacked_record: AttackedRecord) -> str:
    """Say of a person's noisy numbers how close an intruder comes, and for how many people guesses are as close."""
    guessed = [each for each in attacked_record.filtered if each.guess is not None]
    if not guessed:
        return _("A number of this person is missing, so nothing can be guessed.")
    if len(guessed) > 1:
        closer = [each.column for each in guessed if (each.off or 0.0) < (each.off_shown or 0.0)]
        if not closer:
            return _("No guess is closer to the true value than the released number.")
        return _("Closer to the true value than the released number: {columns}.", columns=Names.of(closer))
    (one,) = guessed
    return _(
        "The guess at {column} is {off} times the usual noise away from the true value; the released number is {shown} "
        "times away. Guesses are as close or closer for {share:people}.",
        column=Name(one.column),
        off=Number(one.off),
        shown=Number(one.off_shown),
        share=Ratio(one.as_near),
    )
