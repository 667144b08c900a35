"""The people outside the file: how uniqueness in a table or a release carries over to all people.

The classes are those of all people of the source by their quasi-identifiers as the release shows them. Emptied cells
and rows left out are filled by the release's own rule for the column: otherwise the people who stand out most, whose
cells are emptied first, would be missing among the unique ones, and the chance would come out too low.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints, places_among
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.identifiability.population import (
    MatchChance,
    individual_risk,
    map_risk,
    match_chance,
    modelled_uniques,
)
from ppdm_desktop.engine.recipe.models import PopulationSection
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared
from ppdm_desktop.engine.release.measures.population_table import Recoding, population_table
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Name

NOBODY_UNIQUE = lazy("nobody is unique")
NOT_RANDOM = lazy("the people were not drawn at random")
_ARTIFICIAL = lazy("the released rows are artificial")
_NO_DETAILS = lazy("no released column counts as known to others")
_SEVERAL = lazy("the rows of a person differ in their details")


@dataclass(frozen=True, eq=False)
class ShownDetails:
    """The quasi-identifiers of all people of the source as the release shows them.

    Attributes
    ----------
    codes
        For each column shape (people,); emptied cells filled by the rule of the column, -1 where missing in the source.
    emptied
        For each column the people whose cell the release empties, shape (people,).
    released
        People whose row is released, shape (people,).
    rules
        For each column how its values are shown; None for one that is shown differently from group to group.
    """

    codes: list[Ints]
    emptied: list[Bools]
    released: Bools
    rules: list[Recoding | None]

    @property
    def people(self) -> int:
        """Number of people in the original file."""
        return len(self.released)

    @property
    def shown_whole(self) -> Bools:
        """People who are released without an emptied cell, shape (people,)."""
        return np.asarray(self.released & ~np.logical_or.reduce(self.emptied))


def outside_of(
    prepared: Prepared, candidate: Candidate | None = None, released: Table | None = None
) -> model.OutsideEntry | None:
    """Return what being unique means among all people; None where the recipe does not say who they are.

    Parameters
    ----------
    prepared
        The source with its recipe.
    candidate, released
        The release, and its columns in the order of ``final`` with drawn numbers as their bins; left out, the source
        itself is judged.

    Raises
    ------
    RecipeError, InputError
        When size, weights or table do not fit the file.
    """
    section = prepared.recipe.population
    if section is None or prepared.rows_are_groups:
        return None
    details = _details(prepared, candidate, released)
    table = None if section.table is None else population_table(prepared, section.table)
    size, odds = _size_and_odds(prepared, section, table)
    nothing = model.OutsideEntry(
        who=section.who,
        size=size,
        drawn=section.drawn,
        by_table=table is not None,
        theta=Figure.absent(details if isinstance(details, Sentence) else NOT_RANDOM),
        f=[],
        left_out=0,
        kmap=None,
        expert=None,
    )
    if isinstance(details, Sentence) or section.drawn == "everybody":
        return nothing
    classes = classes_of_codes(details.codes, details.people)
    unique = classes.size_of_record == 1
    chance = match_chance(classes, 0.0 if odds is None else odds)
    left_out = int((unique & ~details.shown_whole).sum())
    counted = nothing.model_copy(update={"f": list(chance.counts), "left_out": left_out})
    if table is not None and None not in details.rules:
        kmap, theta = _by_table(details, table)
        return counted.model_copy(update={"kmap": kmap, "theta": theta})
    if odds is None:
        return counted.model_copy(update={"f": []})
    if left_out == chance.counts[0]:
        return counted.model_copy(update={"theta": Figure.absent(NOBODY_UNIQUE)})
    low, high = chance.interval
    theta = Figure(chance.value, low=low, high=high, n=chance.counts[0], unit="share")
    return counted.model_copy(update={"theta": theta, "expert": _expert(classes, chance, odds, size or details.people)})


# --- the details as they are shown ----------------------------------------------------------------


def _details(prepared: Prepared, candidate: Candidate | None, released_table: Table | None) -> ShownDetails | Sentence:
    """Return the details of all people of the source as they are shown, or why they say nothing of other people."""
    source = prepared.table
    if candidate is not None and not candidate.rows_correspond:
        return _ARTIFICIAL
    table = source if candidate is None or released_table is None else released_table
    rows = places_among(source.row_numbers, table.row_numbers)
    first, released = source.persons.first_rows, np.zeros(source.rows, dtype=np.bool_)
    released[rows] = True
    details = ShownDetails([], [], released[first], [])
    for column in table.with_role("quasi-identifier"):
        progress.check()
        original = prepared.original.column(column.name)
        if source.several is not None and source.several.varying(original.category_codes):
            return _SEVERAL
        if candidate is not None and not _is_recoded(candidate, source.column(column.name).take(rows), column):
            return lazy("{column} is changed at random", column=Name(column.name))
        codes, emptied, rule = _shown(original, column, rows)
        if rule is None and (emptied.any() or not released.all()):
            return lazy("{column} is shown by groups, and some of its values are left out", column=Name(column.name))
        details.codes.append(codes[first])
        details.emptied.append(emptied[first])
        details.rules.append(rule)
    return details if details.codes else _NO_DETAILS


def _is_recoded(candidate: Candidate, source: Column, after: Column) -> bool:
    """Return whether every step that changed a column shows disjoint parts of its values.

    Where no step is known to have changed it, as in a file made elsewhere, it has to be the column of the source.
    """
    name = source.name
    changing = [
        step
        for step in candidate.steps
        if name in step.settings.columns and _differ(step.before.column(name), step.result.table.column(name))
    ]
    if changing:
        return all(step.method.recodes(step.settings) for step in changing)
    return not _differ(source, after)


def _differ(before: Column, after: Column) -> bool:
    """Return whether two versions of a column have different values in some row."""
    if before is after or len(before) != len(after):
        return before is not after
    old, new, _ = merged_categories(before, after)
    return bool((old != new).any())


def _shown(original: Column, released: Column, rows: Ints) -> tuple[Ints, Bools, Recoding | None]:
    """Return for each row of the source the code shown and whether its cell is emptied, and the rule of the column.

    Parameters
    ----------
    original
        The column of the source, without bins.
    released
        The same column as released, shape (rows,).
    rows
        The row of the source that each released row is.
    """
    true, codes = original.category_codes, released.category_codes
    rule = np.full(len(original.categories), -1, dtype=np.int64)
    is_shown = (true[rows] >= 0) & (codes >= 0)
    rule[true[rows][is_shown]] = codes[is_shown]
    emptied = np.zeros(len(true), dtype=np.bool_)
    emptied[rows] = (true[rows] >= 0) & (codes < 0)
    if (rule[true[rows][is_shown]] != codes[is_shown]).any():
        by_group = np.full(len(true), -1, dtype=np.int64)
        by_group[rows] = codes
        return by_group, emptied, None
    recoding = Recoding(original, released, rule)
    return np.where(true < 0, -1, np.append(recoding.filled, -1)[true]), emptied, recoding


# --- sizes, and figures ---------------------------------------------------------------------------


def _size_and_odds(
    prepared: Prepared, section: PopulationSection, table: Table | None
) -> tuple[int | None, Floats | float | None]:
    """Return how many people there are, and each person's odds not to be drawn; None for what nobody knows.

    Raises
    ------
    RecipeError
        When there are fewer people than in the file, or more although everybody is in it, or a weight is none.
    """
    people, size = prepared.table.persons.count, section.size
    if section.weight is not None:
        weights = _weights(prepared, section.weight)
        size = size or int(np.ceil(weights.sum() - 1e-9))
    elif table is not None:
        size = size or table.rows
    elif section.drawn == "everybody":
        size = size or people
    if size is not None and size < people:
        raise RecipeError("error.population.too-few", args={"all": size, "people": people})
    if size is not None and size > people and section.drawn == "everybody":
        raise RecipeError("error.population.too-many", args={"all": size, "people": people})
    if section.drawn != "random" or size is None:
        return size, None
    return size, size / people - 1 if section.weight is None else weights - 1


def _weights(prepared: Prepared, name: str) -> Floats:
    """Return how many people each person of the source stands for, shape (people,)."""
    column = prepared.original.column(name)
    if column.kind != "numeric":
        raise RecipeError("error.population.weight", column=name)
    weights = column.numbers[prepared.table.persons.first_rows]
    if not (weights >= 1).all():  # a missing weight is no number, and none of 1 or more
        raise RecipeError("error.population.weight", column=name)
    return weights


def _expert(classes: Classes, chance: MatchChance, odds: Floats | float, size: int) -> model.ExpertEntry:
    """Return bounds, models and the mean individual risk of the unique people."""
    low, high = chance.unique_outside
    weights = np.broadcast_to(np.asarray(odds) + 1.0, classes.ids.shape)
    of_class = np.bincount(classes.ids, weights, minlength=classes.count).astype(np.float64)
    individual = individual_risk(classes.sizes, of_class)[classes.sizes == 1].mean()
    return model.ExpertEntry(low=low, high=high, individual=float(individual), **modelled_uniques(classes.sizes, size))


def _by_table(details: ShownDetails, table: Table) -> tuple[model.MapEntry, Figure]:
    """Return the risk by a table of all people, and by it the chance that a person found is the unique one.

    Raises
    ------
    RecipeError, InputError
        When the table lacks people of the file, or holds values that the release has no form for.
    """
    rules = [rule for rule in details.rules if rule is not None]
    codes = [
        np.concatenate([code, rule.codes_of(table.column(rule.original.name))])
        for code, rule in zip(details.codes, rules, strict=True)
    ]
    pattern = np.zeros(details.people, dtype=np.int64)
    for bit, emptied in enumerate(details.emptied):
        pattern |= emptied.astype(np.int64) << bit
    counts: list[tuple[Ints, Ints, Ints]] = []
    for hidden in np.unique(pattern[details.released]).tolist():
        progress.check()
        kept = [code for bit, code in enumerate(codes) if not hidden >> bit & 1]
        classes = classes_of_codes(kept, len(codes[0]))
        in_file = np.bincount(classes.ids[: details.people], minlength=classes.count)
        showing = classes.ids[: details.people][details.released & (pattern == hidden)]
        people = np.bincount(showing, minlength=classes.count)
        has_people = people > 0
        counts.append((in_file[has_people], (classes.sizes - in_file)[has_people], people[has_people]))
    in_file, in_table, people = (np.concatenate(parts) for parts in zip(*counts, strict=True))
    lacking = np.flatnonzero(in_table < in_file)
    if len(lacking):
        worst = lacking[0]
        arguments = {"all": int(in_table[worst]), "people": int(in_file[worst])}
        raise RecipeError("error.population.not-everybody", args=arguments)
    unique = counts[0][0] == 1 if details.shown_whole.any() else np.zeros(0, dtype=np.bool_)
    theta = Figure.absent(NOBODY_UNIQUE)
    if unique.any():
        value = float(unique.sum() / counts[0][1][unique].sum())
        theta = Figure(value, low=value, high=value, n=int(unique.sum()), unit="share")
    return model.MapEntry(**map_risk(in_file, in_table, people)), theta
