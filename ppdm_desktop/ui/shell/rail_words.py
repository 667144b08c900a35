"""The words of the rail: titles, second lines, score card, and whether decisions are saved."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.texts import all_texts, explain
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.number_words import count, of_hundred, time_left
from ppdm_desktop.ui.state.project import write_project
from ppdm_desktop.ui.state.session import Session, State
from ppdm_desktop.ui.work.tasks import TaskProgress


def _tr(text: str) -> str:
    return QCoreApplication.translate("StepWords", text)


class StepWords:
    """Says in words where the session stands."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._saved_at: str = ""

    def titles(self) -> dict[str, str]:
        """Return each step's title."""
        return {
            "open": _tr("Open"),
            "columns": _tr("Columns"),
            "levels": _tr("Privacy levels"),
            "risk": _tr("Risk"),
            "protect": _tr("Protect"),
            "compare": _tr("Compare"),
            "release": _tr("Release"),
        }

    def second(self, step: str) -> str:
        """Return a step's second line: why not yet, what waits, or one figure."""
        session = self._session
        why = session.why_not(step)
        if why is not None:
            return all_texts()[why].sentence
        state = session.state(step)
        if state is State.STALE:
            return _tr("Decisions changed since")
        return getattr(self, f"_{step}")(state)  # type: ignore[no-any-return]

    def _open(self, state: State) -> str:
        reading = self._session.reading
        if reading is None:
            return _tr("Choose a file")
        return _tr("{rows} rows, {columns} columns").format(
            rows=count(reading.table.rows), columns=len(reading.table.columns)
        )

    def _columns(self, state: State) -> str:
        session = self._session
        waiting = len(session.unconfirmed())
        if waiting:
            total = len(session.reading.table.columns) if session.reading is not None else 0
            return _tr("{n} of {total} confirmed").format(n=total - waiting, total=total)
        return _tr("{n} can single people out").format(n=len(session.with_role("quasi-identifier")))

    def _levels(self, state: State) -> str:
        kind = self._session.decisions.recipe.release.type
        if kind is None:
            return _tr("Who will get it?")
        privacy = self._session.decisions.recipe.privacy
        rules = len(privacy.rules) + len(privacy.rows) + (privacy.column is not None)
        if rules == 1:
            return _tr("1 rule")
        return _tr("{n} rules").format(n=rules) if rules else _tr("One level for all")

    def _risk(self, state: State) -> str:
        found = self._session.assessment
        if found is None:
            return _tr("Ready to measure")
        share = found.risk.alone / max(found.risk.records, 1)
        return _tr("{n} stand alone").format(n=of_hundred(share))

    def _protect(self, state: State) -> str:
        finished = len(self._session.finished())
        total = len(self._session.candidates)
        if not total:
            return _tr("Choose a method")
        words = _tr("{n} of {total} run finished") if total == 1 else _tr("{n} of {total} runs finished")
        return words.format(n=finished, total=total)

    def _compare(self, state: State) -> str:
        chosen = self._session.chosen
        if chosen is not None:
            return _tr("{name} chosen").format(name=chosen.name)
        finished = len(self._session.finished())
        return _tr("1 candidate") if finished == 1 else _tr("{n} candidates").format(n=finished)

    def _release(self, state: State) -> str:
        return _tr("Written") if state is State.DONE else _tr("Pass the checks")

    def score(self) -> list[tuple[str, str]]:
        """Return the score card's lines."""
        session = self._session
        lines: list[tuple[str, str]] = []
        if session.assessment is not None:
            risk = session.assessment.risk
            lines.append((_tr("Alone"), of_hundred(risk.alone / max(risk.records, 1))))
            lines.append((_tr("Right match"), of_hundred(risk.prosecutor_mean)))
        else:
            lines.append((_tr("Right match"), _tr("step 4")))
        kind = session.decisions.recipe.release.type
        if kind is not None:
            lines.append((_tr("Limit, {type}").format(type=kind), of_hundred(1 / RELEASE_TYPES[kind].k_min)))
        chosen = session.chosen
        lines.append((_tr("Chosen"), chosen.name if chosen is not None else _tr("none yet")))
        return lines

    def progress(self, progress: TaskProgress) -> str:
        """Return a job's progress in words."""
        texts = all_texts()
        doing = texts[progress.doing].sentence if progress.doing in texts else texts["doing.work"].sentence
        left = f" · {time_left(progress.left)}" if progress.left is not None else ""
        return f"{doing} · {round(100 * progress.fraction)} %{left}"

    # --- saving -------------------------------------------------------------------------

    def unsaved(self) -> bool:
        """Whether decisions would be lost."""
        session = self._session
        return session.reading is not None and session.can_undo is not None and session.saved != session.decisions

    def saved(self) -> str:
        """Return the line under the project's name."""
        if self._session.project is None:
            return _tr("Not saved") if self.unsaved() else ""
        return _tr("Changed since saving") if self.unsaved() else _tr("Saved {time}").format(time=self._saved_at)

    def save(self, parent: QWidget, context: Context, page: str) -> bool:
        """Save the project with the page in front, asking for a place the first time; say whether it was saved."""
        session = self._session
        if session.reading is None or session.decisions.path is None:
            return False
        path = session.project
        if path is None:
            suggestion = session.decisions.path.with_suffix(".ppdm")
            path = context.dialogs.save_file(parent, _tr("Save the project"), suggestion, _tr("Projects (*.ppdm)"))
        if path is None:
            return False
        path = Path(path)
        if path.suffix != ".ppdm":
            path = path.with_name(path.name + ".ppdm")
        try:
            write_project(path, session, page)
        except PpdmError as error:
            context.dialogs.ask(
                parent, _tr("The project was not saved"), explain(error, window=True), [("ok", _tr("Close"))], "ok"
            )
            return False
        session.project, session.saved = path, session.decisions
        self._saved_at = datetime.now().strftime("%H:%M")
        return True
