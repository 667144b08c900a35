"""The session: the user's decisions with undo, and the results made from them. No Qt here.

Decisions are immutable snapshots without data, so undo and redo are unlimited and cost nothing. Results (risk figures,
candidates) remember the decisions from which they were made; when those change, results are marked as outdated but
never deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.rows import count_rows
from ppdm_desktop.ui.state.decisions import Decisions, describe_decision

# The window is there before recipes and tables can be: what works on them is imported where it does so.
if TYPE_CHECKING:
    from ppdm_desktop.engine.decision_log import Entry, LogLine
    from ppdm_desktop.engine.identifiability.risk import RiskFigures
    from ppdm_desktop.engine.randomness import Key, RecipientSecret
    from ppdm_desktop.engine.recipe.models import Recipe, StepSection, SweepSection
    from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared
    from ppdm_desktop.engine.release.gate import Evidence
    from ppdm_desktop.engine.release.measures.analyses import Analyses
    from ppdm_desktop.engine.release.storage.ledger import DrawEntry
    from ppdm_desktop.engine.release.writing.export import Evaluation
    from ppdm_desktop.engine.report.charts_usefulness import Curve
    from ppdm_desktop.engine.table.reading import Reading
    from ppdm_desktop.engine.table.reading.proposals import Proposal
    from ppdm_desktop.ui.state.column_facts import ColumnFacts
    from ppdm_desktop.ui.state.tried_range import TriedRange

_SERIALS = count(1)

STEPS = ("open", "columns", "levels", "risk", "protect", "compare", "release")
_BASIS_PARTS = ("input", "columns", "privacy", "risk", "release", "rules")


class State(Enum):
    """State of a page in the list of pages."""

    NOT_YET = "not-yet"
    READY = "ready"
    DONE = "done"
    STALE = "stale"


@dataclass(frozen=True, eq=False)
class Assessment:
    """The risk of the original file, and a digest of the decisions for which it was computed."""

    basis: bytes
    prepared: Prepared
    risk: RiskFigures
    document: dict[str, Any]


@dataclass(eq=False)
class CandidateEntry:
    """A candidate in the queue: one run of a recipe with a key, waiting, running or finished.

    Attributes
    ----------
    name
        ``C1``, ``C2``, …
    default_title, title
        The title it was created with, and the user's title; empty without one.
    recipe
        The recipe it runs, copied when it was queued.
    key
        The key of its random draws, which no other run has.
    basis
        Digest of the decisions it depends on, to notice when it is outdated.
    status
        ``waiting``, ``running``, ``done``, ``failed``, ``cancelled`` or ``again`` (from a reopened project).
    error
        Sentence that explains a failure.
    candidate, judged
        The engine's candidate and its evaluation (gate and report), once done.
    planned
        The table and attacks that a search for versions already made with the same recipe and key; None without one.
    analyses, curves
        Results of analyses and of reconstructing noisy columns, once the user opened them.
    serial
        Number that no other run has, of this file or a later one. Names are not unique: every file has a ``C1``, and a
        run that is made again keeps its name.
    """

    name: str
    recipe: Recipe
    key: Key
    basis: bytes
    created: str
    status: str = "waiting"
    fraction: float = 0.0
    doing: str = ""
    error: str = ""
    seconds: float = 0.0
    default_title: str = ""
    title: str = ""
    candidate: Candidate | None = None
    judged: Any = None
    planned: Evidence | None = None
    analyses: Analyses | None = None
    curves: tuple[Curve, ...] | None = None
    serial: int = field(default_factory=lambda: next(_SERIALS))

    @property
    def display_name(self) -> str:
        """Name of the candidate on screen, such as ``Version 1``."""
        return version_name(self.name)

    def rerun(self) -> None:
        """Give the entry a new serial number, so that nothing recorded of the earlier run is used; drop ``planned``."""
        self.serial, self.planned = next(_SERIALS), None


def version_name(name: str) -> str:
    """Return a candidate's name on screen: "Version 1" for ``C1``; any other name unchanged."""
    number = name.removeprefix("C")
    return _("Version {n:place}", n=int(number)) if number.isdecimal() else name


def _make_draw_key(candidate: Candidate) -> tuple[str, object]:
    """Return a key that is equal for candidates with the same source and the same steps that draw at random.

    Candidates are protected versions of the file; with equal keys they differ only in their random draws.
    """
    from ppdm_desktop.engine.release.storage.ledger import drawing_steps

    return candidate.prepared.account.sha256, drawing_steps(candidate)


def _list_log_entries(before: Decisions, after: Decisions) -> list[Entry]:
    """Return log entries for the decisions that differ: confirmed roles, privacy levels, chosen version, reasons.

    There is an entry for each column that was newly confirmed, or whose role changed while it is confirmed. A reason
    that was taken back gives an entry with an empty text; a confirmation or a chosen version that was taken back gives
    none. Entries have the new value only, and are sorted by event and what they are about.
    """
    from ppdm_desktop.engine.decision_log import Entry

    entries = []
    if before.recipe.columns is not after.recipe.columns or before.confirmed != after.confirmed:
        for name in after.confirmed & after.recipe.columns.keys():
            role, earlier = after.recipe.columns[name].role, before.recipe.columns.get(name)
            if name not in before.confirmed or earlier is None or earlier.role != role:
                entries.append(Entry("roles", name, role))
    if before.recipe.privacy != after.recipe.privacy:
        entries.append(Entry("levels", "", after.recipe.privacy.model_dump_json(exclude_defaults=True)))
    if after.chosen and before.chosen != after.chosen:
        methods = (step.method for step in after.recipe.steps)
        entries.append(Entry("version", after.chosen, ", ".join(methods)))
    old, new = before.recipe.accept, after.recipe.accept
    changed = (cause for cause in {**old, **new} if old.get(cause) != new.get(cause))
    entries += [Entry("reason", cause, new[cause].reason if cause in new else "") for cause in changed]
    return sorted(entries, key=lambda entry: (entry.event, entry.about))


class Session:
    """The user's decisions with their history for undo, and the results made from them.

    Listeners are plain functions called after every change, so the session knows no widget.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[[], None]] = []
        self._decisions: Decisions | None = None
        self.file_number = 0
        """How many files were opened so far; what belongs to another number belongs to another file."""
        self.reading_number = 0
        """How many tables were read so far, of any file."""
        self.reading: Reading | None = None
        self.facts: Mapping[str, ColumnFacts] = {}
        self.proposals: tuple[Proposal, ...] = ()
        self.last_record: dict[str, str] = {}
        """What the record of the last release was filled with that holds for other files as well."""
        self.forms: tuple[str, ...] = ()
        """The forms whose papers are wanted, by id."""
        self.forms_folder = ""
        """The folder with an organisation's own forms; empty without one."""
        self._basis: tuple[Recipe, bytes] | None = None
        self.project: Path | None = None
        self.log: tuple[LogLine, ...] = ()
        """The decisions on the open file, oldest first, as the project and its releases keep them."""
        self.draws: tuple[DrawEntry, ...] = ()
        """What is known of candidates that were drawn, oldest first: of this window, the project and the ledger."""
        self._tried: dict[tuple[str, object], int] = {}
        self._open_words: tuple[tuple[object, ...], tuple[str, ...]] | None = None
        self._forget_file()

    def _forget_file(self) -> None:
        """Drop the history of decisions, the results and all else that belongs to one open file only."""
        self._past: list[Decisions] = []
        self._future: list[Decisions] = []
        self.settled: set[tuple[str, str]] = set()
        self.assessment: Assessment | None = None
        self.candidates: list[CandidateEntry] = []
        self.tried: TriedRange | None = None
        """The range of values that was tried last, or is being tried; never saved."""
        self.to_see: CandidateEntry | None = None
        """The candidate that Compare is to show as soon as it is finished."""
        self._last_number = 0
        self.secrets: dict[str, RecipientSecret] = {}
        """Recipients' secrets that were drawn or opened in this window, by their marks; never saved."""
        self.released: int | None = None
        """Serial of the candidate that was written last."""
        self.last_reasons: Mapping[str, str] = {}
        """Last year's reasons by cause, shown beside empty fields; none of them counts."""
        self.profiles: dict[str, Any] = {}
        """Profiles of the columns that were saved last, with the number of their reading."""
        self.saved: Decisions | None = None
        self.rehearses = False
        """Whether the open file is only tried out, on the guided tour: nothing of it is remembered."""

    @property
    def decisions(self) -> Decisions:
        """The present decisions; created at the first request, because no file is open at the start."""
        if self._decisions is None:
            self._decisions = Decisions()
        return self._decisions

    @decisions.setter
    def decisions(self, decisions: Decisions) -> None:
        """Replace the present decisions, without logging them, without undo and without calling listeners."""
        self._decisions = decisions

    @property
    def path(self) -> Path | None:
        """The source file; None before one is opened."""
        return None if self._decisions is None else self._decisions.path

    # --- listening ----------------------------------------------------------------------

    def listen(self, listener: Callable[[], None]) -> None:
        """Call this function after every change from now on; functions added earlier are called first."""
        self._listeners.append(listener)

    def changed(self) -> None:
        """Tell all listeners that something changed, in the order in which they were added.

        Before that, candidates get the titles the user gave them, and sentences are set to speak of rows or of people,
        as the recipe says.
        """
        titles = dict(self.decisions.titles) if self.candidates else {}
        for entry in self.candidates:
            entry.title = titles.get(entry.name, entry.default_title)
        if self.path is not None:
            count_rows(self.decisions.recipe.input.counts_rows)
        for listener in list(self._listeners):
            listener()

    # --- deciding -----------------------------------------------------------------------

    def decide(self, **changes: Any) -> None:
        """Replace decisions, given by their names in ``Decisions``; undo restores the earlier ones.

        Plug-ins that the recipe's steps use are added to the recipe, the log of decisions gets its lines, and all
        listeners are called. Nothing happens if the values are the present ones. Redo is no longer possible afterwards.
        """
        from ppdm_desktop.engine.recipe.plugin_use import add_used_plugins

        new = replace(self.decisions, **changes)
        new = replace(new, recipe=add_used_plugins(new.recipe))
        if new == self.decisions:
            return
        self._past.append(self.decisions)
        self._future.clear()
        self._apply_decisions(new)

    def _apply_decisions(self, new: Decisions) -> None:
        """Replace the decisions, log those differences that the log keeps, and call all listeners."""
        entries = _list_log_entries(self.decisions, new)
        self.decisions = new
        self.note(entries)
        self.changed()

    def note(self, entries: Sequence[Entry]) -> None:
        """Add entries to the log of decisions, with the present time (UTC) and the name of the person who releases.

        Listeners are not called.
        """
        from ppdm_desktop.engine.decision_log import extend_log
        from ppdm_desktop.engine.release.evaluate.evaluate import format_utc_time

        who = self.decisions.recipe.operator.name or ""
        self.log = extend_log(self.log, entries, at=format_utc_time(None), who=who)

    def decide_recipe(self, **sections: Any) -> None:
        """Replace parts of the recipe, given by their names (such as ``steps``), as one decision that can be undone.

        The new values are not validated.
        """
        self.decide(recipe=self.decisions.recipe.model_copy(update=sections))

    def set_column(self, names: Iterable[str], *, confirm: bool = True, **changes: Any) -> None:
        """Change the recipe's entries for several columns (keys in ``changes``), and confirm them if ``confirm``.

        This is one decision, as by ``decide``. A column without an entry gets one if ``changes`` has a role, with the
        suggested kind and order; otherwise it is skipped. Without ``confirm`` the confirmation of the columns stays as
        it was.
        """
        from ppdm_desktop.engine.recipe.models import ColumnSection

        columns = dict(self.decisions.recipe.columns)
        chosen = [name for name in names if name in columns or "role" in changes]
        for name in chosen:
            if name in columns:
                columns[name] = columns[name].model_copy(update=changes)
            else:
                suggested = self.facts[name].kind_and_order if name in self.facts else {}
                columns[name] = ColumnSection.model_validate({**suggested, **changes})
        confirmed = self.decisions.confirmed | frozenset(chosen) if confirm else self.decisions.confirmed
        self.decide(recipe=self.decisions.recipe.model_copy(update={"columns": columns}), confirmed=confirmed)

    @property
    def can_undo(self) -> str | None:
        """What undo would take back, in words; None if there is nothing to undo."""
        return describe_decision(self._past[-1], self.decisions) if self._past else None

    @property
    def can_redo(self) -> str | None:
        """What redo would repeat, in words; None if there is nothing to redo."""
        return describe_decision(self.decisions, self._future[-1]) if self._future else None

    def undo(self) -> None:
        """Take back the last decision, which redo can then repeat; do nothing without one.

        Like a decision, this gets its lines in the log of decisions, and all listeners are called. The table stays:
        if the decision was how to read the file, the caller reads it again (``replace_reading``).
        """
        if self._past:
            decisions = self._past.pop()
            self._future.append(self.decisions)
            self._apply_decisions(decisions)

    def redo(self) -> None:
        """Repeat the decision that was taken back last, which undo can then take back; do nothing without one.

        Log, listeners and table are treated as by ``undo``.
        """
        if self._future:
            decisions = self._future.pop()
            self._past.append(self.decisions)
            self._apply_decisions(decisions)

    # --- opening ------------------------------------------------------------------------

    def opened(
        self,
        path: Path,
        reading: Reading,
        recipe: Recipe,
        confirmed: frozenset[str],
        facts: Mapping[str, ColumnFacts] | None = None,
        project: Path | None = None,
        to_try: SweepSection | None = None,
        log: Sequence[LogLine] = (),
    ) -> None:
        """Start with a file that was read, or with a project; history, all results and recipients' secrets are dropped.

        The random draws that were entered stay. Listeners are called.

        Parameters
        ----------
        path, reading
            The source file and its table.
        recipe, confirmed
            The decisions, and the columns whose role is confirmed.
        facts
            Facts on its columns.
        project
            The project file, None for a new file.
        to_try
            A range of values that was proposed.
        log
            The decisions so far; empty for a new file, whose opening is then noted.
        """
        from ppdm_desktop.engine.decision_log import Entry
        from ppdm_desktop.engine.result_cache import RESULTS

        self.file_number += 1
        RESULTS.clear()  # What was learnt from the file before goes with it.
        self._forget_file()
        self._take_reading(reading, facts)
        self.project, self.log = project, tuple(log)
        self.decisions = Decisions(path=path, recipe=recipe, confirmed=confirmed, to_try=to_try)
        self.note(() if log else [Entry("opened", "", reading.account.sha256)])
        self.changed()

    def rehearse(self, folder: str) -> None:
        """Mark the session as a trial: its release goes to ``folder``, and closing asks nothing.

        No list of releases is used. The choice of the folder cannot be undone.
        """
        self.rehearses = True
        self.decisions = replace(self.decisions, folder=folder)
        self.changed()

    def adopt(
        self,
        reading: Reading,
        facts: Mapping[str, ColumnFacts],
        recipe: Recipe,
        confirmed: frozenset[str],
        to_try: SweepSection | None,
    ) -> None:
        """Replace recipe and table at once, as one decision that can be undone.

        ``reading`` is the open file as read with the recipe's options; ``to_try`` is the range that the recipe
        proposes.
        """
        self._take_reading(reading, facts)
        self.decide(recipe=recipe, confirmed=confirmed, to_try=to_try)
        self.changed()

    def replace_reading(self, reading: Reading, facts: Mapping[str, ColumnFacts]) -> None:
        """Replace the table after undo or redo restored decisions that belong to another way of reading the file."""
        self._take_reading(reading, facts)
        self.changed()

    def _take_reading(self, reading: Reading, facts: Mapping[str, ColumnFacts] | None) -> None:
        """Replace the table and the facts about its columns (None: no facts), and raise the reading's number by one."""
        self.reading_number += 1
        self.reading = reading
        self.facts = facts or {}

    # --- what depends on what -----------------------------------------------------------

    def basis(self, recipe: Recipe | None = None) -> bytes:
        """Return the decisions on which risk figures and candidates depend, as canonical bytes.

        They are those on reading, columns, levels, risk, release type and rules about values. Steps, answers that only
        the checks read, and marks of columns (must stay detailed, may lose detail) are not among them; a candidate has
        its steps in its own recipe. A result is up to date while these bytes are as they were when it was made.
        ``recipe`` stands in for the session's recipe.
        """
        from ppdm_desktop.engine.release.candidate.model import ANSWER_KEYS, to_canonical_json

        recipe = recipe or self.decisions.recipe
        # Asked for by every candidate, page and step whenever something changed; recipes are frozen,
        # and a copy with other steps shares its other parts.
        if self._basis is None or any(
            getattr(self._basis[0], part) is not getattr(recipe, part) for part in _BASIS_PARTS
        ):
            chosen = recipe.model_dump(mode="json", by_alias=True)
            parts = {part: chosen[part] for part in _BASIS_PARTS}
            for section in parts["columns"].values():
                del section["detail"]  # which versions are looked for says nothing of one that is there
            for key in ANSWER_KEYS:
                del parts["input"][key]  # what is there is judged again by them
            parts["type"] = parts.pop("release")["type"]
            self._basis = (recipe, to_canonical_json(parts))
        return self._basis[1]

    def is_stale(self, basis: bytes) -> bool:
        """Return whether a result is out of date, because decisions on which it depends have changed.

        ``basis`` is what the method of that name returned when the result was made.
        """
        return basis != self.basis()

    def unconfirmed(self) -> list[str]:
        """Return the names of the columns whose role is not confirmed, in the table's order; empty without a file."""
        names = self.reading.table.names if self.reading is not None else ()
        return [name for name in names if name not in self.decisions.confirmed]

    def find_words_without_level(self) -> tuple[str, ...]:
        """Return the words of the level column that mean no privacy level yet ("" for empty cells).

        The level column holds the protection level of each person in the file's own words. Empty without such a column
        or a file, and while the recipe's levels contradict each other or it gives a word an unknown level.
        """
        if self.reading is None:
            return ()
        from ppdm_desktop.ui.state.level_column import open_words

        recipe = self.decisions.recipe
        asked = (self.reading_number, recipe.privacy, recipe.columns)
        if self._open_words is None or self._open_words[0] != asked:
            self._open_words = (asked, open_words(self.reading.table, recipe))
        return self._open_words[1]

    def list_strong_suggestions(self) -> list[str]:
        """Return the names of the columns that can be confirmed together, in the table's order.

        They are unconfirmed columns that have the role which the program strongly suggests.
        """
        columns, facts = self.decisions.recipe.columns, self.facts
        waiting = [name for name in self.unconfirmed() if name in columns and name in facts]
        return [name for name in waiting if facts[name].strong and facts[name].role == columns[name].role]

    def with_role(self, role: str) -> list[str]:
        """Return the names of columns with this role in the recipe, confirmed or not, in the order of the recipe."""
        return [name for name, section in self.decisions.recipe.columns.items() if section.role == role]

    def finished(self) -> list[CandidateEntry]:
        """Return the candidates that are made and evaluated, in the order of the queue; also those out of date."""
        return [entry for entry in self.candidates if entry.status == "done"]

    def candidate(self, name: str | None) -> CandidateEntry | None:
        """Return the candidate with this name, or None."""
        return next((entry for entry in self.candidates if entry.name == name), None)

    @property
    def chosen(self) -> CandidateEntry | None:
        """The candidate chosen for release if it is finished, even if it is out of date; else None."""
        entry = self.candidate(self.decisions.chosen) if self.candidates else None
        return entry if entry is not None and entry.status == "done" else None

    def add_candidate(self, recipe: Recipe, key: Key, created: str, title: str = "") -> CandidateEntry:
        """Add a candidate that waits to be made and return it, without calling listeners.

        The caller calls ``changed`` afterwards. ``created`` is the present time as text. The name is "C" with a number
        that was not used before: after C1 and C2 it is C3, even if C2 was deleted.
        """
        used = [int(candidate.name[1:]) for candidate in self.candidates if candidate.name[1:].isdigit()]
        # A number stands for one candidate only, also after that one was deleted.
        self._last_number = max([*used, self._last_number]) + 1
        name = f"C{self._last_number}"
        entry = CandidateEntry(name, recipe, key, self.basis(recipe), created, default_title=title, title=title)
        self.candidates.append(entry)
        return entry

    def forget(self, name: str) -> None:
        """Delete the candidate with this name, unless it is being made, and call the listeners; it cannot be undone."""
        self.candidates = [entry for entry in self.candidates if entry.name != name or entry.status == "running"]
        self.changed()

    def rename(self, name: str, title: str) -> None:
        """Set the title of a candidate, as a decision; an empty title restores the one it was created with."""
        other_titles = tuple(pair for pair in self.decisions.titles if pair[0] != name)
        self.decide(titles=(*other_titles, (name, title)) if title else other_titles)

    def remember_draws(self, draws: Sequence[DrawEntry]) -> None:
        """Add draws (entries for protected tables already made) that are not known yet."""
        used_draws = {entry.draw for entry in self.draws}
        self.draws += tuple(draw for draw in draws if draw.draw not in used_draws)

    def count_draw(self, candidate: Candidate, judged: Evaluation) -> None:
        """Enter a candidate's random draw in the session, where it stays even if the candidate is deleted.

        Earlier draws that its evaluation lists are entered, too, but none twice. Nothing is entered if no step draws at
        random. What `draws_of` returns for such candidates is now as of this evaluation.
        """
        self.remember_draws(judged.draws)
        self._tried[_make_draw_key(candidate)] = judged.report.verdict.draws.tried

    def draws_of(self, candidate: Candidate) -> int:
        """Return how many candidates of the same source with the same random steps had been drawn, at least 1.

        The number is as of the last such candidate that `count_draw` entered; 1 if none was.
        """
        return self._tried.get(_make_draw_key(candidate), 1)

    # --- steps --------------------------------------------------------------------------

    def why_not(self, step: str) -> str | None:
        """Return the text id of the reason why a page cannot be opened yet; None if it can.

        A page also waits for all that the pages before it wait for. Of several reasons it is the one of the first page.
        """
        reached = STEPS.index(step)
        return next((text_id for name, text_id, bars in _BARS if STEPS.index(name) <= reached and bars(self)), None)

    def _has_no_run_yet(self) -> bool:
        """Return whether no candidate is finished, running or waiting, and no range of values was tried."""
        under_way = self.tried is not None or any(entry.status in ("waiting", "running") for entry in self.candidates)
        return not self.finished() and not under_way

    def state(self, step: str) -> State:
        """Return the state of a page in the list of pages: not yet possible, ready, done, or out of date.

        A page is not yet possible if ``why_not`` gives a reason. Without a file, all other pages are ready. Otherwise a
        page is done under these conditions, and else ready:

        - "open": always;
        - "columns": all roles are confirmed, and a quasi-identifier is among them;
        - "levels": a recipient is chosen, and every word of the level column has a meaning;
        - "risk": it is measured;
        - "protect": a candidate is finished;
        - "compare": a candidate is chosen;
        - "release": the chosen candidate is written.

        Of these, "risk", "protect", "compare" and "release" are out of date instead of done if decisions changed since
        ("protect" if that holds for all its finished candidates).
        """
        if self.why_not(step) is not None:
            return State.NOT_YET
        if self.reading is None:
            return State.READY
        done = {
            "open": True,
            "columns": not self.unconfirmed() and bool(self.with_role("quasi-identifier")),
            "levels": self.decisions.recipe.release.type is not None and not self.find_words_without_level(),
            "risk": self.assessment is not None,
            "protect": bool(self.finished()),
            "compare": self.chosen is not None,
            "release": self.chosen is not None and self.chosen.serial == self.released,
        }[step]
        if not done:
            return State.READY
        stale = {
            "risk": self.assessment is not None and self.is_stale(self.assessment.basis),
            "protect": all(self.is_stale(entry.basis) for entry in self.finished()),
            "compare": self.chosen is not None and self.is_stale(self.chosen.basis),
            "release": self.chosen is None or self.is_stale(self.chosen.basis),
        }.get(step, False)
        return State.STALE if stale else State.DONE

    def add_step(self, step: StepSection) -> None:
        """Append a step (a method with its settings) to the recipe, as a decision that can be undone."""
        self.decide_recipe(steps=(*self.decisions.recipe.steps, step))


_BARS: tuple[tuple[str, str, Callable[[Session], object]], ...] = (
    ("columns", "step.wait.file", lambda session: session.reading is None),
    ("levels", "step.wait.columns", Session.unconfirmed),
    ("levels", "step.wait.quasi", lambda session: not session.with_role("quasi-identifier")),
    ("risk", "step.wait.type", lambda session: session.decisions.recipe.release.type is None),
    ("risk", "step.wait.words", Session.find_words_without_level),
    ("protect", "step.wait.risk", lambda session: session.assessment is None),
    ("compare", "step.wait.run", Session._has_no_run_yet),
    ("release", "step.wait.run", lambda session: not session.finished()),
    ("release", "step.wait.choice", lambda session: session.chosen is None),
)
"""What can be missing for a step: (first step that needs it, text id, function that returns whether it is missing)."""
