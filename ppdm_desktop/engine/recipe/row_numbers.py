"""Rows picked by number in a recipe of before are data rows; now they are the rows that a spreadsheet program shows."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import Recipe, RowsRule
from ppdm_desktop.engine.wording.texts import Note


def rows_of_source(recipe: Recipe, rows_above: int) -> tuple[Recipe, tuple[Note, ...]]:
    """Return a recipe whose picked rows are numbered as in the source, and what was converted.

    Parameters
    ----------
    recipe
        As written; without ``row_numbers`` its picked rows count from the first record.
    rows_above
        How many rows of the source stand above the first record.
    """
    if recipe.input.row_numbers is not None or not recipe.privacy.rows:
        return recipe, ()
    rules = tuple(_moved(rule, rows_above) for rule in recipe.privacy.rows)
    privacy = recipe.privacy.model_copy(update={"rows": rules})
    options = recipe.input.model_copy(update={"row_numbers": "source"})
    return recipe.model_copy(update={"privacy": privacy, "input": options}), (
        Note("note.recipe.rows-converted", {"above": rows_above}),
    )


def _moved(rule: RowsRule, above: int) -> RowsRule:
    spans = [(first + above, last + above) for first, last in rule.spans()]
    rows = tuple(first if first == last else f"{first}-{last}" for first, last in spans)
    return rule.model_copy(update={"rows": rows})
