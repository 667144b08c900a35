"""The effective recipe: all decisions written out once guesses, defaults and lifted levels are filled in.

Its canonical form enters every random stream, so that the same key with another decision draws other numbers
(contract, section 1). Left out is what changes no draw: accepted reasons, the input's hash, operator texts, answers to
papers and all of ``[release]``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.recipe.models import JUDGING_LEVEL_KEYS, ColumnSection, InputSection, Recipe
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import LevelMap

JUDGING_KEYS = ("tolerance", "measured", "common_is_secret", "texts_read", "detail")
"""Keys of a column by which releases are only judged or planned: they move no random draw."""

GROUP_KEYS = ("rows", "people_count", "least_count", "largest")
"""Keys of the input that say how many people each row stands for, where it is a group of people."""

JUDGING_INPUT_KEYS = ("sha256", "quota", "columns_are_people", *GROUP_KEYS)
"""The same of the input."""

ANSWER_KEYS = ("one_row_per_person", "quota")
"""Keys of the input that say who the rows are; versions that there are already are judged again by them."""

IMPORT_KEYS = (
    *("last_row", "names", "leave_out", "people", "repair", "readings", "dictionary"),
    *("household", "order_by", "reduce"),
)
"""Keys of the input that stay out of the effective recipe where they say nothing."""


def complete_recipe(recipe: Recipe, options: InputSection, table: Table, input_sha256: str) -> Recipe:
    """Return the recipe with every guess about the input and its columns written out.

    ``columns."*"`` is replaced by the columns it stands for; a column without a role stays unnamed, so that the gate
    still finds it.
    """
    columns = {}
    for column in table.columns:
        given = recipe.columns.get(column.name) or recipe.columns.get("*")
        if given is None or column.role is None:
            continue
        section = {**given.model_dump(), "role": column.role, "kind": column.kind}
        if column.hierarchy is not None:
            section["hierarchy_sha256"] = column.hierarchy.sha256
        columns[column.name] = ColumnSection.model_validate(section)
    filled = {
        **options.model_dump(),
        "person": recipe.input.person,
        "household": recipe.input.household,
        "repair": recipe.input.model_dump()["repair"],
        "one_row_per_person": recipe.input.one_row_per_person,
        **{key: getattr(recipe.input, key) for key in JUDGING_INPUT_KEYS},
        "order_by": recipe.input.order_by,
        "reduce": recipe.input.reduce.model_dump() if recipe.input.reduce is not None else None,
        "sha256": input_sha256,
    }
    return recipe.model_copy(update={"columns": columns, "input": InputSection.model_validate(filled)})


def _drop_judging_keys(document: dict[str, Any]) -> None:
    """Remove from a recipe document the keys that change no random draw, and empty sections."""
    # Which plug-ins may take part moves no draw: the methods that do are named with the steps.
    for key in ("accept", "dossier", "operator", "population", "release", "plugins"):
        del document[key]
    for key in JUDGING_INPUT_KEYS:
        del document["input"][key]
    for key in IMPORT_KEYS:
        if not document["input"][key]:
            del document["input"][key]
    for section in document["input"].get("repair", {}).values():
        if section["within_person"] is None:
            del section["within_person"]
    for section in document["columns"].values():
        for key in JUDGING_KEYS:
            del section[key]
        if section["hierarchy_sha256"] is None:
            del section["hierarchy_sha256"]
        if not section["not_negative"]:
            del section["not_negative"]


def effective_document(
    complete: Recipe,
    levels: LevelMap,
    least_group: int,
    steps: Sequence[tuple[int, Method, Settings]],
    targets: Sequence[str],
) -> dict[str, Any]:
    """Return the effective recipe as plain data.

    Parameters
    ----------
    complete
        The recipe returned by ``complete_recipe``.
    levels
        The complete level map, group sizes as written.
    least_group
        The release type's k_min, to which every level's ``group`` is lifted.
    steps
        (index in the recipe, method, settings) of each step that runs.
    targets
        Columns that learners predict when usefulness is measured.
    """
    document = complete.model_dump(mode="json", by_alias=True)
    _drop_judging_keys(document)
    document["privacy"]["levels"] = {
        level.name: {key: value for key, value in asdict(level.demand).items() if key not in JUDGING_LEVEL_KEYS}
        for level in levels.named
    }
    if not document["rules"] or not any(method.keeps_rules for _, method, _ in steps):
        del document["rules"]
    if not document["privacy"]["words"]:
        del document["privacy"]["words"]
    document["privacy"]["least_group"] = least_group
    document["utility"]["targets"] = list(targets)
    for key in ("learn_from", "models"):  # what is measured draws nothing
        del document["utility"][key]
    document["steps"] = [
        {
            "place": index,
            "method": method.id,
            "columns": list(settings.columns),
            "parameters": dict(settings.values),
            "written": sorted(settings.written),
        }
        for index, method, settings in steps
    ]
    return document


def drawn_document(document: Mapping[str, Any], steps: Sequence[tuple[int, Method, Settings]]) -> dict[str, Any]:
    """Return the part of the effective recipe that random draws depend on.

    Left out are the lengths of searches that a person may stop early: the length reached is not known when the first
    number is drawn, and a recipe that states it afterwards must draw the same numbers. Also left out are values that
    only the run computes, and parameters that change draws only where they are written. The answer whether each row
    is another person is set to "confirmed", because draws do not depend on it.
    """
    lengths = {
        index: {
            parameter.name
            for parameter in method.parameters
            if not parameter.moves_draws or (parameter.silent_unless_written and parameter.name not in settings.written)
        }
        for index, method, settings in steps
    }
    drawn = [
        {
            **step,
            "parameters": {name: value for name, value in step["parameters"].items() if name not in length},
            "written": [name for name in step["written"] if name not in length],
        }
        for step, length in ((step, lengths[step["place"]]) for step in document["steps"])
    ]
    given = {**document["input"], "one_row_per_person": document["input"]["person"] is None}
    return {**document, "input": given, "steps": drawn}


def answers_of(recipe: Recipe) -> tuple[object, ...]:
    """Return the recipe's answers that decide how versions are judged but change no released value."""
    return recipe.release.agreement, recipe.population, *(getattr(recipe.input, key) for key in ANSWER_KEYS)


def answered_like(recipe: Recipe, answered: Recipe) -> Recipe:
    """Return a recipe with the answers (see `answers_of`) of another recipe."""
    return recipe.model_copy(
        update={
            "input": recipe.input.model_copy(update={key: getattr(answered.input, key) for key in ANSWER_KEYS}),
            "release": recipe.release.model_copy(update={"agreement": answered.release.agreement}),
            "population": answered.population,
        }
    )


def _plain(value: Any) -> Any:
    """Return data with plain dicts and lists, and whole numbers as integers."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def canonical(document: Mapping[str, Any]) -> bytes:
    """Return data as canonical JSON: sorted keys, whole numbers without a decimal point, UTF-8."""
    text = json.dumps(_plain(document), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8")


def digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the canonical form, hexadecimal."""
    return hashlib.sha256(canonical(document)).hexdigest()
