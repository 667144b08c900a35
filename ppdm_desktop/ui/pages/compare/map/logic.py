"""Points, title and table of the map of candidates, made from the engine's scorecards; no widgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate.results import NOT_APPLICABLE
from ppdm_desktop.engine.report.scene.model import Axis, Label, Mark, Points, Role, Row, Rule, Scene
from ppdm_desktop.engine.utility.frontier import flag_pareto_frontier
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import LimitOf, Term, Terms
from ppdm_desktop.ui.look.accessibility import join_sentences
from ppdm_desktop.ui.pages.compare.criteria import name_criterion
from ppdm_desktop.ui.pages.compare.scorecards import Placed, choose_best_candidate, describe_outcome, format_risk
from ppdm_desktop.ui.state.finished_candidates import label_candidate
from ppdm_desktop.ui.state.number_texts import percent

RELEASED, REASONS, BLOCKED, ORIGINAL = "released", "released-with-reasons", "blocked", "original"
KINDS = (RELEASED, REASONS, BLOCKED, ORIGINAL)
"""Kinds of points: the outcome of a verdict, or the original."""
_ROLES: dict[str, Role] = {RELEASED: "allowed", REASONS: "reasons", BLOCKED: "stopped", ORIGINAL: "original"}
_WHOLE, _ABOVE = 1.0, 0.15
"""Upper end of the axes, and the space above it as a share of the drawn range."""


@dataclass(frozen=True)
class MapPoint:
    """One point of the map: a candidate or the original.

    Attributes
    ----------
    key
        Name of the candidate; empty for the original, which cannot be opened.
    label
        Text beside the point.
    risk, use
        Coordinates, 0 to 100.
    kind
        ``released``, ``released-with-reasons``, ``blocked`` or ``original``.
    text
        Name and figures, for the line above the drawing and for screen readers.
    frontier
        Whether the point is on the efficient frontier: no other point has less risk and more usefulness.
    """

    key: str
    label: str
    risk: float
    use: float
    kind: str
    text: str
    frontier: bool = False


@dataclass(frozen=True)
class MapAxes:
    """Titles of both axes, and the limit of the risk with its label (None without a limit)."""

    risk: str
    use: str
    limit: float | None = None
    limit_text: str = ""


def map_scene(
    points: Sequence[MapPoint],
    axes: MapAxes,
    title: str,
    *,
    cells: Sequence[tuple[str, ...]],
    names: Sequence[str],
    small: str = "",
    current: str = "",
) -> Scene:
    """Return the drawing of the map: risk from left to right, usefulness upwards, efficient frontier as a line.

    The frontier joins the points on which no other point improves in one figure without being worse in the other. It is
    drawn if these are at two or more positions. The limit of the risk, if the axes have one, is a line, too.

    Parameters
    ----------
    points
        Candidates and, without a key, the original.
    axes
        Titles of the axes, and the limit of the risk.
    title
        Sentence that says what the map shows.
    cells
        The points as rows of a table, in the order of ``points``.
    names
        Labels in the legend: one for each of ``KINDS``, and one for the frontier.
    small
        Small print below the map.
    current
        Key of the selected candidate, whose label is placed first.
    """
    risks, uses = ([getattr(point, key) / 100 for point in points] for key in ("risk", "use"))
    x, y = _make_axes(risks, uses, axes)
    marks: list[Mark] = []
    on_it = sorted((risk, use) for point, risk, use in zip(points, risks, uses, strict=True) if point.frontier)
    if len(set(on_it)) > 1:  # one place is no line, and the legend names none
        line = np.array(on_it)
        marks.append(Points("frontier", names[-1], line[:, 0], line[:, 1], joined=True))
    for kind, name in sorted(zip(KINDS, names, strict=False), key=lambda pair: pair[0] != ORIGINAL):
        places = [index for index, point in enumerate(points) if point.kind == kind]
        if places:
            at = np.array([(risks[index], uses[index]) for index in places])
            marks.append(Points(_ROLES[kind], name, at[:, 0], at[:, 1]))
    if axes.limit is not None:
        marks.append(Rule("limit", axes.limit / 100, axes.limit_text))
    for point, risk, use in zip(points, risks, uses, strict=True):
        weight = 2 if point.key and point.key == current else int(point.frontier)
        marks.append(Label(risk, use, point.label, weight))
    rows = [
        Row(cell, point.text, (risk, use), key=point.key)
        for cell, point, risk, use in zip(cells, points, risks, uses, strict=True)
    ]
    sentence = join_sentences([title, axes.risk, axes.use, axes.limit_text])
    return Scene(title, "", small, x, y, tuple(marks), sentence, tuple(rows))


def _make_axes(risks: Sequence[float], uses: Sequence[float], axes: MapAxes) -> tuple[Axis, Axis]:
    """Return (axis of risk, axis of usefulness) with ranges for all points, which are shares from 0 to 1.

    The risk begins at 0 and ends 10 % above the larger of its limit and largest value, at least at 0.01. The usefulness
    extends a little beyond its least and largest values, but not below 0 and at most a little above 1: values of 0.5 to
    0.9 give 0.46 to 0.94. Without points it goes from 0 to 1.1.
    """
    limits = [] if axes.limit is None else [axes.limit / 100]
    right = max(max([*risks, *limits], default=0.01) * 1.1, 0.01)
    low, high = min(uses, default=0.0), max(uses, default=1.0)
    spare = max((high - low) * 0.1, 0.02)
    low, high = max(low - spare, 0.0), high + spare
    high = max(min(high, _WHOLE + (_WHOLE - low) * _ABOVE), low + spare)
    return Axis(axes.risk, 0.0, right, percent=True), Axis(axes.use, low, high, percent=True)


_EQUAL = 0.0005


@dataclass(frozen=True)
class MapContent:
    """Content of the map.

    Attributes
    ----------
    points
        The original and each candidate that has figures on both axes.
    missing
        Names of the candidates that are not on the map.
    """

    points: list[MapPoint]
    missing: list[str]


def axes_of(risk: str, use: str, scorecard: Scorecard | None) -> MapAxes:
    """Return the titles of both axes and, for the risk ``match`` (probability of being found), its limit in percent.

    Parameters
    ----------
    risk, use
        Keys of the criteria on the axes.
    scorecard
        Figures of any candidate, which have the limit; None leaves it out.
    """
    if risk != "match" or scorecard is None:
        return MapAxes(name_criterion(risk), name_criterion(use))
    text = _("limit {limit}", limit=LimitOf(scorecard.limit, scorecard.limit))
    return MapAxes(name_criterion(risk), name_criterion(use), 100 * scorecard.limit, text)


def map_of(
    placed: Sequence[Placed], original: Scorecard | None, risk: str, use: str, best: str = "", star: str = ""
) -> MapContent:
    """Return the points of the map, and the names of candidates that are left out because a figure was not measured.

    Points are in the order of ``placed``. A risk is the upper end of its interval; both axes are in percent, 0 to 100.
    The original, if given and measured, is the last point; if it was not measured, it is left out without being named.

    Parameters
    ----------
    placed
        The finished candidates.
    original
        Figures of the original, or None.
    risk, use
        Keys of the criteria on the axes.
    best
        Name of the candidate that gets a star, "" for none.
    star
        Sentence on why this candidate comes first.
    """
    scorecards = [candidate.scorecard for candidate in placed]
    whole = [*scorecards, *([original] if original is not None else [])]
    risks = np.array([scorecard.upper(risk) for scorecard in whole], dtype=np.float64)
    uses = np.array([scorecard.value(use) for scorecard in whole], dtype=np.float64)
    on_it = flag_pareto_frontier(risks, uses)
    points, missing = [], []
    for index in range(len(whole)):
        entry = placed[index].entry if index < len(placed) else None
        name = entry.display_name if entry is not None else _("Original")
        if math.isnan(risks[index]) or math.isnan(uses[index]):
            if entry is not None:
                missing.append(entry.name)
            continue
        label = label_candidate(entry) if entry is not None else name
        text = f"{label}: {name_criterion(risk)} {format_risk(whole[index], risk)}, "
        text += f"{name_criterion(use)} {percent(uses[index])}, {describe_outcome(whole[index])}"
        if on_it[index]:
            text = f"{text}, {_('Best trade-off')}"
        key, kind, mark_label = "", ORIGINAL, name
        if entry is not None:
            key, kind = entry.name, scorecards[index].outcome
            if entry.name == best:
                mark_label, text = f"★ {name}", join_sentences([text, star])
        points.append(MapPoint(key, mark_label, 100 * risks[index], 100 * uses[index], kind, text, bool(on_it[index])))
    return MapContent(points, missing)


def describe_beyond_limit(placed: Sequence[Placed], risk: str) -> str:
    """Return a sentence that names the candidates beyond the map's limit to which it does not apply; "" without any.

    Only the risk ``match`` (being found) has a limit. It does not apply to candidates that leave the details unchanged
    that others may know; group sizes are checked there instead.
    """
    names = [
        candidate.entry.display_name
        for candidate in placed
        if risk == "match"
        and candidate.scorecard.upper(risk) > candidate.scorecard.limit
        and candidate.scorecard.judged(risk).status == NOT_APPLICABLE
    ]
    if not names:
        return ""
    return _(
        "The limit is not applied to {names}: details others may know are unchanged there, so group sizes are "
        "checked instead.",
        names=Terms(tuple(names)),
    )


def figure_headers(risk: str, use: str) -> tuple[str, ...]:
    """Return the headings of the map's table: version, risk, usefulness, frontier, outcome of the checks.

    ``risk`` and ``use`` are keys of criteria.
    """
    return (_("Version"), name_criterion(risk), name_criterion(use), _("Best trade-off"), _("Release"))


def figure_rows(
    map_content: MapContent, placed: Sequence[Placed], original: Scorecard | None, risk: str
) -> list[tuple[str, ...]]:
    """Return the points of the map as table rows: name, risk, usefulness, on the frontier or not, outcome of checks.

    A candidate's name is followed by its title or, without a title, its steps. The frontier is "yes" or "".
    ``original`` is needed if it is on the map. ``risk`` is the key of the criterion.
    """
    scorecard = {candidate.entry.name: candidate.scorecard for candidate in placed}
    if original is not None:
        scorecard[""] = original
    names = {candidate.entry.name: label_candidate(candidate.entry) for candidate in placed}
    return [
        (
            names.get(point.key, point.label),
            format_risk(scorecard[point.key], risk),
            percent(point.use / 100),
            _("yes") if point.frontier else "",
            describe_outcome(scorecard[point.key]),
        )
        for point in map_content.points
    ]


def title_of(placed: Sequence[Placed]) -> str:
    """Return a sentence on how many candidates may be released, and how many of these need no written reasons.

    If none may be released, it names the candidate that comes closest; without candidates it says that none is
    finished.
    """
    within = [candidate for candidate in placed if candidate.scorecard.is_within]
    if not placed:
        return _("No version is finished yet")
    if not within:
        return _(
            "No version meets every limit; {name} comes closest",
            name=Term(choose_best_candidate(placed).entry.display_name),
        )
    return _(
        "{n} of {all} {all:version|versions} may be released, {free} without written reasons",
        n=len(within),
        all=len(placed),
        free=sum(not candidate.scorecard.reasons for candidate in within),
    )


def describe_most_useful(placed: Sequence[Placed], use: str) -> str:
    """Return a sentence on the most useful releasable candidate by a criterion; "" if there is none or a tie.

    It is "" too if fewer than two candidates may be released.

    Parameters
    ----------
    placed
        The finished candidates.
    use
        Key of the criterion.
    """
    within = [candidate for candidate in placed if candidate.scorecard.is_within]
    name = _find_most_useful(within, use) if len(within) > 1 else ""
    if not name:
        return ""
    return _("{name} is best in: {criterion}.", name=Term(name), criterion=Term(name_criterion(use)))


def _find_most_useful(placed: Sequence[Placed], use: str) -> str:
    """Return the displayed name of the most useful candidate by a criterion (``use``).

    "" if none was measured, or for a tie: the two most useful differ by less than 0.0005.
    """
    rankings = sorted((-candidate.scorecard.value(use), index) for index, candidate in enumerate(placed))
    rankings = [ranking for ranking in rankings if not math.isnan(ranking[0])]
    if len(rankings) > 1 and abs(rankings[0][0] - rankings[1][0]) < _EQUAL:
        return ""
    return placed[rankings[0][1]].entry.display_name if rankings else ""
