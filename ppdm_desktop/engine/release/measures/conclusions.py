"""Which regressions are compared with the original: those of the recipe, or the ones that are proposed."""

from __future__ import annotations

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.models import RegressionSection
from ppdm_desktop.engine.release.candidate.model import Candidate, Compared, is_drawn
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.utility.conclusions import Conclusions, conclusions

MOST_MODELS, _MOST_X, _MOST_CATEGORIES = 5, 4, 20


def proposed_models(table: Table) -> tuple[RegressionSection, ...]:
    """Return a regression of each confidential number, or column of two values, on up to four quasi-identifiers.

    Parameters
    ----------
    table
        The columns with their roles, before any step.
    """
    x = [column.name for column in table.with_role("quasi-identifier") if _may_explain(column)][:_MOST_X]
    answers = [column.name for column in table.with_role("confidential") if may_be_explained(column)]
    return tuple(RegressionSection(y=name, x=tuple(x)) for name in answers[:MOST_MODELS] if x)


def may_be_explained(column: Column) -> bool:
    """Return whether a regression can have the column as its target: numbers or two values."""
    return column.kind == "numeric" or (column.kind != "text" and len(column.categories) == 2)


def _may_explain(column: Column) -> bool:
    """Return whether a regression can have the column as a predictor: numbers, dates or few categories."""
    return column.kind in ("numeric", "date") or (
        column.kind != "text" and 2 <= len(column.categories) <= _MOST_CATEGORIES
    )


def compare_conclusions(
    candidate: Candidate, sides: Compared, models: tuple[RegressionSection, ...] | None
) -> tuple[Conclusions, ...]:
    """Return what each regression says on the original and on the release; models of lost columns are left out.

    Parameters
    ----------
    candidate, sides
        The candidate, and its columns before and as released.
    models
        The regressions; the proposed ones where None.

    Raises
    ------
    RecipeError
        Where a model names a column that the source does not have.
    """
    prepared = candidate.prepared
    models = proposed_models(prepared.table) if models is None else models
    released = {column.name: column for column in sides.after}
    before = {column.name: column for column in sides.before}
    results = []
    for model in models:
        progress.check()
        for name in (model.y, *model.x):
            prepared.table.column(name)
        if all(name in released for name in (model.y, *model.x)):
            pairs = [(_original(candidate, before[name]), released[name]) for name in (model.y, *model.x)]
            results.append(conclusions(pairs[0], pairs[1:]))
    return tuple(results)


def _original(candidate: Candidate, column: Column) -> Column:
    """Return a number as it is in the source, whatever ranges it was put into; any other column as it is compared."""
    source = candidate.prepared.original.column(column.name)
    return source if source.kind == "numeric" and not is_drawn(candidate, column.name) else column
