"""Reading and writing ``recipe.toml``: clear errors in, the same recipe out."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import tomli_w
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import Recipe, either

_LARGEST = 8 * 2**20
_SHOWN = 60


def read_recipe(path: Path, *, formats: Collection[str] | None = None) -> Recipe:
    """Read a recipe file.

    Parameters
    ----------
    formats
        As ``parse_recipe``.

    Raises
    ------
    RecipeError
        When the file cannot be read, is not TOML, or holds a key or value the format does not know.
    """
    try:
        raw = path.read_bytes() if path.stat().st_size <= _LARGEST else None
    except OSError as error:
        raise RecipeError(
            "error.recipe.unreadable", file=str(path), args={"reason": error.strerror or "not readable"}
        ) from error
    if raw is None:
        raise RecipeError("error.recipe.too-large", file=str(path))
    try:
        document = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RecipeError("error.recipe.not-utf8", file=str(path), args={"byte": error.start + 1}) from error
    except tomllib.TOMLDecodeError as error:
        raise RecipeError("error.recipe.not-toml", file=str(path), args={"reason": str(error)}) from error
    return parse_recipe(document, file=str(path), formats=formats)


def parse_recipe(
    document: Mapping[str, Any], *, file: str | None = None, formats: Collection[str] | None = None
) -> Recipe:
    """Check a parsed document against the format.

    Parameters
    ----------
    document
        What TOML or JSON holds.
    file
        Named in errors.
    formats
        The formats that a release may have (``release_formats``); left out, any name passes here and
        one that nobody writes is refused when the file is to be made.

    Raises
    ------
    RecipeError
        Naming the first key that is unknown or holds something else than it should.
    """
    version = document.get("recipe")
    if version != 1 or isinstance(version, bool):
        raise RecipeError("error.recipe.version", file=file, args={"found": version})
    try:
        return Recipe.model_validate(dict(document), context={"formats": formats})
    except ValidationError as error:
        raise _explain(error, document, file) from error


def _explain(error: ValidationError, document: Mapping[str, Any], file: str | None) -> RecipeError:
    found = sorted(error.errors(include_url=False), key=lambda item: item["type"] != "extra_forbidden")
    first = found[0]
    where = _written(first, document)
    place = _place(where)
    if first["type"] == "extra_forbidden":
        known = _known_keys(first["loc"][:-1])
        near = difflib.get_close_matches(str(first["loc"][-1]), known, n=1)
        return RecipeError(
            "error.recipe.unknown-key-near" if near else "error.recipe.unknown-key",
            file=file,
            args={"key": place, "known": ", ".join(known), "near": "".join(near)},
        )
    if first["type"] == "missing":
        return RecipeError("error.recipe.missing-key", file=file, args={"key": place})
    return RecipeError(
        "error.recipe.bad-value",
        file=file,
        args={"key": place, "reason": _reason(first, [each for each in found if _written(each, document) == where])},
    )


_WANTED = {
    "string_type": "a text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list in square brackets",
    "dict_type": "a table of keys and values",
    "model_type": "a table of keys and values",
    "model_attributes_type": "a table of keys and values",
    "literal_error": "{expected}",
    "greater_than": "above {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "below {lt}",
    "less_than_equal": "{le} or less",
    "too_short": "a list of {min_length}",
    "too_long": "a list of {max_length}",
    "finite_number": "a number that is not infinite",
}
"""What a recipe must hold, by the kind of fault the schema finds."""


def _written(fault: ErrorDetails, document: Mapping[str, Any]) -> tuple[int | str, ...]:
    """Return the place of a fault as the recipe writes it.

    Where a key may hold one of several types, the schema adds the type it tried to the place.
    """
    place = fault["loc"]
    inside: object = document
    for depth, part in enumerate(place):
        if isinstance(inside, list):
            inside = dict(enumerate(inside))
        if isinstance(inside, Mapping) and part in inside:
            inside = inside[part]
        elif isinstance(inside, Mapping) and part == 0:
            continue  # one table stands for a list of one
        else:
            return place if fault["type"] == "missing" else place[:depth]
    return place


def _reason(fault: ErrorDetails, all_of_it: Sequence[ErrorDetails]) -> str:
    """Say in words what a key must hold, which may be one of several things, and what it holds."""
    if any(each["type"] not in _WANTED for each in all_of_it):
        return fault["msg"].removeprefix("Value error, ")
    kinds = [_WANTED[each["type"]].format(**each.get("ctx", {})) for each in all_of_it]
    if any(kind.startswith("a number") for kind in kinds):
        kinds = [kind for kind in kinds if kind != "a whole number"]
    wanted = " or ".join(dict.fromkeys(kinds))
    return _must_be(wanted, fault["input"])


def one_of(known: Iterable[str], found: str) -> str:
    """Say in words that a key must hold one of these texts."""
    return _must_be(either(known), found)


def _must_be(wanted: str, found: object) -> str:
    text = json.dumps(found, ensure_ascii=False, default=str)
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return f"it must be {wanted}, and it says {shown}"


def _place(parts: tuple[int | str, ...]) -> str:
    place = ""
    for part in parts:
        if isinstance(part, int):
            place += f"[{part + 1}]"
        else:
            bare = part.replace("_", "").replace("-", "").isalnum() and part.isascii()
            place += ("." if place else "") + (part if bare else f'"{part}"')
    return place


def _known_keys(parents: tuple[int | str, ...]) -> list[str]:
    """Return the keys that the section at ``parents`` knows, walking the models."""
    model: type[BaseModel] | None = Recipe
    inside_table = False
    for part in parents:
        if model is None:
            return []
        if isinstance(part, int) or inside_table:
            inside_table = False
            continue
        field = model.model_fields.get(part)
        if field is None:
            return []
        inner = _model_in(field.annotation)
        inside_table = str(field.annotation).startswith("dict[")
        model = inner
    if model is None:
        return []
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in get_args(annotation):
        if (found := _model_in(part)) is not None:
            return found
    return None


def to_document(recipe: Recipe) -> dict[str, Any]:
    """Return the recipe as plain TOML values: what is left at its default is left out."""
    document = recipe.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)
    return {"recipe": 1, **{key: value for key, value in document.items() if key != "recipe"}}


def write_recipe(recipe: Recipe) -> str:
    """Return the recipe as the text of ``recipe.toml``."""
    return tomli_w.dumps(to_document(recipe))
