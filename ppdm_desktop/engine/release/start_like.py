"""An earlier project or recipe as the start for a new file: which decisions are carried over, and which are not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.files.opening import PROJECT, PROJECT_SUFFIX, read_json
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.recipe.carry_over import PROFILES, Match, Profile, Why, carried_recipe, match_columns
from ppdm_desktop.engine.recipe.load import parse_recipe, read_recipe
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, Recipe
from ppdm_desktop.engine.recipe.plugin_use import refuse_others
from ppdm_desktop.engine.release.storage.sketching import profile_of
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.hierarchies import read_hierarchy, unknown_values
from ppdm_desktop.engine.table.kinds import number_decimals, present_texts
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.stored.code_store import CodeStore
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import describe_kind
from ppdm_desktop.engine.wording.values import Terms

_READABLE = 0.95
_TEXT_KINDS = ("nominal", "ordinal", "text")


@dataclass(frozen=True)
class Row:
    """One column of the earlier file, and what became of it in the new file.

    Attributes
    ----------
    match
        The new column and why it is taken for the earlier one.
    is_carried
        Whether the decisions on the earlier column are carried over.
    differs
        A sentence on what has changed, so that a person has to confirm the decisions first; None for no change.
    """

    match: Match
    is_carried: bool
    differs: Sentence | None = None


@dataclass(frozen=True, eq=False)
class Started:
    """A new file with the decisions of an earlier project that fit it.

    Attributes
    ----------
    reading
        The new file, read with the repairs (corrections of cells) that were carried over.
    recipe
        The recipe for the new file.
    rows
        What became of each earlier column.
    reasons
        The earlier written reasons by cause: they are shown so that new ones can be written, and are never valid.
    """

    reading: Reading
    recipe: Recipe
    rows: tuple[Row, ...]
    reasons: Mapping[str, str]

    @property
    def sure(self) -> frozenset[str]:
        """Names of new columns that take over the decisions on an earlier one, and in which nothing differs."""
        return frozenset(row.match.new for row in self.rows if row.is_carried and row.differs is None)

    @property
    def decided_only(self) -> Recipe:
        """The recipe with the sections of the ``sure`` columns only.

        All other columns are undecided and stop the release.
        """
        columns = {name: section for name, section in self.recipe.columns.items() if name in self.sure}
        return self.recipe.model_copy(update={"columns": columns})


def profiles_document(table: Table, key: bytes | None) -> dict[str, Any]:
    """Return the profiles (short descriptions) of a table's columns as plain data, as a project file keeps them.

    ``key`` is this computer's key for the sketches of values in profiles; None for profiles without sketches.
    """
    return {"columns": PROFILES.dump_python({column.name: profile_of(column, key) for column in table.columns})}


def read_earlier_decisions(path: Path) -> tuple[Recipe, Mapping[str, Profile]]:
    """Return the recipe of a project or of a recipe file, and the project's profiles of columns, by name.

    The suffix of the name tells a project file. There are no profiles for a recipe file. Columns whose profiles were
    made with another computer's key are matched by name only.

    Raises
    ------
    InputError, RecipeError
        When the file is neither a project nor a recipe that can be read.
    """
    if path.suffix.lower() != PROJECT_SUFFIX:
        return read_recipe(path, formats=release_formats()), {}
    try:
        document = read_json(path, PROJECT)
        recipe = parse_recipe(document["recipe"], file=str(path), formats=release_formats())
        return recipe, PROFILES.validate_python(document.get("profiles", {"columns": {}})["columns"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("error.project.not-a-project", file=str(path)) from error


def refuse_unknown_methods(recipe: Recipe) -> None:
    """Raise RecipeError if this program lacks a step's method, or a plug-in that the recipe names is not enabled.

    It is also raised if an enabled step has a method of a plug-in that the recipe does not name. The method must exist
    for steps that are switched off, too.
    """
    refuse_others(recipe)
    for step in recipe.steps:
        find_method(step.method)


def start_like(
    source: Path,
    recipe: Recipe,
    profiles: Mapping[str, Profile],
    key: bytes | None,
    *,
    undone: Collection[str] = (),
    chosen: Mapping[str, str] | None = None,
    store: CodeStore | None = None,
) -> Started:
    """Return a new file as read, with the decisions of an earlier recipe that fit it.

    With the file come the recipe for it, what became of each earlier column, and the earlier written reasons by cause,
    which are not valid any more.

    Parameters
    ----------
    source
        The new file.
    recipe
        The earlier recipe.
    profiles
        Profile of each earlier column, where they are known.
    key
        This computer's key of sketches; without it only names are compared.
    undone
        Earlier columns whose decisions are not to be carried over.
    chosen
        New column by earlier column, where a person chose it.
    store
        Where the codes of the columns are to be stored; they stay in memory when left out.

    Raises
    ------
    PpdmError
        When the file cannot be read, or the program does not have a method or plug-in of the recipe.
    """
    use = recipe.plugins.use
    refuse_unknown_methods(recipe)
    reading = read_source(source, InputSection(missing=recipe.input.missing), plugins=use, store=store)
    old = {name: profiles.get(name) for name in {**profiles, **recipe.columns} if name != "*"}
    new = {column.name: profile_of(column, key) for column in reading.table.columns}
    matches = [_apply_choices(match, chosen or {}, undone) for match in match_columns(old, new)]
    repairs = carried_recipe(recipe, {match.old: match.new for match in matches if match.new}, {}).input
    if repairs.repair:
        reading = read_source(source, repairs, plugins=use, store=store)
    rows, kept = [], {}
    for match in matches:
        differs, fitted = _fit_column(match, recipe, old[match.old], reading, source.parent)
        rows.append(Row(match, fitted is not None, differs))
        if fitted is not None:
            kept[match.new] = fitted
    carried = {row.match.old: row.match.new for row in rows if row.is_carried}
    reasons = {cause: section.reason for cause, section in recipe.accept.items()}
    return Started(reading, carried_recipe(recipe, carried, kept), tuple(rows), reasons)


_WHY: Mapping[Why, Sentence] = {
    "same-name": lazy("same name"),
    "like-name": lazy("similar name"),
    "content": lazy("similar values"),
    "asked": lazy("several are similar"),
    "gone": lazy("not in this file"),
}


def to_row_texts(row: Row) -> tuple[str, str, str, str]:
    """Return an earlier column as texts: its name, the new name, why they match, and what differs ("" for nothing)."""
    return row.match.old, row.match.new, str(_WHY[row.match.why]), str(row.differs or "")


def _apply_choices(match: Match, chosen: Mapping[str, str], undone: Collection[str]) -> Match:
    """Return a match of an old and a new column as a person decided.

    Without a new column ("") and with the cause "gone" if the old one is in ``undone``; else with the new column in
    ``chosen`` ("" for none) and the cause as it was; else unchanged.
    """
    if match.old in undone:
        return Match(match.old, "", "gone")
    return Match(match.old, chosen[match.old], match.why) if match.old in chosen else match


def _fit_column(
    match: Match, recipe: Recipe, profile: Profile | None, reading: Reading, folder: Path
) -> tuple[Sentence | None, ColumnSection | None]:
    """Return a sentence on what differs in a new column, and the earlier column's section as far as it fits.

    The keys that do not fit are set to None, and ``texts_read`` is in any case. The section is None where no new column
    matches, the recipe has no section on the earlier one, or more than 5 % of the cells with a value cannot be read as
    the earlier kind. The sentence names the two kinds in that last case. Else it names the values that cannot be read,
    do not fit a key or are no words of the privacy levels; None where nothing differs. ``folder`` is where hierarchy
    files are looked for.
    """
    section = recipe.columns.get(match.old)
    if not match.new or match.new not in reading.table or section is None:
        return None, None
    column = reading.table.column(match.new)
    counts = dict(zip(column.texts, column.text_counts.tolist(), strict=True))
    texts, guessed = present_texts(column), None if profile is None else profile.kind
    kind = section.kind or guessed or column.kind
    unread = _list_unread_texts(kind, guessed, section, column, reading.account.decimal)
    if sum(counts[text] for text in unread) > (1 - _READABLE) * sum(counts[text] for text in texts):
        before, now = describe_kind(guessed or kind), describe_kind(column.kind)
        return lazy("It was {before} and is {now} now.", before=before, now=now), None
    unfit = _unfit_keys(section, column, texts, folder, reading.table.names)
    words = recipe.privacy.words if recipe.privacy.column == match.old else {}
    unknown = [*unread, *chain.from_iterable(unfit.values()), *_list_unknown_words(words, texts)]
    changes = dict.fromkeys(["texts_read", *(key for key, values in unfit.items() if values)])
    names = Terms(tuple(dict.fromkeys(unknown)))
    differs = lazy("Not known from last time: {values}.", values=names) if unknown else None
    return differs, section.model_copy(update=changes)


def _list_unknown_words(words: Collection[str], texts: Sequence[str]) -> list[str]:
    """Return the texts that are neither whole numbers without a sign nor one of ``words``, the names of privacy levels.

    Empty where ``words`` is empty.
    """
    return [text for text in texts if words and text.strip() not in words and not text.strip().isdigit()]


def _unfit_keys(
    section: ColumnSection, column: Column, texts: Sequence[str], folder: Path, names: Collection[str]
) -> dict[str, Sequence[str]]:
    """Return the values that do not fit a section's order, bounds, hierarchy or bins, by the key of the section.

    A key whose values all fit may have an empty list. Bounds are compared for number columns only. A hierarchy's values
    are listed under ``hierarchy_sha256`` as well; for one that cannot be read the value is its file name. For bins made
    with a target column that is not among ``names`` the value is that column. ``texts`` are the column's values,
    ``folder`` is where hierarchy files are looked for.
    """
    unfit: dict[str, Sequence[str]] = {}
    if section.order is not None:
        unfit["order"] = [text for text in texts if text not in section.order]
    if section.bounds is not None and column.kind == "numeric":
        outside = (column.numbers < section.bounds[0]) | (column.numbers > section.bounds[1])
        unfit["bounds"] = [column.texts[code] for code in np.unique(column.codes[outside]).tolist()]
    if section.hierarchy is not None:
        try:
            hierarchy = read_hierarchy(folder / section.hierarchy, column.name, within=folder)
            unknown: Sequence[str] = unknown_values(hierarchy, texts)
        except (InputError, RecipeError):
            unknown = [section.hierarchy]
        unfit |= {"hierarchy": unknown, "hierarchy_sha256": unknown}
    if section.bins is not None and section.bins.against not in (None, *names):
        unfit["bins"] = [str(section.bins.against)]
    return unfit


def _list_unread_texts(
    kind: str, guessed: str | None, section: ColumnSection, column: Column, decimal: str
) -> list[str]:
    """Return the texts of a column that cannot be read as ``kind``, each different text once, missing ones left out.

    - Numbers are tried text by text, and so are dates if the section has a format.
    - Dates without a format: none if the new column was recognised as dates, else all.
    - Any other kind: none if the new column is of the kind that was guessed for the earlier one (``guessed``, else
      ``kind``), or both are nominal, ordinal or text; else all.
    - ``guessed`` is None for a recipe without profiles; then a column of numbers is accepted as codes.
    """
    texts = present_texts(column)
    if kind == "numeric":
        return [text for text in texts if number_decimals([text], decimal) is None]
    if kind == "date":
        form = DateFormat.parse(section.format or "")
        if form is None:
            return [] if column.kind == "date" else texts
        return [text for text in texts if form.read(text) is None]
    # A recipe alone does not say whether its codes were numbers.
    was_number = guessed is None and column.kind == "numeric"
    before = guessed or kind
    return [] if was_number or column.kind == before or {column.kind, before} <= set(_TEXT_KINDS) else texts
