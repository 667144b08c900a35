"""What the map of candidates shows: marks, sentence and table, from where the engine says they stand. No widgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate.results import NOT_APPLICABLE
from ppdm_desktop.engine.utility.frontier import frontier
from ppdm_desktop.ui.charts.candidate_map.marks import ORIGINAL
from ppdm_desktop.ui.charts.candidate_map.points import MapAxes, MapPoint
from ppdm_desktop.ui.pages.compare.criteria import explained, words_of
from ppdm_desktop.ui.pages.compare.scorecards import Placed, best_of, hundred, limit_words, outcome_words
from ppdm_desktop.ui.state.finished_candidates import label

_EQUAL = 0.0005


def _tr(text: str) -> str:
    return QCoreApplication.translate("Map", text)


@dataclass(frozen=True)
class Shown:
    """Everything the map shows.

    Attributes
    ----------
    points
        Marks of the original and of every candidate measured on both axes.
    missing
        Names of the candidates that are not on the map.
    """

    points: list[MapPoint]
    missing: list[str]


def axes_of(risk: str, use: str, scorecard: Scorecard | None) -> MapAxes:
    """Return what the axes say; only the right match has a limit."""
    if risk != "match" or scorecard is None:
        return MapAxes(explained(risk), explained(use))
    words = _tr("limit {n}").format(n=limit_words(scorecard))
    return MapAxes(explained(risk), explained(use), 100 * scorecard.limit, words)


def map_of(placed: Sequence[Placed], original: Scorecard | None, risk: str, use: str, best: str = "") -> Shown:
    """Return the marks; ``best`` is the candidate that wins by the user's weights."""
    scorecards = [each.scorecard for each in placed]
    whole = [*scorecards, *([original] if original is not None else [])]
    risks = np.array([each.upper(risk) for each in whole], dtype=np.float64)
    uses = np.array([each.value(use) for each in whole], dtype=np.float64)
    on_it = frontier(risks, uses)
    points, missing = [], []
    for place in range(len(whole)):
        entry = placed[place].entry if place < len(placed) else None
        name = entry.name if entry is not None else _tr("Original")
        if math.isnan(risks[place]) or math.isnan(uses[place]):
            if entry is not None:
                missing.append(name)
            continue
        kind = ORIGINAL if entry is None else scorecards[place].outcome
        said = label(entry) if entry is not None else name
        words = f"{said}: {words_of(risk)} {hundred(risks[place])}, {words_of(use)} {hundred(uses[place])}"
        words = f"{words}, {outcome_words(whole[place])}"
        if on_it[place]:
            words = _tr("{words}, on the frontier").format(words=words)
        shown = f"★ {name}" if entry is not None and name == best else name
        key = entry.name if entry is not None else ""
        points.append(MapPoint(key, shown, 100 * risks[place], 100 * uses[place], kind, words, bool(on_it[place])))
    return Shown(points, missing)


def beyond_words(placed: Sequence[Placed], risk: str) -> str:
    """Say who stands beyond the limit of the map and is not stopped by it, and why; empty where nobody does."""
    names = [
        each.entry.name
        for each in placed
        if risk == "match"
        and each.scorecard.upper(risk) > each.scorecard.limit
        and each.scorecard.judged(risk).status == NOT_APPLICABLE
    ]
    if not names:
        return ""
    return _tr(
        "The limit does not stop {names}: what others may know is released there as it was, and the size of the groups "
        "of people alike is judged instead."
    ).format(names=", ".join(names))


def figure_headers(risk: str, use: str) -> tuple[str, ...]:
    """Return the headings of the map as a table."""
    return (_tr("Candidate"), words_of(risk), words_of(use), _tr("Frontier"), _tr("Release"))


def figure_rows(shown: Shown, placed: Sequence[Placed], original: Scorecard | None) -> list[tuple[str, ...]]:
    """Return the marks as rows."""
    scorecard = {each.entry.name: each.scorecard for each in placed}
    if original is not None:
        scorecard[""] = original
    names = {each.entry.name: label(each.entry) for each in placed}
    return [
        (
            names.get(point.key, point.label),
            _tenths(point.risk),
            _tenths(point.use),
            _tr("on it") if point.frontier else "",
            outcome_words(scorecard[point.key]),
        )
        for point in shown.points
    ]


def _tenths(of_hundred: float) -> str:
    """Write a figure of 100 with a tenth, never 0 or 100 unless exact."""
    words = f"{of_hundred:.1f}"
    if words == "100.0" and of_hundred < 100:
        return _tr("over 99.9")
    if words == "0.0" and of_hundred > 0:
        return _tr("under 0.1")
    return words


def title_of(placed: Sequence[Placed], use: str) -> str:
    """Say in a sentence who may be released, with reasons or without, and which of them keeps most."""
    within = [each for each in placed if each.scorecard.is_within]
    if not placed:
        return _tr("No candidate is finished yet")
    if not within:
        return _tr("No candidate may be released; {name} comes nearest").format(name=best_of(placed).entry.name)
    names = [each.entry.name for each in within]
    most = _keeps_most(within, use)
    may = _may_be_released(within)
    if len(placed) == 1:
        return _tr("{name} {may}").format(name=names[0], may=may)
    if len(names) == 1:
        return _tr("Only {name} {may}").format(name=names[0], may=may)
    if len(names) == 2:
        said = _tr("{one} and {other} {may}").format(one=names[0], other=names[1], may=may)
        if len(placed) > 2:
            said = _tr("Only {one} and {other} {may}").format(one=names[0], other=names[1], may=may)
        return _tr("{said}; {name} keeps more").format(said=said, name=most) if most else said
    said = _tr("{n} of {all} candidates {may}").format(n=len(names), all=len(placed), may=may)
    if len(names) == len(placed):
        said = _tr("All {n} candidates {may}").format(n=len(names), may=may)
    return _tr("{said}; {name} keeps most").format(said=said, name=most) if most else said


def _may_be_released(within: Sequence[Placed]) -> str:
    """Say that candidates may be released, and whether it takes written reasons."""
    needing = sum(each.scorecard.reasons > 0 for each in within)
    if not needing:
        return _tr("may be released")
    if len(within) == 1:
        return outcome_words(within[0].scorecard)
    if needing == len(within):
        return _tr("may be released with written reasons")
    return _tr("may be released, {n} of them with written reasons").format(n=needing)


def _keeps_most(placed: Sequence[Placed], use: str) -> str:
    """Return who keeps more than all others, empty where several keep as much."""
    known = sorted((-each.scorecard.value(use), place) for place, each in enumerate(placed))
    known = [each for each in known if not math.isnan(each[0])]
    if len(known) > 1 and abs(known[0][0] - known[1][0]) < _EQUAL:
        return ""
    return placed[known[0][1]].entry.name if known else ""
