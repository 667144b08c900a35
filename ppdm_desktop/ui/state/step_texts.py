"""Texts of the list of pages ("steps") beside a page: titles, second lines, and the score card; no widget here."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Share, Term
from ppdm_desktop.ui.state.session import Session, State


def step_titles() -> dict[str, str]:
    """Return the title of each page in the list, by id of the page."""
    return {
        "open": _("Open"),
        "columns": _("Columns"),
        "levels": _("Protection levels"),
        "risk": _("Risk"),
        "protect": _("Protect"),
        "compare": _("Compare"),
        "release": _("Release", "verb"),
    }


def step_sentence(state: State, *, current: bool) -> Sentence:
    """Return the sentence that a screen reader says of a page in the list, with gaps for number, title and second line.

    For an open page (``current``) it says so, whatever its state; else it says done, to do, or not possible yet. For a
    page that is out of date the second line says it.
    """
    if current:
        return lazy("Step {n}: {title}. This step is open. {second}.")
    return {
        State.DONE: lazy("Step {n}: {title}. Done. {second}."),
        State.READY: lazy("Step {n}: {title}. To do. {second}."),
        State.STALE: lazy("Step {n}: {title}. {second}."),
        State.NOT_YET: lazy("Step {n}: {title}. Not possible yet. {second}."),
    }[state]


class StepTexts:
    """Makes the texts of the list of pages from the session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def second(self, step: str) -> str:
        """Return the second line of a page in the list.

        It says why the page cannot be opened, that it is out of date, what to do there, or a figure.
        """
        session = self._session
        why = session.why_not(step)
        if why is not None:
            return render(why).sentence
        state = session.state(step)
        if state is State.STALE:
            return _("Out of date: decisions changed")
        return getattr(self, f"_describe_{step}")(state)  # type: ignore[no-any-return]

    def _describe_open(self, state: State) -> str:
        """Return the line below the page Open: the size of the table, or "Choose a file" without one."""
        reading = self._session.reading
        if reading is None:
            return _("Choose a file")
        return _(
            "{rows} {rows:row|rows}, {columns} {columns:column|columns}",
            rows=reading.table.rows,
            columns=len(reading.table.columns),
        )

    def _describe_columns(self, state: State) -> str:
        """Return the line below the page Columns: how many columns are confirmed, such as "3 of 10 confirmed".

        If all are, it is the number of columns that others may know (quasi-identifiers).
        """
        session = self._session
        waiting = len(session.unconfirmed())
        if waiting:
            total = len(session.reading.table.columns) if session.reading is not None else 0
            return _("{n} of {total} confirmed", n=total - waiting, total=total)
        return _("{n} {n:column|columns} others may know", n=len(session.with_role("quasi-identifier")))

    def _describe_levels(self, state: State) -> str:
        """Return the line below the page Protection levels: what gives people their levels.

        That is a column, rules and sets of selected rows, or "One level for all". Until a recipient is chosen, it asks
        who will receive the file.
        """
        from ppdm_desktop.ui.state.level_column import name_of_level_column
        from ppdm_desktop.ui.state.level_texts import describe_rule_counts

        recipe = self._session.decisions.recipe
        if recipe.release.type is None:
            return _("Who will receive the file?")
        column = name_of_level_column(recipe)
        sources = [] if column is None else [_("From column {column}", column=Name(column))]
        sources += describe_rule_counts(recipe.privacy.rules, recipe.privacy.rows)
        return " · ".join(sources) or _("One level for all")

    def _describe_risk(self, state: State) -> str:
        """Return the line below the page Risk: the share of unique people, or that the risk is not measured yet.

        If each row is a group of people, it is the number of groups.
        """
        assessment = self._session.assessment
        if assessment is None:
            return _("Ready to measure")
        if assessment.prepared.rows_are_groups:
            return _("{n} {n:group|groups} of people", n=assessment.prepared.table.rows)
        return _("{share:share} unique", share=Share(assessment.risk.unique_people, assessment.risk.records))

    def _describe_protect(self, state: State) -> str:
        """Return the line below the page Protect, such as "2 of 3 versions finished".

        It is "Choose a version" if none was queued.
        """
        total = len(self._session.candidates)
        if not total:
            return _("Choose a version")
        finished = len(self._session.finished())
        return _("{n} of {total} {total:version|versions} finished", n=finished, total=total)

    def _describe_compare(self, state: State) -> str:
        """Return the line below the page Compare: the chosen version, or how many versions are finished."""
        chosen = self._session.chosen
        if chosen is not None:
            return _("{name} is chosen", name=Term(chosen.display_name))
        return _("{n} {n:version|versions}", n=len(self._session.finished()))

    def _describe_release(self, state: State) -> str:
        """Return the line below the page Release: "Written" if it is done, else "Pass the checks"."""
        return _("Written") if state is State.DONE else _("Pass the checks")

    def score(self) -> list[tuple[str, str]]:
        """Return the lines of the score card as (label, figure): risk, its limit if known, and the chosen version.

        The risk is the share of unique people and the mean chance of being found or, if each row is a group of people,
        the size of the smallest group. A risk not measured and a version not chosen are named as missing.
        """
        session, numbers = self._session, numbers_of(language())
        lines: list[tuple[str, str]] = []
        kind = session.decisions.recipe.release.type if session.reading is not None else None
        limit = None if kind is None else 1 / RELEASE_TYPES[kind].k_min
        measured = session.assessment
        if measured is not None and measured.prepared.rows_are_groups:
            smallest = measured.document["smallest_group"]
            lines.append((_("Smallest group"), numbers.count(smallest)))
        elif measured is not None:
            risk = measured.risk
            lines.append((_("Unique"), numbers.share(risk.unique_people, risk.records)))
            mean = risk.judged.prosecutor_mean
            match_text = numbers.percent(mean) if limit is None else numbers.versus(mean, limit)[0]
            lines.append((_("Found"), match_text))
        else:
            lines.append((_("Found"), _("measured in step 4")))
        if limit is not None:  # in per cent as the figure above it, so that both can be compared
            lines.append((_("Limit"), numbers.versus(limit, limit)[1]))
        chosen = session.chosen
        lines.append((_("Chosen"), chosen.display_name if chosen is not None else _("none yet")))
        return lines
