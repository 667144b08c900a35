"""What is said of the steps: their titles, where each stands, and the score so far; no widget here."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.texts import all_texts
from ppdm_desktop.ui.state.level_column import name_of_level_column
from ppdm_desktop.ui.state.number_words import count, of_hundred, short_of_hundred
from ppdm_desktop.ui.state.session import Session, State


def _tr(text: str) -> str:
    return QCoreApplication.translate("StepWords", text)


def step_titles() -> dict[str, str]:
    """Return each step's title."""
    return {
        "open": _tr("Open"),
        "columns": _tr("Columns"),
        "levels": _tr("Protection levels"),
        "risk": _tr("Risk"),
        "protect": _tr("Protect"),
        "compare": _tr("Compare"),
        "release": _tr("Release"),
    }


class StepWords:
    """Says in words where the session stands."""

    def __init__(self, session: Session) -> None:
        self._session = session

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
        recipe = self._session.decisions.recipe
        column, rules = name_of_level_column(recipe), len(recipe.privacy.rules) + len(recipe.privacy.rows)
        more = (_tr("1 rule") if rules == 1 else _tr("{n} rules").format(n=rules)) if rules else ""
        if column is not None:
            words = _tr("From the column {column}").format(column=column)
            return f"{words}, {more}" if more else words
        return more or _tr("One level for all")

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
            lines.append((_tr("Alone"), short_of_hundred(risk.alone / max(risk.records, 1))))
            lines.append((_tr("Right match"), short_of_hundred(risk.prosecutor_mean)))
        else:
            lines.append((_tr("Right match"), _tr("step 4")))
        kind = session.decisions.recipe.release.type
        if kind is not None:
            lines.append((_tr("Limit, {type}").format(type=kind), of_hundred(1 / RELEASE_TYPES[kind].k_min)))
        chosen = session.chosen
        lines.append((_tr("Chosen"), chosen.name if chosen is not None else _tr("none yet")))
        return lines
