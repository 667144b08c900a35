"""What the map of candidates shows: marks, sentence and table, from where the engine says they stand. No widgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.release.standing import Standing, nearest, standing_of, standing_of_original
from ppdm_desktop.engine.utility.frontier import frontier
from ppdm_desktop.ui.charts.scatter_marks import MET, ORIGINAL, SHORT
from ppdm_desktop.ui.charts.scatter_points import MapAxes, MapPoint
from ppdm_desktop.ui.pages.compare_logic import finished, judged_of, label
from ppdm_desktop.ui.session import CandidateEntry, Session
from ppdm_desktop.ui.words import count

_EQUAL = 0.0005


def _tr(text: str) -> str:
    return QCoreApplication.translate("Map", text)


@dataclass(frozen=True, eq=False)
class Placed:
    """A finished candidate and where it stands."""

    entry: CandidateEntry
    standing: Standing


class Standings:
    """Where the finished candidates stand, each worked out once for each judgement and its analyses."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, object, Standing]] = {}

    def of(self, entry: CandidateEntry) -> Standing:
        """Return where a finished candidate stands."""
        known = self._known.get(entry.name)
        if known is None or known[0] is not entry.judged or known[1] is not entry.analyses:
            known = (entry.judged, entry.analyses, standing_of(judged_of(entry), entry.analyses))
            self._known[entry.name] = known
        return known[2]

    def all(self, session: Session) -> list[Placed]:
        """Return every finished candidate."""
        return [Placed(entry, self.of(entry)) for entry in finished(session)]

    def original(self, session: Session) -> Standing | None:
        """Return where the original stands, from the first finished candidate and any analyses of it."""
        entries = finished(session)
        if not entries:
            return None
        tried = next((entry for entry in entries if entry.analyses is not None), entries[0])
        return standing_of_original(judged_of(tried), tried.analyses)


# --- words ------------------------------------------------------------------------------


def risk_choices() -> list[tuple[str, str]]:
    """Return the risks to choose from: (criterion, words)."""
    return [
        ("match", _tr("Right match")),
        ("alone", _tr("Alone")),
        ("certain", _tr("Read off for certain")),
        ("inference", _tr("Better guess")),
        ("reversal", _tr("Values retraced")),
    ]


def use_choices() -> list[tuple[str, str]]:
    """Return the sorts of usefulness to choose from."""
    return [
        ("detail", _tr("Detail kept")),
        ("relations", _tr("Relations kept")),
        ("tree", _tr("Decision tree")),
        ("naive-bayes", _tr("Naive Bayes")),
    ]


def words_of(criterion: str) -> str:
    """Return a criterion in words."""
    return dict(risk_choices() + use_choices() + [("analyses", _tr("Analyses"))])[criterion]


def explained(criterion: str) -> str:
    """Return what the figures of an axis count."""
    return {
        "match": _tr("right match: of 100 people a snooper picks the right row for"),
        "alone": _tr("alone: of 100 people, those nobody else looks like"),
        "certain": _tr("of 100 people, those whose secret can be read off"),
        "inference": _tr("of 100 people, those guessed right only because they are in the file"),
        "reversal": _tr("of 100 values, those got back beyond what a guess gives"),
        "detail": _tr("detail kept, of 100"),
        "relations": _tr("relations kept, of 100"),
        "tree": _tr("told right by a decision tree, of 100"),
        "naive-bayes": _tr("told right by naive Bayes, of 100"),
    }[criterion]


def printed(criterion: str) -> str:
    """Return how a criterion is measured, in small print."""
    return {
        "match": _tr(
            "Right match: class sizes or the linkage attack, whichever finds more; upper end of its interval."
        ),
        "alone": _tr("Alone: classes of one record by the columns that others may know (uniquely identifiable)."),
        "certain": _tr("Certain: people whose true confidential value follows from the release."),
        "inference": _tr(
            "Better guess: inference attack less its control, worst column, upper end of the 95 % interval."
        ),
        "reversal": _tr("Retraced: strongest attack that undoes values, less chance, upper end of its interval."),
        "detail": _tr(
            "Detail: mean over released columns of granularity where values were made coarser, else of 1 less total "
            "variation."
        ),
        "relations": _tr("Relations: 1 less the mean change of the correlation of two columns."),
        "tree": _tr("Tree: cross-validated on people it was not grown on, learnt from the release."),
        "naive-bayes": _tr("Naive Bayes: cross-validated on people it did not see, learnt from the release."),
    }[criterion]


def hundred(value: float) -> str:
    """Write a share of 100 without its base: whole, never 0 or 100 unless exact."""
    if math.isnan(value):
        return "–"
    rounded = round(100 * value)
    if rounded == 0 and value > 0:
        return _tr("under 1")
    if rounded == 100 and value < 1:
        return _tr("over 99")
    return QLocale().toString(rounded)


def limit_words(standing: Standing) -> str:
    """Write the limit on the right match."""
    return QLocale().toString(round(100 * standing.limit, 1), "g", 3)


# --- the map ----------------------------------------------------------------------------


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


def axes_of(risk: str, use: str, standing: Standing | None) -> MapAxes:
    """Return what the axes say; only the right match has a limit."""
    if risk != "match" or standing is None:
        return MapAxes(explained(risk), explained(use))
    words = _tr("limit {n}").format(n=limit_words(standing))
    return MapAxes(explained(risk), explained(use), 100 * standing.limit, words, _tr("within the limit"))


def map_of(placed: Sequence[Placed], original: Standing | None, risk: str, use: str, best: str = "") -> Shown:
    """Return the marks; ``best`` is the candidate that wins by the user's weights."""
    standings = [each.standing for each in placed]
    whole = [*standings, *([original] if original is not None else [])]
    risks = np.array([each.upper(risk) for each in whole], dtype=np.float64)
    uses = np.array([each.value(use) for each in whole], dtype=np.float64)
    on_it = frontier(risks, uses)
    points, missing = [], []
    for place, each in enumerate(whole):
        entry = placed[place].entry if place < len(placed) else None
        name = entry.name if entry is not None else _tr("Original")
        if math.isnan(risks[place]) or math.isnan(uses[place]):
            if entry is not None:
                missing.append(name)
            continue
        kind = ORIGINAL if entry is None else MET if each.levels_met else SHORT
        said = label(entry) if entry is not None else name
        words = f"{said}: {words_of(risk)} {hundred(risks[place])}, {words_of(use)} {hundred(uses[place])}"
        if on_it[place]:
            words = _tr("{words}, on the frontier").format(words=words)
        shown = f"★ {name}" if entry is not None and name == best else name
        key = entry.name if entry is not None else ""
        points.append(MapPoint(key, shown, 100 * risks[place], 100 * uses[place], kind, words, bool(on_it[place])))
    return Shown(points, missing)


def figure_headers(risk: str, use: str) -> tuple[str, ...]:
    """Return the headings of the map as a table."""
    return (_tr("Candidate"), words_of(risk), words_of(use), _tr("Frontier"), _tr("Limits"))


def figure_rows(shown: Shown, placed: Sequence[Placed]) -> list[tuple[str, ...]]:
    """Return the marks as rows."""
    standing = {each.entry.name: each.standing for each in placed}
    names = {each.entry.name: label(each.entry) for each in placed}
    return [
        (
            names.get(point.key, point.label),
            f"{point.risk:.1f}",
            f"{point.use:.1f}",
            _tr("on it") if point.frontier else "",
            ("–" if not point.key else _tr("kept") if not standing[point.key].short_of else _tr("not kept")),
        )
        for point in shown.points
    ]


def title_of(placed: Sequence[Placed], use: str) -> str:
    """Say in a sentence who is within every limit, and which of them keeps most."""
    within = [each for each in placed if not each.standing.short_of]
    if not placed:
        return _tr("No candidate is finished yet")
    if not within:
        return _tr("No candidate is within every limit; {name} comes nearest").format(
            name=nearest_of(placed).entry.name
        )
    names = [each.entry.name for each in within]
    most = _keeps_most(within, use)
    if len(placed) == 1:
        return _tr("{name} is within every limit").format(name=names[0])
    if len(names) == 1:
        return _tr("Only {name} is within every limit").format(name=names[0])
    if len(names) == 2:
        said = _tr("{one} and {other} are within every limit").format(one=names[0], other=names[1])
        if len(placed) > 2:
            said = _tr("Only {one} and {other} are within every limit").format(one=names[0], other=names[1])
        return _tr("{said}; {name} keeps more").format(said=said, name=most) if most else said
    said = _tr("{n} of {all} candidates are within every limit").format(n=len(names), all=len(placed))
    if len(names) == len(placed):
        said = _tr("All {n} candidates are within every limit").format(n=len(names))
    return _tr("{said}; {name} keeps most").format(said=said, name=most) if most else said


def _keeps_most(placed: Sequence[Placed], use: str) -> str:
    """Return who keeps more than all others, empty where several keep as much."""
    known = sorted((-each.standing.value(use), place) for place, each in enumerate(placed))
    known = [each for each in known if not math.isnan(each[0])]
    if len(known) > 1 and abs(known[0][0] - known[1][0]) < _EQUAL:
        return ""
    return placed[known[0][1]].entry.name if known else ""


def nearest_of(placed: Sequence[Placed]) -> Placed:
    """Return the candidate that falls short of least."""
    place = nearest([each.standing for each in placed])
    assert place is not None
    return placed[place]


def shortfall(standing: Standing) -> str:
    """Say what keeps a candidate from being within every limit, and what to change; empty when it is."""
    parts = []
    for each in standing.short_of:
        if each == "match":
            parts.append(
                _tr(
                    "Its right match is {n} of 100, the limit {limit}: make values coarser or groups larger, or remove "
                    "who stands out."
                ).format(n=hundred(standing.upper("match")), limit=limit_words(standing))
            )
        elif each == "levels":
            parts.append(
                _tr("{n} people lack their level: use stronger settings, or give them a weaker level.").format(
                    n=count(standing.levels_short or 0)
                )
            )
        elif each == "blocked":
            parts.append(_tr("{n} checks block it: Release says which and what mends them.").format(n=standing.blocked))
        else:
            note = standing.figures["match"].note or ""
            parts.append(_tr("Its right match was not measured ({why}).").format(why=note))
    return " ".join(parts)


# --- the table of candidates ------------------------------------------------------------


def table_headers() -> tuple[str, ...]:
    """Return the headings of ``table_candidates``."""
    return (_tr("Candidate"), _tr("Alone"), _tr("Match"), _tr("Detail"), _tr("Tree"), _tr("Levels"))


def table_rows(
    session: Session, placed: Sequence[Placed], original: Standing | None, best: str
) -> list[tuple[str, ...]]:
    """Return the original and every finished candidate."""
    rows = []
    if original is not None:
        rows.append((_tr("Original"), *_figures(original), "–"))
    for each in placed:
        name = label(each.entry)
        if each.entry.name == best:
            name = f"★ {name}"
        if session.decisions.chosen == each.entry.name:
            name = _tr("{name}  (chosen)").format(name=name)
        if session.is_stale(each.entry.basis):
            name = _tr("{name}  (out of date)").format(name=name)
        short = each.standing.levels_short
        levels = "–" if short is None else _tr("✓ all") if short == 0 else _tr("△ {n} not").format(n=count(short))
        rows.append((name, *_figures(each.standing), levels))
    return rows


def _figures(standing: Standing) -> tuple[str, ...]:
    return (
        "–" if standing.alone is None else count(standing.alone),
        hundred(standing.upper("match")),
        hundred(standing.value("detail")),
        hundred(standing.value("tree")),
    )
