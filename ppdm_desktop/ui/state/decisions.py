"""Everything the user decided, and words for the difference between two sets of decisions. No Qt here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Names, Term, Terms

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import Recipe, StepSection, SweepSection


def _empty_recipe() -> Recipe:
    """Return a new recipe that contains no decision."""
    from ppdm_desktop.engine.recipe.models import Recipe

    return Recipe(recipe=1)


@dataclass(frozen=True)
class Decisions:
    """Everything the user decided.

    Attributes
    ----------
    path
        The source file, or None before one is opened.
    recipe
        The recipe as decided so far; its ``steps`` are those being edited on Protect.
    confirmed
        Columns whose role the user confirmed. Unconfirmed ones are suggestions.
    chosen
        Name of the candidate chosen for release.
    folder
        Folder of the release; empty before the user names one.
    keep_key
        Whether the key stays in ``internal/``.
    titles
        (name, title) of each candidate that was renamed.
    to_try
        The range of values proposed by an opened recipe file.
    wanted
        Steps put together on Risk, from which a version is made in addition to those found.
    """

    path: Path | None = None
    recipe: Recipe = field(default_factory=_empty_recipe)
    confirmed: frozenset[str] = frozenset()
    chosen: str | None = None
    folder: str = ""
    keep_key: bool = True
    titles: tuple[tuple[str, str], ...] = ()
    to_try: SweepSection | None = None
    wanted: tuple[StepSection, ...] = ()


def describe_decision(before: Decisions, after: Decisions) -> str:
    """Return a description of what was changed between two sets of decisions, for the list of undoable changes.

    If several parts changed, only the first in a fixed order is named, for example "Columns: age, sex" or "Protection
    levels". If no part in this order changed, it is "Open".
    """
    old, new = before.recipe, after.recipe
    changed = (*_changed_keys(old.columns, new.columns), *sorted(before.confirmed ^ after.confirmed))
    changed_columns = list(dict.fromkeys(changed))
    parts: tuple[tuple[object, object, Callable[[], str]], ...] = (
        (old.input, new.input, lambda: _("How the file was read")),
        (old.privacy, new.privacy, lambda: _("Protection levels")),
        (old.rules, new.rules, lambda: _("Rules")),
        (old.columns, new.columns, lambda: _format_changed_part(_("Columns"), Names.of(changed_columns))),
        (before.confirmed, after.confirmed, lambda: _format_changed_part(_("Columns"), Names.of(changed_columns))),
        (old.steps, new.steps, lambda: _format_changed_part(_("Protect"), Terms(_list_changed_steps(old, new)))),
        (old.population, new.population, lambda: _("Who are all the people this file was drawn from?")),
        (old.utility, new.utility, lambda: _("What is still useful")),
        (old.release, new.release, lambda: _("Release")),
        (old.accept, new.accept, lambda: _format_changed_part(_("Release"), Terms(_list_changed_reasons(old, new)))),
        (old.operator, new.operator, lambda: _("Released by")),
        (old.dossier, new.dossier, lambda: _("For the release record")),
        (before.titles, after.titles, lambda: _("Title of the version")),
        (before.chosen, after.chosen, lambda: _("Version")),
        (before.wanted, after.wanted, lambda: _("What would help?")),
        (before.folder, after.folder, lambda: _("Folder")),
        (before.keep_key, after.keep_key, lambda: _("The key")),
    )
    return next((describe() for first, second, describe in parts if first != second), _("Open"))


def _changed_keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the keys whose values differ between two mappings or that only one has, in the order of both."""
    return [key for key in {**before, **after} if before.get(key) != after.get(key)]


def _list_changed_steps(before: Recipe, after: Recipe) -> tuple[str, ...]:
    """Return the titles of the methods of all steps that only one of two recipes has, each once, the old ones first.

    A step with changed settings is such a step. If there is none, because only the order or number of equal steps
    differs, these are all steps of ``after``. A method that is not known is named by its id.
    """
    from ppdm_desktop.ui.state.step_chain import title_of

    changed = [step for step in (*before.steps, *after.steps) if (step in before.steps) != (step in after.steps)]
    return tuple(dict.fromkeys(title_of(step) for step in changed or after.steps))


def _list_changed_reasons(before: Recipe, after: Recipe) -> tuple[str, ...]:
    """Return the titles of the causes (headings of findings) whose written reason differs between two recipes.

    A reason that only one of them has differs, too.
    """
    from ppdm_desktop.engine.release.gate.base import find_cause

    return tuple(str(find_cause(cause).title) for cause in _changed_keys(before.accept, after.accept))


def _format_changed_part(part: str, names: Names | Terms) -> str:
    """Return the text "part: names" for a changed part of the decisions and the names of what changed in it."""
    return _("{name}: {value}", name=Term(part), value=names)
