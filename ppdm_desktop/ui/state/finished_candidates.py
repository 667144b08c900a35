"""The finished candidates of a session: which they are, their evaluations, what they are called; no widget here."""

from __future__ import annotations

from ppdm_desktop.engine.release.writing.export import Evaluation
from ppdm_desktop.ui.state.session import CandidateEntry, Session
from ppdm_desktop.ui.state.step_chain import chain_words


def judged_of(entry: CandidateEntry) -> Evaluation:
    """Return a finished entry's judgement."""
    assert isinstance(entry.judged, Evaluation)
    return entry.judged


def finished(session: Session) -> list[CandidateEntry]:
    """Return the finished candidates that can be shown."""
    return [entry for entry in session.finished() if entry.candidate is not None and entry.judged is not None]


def label(entry: CandidateEntry) -> str:
    """Return a candidate's name with what it does."""
    return f"{entry.name}  {entry.title or chain_words(entry.recipe)}"
