"""The guided tour: its stops as data, and the user's progress. No widgets here.

Every figure in a stop's text is read from the session: the table, the measured risk, and the verdict on the version
that was run. Roles, method and type of release are those of the sample's recipe. Modules that evaluate a release are
imported only by the texts that need them, because the window would otherwise wait for them before its first paint.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.samples import find_bundled_sample
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Chance, Names, Share, Term
from ppdm_desktop.ui.state.session import CandidateEntry, Session, State

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import Recipe
    from ppdm_desktop.engine.report.model import Report

FOLDER = "tour"
"""Name of the tour's release folder within the session's private folder, which is deleted when the program ends."""


class Seen(Protocol):
    """What a stop of the tour can ask of the window; controls are named by their object names."""

    def is_visible(self, name: str) -> bool:
        """Return whether a control with this object name is visible."""

    def is_ready(self, name: str) -> bool:
        """Return whether the control with this object name is visible and enabled."""

    def has_focus(self, name: str) -> bool:
        """Return whether the control with this object name, or a widget inside it, has the focus."""

    def is_checked(self, name: str) -> bool:
        """Return whether the control with this object name is visible and ticked."""


@dataclass(frozen=True)
class Deed:
    """One task of the tour that the user does on a page.

    If the user asks for it, it is done automatically: by ``tab``, ``decide`` or ``texts`` where the task has one of
    them, else by a click on the control or, if that is no button, by the focus and the Down key.

    Attributes
    ----------
    control
        Object name of the control to use.
    is_done
        Returns whether the task is done.
    tab
        The tab to open.
    decide
        Function that takes the decision.
    texts
        Function that returns texts by the object name of the empty field to fill.
    waits
        Whether the task is to wait for running work.
    """

    control: str
    is_done: Callable[[Session, Seen], bool]
    tab: str = ""
    decide: Callable[[Session], None] | None = None
    texts: Callable[[], Mapping[str, str]] | None = None
    waits: bool = False


@dataclass(frozen=True)
class Stop:
    """One stop of the tour: a control of a page that is explained after tasks were done.

    Attributes
    ----------
    id
        Id of the stop.
    page, tab
        Page and tab of the control; the tab is empty if the page has none.
    control
        Object name of the control that is explained once all tasks are done.
    says
        Function that returns the text of the stop with the present figures.
    deeds
        The tasks in order.
    is_there
        Function that returns whether the results to be explained have been computed.
    """

    id: str
    page: str
    control: str
    says: Callable[[Session], str]
    deeds: tuple[Deed, ...] = ()
    tab: str = ""
    is_there: Callable[[Session], bool] = field(default=lambda session: True)


# --- what the sample's recipe says ----------------------------------------------------------


@cache
def _load_sample_recipe() -> Recipe:
    """Return the recipe of the tour's sample file, parsed once."""
    from ppdm_desktop.engine.recipe.load import parse_recipe

    return parse_recipe(tomllib.loads(find_bundled_sample().recipe()))


def _list_columns_with_role(role: str) -> tuple[str, ...]:
    """Return the names of the columns that have this role in the sample's recipe."""
    return tuple(name for name, section in _load_sample_recipe().columns.items() if section.role == role)


_KNOWN, _SECRET = "quasi-identifier", "confidential"
_METHOD = _load_sample_recipe().steps[0].method
_TYPE = str(_load_sample_recipe().release.type)


def _load_sample_reasons() -> Mapping[str, str]:
    """Return the sample's written reasons, by the object name of the text field for each cause."""
    return {f"reason_{cause}": str(reason) for cause, reason in find_bundled_sample().reasons.items()}


# --- what has been done ---------------------------------------------------------------------


def _is_open(session: Session) -> bool:
    """Return whether the tour's sample is open, as a trial."""
    return session.rehearses and session.reading is not None


def _has_role(role: str) -> Callable[[Session, Seen], bool]:
    """Return a function that says whether all sample columns meant for a role have it and are confirmed.

    These are the columns with this role in the sample's recipe.
    """

    def is_done(session: Session, _: Seen) -> bool:
        """Return whether the sample's columns meant for the role have it and are confirmed."""
        columns, confirmed = session.decisions.recipe.columns, session.decisions.confirmed
        return all(
            name in columns and columns[name].role == role and name in confirmed
            for name in _list_columns_with_role(role)
        )

    return is_done


def _give_role(role: str) -> Callable[[Session], None]:
    """Return a function that gives a role to all the sample's columns that should have it, and confirms them."""

    def decide(session: Session) -> None:
        """Give the role to the sample's columns meant for it, and confirm them."""
        session.set_column(_list_columns_with_role(role), role=role)

    return decide


def _make_role_tasks(role: str) -> tuple[Deed, ...]:
    """Return the two tasks that give columns their role: select the columns, and choose the role.

    Both count as done once the columns have the role and are confirmed, the first also while columns are selected. If
    the program does them for the user, the role is given at once.
    """
    has, give = _has_role(role), _give_role(role)

    def is_selected(session: Session, seen: Seen) -> bool:
        """Return whether the columns have the role already, or are selected so that a role can be chosen."""
        return has(session, seen) or seen.is_ready("combo_role")

    return (
        Deed("table_columns", is_selected, decide=give),
        Deed("combo_role", has, decide=give),
    )


def _is_measured(session: Session) -> bool:
    """Return whether the risk of the original file was measured, including that of confidential values."""
    return session.assessment is not None and session.assessment.risk.judged.overall is not None


def _has_step(session: Session, _: Seen) -> bool:
    """Return whether the recipe has an active step of the tour's method."""
    return any(step.method == _METHOD and step.enabled for step in session.decisions.recipe.steps)


def _is_picked(session: Session, seen: Seen) -> bool:
    """Return whether the tour's method is ticked in the list or already used as a step."""
    return _has_step(session, seen) or seen.is_checked(f"method_{_METHOD}")


def _is_queued(session: Session, _: Seen) -> bool:
    """Return whether a version with the tour's method and the present decisions is queued or has run."""
    return any(_has_tour_method_step(entry) and not session.is_stale(entry.basis) for entry in session.candidates)


def _has_tour_method_step(entry: CandidateEntry) -> bool:
    """Return whether a candidate waits, is being made or is done, and has an active step of the tour's method."""
    return entry.status in ("waiting", "running", "done") and any(
        step.method == _METHOD and step.enabled for step in entry.recipe.steps
    )


def _find_explained_run(session: Session) -> CandidateEntry | None:
    """Return the version that the tour explains: a finished one with the tour's method; None if there is none.

    If the chosen version is such a one, it is returned, else the last one.
    """
    from ppdm_desktop.ui.state.finished_candidates import list_finished_candidates

    swapped = [entry for entry in list_finished_candidates(session) if _has_tour_method_step(entry)]
    chosen = session.chosen
    return chosen if chosen in swapped else swapped[-1] if swapped else None


def _find_explained_report(session: Session) -> Report | None:
    """Return the report of the version that the tour explains; None if there is no such version."""
    from ppdm_desktop.ui.state.finished_candidates import require_evaluation

    entry = _find_explained_run(session)
    return require_evaluation(entry).report if entry is not None else None


def _has_run(session: Session) -> bool:
    """Return whether a version with the tour's method was made and evaluated."""
    return _find_explained_report(session) is not None


def _is_chosen(session: Session, _: Seen) -> bool:
    """Return whether the version that the tour explains is chosen for the release."""
    return session.chosen is not None and session.chosen is _find_explained_run(session)


def _is_written(session: Session) -> bool:
    """Return whether the release of the chosen version is written and not out of date."""
    return session.state("release") is State.DONE


# --- what it says -----------------------------------------------------------------------------


def _describe_sample(session: Session) -> str:
    """Return the text of the stop that opens the sample."""
    return _("Open the sample: {n} fictional customers.", n=find_bundled_sample().default_rows)


def _describe_people(session: Session) -> str:
    """Return the text of the stop on who a person is: the size of the table, and what to confirm."""
    assert session.reading is not None
    table = session.reading.table
    return _(
        "{rows} {rows:row|rows}, {columns} {columns:column|columns}. Confirm that each row is one person.",
        rows=table.rows,
        columns=len(table.names),
    )


def _describe_known_details(session: Session) -> str:
    """Return the text of the stop on details that others know, which asks to make columns quasi-identifiers.

    It names the columns with this role in the sample's recipe; the session has no influence.
    """
    names = _list_columns_with_role(_KNOWN)
    return _(
        "A neighbour may know these {n} details: {names}. Select them and give them the role Q.",
        n=len(names),
        names=Names.of(names),
    )


def _describe_confidential(session: Session) -> str:
    """Return the text of the stop on the column that is confidential in the sample's recipe, with its name."""
    return _(
        "Nobody should learn {names}. The program cannot know it: you decide. Give it the role C.",
        names=Names.of(_list_columns_with_role(_SECRET)),
    )


def _describe_recipients(session: Session) -> str:
    """Return the text of the stop on who receives the file: the sample recipe's type of release, and its limits."""
    kind = RELEASE_TYPES[_TYPE]
    return _(
        "Choose “{who}”. Limit: groups of at least {k} ({limit:chance}).",
        who=Term(render(kind.title).title),
        k=kind.k_min,
        limit=Chance(1 / kind.k_min),
    )


def _describe_risk(session: Session) -> str:
    """Return the text of the stop on the measured risk, with how many values are revealed for certain.

    Revealed are the values of unique people and of people in groups with one value.
    """
    assert session.assessment is not None
    risk = session.assessment.risk
    counts = risk.judged.overall
    assert counts is not None
    return _(
        "{unique:share} {unique:is|are} unique. {more} more {more:is|are} in {groups} {groups:group|groups} where "
        "everyone has the same {column}. So {certain} {certain:value is|values are} revealed for certain.",
        unique=Share(counts.uniquely, risk.records),
        more=counts.collectively,
        groups=counts.groups,
        column=Names.of(_list_columns_with_role(_SECRET)),
        certain=counts.uniquely + counts.collectively,
    )


def _describe_risk_cell(session: Session) -> str:
    """Return the text of the stop on a cell of the risk map."""
    return _("Click a cell of the map. A strong colour means: this one value gives the person away.")


def _describe_method(session: Session) -> str:
    """Return the text of the stop on the method of the sample's recipe, with its title and what it hides."""
    from ppdm_desktop.engine.methods.base.declaration import all_methods

    return _(
        "Choose “{method}” and run it. It hides who has which {column}, not who is in the file.",
        method=Term(str(all_methods()[_METHOD].title)),
        column=Names.of(_list_columns_with_role(_SECRET)),
    )


def _describe_verdict(session: Session) -> str:
    """Return the text of the stop on the verdict: values revealed before and now, unique people, what to choose."""
    report = _find_explained_report(session)
    assert report is not None
    after, before = report.verdict, report.original
    assert before is not None
    assert after.singled is not None
    return _(
        "Revealed for certain: {before} before, {after} now. Still unique: {unique:share}. A swap does not change "
        "that. Choose this version.",
        before=before.certain_by_others or 0,
        after=after.certain_by_others or 0,
        unique=Share(after.singled.by_others, after.singled.people),
    )


def _describe_attacks(session: Session) -> str:
    """Return the text of the stop on the attacks, with the success of the guessing attack and of its control.

    The figures are left out if either was not measured.
    """
    from ppdm_desktop.engine.release.attack_audit.base import share_of
    from ppdm_desktop.engine.release.attack_audit.inference import Inference

    report = _find_explained_report(session)
    assert report is not None
    compare = _("Compare each success with the same guess without the person’s record.")
    guess = next((attack for attack in report.verdict.attacks or () if attack.id == Inference.id), None)
    if guess is None or guess.success.value is None or guess.control.value is None:
        return compare
    figures = _(
        "Here: right for {found:share} with the record, for {control:share} without it.",
        found=share_of(guess.success),
        control=share_of(guess.control),
    )
    return f"{compare} {figures}"


def _describe_gate(session: Session) -> str:
    """Return the text of the stop on the checks: smallest group, its limit, what to do, and how many need a reason."""
    report = _find_explained_report(session)
    assert report is not None
    classes, waiting = report.verdict.classes, len(report.verdict.to_answer)
    assert classes is not None
    smallest = _(
        "The smallest group has {k} {k:person|people}; the limit is {limit}. Give a reason in your own words, or use "
        "broader values.",
        k=classes.k or 0,
        limit=report.verdict.k_min,
    )
    text = _("{n} {n:check needs|checks need} a reason in this version.", n=waiting)
    return f"{smallest} {text}"


def _describe_release(session: Session) -> str:
    """Return the text of the stop on the release: to write it, or what to do with it once it is written."""
    if _is_written(session):
        return _("Share “release”, keep “internal”. Open the release record.")
    return _("Write the release. It goes into a temporary folder that is deleted when the program closes.")


STOPS: tuple[Stop, ...] = (
    Stop(
        "sample",
        "welcome",
        "button_open_sample",
        _describe_sample,
        (Deed("button_open_sample", lambda session, _: _is_open(session)),),
    ),
    Stop(
        "people",
        "open",
        "check_one_row_per_person",
        _describe_people,
        (Deed("check_one_row_per_person", lambda session, _: session.decisions.recipe.input.one_row_per_person),),
        is_there=_is_open,
    ),
    Stop(
        "known",
        "columns",
        "combo_role",
        _describe_known_details,
        _make_role_tasks(_KNOWN),
        is_there=_is_open,
    ),
    Stop(
        "secret",
        "columns",
        "combo_role",
        _describe_confidential,
        _make_role_tasks(_SECRET),
        is_there=_is_open,
    ),
    Stop(
        "type",
        "levels",
        f"type_{_TYPE}",
        _describe_recipients,
        (Deed(f"type_{_TYPE}", lambda session, _: session.decisions.recipe.release.type == _TYPE),),
        is_there=_is_open,
    ),
    Stop("risk", "risk", "label_headline", _describe_risk, is_there=_is_measured),
    Stop(
        "cell",
        "risk",
        "heat_records",
        _describe_risk_cell,
        (Deed("heat_records", lambda _, seen: seen.has_focus("heat_records")),),
        is_there=_is_measured,
    ),
    Stop(
        "method",
        "protect",
        "button_add_to_queue",
        _describe_method,
        (
            Deed("button_build_own", lambda session, seen: not seen.is_visible("button_build_own")),
            Deed(f"method_{_METHOD}", _is_picked),
            Deed("button_use_method", _has_step),
            Deed("button_add_to_queue", _is_queued),
            Deed("list_queue", lambda session, _: _has_run(session), waits=True),
        ),
        is_there=_is_measured,
    ),
    Stop(
        "verdict",
        "compare",
        "label_verdict",
        _describe_verdict,
        (Deed("button_choose_candidate", _is_chosen),),
        tab="map",
        is_there=_has_run,
    ),
    Stop(
        "attacks",
        "compare",
        "list_audit",
        _describe_attacks,
        (Deed("tabs_compare", lambda _, seen: seen.is_visible("list_audit"), tab="audit"),),
        is_there=_has_run,
    ),
    Stop(
        "gate",
        "release",
        "gate_class-size",
        _describe_gate,
        (
            Deed(
                "reason_who-is-found",
                lambda _, seen: seen.is_ready("button_write_release"),
                texts=_load_sample_reasons,
            ),
        ),
        is_there=_has_run,
    ),
    Stop(
        "release",
        "release",
        "button_open_certificate",
        _describe_release,
        (Deed("button_write_release", lambda session, _: _is_written(session)),),
        is_there=_has_run,
    ),
)


# --- how far a person is ------------------------------------------------------------------------


class Tour:
    """The user's progress along the stops of the guided tour.

    Parameters
    ----------
    session
        Session whose figures are shown. The sample opened on the tour is only a trial: nothing of it is saved, and its
        release goes into ``folder``.
    folder
        Folder into which the trial release is written.
    sample
        Path of the sample file.
    """

    def __init__(self, session: Session, folder: Path, sample: Path) -> None:
        self._session, self._folder, self._sample = session, folder, sample
        self._file = session.file_number
        if session.rehearses:
            # What is left of an earlier tour is neither gone on with nor asked about.
            session.rehearses, session.saved = False, session.decisions
        self._done: set[str] = set()
        self._stop_index = 0

    @property
    def stop(self) -> Stop:
        """The present stop of the tour."""
        return STOPS[self._stop_index]

    @property
    def number(self) -> int:
        """Number of the present stop, counted from 1."""
        return self._stop_index + 1

    @property
    def is_last(self) -> bool:
        """Whether the present stop is the last one."""
        return self.number == len(STOPS)

    def look(self, seen: Seen) -> None:
        """Mark the present stop as done if its figures are computed and all its tasks are done.

        ``seen`` is the window. A stop that was done stays done. If the sample was just opened, the session becomes a
        trial.
        """
        session = self._session
        if session.file_number != self._file:
            self._file = session.file_number
            if session.decisions.path == self._sample:
                session.rehearse(str(self._folder))
        stop = self.stop
        if stop.is_there(session) and all(deed.is_done(session, seen) for deed in stop.deeds):
            self._done.add(stop.id)

    @property
    def is_done(self) -> bool:
        """Whether the present stop is marked as done: once its figures were computed and all its tasks done."""
        return self.stop.id in self._done

    def next_deed(self, seen: Seen) -> Deed | None:
        """Return the next unfinished task of the present stop; None if all are done or the stop was done before."""
        if self.is_done:
            return None
        return next((deed for deed in self.stop.deeds if not deed.is_done(self._session, seen)), None)

    def text(self) -> str:
        """Return the text of the present stop, or a sentence that its figures are not computed yet.

        The first stop has no figures and always gets its text.
        """
        stop = self.stop
        if not stop.is_there(self._session) and stop is not STOPS[0]:
            return _("The figures of this stop are not there yet.")
        return stop.says(self._session)

    def go_on(self) -> None:
        """Go to the next stop; do nothing at the last one."""
        if not self.is_last:
            self._stop_index += 1
