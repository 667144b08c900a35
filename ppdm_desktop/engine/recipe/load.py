"""Reading and writing ``recipe.toml``: clear errors in, the same recipe out."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import tomli_w
from pydantic import BaseModel, ValidationError

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import Recipe

_LARGEST = 8 * 2**20


def read_recipe(path: Path) -> Recipe:
    """Read a recipe file.

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
    return parse_recipe(document, file=str(path))


def parse_recipe(document: Mapping[str, Any], *, file: str | None = None) -> Recipe:
    """Check a parsed document against the format.

    Raises
    ------
    RecipeError
        Naming the first key that is unknown or holds something else than it should.
    """
    version = document.get("recipe")
    if version != 1 or isinstance(version, bool):
        raise RecipeError("error.recipe.version", file=file, args={"found": version})
    try:
        return Recipe.model_validate(dict(document))
    except ValidationError as error:
        raise _explain(error, file) from error


def _explain(error: ValidationError, file: str | None) -> RecipeError:
    found = sorted(error.errors(include_url=False), key=lambda item: item["type"] != "extra_forbidden")
    first = found[0]
    place = _place(first["loc"])
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
    message = first["msg"].removeprefix("Value error, ")
    return RecipeError("error.recipe.bad-value", file=file, args={"key": place, "reason": message})


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
