"""What each step of a candidate did, from the report's own figures. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.methods.registry import all_methods
from ppdm_desktop.engine.report.model import LevelProofEntry, Report, Sentence, StepEntry
from ppdm_desktop.engine.texts import render
from ppdm_desktop.ui.pages.compare_groups import SizeBand, size_bands
from ppdm_desktop.ui.pages.levels_learn import loss_words
from ppdm_desktop.ui.widgets.level_mark import level_words
from ppdm_desktop.ui.widgets.parameter_words import value_words
from ppdm_desktop.ui.words import count, percent


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


@dataclass(frozen=True)
class StepWordsOf:
    """What one step did.

    Attributes
    ----------
    title, what
        The method, and its columns and settings.
    holds
        Whether the recount agreed.
    guarantee
        The promise and how it was recounted.
    detail, notes
        Its own figures as (words, figure), and sentences.
    proof
        For each level: level, column, records, covered, demanded, achieved, met.
    sizes
        Where the step made groups: the step's detail, and its groups by size.
    """

    index: int
    title: str
    what: str
    holds: bool
    guarantee: str
    detail: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    proof: tuple[tuple[str, ...], ...]
    sizes: tuple[Mapping[str, Any], tuple[SizeBand, ...]] | None = None


def steps_of(report: Report) -> list[StepWordsOf]:
    """Return what each step did, in words."""
    return [_step(step, [each for each in report.levels_proof if each.step == step.index]) for step in report.steps]


def proof_headers() -> tuple[str, ...]:
    """Return the headings of a proof."""
    return (
        _tr("Level"),
        _tr("Column"),
        _tr("Records"),
        _tr("Covered"),
        _tr("Demanded"),
        _tr("Least achieved"),
        _tr("Met"),
    )


def _step(step: StepEntry, proofs: Sequence[LevelProofEntry]) -> StepWordsOf:
    method = all_methods().get(step.method)
    title = method.title if method is not None else step.method
    parameters = {each.name: each for each in method.parameters} if method is not None else {}
    settings = ", ".join(
        f"{parameters[name].shown_label.lower()} {words}"
        for name, value in step.parameters.items()
        if name in parameters and (words := value_words(parameters[name], value))
    )
    how = {
        "file": _tr("anyone can recount it from the released file"),
        "file+original": _tr("you can recount it from the released file and the original"),
        "run": _tr("it can be recounted from the key and the input"),
    }[step.guarantee.kind]
    pattern = (
        _tr("Recounted on {n} records: it holds ({how}).")
        if step.guarantee.holds
        else _tr("Recounted on {n} records: it does not hold ({how}).")
    )
    return StepWordsOf(
        step.index,
        title,
        _tr("{columns} · {settings}").format(columns=", ".join(step.columns), settings=settings),
        step.guarantee.holds,
        f"{step.promise or ''} {pattern.format(n=count(step.guarantee.checked), how=how)}".strip(),
        tuple(_detail(step.detail)),
        tuple(sentence(note) for note in step.notes),
        tuple(_proof(each) for each in proofs),
        (step.detail, tuple(bands)) if (bands := size_bands(step.detail, proofs)) else None,
    )


def sentence(note: Sentence) -> str:
    """Return a report's sentence in words."""
    text = render(note.id, note.arguments)
    return f"{text.sentence} {text.remedy}".strip()


def _proof(proof: LevelProofEntry) -> tuple[str, ...]:
    return (
        level_words(proof.level),
        proof.column,
        count(proof.records),
        count(proof.covered),
        *_demands(proof),
        _tr("yes") if proof.met else _tr("no"),
    )


def _demands(proof: LevelProofEntry) -> tuple[str, str]:
    """Return what was demanded and achieved; of noise it is a standard deviation, never a share."""
    if proof.privacy_loss is None:
        return _demand(proof.demanded), _demand(proof.least_achieved)
    demanded, achieved = ("–" if each is None else f"± {each:.4g}" for each in (proof.demanded, proof.least_achieved))
    learnt = _tr("{achieved}, an analyst learns {loss}").format(achieved=achieved, loss=loss_words(proof.privacy_loss))
    return demanded, learnt


def _demand(value: float | None) -> str:
    if value is None:
        return "–"
    return percent(value) if 0 < value < 1 else f"{value:g}"


def _known_details() -> dict[str, str]:
    return {
        "unique": _tr("Records that stand alone"),
        "groups": _tr("Look-alike groups with one value"),
        "m": _tr("Lone records changed"),
        "group_members_changed": _tr("Group members changed"),
        "p": _tr("Share of lone records changed"),
        "status": _tr("Search"),
        "no_value": _tr("Records without a value"),
        "unidentifiable": _tr("Records left as they are"),
    }


def _group_details() -> dict[str, str]:
    """Return the words for the figures of a step that makes records anew by groups."""
    return {
        "groups": _tr("Groups of records"),
        "ssq_share": _tr("Differences lost inside groups"),
        "repairs": _tr("Groups put right"),
        "regenerated": _tr("Columns of numbers made anew"),
        "small_groups": _tr("Groups with no more records than such columns"),
        "small_records": _tr("Records in them"),
        "floor": _tr("Small groups widened"),
    }


def _detail(detail: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a step's own figures: known ones in words, unknown plain ones under their name."""
    known = _known_details()
    lines: list[tuple[str, str]] = []
    columns = detail.get("columns")
    if isinstance(columns, Mapping):
        for name, own in columns.items():
            if not isinstance(own, Mapping):
                continue
            before = f"{name}: " if len(columns) > 1 else ""
            lines += [(before + words, _plain(own[key])) for key, words in known.items() if own.get(key) is not None]
            if isinstance(own.get("departure"), int):
                lines.append((before + _tr("Records by which the totals moved"), count(own["departure"] // 2)))
            lines += [(before + words, figure) for words, figure in _flows(own)]
        return lines
    words = {**known, **_group_details()}
    for key, value in detail.items():
        if isinstance(value, str | int | float | bool):
            shown = percent(value) if key == "ssq_share" and isinstance(value, float) else _plain(value)
            lines.append((words.get(key, key.replace("_", " ").capitalize()), shown))
    return lines


def _flows(own: Mapping[str, Any], most: int = 6) -> list[tuple[str, str]]:
    names, flows = own.get("categories"), own.get("flows")
    if not isinstance(names, list) or not isinstance(flows, list):
        return []
    moves = [
        (int(flow), f"{names[i]} → {names[j]}")
        for i, line in enumerate(flows)
        for j, flow in enumerate(line)
        if flow and i < len(names) and j < len(names)
    ]
    return [(words, count(flow)) for flow, words in sorted(moves, key=lambda each: -each[0])[:most]]


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return _tr("yes") if value else _tr("no")
    if isinstance(value, float) and 0 < value < 1:
        return percent(value)
    if isinstance(value, int | float):
        return count(value) if float(value).is_integer() else f"{value:.4g}"
    return str(value)
