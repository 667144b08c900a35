"""The attack audit as lines and groups, and the sentence at its head, from the report's entries. No widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.attacks.comparison import INFERENCE_LIMIT
from ppdm_desktop.engine.report.model import AttackEntry, Report, RiskBlock
from ppdm_desktop.ui.pages.compare.audit.attacks_not_made import unmade_lines
from ppdm_desktop.ui.pages.compare.audit.words import attack_words, inference_base, more_words, parts_of
from ppdm_desktop.ui.state.number_words import count

CERTAIN = "certain"
"""Not an attack of the audit: what the gate counts as certain, which is an inference all the same."""
WITHSTOOD, WORKS, NOTE, UNMADE = "passed", "amber", "note", "not-run"
_BY_NAMING = frozenset({"linkage", "nearest-record"})
BY_ADVANTAGE = frozenset({"inference", "rank", "digit-inverse", "two-constant-search"})
_BY_UNDOING = frozenset({"rank", "digit-inverse", "two-constant-search", "noise-filter"})
_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("singling-out", ("singling-out",)),
    ("linkage", ("linkage", "nearest-record")),
    ("inference", (CERTAIN, "inference")),
    ("reversal", ("rank", "digit-inverse", "two-constant-search", "noise-filter")),
    ("several", ("averaging",)),
    ("key", ("seed-search",)),
)


def _tr(text: str) -> str:
    return QCoreApplication.translate("CompareAudit", text)


@dataclass(frozen=True)
class AttackShown:
    """One line of the audit.

    Attributes
    ----------
    key
        Its name among the lines, for object names.
    severity, word
        Mark and word: withstood, works, or to be noted.
    headline, second
        What happens, with its figure; and what to hold it against.
    figure, unit, before
        The large figure, what it counts, and the same of the original where that is known.
    entry
        The report's entry; None for what the gate counts, and for what cannot be attacked.
    """

    key: str
    severity: str
    word: str
    headline: str
    second: str
    figure: str
    unit: str
    before: str
    entry: AttackEntry | None

    @property
    def has_details(self) -> bool:
        """Whether there is more to say than its two sentences."""
        return self.entry is not None or self.key == CERTAIN


@dataclass(frozen=True)
class GroupShown:
    """Attacks of one kind, with a plain question as caption."""

    key: str
    title: str
    caption: str
    lines: tuple[AttackShown, ...]


# --- the lines ----------------------------------------------------------------------------


def state_of(entry: AttackEntry) -> str:
    """Say whether an attack works.

    The engine's severity decides: ``none`` is withstood, ``some`` to be noted, more works. Naming
    somebody below the limit is withstood; undoing or guessing more than the limit works, but where
    the interval of what is gained still holds nought there are too few people to say so. What
    several releases would give away is a forecast.
    """
    if entry.id == "averaging":
        return NOTE
    if entry.severity == "none" or (entry.severity == "some" and entry.id in _BY_NAMING):
        return WITHSTOOD
    gain = entry.advantage.low
    if entry.id in BY_ADVANTAGE and gain is not None and gain <= 0:
        return NOTE
    beyond = entry.id in _BY_UNDOING or (entry.id == "inference" and gain is not None and gain > INFERENCE_LIMIT)
    return WORKS if beyond or entry.severity != "some" else NOTE


def state_word(state: str) -> str:
    """Return the word of a state."""
    return {WITHSTOOD: _tr("Withstood"), WORKS: _tr("Works"), NOTE: _tr("Note"), UNMADE: _tr("Not made")}[state]


def groups_shown(report: Report) -> list[GroupShown]:
    """Return the attacks of a report by kind; kinds without any are left out."""
    entries = list(report.attacks or [])
    lines: dict[str, list[AttackShown]] = {}
    scopes = _scopes(report)
    seen: dict[str, int] = {}
    for entry in entries:
        seen[entry.id] = seen.get(entry.id, 0) + 1
        number = seen[entry.id]
        key = entry.id.replace("-", "_") + (f"_{number}" if number > 1 else "")
        scope = scopes[number - 1] if entry.id == "singling-out" and number <= len(scopes) else None
        lines.setdefault(entry.id, []).append(_line(report, entry, key, scope))
    if entries and (certain := _certain(report)) is not None:
        lines[CERTAIN] = [certain]
    for each in unmade_lines(report) if entries else ():
        state = NOTE if each.is_made else UNMADE
        said = AttackShown(each.key, state, state_word(state), each.headline, each.second, "", "", "", None)
        lines.setdefault(each.kind, []).append(said)
    known = {id for _, ids in _GROUPS for id in ids}
    groups = [(key, [line for id in ids for line in lines.get(id, [])]) for key, ids in _GROUPS]
    groups.append(("further", [line for id, found in lines.items() if id not in known for line in found]))
    return [GroupShown(key, *_group_words(key, report), tuple(found)) for key, found in groups if found]


def _group_words(key: str, report: Report) -> tuple[str, str]:
    secret = [each.name for each in report.columns if each.released and each.role == "confidential"]
    told = secret[0] if len(secret) == 1 else _tr("a confidential value")
    return {
        "singling-out": (_tr("Singling out"), _tr("Can someone be found as the only one of their kind?")),
        "linkage": (_tr("Linkage"), _tr("Can a row be tied to a person by someone who knows them?")),
        "inference": (_tr("Inference"), _tr("Can {column} of a person be learnt?").format(column=told)),
        "reversal": (_tr("Reversal"), _tr("Can what was done be undone?")),
        "several": (_tr("Several releases"), _tr("What would more releases of the same source give away?")),
        "key": (_tr("The key"), _tr("Can the key be found by trying?")),
        "further": (_tr("Further attacks"), _tr("What else was tried?")),
    }[key]


def _scopes(report: Report) -> list[tuple[RiskBlock | None, str]]:
    """Return the original's risk and the words for what is known, in the order of the singling-out entries."""
    scope = report.risk.before.scope
    return [
        (scope.quasi_identifiers, _tr("Known are the describing columns.")),
        (scope.released, _tr("Known are all released columns but the confidential ones.")),
    ]


def _line(report: Report, entry: AttackEntry, key: str, scope: tuple[RiskBlock | None, str] | None) -> AttackShown:
    state = state_of(entry)
    headline, second = attack_words(report, entry, scope[1] if scope is not None else "")
    figure, unit, before = _figure(report, entry, scope)
    return AttackShown(key, state, state_word(state), headline, second, figure, unit, before, entry)


def _before_words(share: float | None) -> str:
    return "" if share is None else _tr("before: {figure}").format(figure=_brief(share))


def _brief(share: float) -> str:
    figure, unit = parts_of(share)
    return figure if unit == _tr("of {base}").format(base=count(100)) else f"{figure} {unit}"


def _figure(report: Report, entry: AttackEntry, scope: tuple[RiskBlock | None, str] | None) -> tuple[str, str, str]:
    """Return the large figure, what it counts, and the original's."""
    value = entry.success.value
    if entry.id == "seed-search":
        return ("256", _tr("bits"), "") if not entry.sampled else (count(entry.sampled), _tr("tries"), "")
    if value is None:
        return "–", "", ""
    if entry.success.unit != "share":
        alone = (
            "" if entry.control.value is None else _tr("alone: {figure}").format(figure=f"{entry.control.value:.2f}")
        )
        return f"{value:.2f}", _tr("of the noise"), alone
    if entry.id == "inference" and entry.advantage.value is not None:
        return (*more_words(float(entry.advantage.value), inference_base(entry)), "")
    before: float | None = None
    if entry.id == "singling-out" and scope is not None and scope[0] is not None and scope[0].records:
        before = scope[0].unique / scope[0].records
    quasi = report.risk.before.scope.quasi_identifiers
    if entry.id == "linkage" and quasi is not None:
        before = quasi.marketer
    return (*parts_of(float(value)), _before_words(before))


def _certain(report: Report) -> AttackShown | None:
    """Return the people whose confidential value can be read off the release, as the gate counts them."""
    after, before, rows = report.risk.after.certain, report.risk.before.certain, report.release.rows
    if after is None or not rows or not any(each.released and each.role == "confidential" for each in report.columns):
        return None
    state = WORKS if after else WITHSTOOD
    if after:
        headline = _tr("The confidential value of {n} of {rows} people can be read off.").format(
            n=count(after), rows=count(rows)
        )
    else:
        headline = _tr("Nobody's confidential value is certain.")
    second, early = "", ""
    if before is not None and report.input.rows_read:
        second = _tr("In the original it is for {n} of {rows}: alone, or in a group with one value.").format(
            n=count(before), rows=count(report.input.rows_read)
        )
        early = _before_words(before / report.input.rows_read)
    return AttackShown(CERTAIN, state, state_word(state), headline, second, *parts_of(after / rows), early, None)


# --- the head -----------------------------------------------------------------------------


def _number(value: int, *, first: bool = False) -> str:
    names = (
        _tr("none"), _tr("one"), _tr("two"), _tr("three"), _tr("four"), _tr("five"), _tr("six"), _tr("seven"),
        _tr("eight"), _tr("nine"), _tr("ten"), _tr("eleven"), _tr("twelve"),
    )  # fmt: skip
    words = names[value] if value < len(names) else count(value)
    return words[:1].upper() + words[1:] if first else words


def headline_of(groups: Sequence[GroupShown]) -> tuple[str, str]:
    """Return state and sentence of all attacks together."""
    every = [line.severity for group in groups for line in group.lines]
    states = [state for state in every if state != UNMADE]
    works, notes, all = states.count(WORKS), states.count(NOTE), len(states)
    if works == 1 and all > 1:
        return WORKS, _tr("One of {all} attacks works.").format(all=_number(all))
    if works == all == 1:
        return WORKS, _tr("The attack works.")
    if works == all:
        return WORKS, _tr("All {all} attacks work.").format(all=_number(all))
    if works:
        return WORKS, _tr("{works} of {all} attacks work.").format(works=_number(works, first=True), all=_number(all))
    if notes == 1:
        return WITHSTOOD, _tr("None of {all} attacks works; one leaves something to know.").format(all=_number(all))
    if notes:
        return WITHSTOOD, _tr("None of {all} attacks works; {notes} leave something to know.").format(
            all=_number(all), notes=_number(notes)
        )
    if len(states) < len(every):
        return WITHSTOOD, _tr("All attacks that can be made were withstood.")
    return WITHSTOOD, _tr("All attacks were withstood.")
