"""How search strategies of a swap step compare in association kept and in swaps undone. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.recipe.models import Recipe, StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.report.report_texts import SEARCHES
from ppdm_desktop.engine.report.scene.model import Role
from ppdm_desktop.engine.report.swap_frontier import SearchMark, compute_undo_excess
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import Name, Number, Points, Ratio, Value
from ppdm_desktop.ui.state.number_texts import percent

CALIBRATED, AS_SET = "calibrated", "as-set"
_CALIBRATED = lazy("calibrated")
_KEEPS = lazy("{column}, {search}: keeps {kept} of the relationships that a random choice loses")
_LOSES = lazy("{column}, {search}: loses as much of the relationships as a random choice, or more")
_UNDONE = lazy("Undoing it finds {found} of the true values; without the person’s record it would be {control}.")
_BEYOND = lazy("That is {points} more than chance explains: many changed records can be found again.")
_WITHIN = lazy("That is no more than chance explains.")
_PRIVACY_WINS = lazy(
    "Every swap that keeps relationships could be undone here, so the calibrated search chooses at random."
)
_INSTEAD = lazy("The calibrated search keeps {kept} of what a random choice loses, and undoing it gains nothing.")


@dataclass(frozen=True)
class Frontier:
    """Results of each search strategy for one swap step.

    Attributes
    ----------
    basis, step
        The decisions and the step for which the results were computed.
    curves
        By column (or names of columns swapped together): the calibrated search, and the results of all searches.
    """

    basis: bytes
    step: StepSection
    curves: Mapping[str, Mapping[str, Any]]


def compare_searches(
    path: Path, reading: Reading, recipe: Recipe, basis: bytes, prepared: Prepared | None, step: StepSection
) -> Frontier:
    """Return the results of each search strategy of a swap step, on the table before the first step.

    Raise a PpdmError if the step does not fit the table.

    Parameters
    ----------
    path, reading, recipe
        The file's path, the file as read, and the decisions.
    basis
        Digest of the decisions, kept with the result.
    prepared
        The table before the first step; None to prepare it here.
    step
        The swap step.
    """
    if prepared is None:
        prepared = progress.part(0.0, 0.1).run(prepare_reading, path, reading, recipe.model_copy(update={"steps": ()}))
    method = find_method(step.method)
    settings = method.read_step_settings(prepared.table, step)
    method.check(prepared.table, settings)
    return Frontier(basis, step, progress.part(0.1, 1.0).run(method.frontier, prepared.table, settings))


def search_name(search: str) -> Sentence:
    """Return the name of a search strategy by its id."""
    return _CALIBRATED if search == CALIBRATED else SEARCHES[search]


def find_step_search(points: Sequence[Mapping[str, Any]]) -> str:
    """Return the id of the search that the step uses: the user's if it was measured, else the calibrated one."""
    return AS_SET if any(point["search"] == AS_SET for point in points) else CALIBRATED


def _find_worst_attack(point: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the attack that undoes most: whose success exceeds its control's upper confidence bound by most."""
    attacks = [attack for attack in (point["bayes"], point["boosting"]) if attack is not None]
    return max(attacks, key=lambda attack: float(attack["success"] - attack["high"]))


def _compute_kept_share(point: Mapping[str, Any], points: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the share of association that a search keeps, relative to random swapping (0) and no loss (1).

    It is negative if the search loses more than random swapping, and None if random swapping loses nothing.
    """
    random = next(float(point["divergence"]) for point in points if point["search"] == "random")
    return 1.0 - float(point["divergence"]) / random if random > 0 else None


def frontier_sentences(column: str, calibration: Mapping[str, Any]) -> tuple[str, str]:
    """Return two texts on the search that a step uses: association kept, and swaps that can be undone.

    The second text gives the best attack's success beside its control, and whether that is more than chance explains.
    If the calibrated search chooses at random, because every swap that keeps associations could be undone, it says so;
    with the user's own search it adds what the calibrated one would keep.

    Parameters
    ----------
    column
        Name of the column.
    calibration
        Its entry of ``Frontier.curves``.
    """
    points = calibration["frontier"]
    search = find_step_search(points)
    chosen = next(point for point in points if point["search"] == search)
    worst, kept, more = _find_worst_attack(chosen), _compute_kept_share(chosen, points), compute_undo_excess(chosen)
    figures = {"found": Ratio(worst["success"]), "control": Ratio(worst["control"])}
    named: dict[str, Value] = {"column": Name(column), "search": search_name(search)}
    title = _KEEPS.format(**named, kept=Ratio(kept)) if kept is not None and kept > 0 else _LOSES.format(**named)
    parts = [_UNDONE.format(**figures)]
    parts.append(_BEYOND.format(points=Points(more)) if more > 0 else _WITHIN.format())
    if search == CALIBRATED and calibration["temperature"] is None:
        parts.append(_PRIVACY_WINS.format())
    elif search == AS_SET and calibration["kept"] is not None and calibration["temperature"] is not None:
        parts.append(_INSTEAD.format(kept=Ratio(max(0.0, calibration["kept"]))))
    return title, " ".join(parts)


def chart_points(calibration: Mapping[str, Any]) -> list[SearchMark]:
    """Return the points of one column's chart, one for each search; the search that the step uses comes first.

    Each point has the divergence (association lost, in nats) and by how much undoing the swaps succeeds more often than
    chance explains.
    """
    points = calibration["frontier"]
    search = find_step_search(points)
    sentence = lazy("divergence {lost}, found by undoing it {found}, {control} without the record")
    search_marks = []
    for point in sorted(points, key=lambda point: point["search"] != search):
        worst = _find_worst_attack(point)
        sentence_text = sentence.format(
            lost=Number(point["divergence"]), found=Ratio(worst["success"]), control=Ratio(worst["control"])
        )
        name = str(search_name(point["search"]))
        gained, is_own = compute_undo_excess(point), point["search"] == search
        roles: tuple[Role, Role] = ("alarming", "stopped") if gained > 0 else ("released", "third")
        role = roles[0] if is_own else roles[1]
        search_marks.append(SearchMark(role, name, float(point["divergence"]), gained, f"{name}: {sentence_text}"))
    return search_marks


def table_headers() -> list[str]:
    """Return the eight headings of the table of searches, whose rows ``table_rows`` returns.

    They are the search, relationships kept, divergence, success and control of naive Bayes, the same of boosting, and
    whether the success is more than chance explains.
    """
    return [
        _("Search"),
        _("Relationships kept"),
        _("Divergence (nats)"),
        _("Found by naive Bayes"),
        _("Without their record"),
        _("Found by boosting"),
        _("Without their record"),
        _("More than chance explains?"),
    ]


def table_rows(calibration: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the cells of the table of searches for one column, a row for each; the step's search comes first.

    The cells follow ``table_headers``; a dash stands for what was not measured, and a negative kept share is "0%".
    """
    points = calibration["frontier"]
    search, rows = find_step_search(points), []
    for point in sorted(points, key=lambda point: point["search"] != search):
        kept = _compute_kept_share(point, points)
        row = [str(search_name(point["search"])), "–" if kept is None else percent(max(kept, 0.0))]
        row.append(numbers_of(language()).number(float(point["divergence"])))
        for attack in (point["bayes"], point["boosting"]):
            row += ["–", "–"] if attack is None else [percent(attack["success"]), percent(attack["control"])]
        row.append(_("yes") if compute_undo_excess(point) > 0 else _("no"))
        rows.append(tuple(row))
    return rows
