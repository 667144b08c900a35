"""Where the finished candidates stand, what each falls short of, and their table. No widgets here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, nearest, scorecard_of, scorecard_of_original
from ppdm_desktop.engine.texts import plural
from ppdm_desktop.ui.state.finished_candidates import finished, judged_of, label
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.state.session import CandidateEntry, Session


def _tr(text: str) -> str:
    return QCoreApplication.translate("Map", text)


@dataclass(frozen=True, eq=False)
class Placed:
    """A finished candidate and where it stands."""

    entry: CandidateEntry
    scorecard: Scorecard


class Scorecards:
    """Where the finished candidates stand, each worked out once for each judgement and its analyses."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, object, Scorecard]] = {}

    def of(self, entry: CandidateEntry) -> Scorecard:
        """Return where a finished candidate stands."""
        known = self._known.get(entry.name)
        if known is None or known[0] is not entry.judged or known[1] is not entry.analyses:
            known = (entry.judged, entry.analyses, scorecard_of(judged_of(entry), entry.analyses))
            self._known[entry.name] = known
        return known[2]

    def all(self, session: Session) -> list[Placed]:
        """Return every finished candidate."""
        return [Placed(entry, self.of(entry)) for entry in finished(session)]

    def original(self, session: Session) -> Scorecard | None:
        """Return where the original stands, from the first finished candidate and any analyses of it."""
        entries = finished(session)
        if not entries:
            return None
        tried = next((entry for entry in entries if entry.analyses is not None), entries[0])
        return scorecard_of_original(judged_of(tried), tried.analyses)


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


def limit_words(scorecard: Scorecard) -> str:
    """Write the limit on the right match."""
    return QLocale().toString(round(100 * scorecard.limit, 1), "g", 3)


def nearest_of(placed: Sequence[Placed]) -> Placed:
    """Return the candidate that falls short of least."""
    place = nearest([each.scorecard for each in placed])
    assert place is not None
    return placed[place]


def shortfall(scorecard: Scorecard) -> str:
    """Say what keeps a candidate from being within every limit, and what to change; empty when it is."""
    parts = []
    for each in scorecard.short_of:
        if each == "match":
            parts.append(
                _tr(
                    "Its right match is {n} of 100, the limit {limit}: make values coarser or groups larger, or remove "
                    "who stands out."
                ).format(n=hundred(scorecard.upper("match")), limit=limit_words(scorecard))
            )
        elif each == "levels":
            short = scorecard.levels_short or 0
            words = plural(
                short,
                _tr("1 person lacks their level: use stronger settings, or give them a weaker level."),
                _tr("{n} people lack their level: use stronger settings, or give them a weaker level."),
            )
            parts.append(words.format(n=count(short)))
        elif each == "blocked":
            words = plural(
                scorecard.blocked,
                _tr("1 check blocks it: Release says which and what mends it."),
                _tr("{n} checks block it: Release says which and what mends them."),
            )
            parts.append(words.format(n=count(scorecard.blocked)))
        else:
            note = scorecard.figures["match"].note or ""
            parts.append(_tr("Its right match was not measured ({why}).").format(why=note))
    return " ".join(parts)


# --- the table of candidates ------------------------------------------------------------


def table_headers() -> tuple[str, ...]:
    """Return the headings of ``table_candidates``."""
    return (_tr("Candidate"), _tr("Alone"), _tr("Match"), _tr("Detail"), _tr("Tree"), _tr("Levels"))


def table_rows(
    session: Session, placed: Sequence[Placed], original: Scorecard | None, best: str
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
        short = each.scorecard.levels_short
        levels = "–" if short is None else _tr("✓ all") if short == 0 else _tr("△ {n} not").format(n=count(short))
        rows.append((name, *_figures(each.scorecard), levels))
    return rows


def _figures(scorecard: Scorecard) -> tuple[str, ...]:
    return (
        "–" if scorecard.alone is None else count(scorecard.alone),
        hundred(scorecard.upper("match")),
        hundred(scorecard.value("detail")),
        hundred(scorecard.value("tree")),
    )
