"""What the details of one attack say: facts line by line, levels, and the exact terms. No widget here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.report.model import AttackEntry, CheckEntry, Report
from ppdm_desktop.engine.texts import all_texts, render
from ppdm_desktop.ui.pages.compare.audit.figures import (
    BY_ADVANTAGE,
    BY_LIMIT,
    advantage_words,
    chance_label,
    control_label,
    figure_words,
)
from ppdm_desktop.ui.pages.compare.audit.states import CERTAIN, WORKS, AttackShown
from ppdm_desktop.ui.pages.compare.audit.words import limit_of, share_words
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count, counted
from ppdm_desktop.ui.widgets.release_type_card import type_words

_CHECKS = {
    "singling-out": ("class-size",),
    "linkage": ("linkage",),
    "nearest-record": ("linkage",),
    "inference": ("inference",),
    CERTAIN: ("certain-disclosure",),
    "rank": ("reversal",),
    "digit-inverse": ("reversal", "reversible-method"),
    "two-constant-search": ("reversal", "reversible-method"),
    "noise-filter": ("reversal",),
    "averaging": ("earlier-release",),
    "seed-search": ("guessable-key",),
}


_LEVEL = re.compile(r'(?<=privacy level )"([^"]+)"')


def _tr(text: str) -> str:
    return QCoreApplication.translate("CompareAudit", text)


@dataclass(frozen=True)
class Fact:
    """One fact: what it is, and what is found."""

    label: str
    words: str


# --- facts --------------------------------------------------------------------------------


def facts_of(report: Report, line: AttackShown) -> list[Fact]:
    """Return everything there is to say of an attack, in the order of reading."""
    entry = line.entry
    if entry is None:
        return _certain_facts(report, line)
    text = render(entry.sentence.id, counted(entry.sentence.arguments)) if entry.sentence.id in all_texts() else None
    facts = [Fact(_tr("What the snooper knows"), render(entry.knows.id, entry.knows.arguments).sentence)]
    if text is not None:
        facts.append(Fact(_tr("In the report"), text.sentence))
    if entry.id == "seed-search":
        return [*facts, *_last_facts(report, line, text.window if text is not None else "")]
    share = entry.success.unit == "share"
    facts.append(Fact(_tr("How often it works") if share else _tr("Error left"), figure_words(entry.success)))
    if entry.control.value is not None:
        facts.append(Fact(control_label(entry), figure_words(entry.control)))
    facts.append(Fact(chance_label(entry), figure_words(entry.chance)))
    facts.append(Fact(_tr("What it gains"), advantage_words(entry)))
    facts += [Fact(_further_label(name), figure_words(figure)) for name, figure in entry.further.items()]
    facts.append(Fact(_tr("Sure and right"), _tail(entry)))
    if entry.tolerance is not None:
        within = _tr("only the very value") if not entry.tolerance else _tr("a value at most {n} off the true one")
        facts.append(Fact(_tr("What counts as right"), within.format(n=f"{entry.tolerance:g}")))
    return [*facts, *_last_facts(report, line, text.window if text is not None else "")]


def _last_facts(report: Report, line: AttackShown, remedy: str) -> list[Fact]:
    assert line.entry is not None
    facts = [
        Fact(_tr("People looked for"), _sampled(report, line.entry)),
        Fact(_tr("When it counts as working"), _rule(report, line.entry)),
        *_checks(report, line.entry.id),
    ]
    if line.severity == WORKS or remedy:
        facts.append(Fact(_tr("What to do"), remedy or _tr("Choose a stricter level or another method on Protect.")))
    return facts


def _certain_facts(report: Report, line: AttackShown) -> list[Fact]:
    facts = [
        Fact(
            _tr("What the snooper knows"),
            _tr(
                "The describing columns of a person and the released file, and who alone or with whom they look alike."
            ),
        ),
        Fact(_tr("How often it works"), f"{line.headline} {line.second}"),
        Fact(_tr("People looked for"), _tr("all {n}").format(n=count(report.release.rows))),
        Fact(_tr("When it counts as working"), _tr("As soon as one person's value can be read off.")),
    ]
    facts += _checks(report, CERTAIN)
    if line.severity == WORKS:
        facts.append(Fact(_tr("What to do"), _tr("Use a method for the confidential column, or larger groups.")))
    return facts


def _further_label(name: str) -> str:
    return {
        "own_group": _tr("Their group is found"),
        "shown_true": _tr("The release as it stands"),
        "ratio": _tr("Error left, as a share of that of the column alone"),
    }.get(name, name)


def _tail(entry: AttackEntry) -> str:
    sure, control = entry.tail.share_sure_and_right, entry.tail.control
    if sure.value is None:
        return _tr("does not apply: {why}").format(why=sure.note)
    words = _tr("{share}: the snooper is at least 95 % sure, and right.").format(share=figure_words(sure))
    if control.value is None:
        return words
    return _tr("{words} The control: {control}.").format(words=words, control=figure_words(control))


def _sampled(report: Report, entry: AttackEntry) -> str:
    if not entry.sampled:
        return _tr("nobody: no one had to be looked for")
    if entry.id == "seed-search":
        return _tr("nobody; {n} numbers were tried").format(n=count(entry.sampled))
    if entry.sampled >= report.release.rows:
        return _tr("all {n}").format(n=count(entry.sampled))
    if entry.id == "rank":
        return _tr("{n}: those who stand alone").format(n=count(entry.sampled))
    return _tr("{n} of {rows}, the same at every look").format(n=count(entry.sampled), rows=count(report.release.rows))


def _rule(report: Report, entry: AttackEntry) -> str:
    if entry.id in BY_LIMIT:
        limit = limit_of(report, entry)
        words = _tr(
            "When its interval reaches beyond {limit}, what the weakest privacy level asks for, or beyond what a "
            "stricter one asks for. Below the limit it is withstood."
        )
        if limit == 1 / report.release.k_min:
            words = _tr(
                "When its interval reaches beyond {limit}, the limit for who gets this release ({type}), or beyond "
                "what a privacy level asks for. Below the limit it is withstood."
            )
        return words.format(limit=share_words(limit), type=type_words(report.release.type)[0].lower())
    if entry.id == "inference":
        return _tr(
            "When being in the file makes the guess right for 5 of 100 people more, and chance cannot be the reason "
            "(the whole interval lies above 5, or reaches 20 and leaves out nought)."
        )
    if entry.id == "noise-filter":
        return _tr("When less than 0.90 of the error of the column alone is left.")
    if entry.id in BY_ADVANTAGE:
        return _tr("When it is right for 5 of 100 people more than the control, and chance cannot be the reason.")
    if entry.id == "singling-out":
        return _tr("One person is to be noted, more than half of them means that it works.")
    if entry.id == "seed-search":
        return _tr("When the key was made from a number.")
    if entry.id == "averaging":
        return _tr("Never by itself: it says what a second release would cost.")
    return _tr("As the engine rates it: {severity}.").format(severity=entry.severity)


def _checks(report: Report, id: str) -> list[Fact]:
    """Return the checks of the release that this attack feeds, and how they stand."""
    by_id = {check.id: check for check in report.gate}
    found = [by_id[each] for each in _CHECKS.get(id, ()) if each in by_id]
    return [Fact(_tr("Check before the release"), _check_words(check)) for check in found]


def _check_words(check: CheckEntry) -> str:
    state = {
        "green": _tr("passed"),
        "amber": _tr("needs a reason"),
        "red": _tr("blocks"),
        "not-applicable": _tr("does not apply"),
        "not-run": _tr("not run"),
    }[check.status]
    if check.sentence.id not in all_texts():
        return f"{check.id}: {state}"
    text = render(check.sentence.id, _in_words(check.sentence.arguments))
    return f"{text.title or check.id}: {state}. {text.sentence}"


def _in_words(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a check's sentence with methods and privacy levels by their names on screen."""
    found = counted(arguments)
    if isinstance(found.get("methods"), str):
        titles = {id: method.title for id, method in all_methods().items()}
        found["methods"] = ", ".join(f'"{titles.get(id, id)}"' for id in found["methods"].split(", "))
    if isinstance(found.get("who"), str):
        found["who"] = _LEVEL.sub(lambda level: f'"{level_words(level[1])}"', found["who"])
    return found


# --- levels and terms ---------------------------------------------------------------------


def level_headers() -> tuple[str, ...]:
    """Return the headings of the levels' table."""
    return (_tr("Level"), _tr("People"), _tr("Named"), _tr("95 % interval"), _tr("Limit"), _tr("Kept to"))


def level_rows(entry: AttackEntry) -> list[tuple[str, ...]]:
    """Return the attack level by level, of 100 people."""
    rows: list[tuple[str, ...]] = []
    for each in entry.levels:
        low, high = each.success.low, each.success.high
        interval = "–" if low is None or high is None else f"{100 * low:.1f} – {100 * high:.1f}"
        rows.append(
            (
                level_words(each.level),
                count(each.records),
                share_words(each.success.value),
                interval,
                share_words(each.limit),
                _tr("yes") if each.met else _tr("no"),
            )
        )
    return rows


def term_of(id: str) -> str:
    """Return the exact term of an attack and its source."""
    return {
        "singling-out": _tr(
            "Exact term: singling out, uniqueness of released values (Article 29 Working Party, 2014)."
        ),
        "linkage": _tr("Exact term: distance-based record linkage with Gower's distance (Gower, Biometrics 27, 1971)."),
        "nearest-record": _tr(
            "Exact term: nearest-record linkage on the treated columns, ties by chance, times 1 / group size."
        ),
        "inference": _tr(
            "Exact term: attribute inference with a leave-one-out control; simple Bayes and nearest records; interval "
            "of paired differences (Agresti and Min, Statistics in Medicine 24, 2005)."
        ),
        CERTAIN: _tr("Exact term: uniquely and collectively identifiable records (Li and Sarkar)."),
        "rank": _tr("Exact term: rank attack by simple Bayes refitted to the release, worst-fitting values first."),
        "digit-inverse": _tr("Exact term: inverse of a digit shift (Vijayarani and Tamilarasi)."),
        "two-constant-search": _tr("Exact term: search for the two constants of additive noise by the gap they leave."),
        "noise-filter": _tr(
            "Exact term: linear posterior mean given all released columns (BE-DR) over the one-column estimate (UDR)."
        ),
        "averaging": _tr("Exact term: averaging, or a vote, over independent releases of the same source."),
        "seed-search": _tr("Exact term: search of the key space."),
    }.get(id, "")


def all_words(facts: Sequence[Fact]) -> str:
    """Return facts as one text, for a screen reader."""
    return " ".join(f"{fact.label}: {fact.words}" for fact in facts)
