"""Where the finished candidates stand, what each falls short of, and their table. No widgets here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, best
from ppdm_desktop.engine.release.verdict.usefulness import with_learners
from ppdm_desktop.engine.report.figures_and_limits import so_many
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.report_words import check_title
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.state.finished_candidates import finished, judged_of, label, scorecard_of
from ppdm_desktop.ui.state.number_words import percent
from ppdm_desktop.ui.state.session import CandidateEntry, Session


@dataclass(frozen=True, eq=False)
class Placed:
    """A finished candidate and where it stands."""

    entry: CandidateEntry
    scorecard: Scorecard


class Scorecards:
    """Where the finished candidates stand, each put together once for each judgement and its analyses."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, object, Report]] = {}

    def report(self, entry: CandidateEntry) -> Report:
        """Return the report of a finished candidate with what its analyses found, as far as they were tried."""
        known = self._known.get(entry.serial)
        if known is None or known[0] is not entry.judged or known[1] is not entry.analyses:
            report = judged_of(entry).report
            if entry.analyses is not None:
                report = with_learners(report, entry.analyses)
            known = (entry.judged, entry.analyses, report)
            self._known[entry.serial] = known
        return known[2]

    def forget(self) -> None:
        """Forget all of them."""
        self._known.clear()

    def of(self, entry: CandidateEntry) -> Scorecard:
        """Return where a finished candidate stands."""
        return scorecard_of(self.report(entry))

    def all(self, session: Session) -> list[Placed]:
        """Return every finished candidate."""
        return [Placed(entry, self.of(entry)) for entry in finished(session)]

    def original(self, session: Session) -> Scorecard | None:
        """Return where the original stands by the decisions as they are, with any analyses of it.

        Where every candidate is from before them, it is judged as the candidates are.
        """
        entries = finished(session)
        if not entries:
            return None
        entries = [each for each in entries if not session.is_stale(each.basis)] or entries
        tried = next((entry for entry in entries if entry.analyses is not None), entries[0])
        original = self.report(tried).original
        return None if original is None else Scorecard(original)


def best_of(placed: Sequence[Placed]) -> Placed:
    """Return the candidate of the best decision; the one that comes nearest where none may be released."""
    place = best([each.scorecard for each in placed])
    assert place is not None
    return placed[place]


def outcome_words(scorecard: Scorecard) -> str:
    """Say what the checks let come of a table."""
    if scorecard.outcome == "blocked":
        return _("stopped by {n} {n:check|checks}", n=scorecard.blocked)
    if scorecard.outcome == "released-with-reasons":
        return _("may be released with {n} written {n:reason|reasons}", n=scorecard.reasons)
    return _("may be released")


def shortfall(scorecard: Scorecard) -> str:
    """Say what keeps a candidate from being released, each check in its own words; empty when nothing does."""
    blocking = scorecard.verdict.blocking
    if not blocking:
        return ""
    return _(
        "{n} {n:check stops|checks stop} the release: {checks}. The Release page says how to fix {n:it|them}.",
        n=len(blocking),
        checks=Terms(tuple(map(check_title, blocking))),
    )


# --- the table of candidates ------------------------------------------------------------


def table_headers() -> tuple[str, ...]:
    """Return the headings of ``table_candidates``."""
    return (
        _("Version"),
        _("Release"),
        _("Picked out"),
        _("Found"),
        _("Useful"),
        _("Predictions"),
        _("Levels"),
    )


def table_rows(
    session: Session, placed: Sequence[Placed], original: Scorecard | None, best: str
) -> list[tuple[str, ...]]:
    """Return the original and every finished candidate."""
    rows = []
    if original is not None:
        rows.append((_("Original"), _release_cell(original), *_figures(original), "–"))
    for each in placed:
        name = label(each.entry)
        if each.entry.name == best:
            name = f"★ {name}"
        if session.decisions.chosen == each.entry.name:
            name = _("{name}  (chosen)", name=Term(name))
        if session.is_stale(each.entry.basis):
            name = _("{name}  (out of date)", name=Term(name))
        short = each.scorecard.levels_short
        levels = "–" if short is None else _("✓ all") if short == 0 else _("△ {n} not", n=short)
        rows.append((name, _release_cell(each.scorecard), *_figures(each.scorecard), levels))
    return rows


def _release_cell(scorecard: Scorecard) -> str:
    if scorecard.blocked:
        return _("✕ stopped")
    if not scorecard.reasons:
        return _("✓ yes")
    return _("! {n} {n:reason|reasons}", n=scorecard.reasons)


def _figures(scorecard: Scorecard) -> tuple[str, ...]:
    return (
        "–" if scorecard.alone is None else so_many(scorecard.alone, scorecard.picked_of),
        percent(scorecard.upper("match")),
        percent(scorecard.value("useful")),
        percent(scorecard.value("tree")),
    )
