"""Reading the hierarchy files that a recipe declares, and attaching each hierarchy to its column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, ColumnSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.hierarchies import check_digest, read_hierarchy, unknown_values
from ppdm_desktop.engine.table.kinds import make_unfit_error, present_texts
from ppdm_desktop.engine.wording.values import Name


def apply_hierarchies(table: Table, columns: Mapping[str, ColumnSection], folder: Path) -> Table:
    """Return the table in which every released column whose recipe entry names a hierarchy file has that hierarchy.

    Entries of columns that are not released by their role are ignored, and their files not read.

    Parameters
    ----------
    table
        Its columns already have their kinds.
    columns
        The recipe's entries ``[columns]`` by column name; the entry ``"*"`` applies to columns without their own.
    folder
        The folder of the input file, from which file names are taken.

    Raises
    ------
    InputError
        When a file cannot be read or lacks a value of the column; the error names column, row and value.
    RecipeError
        When the column is free text or cut into bins, or the file's SHA-256 is not that of the recipe.
    """
    changed = []
    for column in table.columns:
        section = columns.get(column.name, columns.get("*"))
        if section is not None and section.hierarchy is not None and column.role in RELEASED_ROLES:
            changed.append(_attach_hierarchy(column, section, folder, table))
    return table.replacing(*changed)


def _attach_hierarchy(column: Column, section: ColumnSection, folder: Path, table: Table) -> Column:
    """Return a column with the hierarchy read from the file that its recipe entry names, relative to ``folder``.

    Raises InputError when the file cannot be read or lacks a value of the column, and RecipeError when the column is
    free text or cut into bins or the file's SHA-256 is not that of the recipe.
    """
    assert section.hierarchy is not None
    if column.kind == "text" or section.bins is not None:
        raise RecipeError("error.hierarchy.not-here", column=column.name)
    path = folder / section.hierarchy
    hierarchy = read_hierarchy(path, column.name, within=folder)
    check_digest(hierarchy, section.hierarchy_sha256, path, column.name)
    unknown = unknown_values(hierarchy, present_texts(column))
    if unknown:
        name = Name(str(section.hierarchy))
        raise make_unfit_error(
            "error.hierarchy.value-missing", column, unknown, table, count=len(unknown), hierarchy=name
        )
    return replace(column, hierarchy=hierarchy)
