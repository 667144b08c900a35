"""Scorecards (key figures) of the finished candidates, with their table and verdict; no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, find_best_candidate
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import CertainDisclosure
from ppdm_desktop.engine.release.gate.checks.levels_met import LevelsMet
from ppdm_desktop.engine.release.gate.checks.singling_out import SinglingOut
from ppdm_desktop.engine.release.verdict.usefulness import with_learners
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.report.figures_and_limits import (
    check_title,
    describe_common_value,
    describe_share,
    format_hits,
)
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.texts import LevelLabels, PlainTitle
from ppdm_desktop.engine.wording.values import Share, Term, Terms
from ppdm_desktop.ui.pages.compare.audit.states import WITHSTOOD, group_attacks, headline_of
from ppdm_desktop.ui.state.finished_candidates import (
    list_finished_candidates,
    require_evaluation,
    scorecard_by_marks,
    scorecard_of,
)
from ppdm_desktop.ui.state.level_texts import label_level
from ppdm_desktop.ui.state.number_texts import percent
from ppdm_desktop.ui.state.session import CandidateEntry, Session


@dataclass(frozen=True, eq=False)
class Placed:
    """A finished candidate with its scorecard, the figures by which candidates are compared."""

    entry: CandidateEntry
    scorecard: Scorecard


class Scorecards:
    """Cache of the reports of finished candidates; a report is renewed if its checks or analyses change."""

    def __init__(self) -> None:
        self._cached: dict[int, tuple[object, object, Report]] = {}

    def report(self, entry: CandidateEntry) -> Report:
        """Return the report of a finished candidate, with the results of its analyses if they were run.

        It is computed again only if the result of the checks or the analyses changed.
        """
        cached = self._cached.get(entry.serial)
        if cached is None or cached[0] is not entry.judged or cached[1] is not entry.analyses:
            report = require_evaluation(entry).report
            if entry.analyses is not None:
                report = with_learners(report, entry.analyses)
            cached = (entry.judged, entry.analyses, report)
            self._cached[entry.serial] = cached
        return cached[2]

    def forget(self) -> None:
        """Forget the reports of all candidates, so that they are computed again."""
        self._cached.clear()

    def of(self, entry: CandidateEntry) -> Scorecard:
        """Return the scorecard of a finished candidate."""
        return scorecard_of(self.report(entry))

    def all(self, session: Session) -> list[Placed]:
        """Return every finished candidate with its scorecard by the present marks, in the order of the queue."""
        entries = list_finished_candidates(session)
        return [Placed(entry, scorecard_by_marks(session, entry, self.report(entry))) for entry in entries]

    def original(self, session: Session) -> Scorecard | None:
        """Return the scorecard of the original, None without a finished candidate or if the original was not judged.

        It is taken from a candidate's report: preferably of a candidate that is up to date, and of these one with
        analyses.
        """
        entries = list_finished_candidates(session)
        if not entries:
            return None
        entries = [entry for entry in entries if not session.is_stale(entry.basis)] or entries
        tried = next((entry for entry in entries if entry.analyses is not None), entries[0])
        original = self.report(tried).original
        return None if original is None else Scorecard(original)


def choose_best_candidate(placed: Sequence[Placed]) -> Placed:
    """Return the best candidate that may be released, or the one nearest to being releasable if none may be.

    The best needs the fewest written reasons and among these is the most useful, with the exceptions of
    ``sort_best_first``. Nearest is the one with the fewest blocking checks, then with the smallest share of people who
    can be linked. ``placed`` must not be empty.
    """
    best_index = find_best_candidate([candidate.scorecard for candidate in placed])
    assert best_index is not None
    return placed[best_index]


def describe_outcome(scorecard: Scorecard) -> str:
    """Return a label for the outcome of the checks: how many stop the release, else how many written reasons it needs.

    If there are neither, it says that every check is passed.
    """
    if scorecard.outcome == "blocked":
        return _("{n} {n:check stops|checks stop} the release", n=scorecard.blocked)
    if scorecard.outcome == "released-with-reasons":
        return _("{n} written {n:reason is|reasons are} needed", n=scorecard.reasons)
    return _("Every check is passed")


def explain_blocked_release(scorecard: Scorecard) -> str:
    """Return a sentence that names the checks that prevent the release of a candidate; "" if none does."""
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
    """Return the headings of the table of candidates, in the order of the cells of ``table_rows``.

    They are seven: version, release, picked out, found, useful, predictions, levels.
    """
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
    """Return the table rows of the original, if given, and of every finished candidate, in this order.

    A row has seven texts. Its name says if a candidate is chosen or out of date. The last text says how many people do
    not have what their protection level demands ("✓ all" for nobody); for the original it is a dash. Unknown figures
    are a dash, too.

    Parameters
    ----------
    session
        Has the chosen candidate, and knows which candidates are out of date.
    placed
        The finished candidates.
    original
        Scorecard of the original, or None.
    best
        Name of the candidate that gets a star.
    """
    rows = []
    if original is not None:
        rows.append((_("Original"), _format_release_cell(original), *_format_figure_cells(original), "–"))
    for candidate in placed:
        star = "★ " if candidate.entry.name == best else ""
        name = f"{star}{candidate.entry.display_name}  {candidate.entry.title}".strip()
        if session.decisions.chosen == candidate.entry.name:
            name = _("{name}  (chosen)", name=Term(name))
        if session.is_stale(candidate.entry.basis):
            name = _("{name}  (out of date)", name=Term(name))
        short = candidate.scorecard.levels_short
        levels = "–" if short is None else _("✓ all") if short == 0 else _("△ {n} not", n=short)
        rows.append(
            (name, _format_release_cell(candidate.scorecard), *_format_figure_cells(candidate.scorecard), levels)
        )
    return rows


def _format_release_cell(scorecard: Scorecard) -> str:
    """Return a table cell on the checks: "✕ stopped", "✓ yes", or the number of reasons needed."""
    if scorecard.blocked:
        return _("✕ stopped")
    if not scorecard.reasons:
        return _("✓ yes")
    return _("! {n} {n:reason|reasons}", n=scorecard.reasons)


def _format_figure_cells(scorecard: Scorecard) -> tuple[str, ...]:
    """Return a candidate's four figures as table cells; unknown figures are a dash.

    They are the number of people singled out ("3 of 12"), the upper end of the interval of the risk of being found,
    usefulness, and the accuracy of a decision tree; the last three are percentages.
    """
    return (
        "–" if scorecard.singled_out is None else format_hits(scorecard.singled_out, scorecard.singled_out_of),
        format_risk(scorecard, "match"),
        percent(scorecard.value("useful")),
        percent(scorecard.value("tree")),
    )


def format_risk(scorecard: Scorecard, criterion: str) -> str:
    """Return a risk as a percentage, rounded as on all other pages; a dash where it was not measured.

    ``criterion`` is a key of ``RISKS``. Of a risk with an interval it is the upper end, rounded up: 1.26 % is "2%".
    Decimals are added where the risk would look equal to its limit: "9.04%" for a limit of 9 %.
    """
    check = scorecard.judged(criterion)
    is_share = check.share is not None and check.figure is not None and check.figure.unit == "share"
    return describe_share(check) if is_share and criterion != "alone" else percent(scorecard.upper(criterion))


# --- the verdict ------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """A summary of one candidate.

    Attributes
    ----------
    severity, word
        Outcome of the checks: ``blocks``, ``amber`` or ``passed``, and its label.
    text
        Protection and loss in sentences.
    working
        Whether an attack works, or a check on an attack blocks or asks for a reason.
    attacks
        Result of the attacks in words; empty if none was made.
    """

    severity: str
    word: str
    text: str
    working: bool = False
    attacks: str = ""


def summarise_candidate(entry: CandidateEntry) -> Verdict:
    """Return a summary of a candidate: outcome of the checks, of the attacks, and sentences on protection and loss.

    The severity is ``blocks`` if a check blocks, ``amber`` if a check needs a written reason, otherwise ``passed``. The
    sentences, one a line, are on revealed and very common values, people singled out, protection levels and
    usefulness; what was not measured is left out.
    """
    judged = require_evaluation(entry)
    report = judged.report
    scorecard = Scorecard(report.verdict)
    severity = "blocks" if scorecard.blocked else "amber" if scorecard.reasons else "passed"
    release_verdict, original = report.verdict, report.original
    with choose_counted_unit(rows=release_verdict.counts_rows):
        parts = [
            _describe_revealed_values(release_verdict, original),
            describe_common_value(release_verdict),
            _describe_singled_out(release_verdict, original),
            level_sentence(release_verdict, report.privacy.level_labels),
            release_verdict.usefulness.summary,
        ]
        working, attacks = _judge_attacks(report)
    return Verdict(severity, describe_outcome(scorecard), "\n".join(part for part in parts if part), working, attacks)


def _judge_attacks(report: Report) -> tuple[bool, str]:
    """Return (is an attack a problem, summary sentence of the attacks).

    It is a problem if an attack works, or if the check on one blocks the release or asks for a reason; an attack that
    is only not ruled out is none. (False, "") if no attack was made.
    """
    if not report.verdict.attacks:
        return False, ""
    state, text = headline_of(group_attacks(report))
    return state != WITHSTOOD, text


def _share_of_people(verdict: model.Verdict, hits: int, of: int | None = None) -> Share:
    """Return ``hits`` as a share of ``of``; None stands for all people that the verdict counts."""
    return Share(hits, verdict.people if of is None else of)


def _describe_revealed_values(verdict: model.Verdict, original: model.Verdict | None) -> str:
    """Return a sentence on how many people have a confidential value revealed with certainty, before and after.

    After means in the release (``verdict``), before in the original. It is "" if either number is unknown.
    """
    after = verdict.certain_by_others
    before = original.certain_by_others if original is not None else None
    if before is None or after is None:
        return ""
    return _describe_change(CertainDisclosure.figure_title, _share_of_people(verdict, after), before)


def _describe_singled_out(verdict: model.Verdict, original: model.Verdict | None) -> str:
    """Return a sentence on how many people are singled out, before and after; "" if either is unknown.

    After means in the release (``verdict``), before in the original. The number of singled-out people is the one in the
    table of candidates (``Scorecard.singled_out``).
    """
    after = Scorecard(verdict).singled_out
    before = None if original is None else Scorecard(original).singled_out
    if after is None or before is None:
        return ""
    return _describe_change(SinglingOut.figure_title, _share_of_people(verdict, after), before)


def _describe_change(title: str, after: Share, before: int) -> str:
    """Return a sentence with a figure after and before, such as "Picked out: 3 of 60. Before: 12".

    ``title`` is the text id whose title names the figure, ``before`` a number of people.
    """
    return _("{figure}: {after:full}. Before: {before}.", figure=PlainTitle(title), after=after, before=before)


def level_sentence(verdict: model.Verdict, level_labels: LevelLabels | None = None) -> str:
    """Return a sentence on how many people reach their protection level, and which levels are missed.

    A level is missed if what it demands is not proved for the release. It is "" if this was not counted.
    ``level_labels`` has the words that the file uses for levels, by level.
    """
    check = verdict.check(LevelsMet.id)
    if check.hits is None or check.of is None:
        return ""
    kept = max(check.of - check.hits, 0)
    text = _(
        "{kept:full} {kept:has|have} at least their protection level, including the Basic level.",
        kept=_share_of_people(verdict, kept, check.of),
    )
    missed = dict.fromkeys(label_level(proof.level, level_labels) for proof in verdict.levels if not proof.met)
    if not missed:
        return text
    return f"{text} {_('Not met for: {levels}.', levels=Terms(tuple(missed)))}"
