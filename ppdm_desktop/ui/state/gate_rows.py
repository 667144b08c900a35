"""What the Release page shows of the gate and the folder. No widgets here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.recipe.models import AcceptSection, Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.release_files import DICTIONARY, NOTE, data_file_name
from ppdm_desktop.engine.release.gate import CheckResult
from ppdm_desktop.engine.release.gate.decision import SHORTEST_REASON
from ppdm_desktop.engine.release.storage.atomic_folder import MANIFEST
from ppdm_desktop.engine.release.writing.export import KEY, PDF_NAMES, RECIPE, REPORT_JSON, REPORT_PAGE
from ppdm_desktop.engine.report.documents import CERTIFICATE_PDF, REPORT_PDF
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.texts import plural, render
from ppdm_desktop.ui.state.import_lines import columns_words, rows_words
from ppdm_desktop.ui.state.number_words import count, counted, percent
from ppdm_desktop.ui.state.session import CandidateEntry


def _tr(text: str) -> str:
    return QCoreApplication.translate("Release", text)


Attacks = tuple[AttackEntry, ...] | None

BLOCKS, OPEN, GIVEN, PASSED, ASIDE = "blocks", "open", "given", "passed", "aside"
_ORDER = {BLOCKS: 0, OPEN: 1, GIVEN: 1, PASSED: 2, ASIDE: 3}

_HERE = "release"


@dataclass(frozen=True)
class GateRow:
    """One check as it is shown.

    Attributes
    ----------
    state
        ``blocks``, ``open`` (needs a reason), ``given``, ``passed`` or ``aside`` (does not apply).
    figure
        What was measured against which limit, or empty.
    reason, problem
        The written reason that counts, and why a reason does not count.
    mended_on
        Page that mends it; empty where it is the page that shows the row, or nothing is to be mended.
    """

    id: str
    state: str
    title: str
    sentence: str
    remedy: str
    figure: str
    reason: str
    problem: str
    mended_on: str


def attacks_of(entry: CandidateEntry) -> Attacks:
    """Return what was found when the candidate was made, so that nothing is attacked twice; None when it was not."""
    found = entry.judged.report.attacks if entry.judged is not None else None
    return None if found is None else tuple(found)


def gate_rows(checks: Sequence[CheckResult], accept: Mapping[str, AcceptSection], input_sha256: str) -> list[GateRow]:
    """Return the checks in the order of the page: blocking, wanting a reason, passed, not applicable."""
    rows = [_row(check, checks, accept, input_sha256) for check in checks]
    return sorted(rows, key=lambda row: _ORDER[row.state])


def _row(
    check: CheckResult, checks: Sequence[CheckResult], accept: Mapping[str, AcceptSection], input_sha256: str
) -> GateRow:
    text = render(check.sentence.id, _in_words(check.sentence.arguments))
    section = accept.get(check.id)
    reason = section.reason if section is not None and section.input in (None, input_sha256) else ""
    problem = ""
    if check.status == "red":
        state = BLOCKS
    elif check.status in ("amber", "not-run"):
        others = {id: each.reason for id, each in accept.items() if id != check.id}
        wanted = [each.id for each in checks if each.status in ("amber", "not-run")]
        problem = reason_problem(reason, {id: text for id, text in others.items() if id in wanted})
        state = GIVEN if reason and not problem else OPEN
    else:
        state = PASSED if check.status == "green" else ASIDE
    remedy = next(iter(check.remedies), None)
    return GateRow(
        check.id,
        state,
        text.title or check.id,
        text.sentence,
        "" if remedy is None else render(remedy.text.id, _in_words(remedy.text.arguments)).window,
        ""
        if _found_nothing(check)
        else figure_words(check.figure, check.limit, at_least=check.direction == "at-least"),
        reason,
        problem,
        "" if remedy is None or remedy.page == _HERE else remedy.page,
    )


def _in_words(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what stands in a sentence as the window writes it: counts in groups of digits, methods by their titles."""
    found = counted(arguments)
    if isinstance(found.get("methods"), str):
        titles = {id: method.title for id, method in all_methods().items()}
        found["methods"] = ", ".join(titles.get(id, id) for id in found["methods"].split(", "))
    return found


def _found_nothing(check: CheckResult) -> bool:
    """Whether nought was found where nought is allowed, which the sentence says already."""
    return check.status == "green" and check.limit == 0 and check.figure is not None and check.figure.value == 0


def reason_problem(reason: str, others: Mapping[str, str]) -> str:
    """Say why a written reason does not count, or nothing."""
    text = reason.strip()
    if not text:
        return ""
    if len(text) < SHORTEST_REASON:
        lacking = SHORTEST_REASON - len(text)
        words = plural(lacking, _tr("One more letter: a reason has at least {least}."),
                       _tr("{n} more letters: a reason has at least {least}."))  # fmt: skip
        return words.format(n=lacking, least=SHORTEST_REASON)
    if any(text.casefold() == other.strip().casefold() for other in others.values()):
        return _tr("Another check has this reason already. Say what holds here.")
    return ""


def figure_words(figure: Figure | None, limit: object, *, at_least: bool = False) -> str:
    """Return what was measured and the limit, in small print; no number stands apart from its per cent.

    Parameters
    ----------
    at_least
        The limit is the least that is wanted.
    """
    words = _figure_words(figure, limit, at_least)
    return words.replace(" %", "\N{NO-BREAK SPACE}%").replace(" -", " \N{MINUS SIGN}")


def _figure_words(figure: Figure | None, limit: object, at_least: bool) -> str:
    if figure is None or figure.value is None:
        return ""
    if figure.unit == "ratio":
        return _ratio_words(figure, limit)
    is_share = figure.unit == "share" or (isinstance(figure.value, float) and 0 < figure.value < 1)
    found = percent(float(figure.value)) if is_share else _number(figure.value)
    if is_share and figure.high is not None:
        found = _tr("{found}, at most {most} with 95 % certainty").format(found=found, most=percent(figure.high))
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        wanted = percent(float(limit)) if is_share else _number(limit)
        if at_least:
            return _tr("measured {found}, wanted {limit} or more").format(found=found, limit=wanted)
        return _tr("measured {found}, limit {limit}").format(found=found, limit=wanted)
    return _tr("measured {found}").format(found=found)


def _ratio_words(figure: Figure, limit: object) -> str:
    """Return what is left of something, beside the least that is wanted, as its sentence has it."""
    found = _tr("measured {found}").format(found=f"{figure.value:.3f}")
    if figure.low is not None and figure.high is not None:
        between = _tr("{found}, with 95 % certainty {low} to {high}")
        found = between.format(found=found, low=f"{figure.low:.3f}", high=f"{figure.high:.3f}")
    if isinstance(limit, int | float) and not isinstance(limit, bool):
        found = _tr("{found}, wanted {limit} or more").format(found=found, limit=f"{limit:.2f}")
    return found


def _number(value: float) -> str:
    return count(value) if float(value).is_integer() else f"{value:.4g}"


def state_word(state: str) -> tuple[str, str]:
    """Return severity and word of a state."""
    return {
        BLOCKS: ("blocks", _tr("Blocks")),
        OPEN: ("amber", _tr("Needs a reason")),
        GIVEN: ("amber", _tr("Reason given")),
        PASSED: ("passed", _tr("Passed")),
        ASIDE: ("not-applicable", _tr("Not applicable")),
    }[state]


def headline(rows: Sequence[GateRow]) -> tuple[str, str]:
    """Return the sentence above the gate and its severity."""
    blocks = [row for row in rows if row.state == BLOCKS]
    missing = [row for row in rows if row.state == OPEN]
    if blocks:
        one = _tr("1 check blocks the release")
        return (one if len(blocks) == 1 else _tr("{n} checks block the release").format(n=len(blocks))), "blocks"
    if missing:
        one = _tr("One reason is still missing")
        return (one if len(missing) == 1 else _tr("{n} reasons are still missing").format(n=len(missing))), "amber"
    return _tr("Every check is passed or answered"), "passed"


def missing_words(rows: Sequence[GateRow]) -> str:
    """Name what keeps the release from being written, for the action bar."""
    for state, one, many in (
        (BLOCKS, _tr("Blocked: {titles}"), _tr("{n} checks block: {titles}")),
        (OPEN, _tr("1 reason is missing: {titles}"), _tr("{n} reasons are missing: {titles}")),
    ):
        found = [row.title for row in rows if row.state == state]
        if found:
            shown = ", ".join(found[:2]) + (" …" if len(found) > 2 else "")
            return (one if len(found) == 1 else many).format(n=len(found), titles=shown)
    return ""


# --- where it goes ----------------------------------------------------------------------


def suggested_folder(source: Path) -> Path:
    """Return a folder beside the source that does not exist yet."""
    base = source.with_name(f"{source.stem}-release")
    found, number = base, 2
    while found.exists():
        found = base.with_name(f"{base.name}-{number}")
        number += 1
    return found


def size_words(rows: int, columns: int) -> str:
    """Return how large a table is."""
    return f"{rows_words(rows)}, {columns_words(columns)}"


def release_files(candidate: Candidate) -> list[tuple[str, str]]:
    """Return what ``release/`` will hold: (file, what it is)."""
    return [
        (data_file_name(candidate), size_words(candidate.released.rows, len(candidate.released.columns))),
        (DICTIONARY, _tr("what each column means")),
        (NOTE, _tr("what was done, in plain words")),
    ]


def internal_files(keep_key: bool, documents: Collection[str] = ()) -> list[tuple[str, str]]:
    """Return what ``internal/`` will hold; documents are the PDFs that can be made here."""
    files = [
        (RECIPE, _tr("every decision")),
        (KEY, _tr("remakes the same release")),
        (CERTIFICATE_PDF, _tr("one page to sign")),
        (REPORT_PAGE, _tr("risk, usefulness, checks, reasons")),
        (REPORT_PDF, _tr("the same to print")),
        (REPORT_JSON, _tr("the same for programs")),
        (MANIFEST, _tr("checksums of all files")),
    ]
    lacking = {name for name in PDF_NAMES if name not in documents} | (set() if keep_key else {KEY})
    return [each for each in files if each[0] not in lacking]


def recipe_to_save(candidate: Candidate, recipe: Recipe) -> Recipe:
    """Return the recipe with which the command line makes the same release from the same key."""
    return candidate.prepared.complete.model_copy(update={"accept": dict(recipe.accept)})
