"""The certificate: one page to sign, that says what was released, by whom, and what the gate found.

Whatever the report holds, the page stays one page: long texts are cut, and of long lists the
worst entries are shown with the number of those left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.charts import NOISE, times_noise
from ppdm_desktop.engine.report.drawing import cut, cut_name, percent
from ppdm_desktop.engine.report.html import (
    attack_title,
    audience,
    method_title,
    page_of,
    sentence_of,
    shown_number,
    title_of,
)
from ppdm_desktop.engine.report.model import AttackEntry, CheckEntry, LevelProofEntry, Report, RiskBlock
from ppdm_desktop.engine.report.public.generalised_columns import is_generalised_column
from ppdm_desktop.engine.report.report_words import MARKS, severity_words

TEMPLATE = "certificate.html"
MOST_CHECKS, MOST_LEVELS, MOST_ATTACKS = 6, 5, 6
_NAME, _TITLE, _REASON, _NOTE, _SOURCE = 44, 64, 140, 140, 170
_LEVEL = 26
_ATTACK = 48
_GRAVE = {"total": 0, "serious": 1, "some": 2, "none": 3}
_WORST = {"red": 0, "not-run": 1, "amber": 2}
_PASSED = 3


@dataclass(frozen=True)
class Row:
    """A line of a table: a heading, its cells, and the tone of the last one (green, amber, red or none)."""

    head: str
    cells: tuple[str, ...]
    tone: str = ""


@dataclass(frozen=True)
class Part:
    """Lines that are shown, and how many are not."""

    rows: tuple[Row, ...]
    more: int = 0


def render_certificate(report: Report, first: Sequence[str] = ()) -> bytes:
    """Return the certificate's page, which is laid out as one A4 page.

    Parameters
    ----------
    report
        The one object; nothing else stands on the page.
    first
        Ids of attacks that each have a row of their own where they were made, whatever came of the others:
        those made on every release, the three tests of the Article 29 Working Party.
    """
    return page_of(
        TEMPLATE,
        report=report,
        audience=audience(report.release.type),
        source=cut(sentence_of(report.release.threshold_source), _SOURCE),
        decision=_decision(report),
        person=_person(report),
        data=next((file for file in report.files if file.sha256 == report.release.data_sha256), None),
        data_name=lambda path: cut(path.rpartition("/")[2], _NAME),
        risk=_risk(report),
        attacks=_attacks(report, first),
        levels=_levels(report),
        checks=_checks(report),
        counts=_counts(report),
        steps=cut(_treatment(report), 2 * _TITLE),
        usefulness=_usefulness(report),
        libraries=cut(", ".join(f"{name} {version}" for name, version in report.program.libraries.items()), 300),
    )


def _treatment(report: Report) -> str:
    return ", ".join(f"{step.index}. {method_title(step.method)} ({step.mode})" for step in report.steps)


def _person(report: Report) -> dict[str, str]:
    given = report.operator
    return {
        "name": cut(given.name or "", _NAME),
        "approver": cut(given.approver or "", _NAME),
        "review": cut(given.review_date or "", 20),
        "note": cut(given.note or "", _NOTE),
    }


def _decision(report: Report) -> tuple[str, str]:
    """Return the tone and the sentence."""
    if report.decision.released and report.decision.accepted:
        return "amber", "Released. Every check was passed, or has a written reason."
    if report.decision.released:
        return "green", "Released. Every check was passed."
    if report.decision.blocked_by:
        return "red", "Not released: the checks below stand against it."
    return "red", "Draft. Nothing was released."


# --- risk --------------------------------------------------------------------------------


def _risk(report: Report) -> Part:
    before, after = report.risk.before, report.risk.after
    rows = [_both("Records whose confidential value is certain", "", before.certain, after.certain)]
    one, other = before.scope.quasi_identifiers, after.scope.quasi_identifiers
    if one is None or other is None:
        return Part((*rows, Row("No column describes people", ("–", "–", "–"))))
    limit = 1 / report.release.k_min
    reads = report.risk.after.applies
    rows += [
        _both("Records alone in their group", "sample uniques", one.unique, other.unique),
        _both("Identifiable records, worst confidential column", "uniquely or collectively",
              _identifiable(one), _identifiable(other)),
        _both("Smallest group", "k", one.k, other.k, f"at least {report.release.k_min}",
              _kept(other.k >= report.release.k_min, reads)),
        _both("Most exposed person is found", "prosecutor, maximum", one.prosecutor_max, other.prosecutor_max,
              _share(limit), _kept(other.prosecutor_max <= limit, reads)),
        _both("A person is found, on average", "prosecutor, mean", one.prosecutor_mean, other.prosecutor_mean,
              _share(limit), _kept(other.prosecutor_mean <= limit, reads)),
        _both("Found when everybody is tried", "marketer", one.marketer, other.marketer,
              _share(limit), _kept(other.marketer <= limit, reads)),
    ]  # fmt: skip
    return Part(tuple(rows))


def _identifiable(block: RiskBlock) -> int:
    return max((each.uniquely + each.collectively for each in block.identifiable.values()), default=0)


def _both(words: str, term: str, before: float | None, after: float | None, limit: str = "", tone: str = "") -> Row:
    return Row(f"{words} ({term})" if term else words, (_share(before), _share(after), limit), tone)


def _kept(kept: bool, reads: bool) -> str:
    return "" if not reads else "green" if kept else "amber"


def _share(value: float | None) -> str:
    if value is None:
        return "not computed"
    return shown_number(value) if isinstance(value, int) else percent(value)


# --- attacks -----------------------------------------------------------------------------


def _attacks(report: Report, first: Sequence[str]) -> Part:
    entries = report.attacks or []
    titles = {id(each): attack_title(each) for each in entries}
    # Told in the order of their weight; the report has them all, in the order in which they were made.
    places = {id(each): place for place, each in enumerate(entries, start=1)}
    order = sorted(entries, key=_gravity)
    gravest = [found for wanted in first if (found := next((each for each in order if each.id == wanted), None))]
    rest = [each for each in order if not any(each is one for one in gravest)]
    shown = [*gravest, *rest][:MOST_ATTACKS]
    rows = [
        Row(
            f"{cut_name(titles[id(each)], _ATTACK)} (report: {places[id(each)]})",
            (_interval(each.success), _beside(each), severity_words(each)),
            {"none": "green", "some": "amber"}.get(each.severity, "red"),
        )
        for each in shown
    ]
    return Part(tuple(rows), len(entries) - len(shown))


def _gravity(entry: AttackEntry) -> tuple[int, float]:
    return _GRAVE[entry.severity], -float(entry.advantage.value or 0)


def _interval(figure: Figure) -> str:
    if figure.value is None:
        return "not computed"
    if figure.unit == NOISE:
        return f"left: {times_noise(figure.value)}"
    if figure.low is None or figure.high is None:
        return percent(figure.value)
    return f"{percent(figure.value)} ({percent(figure.low)} to {percent(figure.high)})"


def _beside(entry: AttackEntry) -> str:
    shown = times_noise if entry.success.unit == NOISE else percent
    if entry.control.value is not None:
        return f"control {shown(entry.control.value)}"
    return "–" if entry.chance.value is None else f"chance {shown(entry.chance.value)}"


# --- levels and checks ---------------------------------------------------------------------


def _levels(report: Report) -> Part:
    """Every level once: the records no step covers, the steps that serve it, and its narrowest proof."""
    order = [level.name for level in report.privacy.levels]
    counts = {level.name: level.records for level in report.privacy.levels}
    by_level: dict[str, list[LevelProofEntry]] = {}
    for proof in report.levels_proof:
        by_level.setdefault(proof.level, []).append(proof)
    # The strictest levels stand last in the report; here what fails comes first, then the strictest.
    failed = {name for name, proofs in by_level.items() if not all(each.met for each in proofs)}
    names = sorted(reversed(order), key=lambda name: name not in failed)
    rows = [_level(name, counts[name], by_level.get(name, [])) for name in names[:MOST_LEVELS]]
    return Part(tuple(rows), max(len(names) - MOST_LEVELS, 0))


def _level(name: str, records: int, proofs: Sequence[LevelProofEntry]) -> Row:
    if not proofs:
        return Row(cut_name(name, _LEVEL), (_share(records), "–", "no step acts by level", "–"))
    measured = [each for each in proofs if each.demanded is not None and each.least_achieved is not None]
    tight = min(measured, key=_margin, default=None)
    narrow = "nothing to count"
    if tight is not None:
        narrow = f"step {tight.step}, {cut_name(tight.column, 30)}: {tight.least_achieved:.4g} of {tight.demanded:.4g}"
    all_served = all(each.covered == each.records for each in proofs)
    met, none_served = all(each.met for each in proofs), not any(each.covered for each in proofs)
    kept = "✕ NO" if not met else "nobody is served" if none_served else "✓ yes" if all_served else "✓ where served"
    served = f"{_share(min(each.covered for each in proofs))} to {_share(max(each.covered for each in proofs))}"
    if len({each.covered for each in proofs}) == 1:
        served = _share(proofs[0].covered)
    tone = "red" if not met else "" if none_served else "green"
    return Row(cut_name(name, _LEVEL), (_share(records), served, narrow, kept), tone)


def _margin(proof: LevelProofEntry) -> float:
    assert proof.demanded is not None
    assert proof.least_achieved is not None
    return proof.least_achieved / proof.demanded if proof.demanded else float("inf")


def _checks(report: Report) -> Part:
    """Every check that is not passed, with the reason that lets it pass, and those that are always named."""
    named = [check for check in report.gate if check.status in _WORST or check.on_certificate]
    wanted = sorted(named, key=lambda each: _WORST.get(each.status, _PASSED))
    rows = [_check(check, report) for check in wanted[:MOST_CHECKS]]
    return Part(tuple(rows), max(len(wanted) - MOST_CHECKS, 0))


def _check(check: CheckEntry, report: Report) -> Row:
    reason = check.accepted.reason if check.accepted is not None and check.id in report.decision.accepted else ""
    unit = check.figure.unit if check.figure is not None else None
    found = _amount(check.figure.value if check.figure is not None else None, unit)
    limit = _amount(check.limit, unit)
    if unit == "share" and check.figure is not None and check.figure.high is not None:
        # Such a check is judged by what may be, not by what was found.
        found = f"{found}, up to {percent(check.figure.high)}"
    words = "at least" if check.direction == "at-least" else "limit"
    measured = f"{found} ({words} {limit})" if found and limit else found
    status = f"{MARKS[check.status]} {check.status}"
    if check.status not in _WORST:
        tone = "green" if check.status == "green" else ""
        return Row(cut(title_of(check.id), 60), (measured, "", status), tone)
    tone = "red" if check.status == "red" else "amber"
    return Row(cut(title_of(check.id), 60), (measured, cut(reason, _REASON) or "no reason given", status), tone)


def _amount(value: float | int | str | None, unit: str | None) -> str:
    if value is None or isinstance(value, str):
        return cut(value or "", 12)
    return percent(value) if unit == "share" else shown_number(value)


def _counts(report: Report) -> str:
    found = {status: sum(check.status == status for check in report.gate) for status in MARKS}
    names = {"green": "passed", "amber": "amber", "red": "red", "not-run": "not run", "not-applicable": "do not apply"}
    return ", ".join(f"{found[status]} {names[status]}" for status in names if found[status])


def _usefulness(report: Report) -> str:
    utility = report.utility
    generalised = {each.name for each in report.columns if each.released and is_generalised_column(each.treatment)}
    counted = [each for each in utility.columns if each.name not in generalised]
    shifts = [(each.total_variation.value, each.name) for each in counted if each.total_variation.value]
    parts = []
    if shifts:
        most, name = max(shifts)
        parts.append(f"Largest shift of a column's shares: {percent(most)} ({cut_name(name, 30)}).")
    elif counted:
        parts.append("No column's shares moved.")
    if generalised:
        named = ", ".join(cut_name(each.name, 30) for each in utility.columns if each.name in generalised)
        parts.append(f"Written coarser: {cut(named, _NOTE)}.")
    change = utility.pairs.correlation_max_change.value
    if change is not None:
        parts.append(f"Largest change of a correlation: {change:.3f}.")
    models = [
        (each.original.value, each.released_true_labels.value, each.target)
        for each in utility.models or ()
        if each.original.value is not None and each.released_true_labels.value is not None
    ]
    if models:
        before, after, target = max(models)
        best = f"The model that was best on the original tells {cut_name(target, 30)}"
        parts.append(f"{best} rightly for {percent(before)} → {percent(after)}.")
    if utility.rows_suppressed:
        parts.append(f"Records removed: {_share(utility.rows_suppressed)}.")
    return " ".join(parts) or "Nothing was measured."
