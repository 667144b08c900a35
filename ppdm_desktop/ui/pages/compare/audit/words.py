"""Sentences of the attack audit: shares as people count them, headline and second line of each attack. No widget."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.texts import all_texts, render
from ppdm_desktop.ui.state.number_words import count


def _tr(text: str) -> str:
    return QCoreApplication.translate("CompareAudit", text)


BASES = (100, 1_000, 10_000)


def parts_of(share: float, least: int = BASES[0]) -> tuple[str, str]:
    """Return a share as figure and base: 37 of 100, of more where it is small; never 0 or 100 unless exact.

    ``least`` is the smallest base that will do, one of `BASES`.
    """
    size = abs(share)
    if 0.995 <= size < 1 and least == BASES[0]:
        return _tr("over 99"), _tr("of {base}").format(base=count(100))
    for base in BASES[BASES.index(least) :]:
        if size == 0 or round(base * size):
            return count(round(base * size)), _tr("of {base}").format(base=count(base))
    return _tr("fewer than 1"), _tr("of {base}").format(base=count(10_000))


def share_words(share: float | int | None, least: int = BASES[0]) -> str:
    """Return a share in words, "37 of 100"."""
    return "–" if share is None else " ".join(parts_of(float(share), least))


def base_of(one: float, other: float) -> int:
    """Return the base in which two shares are shown with their difference.

    Rounded to whole of 100 they may contradict it, 12 and 12 that differ by 1; then the next base is
    taken in which they agree, or the last, where at most the last digit of four can be off.
    """
    for base in BASES:
        if round(base * one) - round(base * other) == round(base * (one - other)):
            return base
    return BASES[-1]


def more_words(share: float, least: int = BASES[0]) -> tuple[str, str]:
    """Return a difference of shares with its sign."""
    figure, unit = parts_of(share, least)
    if not figure[:1].isdigit() and share > 0:
        return figure, unit
    sign = "" if share == 0 else "+" if share > 0 else "−"
    return sign + figure, unit


def limit_of(report: Report, entry: AttackEntry) -> float:
    """Return the share of people that may be named: the release type's, or the weakest level's if that is less."""
    return max((level.limit for level in entry.levels), default=1 / report.release.k_min)


def value_of(share: float | int | None) -> float:
    """Return a figure's value, 0 where it was not measured."""
    return float(share or 0.0)


# --- sentences ---------------------------------------------------------------------------


def attack_words(report: Report, entry: AttackEntry, scope: str = "") -> tuple[str, str]:
    """Return headline and second line of an attack; ``scope`` says what is known where there are several."""
    plain = {
        "singling-out": _singling_out,
        "linkage": _linkage,
        "nearest-record": _nearest_record,
        "inference": _inference,
        "rank": _rank,
        "digit-inverse": _undone,
        "two-constant-search": _undone,
        "noise-filter": _filtered,
        "averaging": _several,
        "seed-search": _key,
    }.get(entry.id)
    if plain is None:
        if entry.sentence.id not in all_texts():
            return entry.id, ""
        text = render(entry.sentence.id, entry.sentence.arguments)
        return text.title, text.sentence
    headline, second = plain(report, entry)
    return headline, f"{second} {scope}".strip()


def _singling_out(report: Report, entry: AttackEntry) -> tuple[str, str]:
    alone, rows = round(value_of(entry.success.value) * entry.sampled), count(entry.sampled)
    if not alone:
        headline = _tr("None of {rows} people is the only one of their kind.").format(rows=rows)
    elif alone == 1:
        headline = _tr("1 of {rows} people is the only one of their kind.").format(rows=rows)
    else:
        headline = _tr("{n} of {rows} people are the only ones of their kind.").format(n=count(alone), rows=rows)
    wrong = value_of(entry.control.value)
    second = ""
    if wrong:
        second = _tr("{share} would be taken for somebody else.").format(share=share_words(wrong))
    return headline, second


def _limit_and_chance(report: Report, entry: AttackEntry) -> str:
    return _tr("Limit {limit}. By pure chance: {chance}. {n} people were looked for.").format(
        limit=share_words(limit_of(report, entry)), chance=share_words(entry.chance.value), n=count(entry.sampled)
    )


def _linkage(report: Report, entry: AttackEntry) -> tuple[str, str]:
    headline = _tr("For {share} people the nearest record is the right one.").format(
        share=share_words(entry.success.value)
    )
    return headline, _limit_and_chance(report, entry)


def _nearest_record(report: Report, entry: AttackEntry) -> tuple[str, str]:
    headline = _tr("For {share} people the most similar record leads to the right one.").format(
        share=share_words(entry.success.value)
    )
    hits = entry.further.get("own_group")
    second = _limit_and_chance(report, entry)
    if hits is not None and hits.value is not None:
        group = _tr("Their group is found for {share}; within it nobody can be told apart.")
        second = f"{group.format(share=share_words(hits.value))} {second}"
    return headline, second


def _inference(report: Report, entry: AttackEntry) -> tuple[str, str]:
    headline = _tr("{column}: a guess is right for {success} people with their record, for {control} without it.")
    advantage, base = value_of(entry.advantage.value), inference_base(entry)
    low, high = entry.advantage.low, entry.advantage.high
    if entry.severity != "none" and low is not None and high is not None and low <= 0:
        gain = _tr("There are too few people to tell what being in the file adds: at most {share}.").format(
            share=share_words(max(high, 0.0))
        )
    elif advantage > 0:
        gain = _tr("So being in the file adds {share}.").format(share=share_words(advantage, base))
    else:
        gain = _tr("So being in the file adds nothing.")
    always = _tr("Always guessing the commonest is right for {chance}.").format(chance=share_words(entry.chance.value))
    success, control = share_words(entry.success.value, base), share_words(entry.control.value, base)
    return headline.format(column=entry.column, success=success, control=control), f"{gain} {always}"


def inference_base(entry: AttackEntry) -> int:
    """Return the base of an inference's figures: large enough that guess, control and gain agree."""
    return base_of(value_of(entry.success.value), value_of(entry.control.value))


def _rank(report: Report, entry: AttackEntry) -> tuple[str, str]:
    headline = _tr("{column}: an expert who retraces the swaps is right about {share} people.").format(
        column=entry.column, share=share_words(entry.success.value)
    )
    shown = entry.further.get("shown_true")
    kept = (
        ""
        if shown is None
        else _tr("What the release shows is true of {share}.").format(share=share_words(shown.value))
    )
    if entry.severity != "none" and entry.advantage.low is not None and entry.advantage.low <= 0:
        kept = f"{_tr('There are too few people to tell whether that is chance.')} {kept}"
    without = _tr("A program that leaves the person out is right about {control}; {n} people stand alone.").format(
        control=share_words(entry.control.value), n=count(entry.sampled)
    )
    return headline, f"{kept} {without}".strip()


def _undone(report: Report, entry: AttackEntry) -> tuple[str, str]:
    if entry.id == "digit-inverse":
        headline = _tr("{column}: shifting the digits back gives the true value of {share} people.")
    else:
        headline = _tr("{column}: taking the constants off gives the true value of {share} people.")
    second = _tr("Nobody needs the key for it. One guess for everybody would be right for {control}.")
    success, control = share_words(entry.success.value), share_words(entry.control.value)
    return headline.format(column=entry.column, share=success), second.format(control=control)


def _filtered(report: Report, entry: AttackEntry) -> tuple[str, str]:
    headline = _tr("{column}: other columns bring the error from {alone} down to {left} times the noise.")
    left, alone = value_of(entry.success.value), value_of(entry.control.value)
    if left >= alone:
        headline = _tr("{column}: other columns do not help; the error stays {left} times the noise.")
    ratio = entry.further.get("ratio")
    second = ""
    if ratio is not None and ratio.value is not None:
        second = _tr("Ratio {ratio}; from 0.90 on other columns hardly help.").format(ratio=f"{ratio.value:.2f}")
    return headline.format(column=entry.column, alone=f"{alone:.2f}", left=f"{left:.2f}"), second


def _several(report: Report, entry: AttackEntry) -> tuple[str, str]:
    releases = str(entry.sentence.arguments.get("releases", ""))
    if entry.success.unit != "share":
        headline = _tr("{column}: with {n} releases an estimate is off by {together} times the noise, not {alone}.")
        together, alone = f"{value_of(entry.success.value):.2f}", f"{value_of(entry.control.value):.2f}"
    else:
        headline = _tr("{column}: with {n} releases the best guess is right for {together} people, not for {alone}.")
        together, alone = share_words(entry.success.value), share_words(entry.control.value)
        if together == alone:
            headline = _tr(
                "{column}: with {n} releases the best guess is right for {together} people, as with this one alone."
            )
    second = _tr("A forecast, not a fault of this release: hand out the same release again instead of a new one.")
    return headline.format(column=entry.column, n=releases, together=together, alone=alone), second


def _key(report: Report, entry: AttackEntry) -> tuple[str, str]:
    if entry.severity == "none":
        return (
            _tr("The key cannot be found by trying."),
            _tr("It has 256 bits and comes from the operating system, not from a number somebody typed."),
        )
    if entry.severity == "total":
        return (
            _tr("The key was found after {n} tries.").format(n=count(entry.sampled)),
            _tr("It was made from a number. Whoever has it repeats the run."),
        )
    return (
        _tr("The key was made from a number and can be found."),
        _tr("{n} numbers were tried here without finding it; somebody else may try more.").format(
            n=count(entry.sampled)
        ),
    )
