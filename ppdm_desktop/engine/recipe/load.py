"""Read, check and write ``recipe.toml``."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import tomli_w
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.files.opening import RECIPE, parse_toml, read_file
from ppdm_desktop.engine.recipe.models import Recipe, SweepFile, SweepSection
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Quoted, Reason, Term, Terms, Value

_LONGEST = 60
OTHER_TABLES = ("sweep", "paper")
"""Tables in a recipe's file that do not concern a release: the values of a parameter sweep, and a paper's name."""


def read_recipe(path: Path, *, formats: Collection[str] | None = None) -> Recipe:
    """Return the recipe in a file.

    Parameters
    ----------
    path
        The recipe's file.
    formats
        Names of the file formats that a release may have; None accepts any name.

    Raises
    ------
    RecipeError
        When the file cannot be read, is not TOML, or holds a key or value that a recipe cannot have.
    """
    return parse_recipe(read_document(path), file=str(path), formats=formats)


def read_document(path: Path) -> dict[str, Any]:
    """Return the content of a recipe file as a dictionary, without checking keys and values.

    Raises
    ------
    RecipeError
        When the file cannot be read, is too large, is not UTF-8 or TOML, or is nested too deeply.
    """
    try:
        raw = read_file(path, RECIPE)
    except OSError as error:
        raise RecipeError("error.read.unreadable", file=str(path), args={"reason": Reason.of(error)}) from error
    except InputError as error:
        raise RecipeError(error.id, file=error.file, args=error.arguments) from error
    try:
        return parse_toml(raw.decode("utf-8-sig"), RECIPE, path)
    except UnicodeDecodeError as error:
        raise RecipeError("error.recipe.not-utf8", file=str(path), args={"byte": error.start + 1}) from error
    except InputError as error:
        raise RecipeError(error.id, file=error.file, args=error.arguments) from error
    except ValueError as error:  # a number of thousands of digits is no TOMLDecodeError
        raise RecipeError("error.recipe.not-toml", file=str(path), args={"reason": Reason(str(error))}) from error


def parse_recipe(
    document: Mapping[str, Any], *, file: str | None = None, formats: Collection[str] | None = None
) -> Recipe:
    """Return the recipe in a parsed TOML or JSON document; its tables ``sweep`` and ``paper`` are ignored.

    Parameters
    ----------
    document
        The parsed document.
    file
        Name of the file for error messages.
    formats
        Names of the file formats that a release may have. None accepts any name here; an unknown one is then refused
        when the file is written.

    Raises
    ------
    RecipeError
        When ``recipe`` is not 1; otherwise for the first key that is unknown, or else for the first that is missing or
        has an unfit value.
    """
    version = document.get("recipe")
    if version != 1 or isinstance(version, bool):
        raise RecipeError("error.recipe.version", file=file, args={"found": Term(repr(version))})
    try:
        return Recipe.model_validate(_drop_keys(document, OTHER_TABLES), context={"formats": formats})
    except ValidationError as error:
        raise _explain_first_fault(error, document, file) from error


def read_sweep_section(path: Path) -> SweepSection | None:
    """Return the ``[sweep]`` table of a recipe file; None if it has none.

    Raises
    ------
    RecipeError
        When the file cannot be read or is not TOML, or the table has an unknown or missing key or an unfit value.
    """
    document = read_document(path)
    try:
        return SweepFile.model_validate({key: document[key] for key in ("sweep",) if key in document}).sweep
    except ValidationError as error:
        raise _explain_first_fault(error, document, str(path), SweepFile) from error


def _drop_keys(document: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return a copy of a dictionary without the given keys."""
    return {key: value for key, value in document.items() if key not in keys}


def _explain_first_fault(
    error: ValidationError, document: Mapping[str, Any], file: str | None, root: type[BaseModel] = Recipe
) -> RecipeError:
    """Return the error to show for the first fault that the schema found in a document, unknown keys before all else.

    It names the key as the user wrote it and says that it is unknown (with the nearest known key, if one is similar),
    that it is missing, or why its value is refused.

    Parameters
    ----------
    error
        What the schema's validation raised.
    file
        Name of the file for the message.
    root
        The schema's class for the whole document.
    """
    faults = sorted(error.errors(include_url=False), key=lambda item: item["type"] != "extra_forbidden")
    first = faults[0]
    where = _find_written_path(first, document)
    key = _format_path(where)
    if first["type"] == "extra_forbidden":
        known_keys = _known_keys(first["loc"][:-1], root)
        near = difflib.get_close_matches(str(first["loc"][-1]), known_keys, n=1)
        return RecipeError(
            "error.recipe.unknown-key-near" if near else "error.recipe.unknown-key",
            file=file,
            args={"key": Term(key), "known": Term(", ".join(known_keys)), "near": Quoted("".join(near))},
        )
    if first["type"] == "missing":
        return RecipeError("error.recipe.missing-key", file=file, args={"key": Term(key)})
    return RecipeError(
        "error.recipe.bad-value",
        file=file,
        args={
            "key": Term(key),
            "reason": Term(
                explain_refusal(first, [fault for fault in faults if _find_written_path(fault, document) == where])
            ),
        },
    )


_WANTED = {
    "string_type": lazy("a text in quotes"),
    "int_type": lazy("a whole number"),
    "int_from_float": lazy("a whole number"),
    "float_type": lazy("a number"),
    "bool_type": lazy("true or false"),
    "tuple_type": lazy("a list in square brackets"),
    "dict_type": lazy("a table of keys and values"),
    "model_type": lazy("a table of keys and values"),
    "model_attributes_type": lazy("a table of keys and values"),
    "literal_error": lazy("one of {expected}"),
    "greater_than": lazy("above {gt}"),
    "greater_than_equal": lazy("{ge} or more"),
    "less_than": lazy("below {lt}"),
    "less_than_equal": lazy("{le} or less"),
    "too_short": lazy("a list of {min_length}"),
    "too_long": lazy("a list of {max_length}"),
    "finite_number": lazy("a number that is not infinite"),
}
"""Phrases for what a key must hold, by the kind of fault that the schema reports."""


def _find_written_path(fault: ErrorDetails, document: Mapping[str, Any]) -> tuple[int | str, ...]:
    """Return the path of a faulty key as the recipe has it; for a missing key, the path where it should be.

    If a key may hold one of several types, the schema appends the type it tried to the path. This part is cut off. If a
    key may hold a table or a list of tables, a single table has position 0 in the path.
    """
    location = fault["loc"]
    inside: object = document
    for depth, part in enumerate(location):
        if isinstance(inside, list):
            inside = dict(enumerate(inside))
        if isinstance(inside, Mapping) and part in inside:
            inside = inside[part]
        elif isinstance(inside, Mapping) and part == 0:
            continue  # one table stands for a list of one
        else:
            return location if fault["type"] == "missing" else location[:depth]
    return location


def explain_refusal(fault: ErrorDetails, all_of_it: Sequence[ErrorDetails]) -> str | Sentence:
    """Return why the value of a key is refused, such as "it must be 2 or more, but it is 1".

    ``all_of_it`` are all faults that the schema found for this key, each of which adds what the key may hold ("a whole
    number" is not added where any number fits). If any of them has no phrase in `_WANTED`, the result is about
    ``fault`` only: the sentence that a check of the recipe raised for it, or else the schema's own message.
    """
    if any(fault["type"] not in _WANTED for fault in all_of_it):
        # A rule of the recipe's own raises its sentence; a rule of the schema has words of the library.
        raised = fault.get("ctx", {}).get("error")
        sentence = raised.args[0] if isinstance(raised, ValueError) and raised.args else None
        return sentence if isinstance(sentence, Sentence) else fault["msg"].removeprefix("Value error, ")
    faults = [fault for fault in all_of_it if fault["type"] not in ("int_type", "int_from_float")]
    if not any(fault["type"] in _OF_NUMBERS for fault in faults):
        faults = list(all_of_it)
    return _describe_wanted_values(list(dict.fromkeys(map(_describe_allowed_values, faults))), fault["input"])


_OF_NUMBERS = ("float_type", "finite_number")
"""Faults of keys that may hold any number; the message then need not also say that a whole number is allowed."""


def _describe_allowed_values(fault: ErrorDetails) -> str | Sentence:
    """Return a phrase for the values that the faulty key may hold, such as "2 or more" or a list of choices.

    KeyError if `_WANTED` has no phrase for this kind of fault.
    """
    limits = fault.get("ctx", {})
    if fault["type"] == "literal_error":
        return _format_choices(str(limits["expected"]).replace(" or ", ", "))
    limit_texts = {name: f"{value:g}" if isinstance(value, float) else str(value) for name, value in limits.items()}
    return _fill_phrase(fault["type"], {name: Term(text) for name, text in limit_texts.items()})


def _fill_phrase(kind: str, values: Mapping[str, Value]) -> Sentence:
    """Return the phrase for a kind of fault in ``_WANTED`` with its values filled in."""
    return replace(_WANTED[kind], values=values)


def _format_choices(choices: str) -> str | Sentence:
    """Return choices in quotes, divided by commas, as the phrase "one of ..."; a single choice unchanged."""
    return _fill_phrase("literal_error", {"expected": Term(choices)}) if "," in choices else choices


def describe_allowed_names(known_names: Iterable[str], written: str) -> Sentence:
    """Return the phrase that a key must hold one of the known names, but holds the text ``written``."""
    return _describe_wanted_values([_format_choices(", ".join(map(repr, known_names)))], written)


def _describe_wanted_values(wanted: Sequence[str | Sentence], written: object) -> Sentence:
    """Return the phrase that a key must hold one of the wanted values, such as "it must be 2 or more, but it is 1".

    Of two, the phrase is "it must be ... or ..., but it is 1", of more "it is 1, which is none of these (...)". At
    least one is given. ``written`` is the key's value; it is shown as JSON, cut after 60 characters, followed by "…".
    """
    text = json.dumps(written, ensure_ascii=False, default=str)
    term = Term(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
    if len(wanted) == 2:
        first, second = map(Term, wanted)
        return lazy("it must be {one} or {other}, but it is {found}", one=first, other=second, found=term)
    if len(wanted) > 2:
        listed = Terms(tuple(wanted))
        return lazy("it is {found}, which is none of these ({wanted})", found=term, wanted=listed)
    return lazy("it must be {wanted}, but it is {found}", found=term, wanted=Term(wanted[0]))


def _format_path(parts: tuple[int | str, ...]) -> str:
    """Return the path of a key as text, such as ``steps[2].columns``.

    List positions count from 0 in ``parts``, here from 1. A key with other characters than ASCII letters, digits, "_"
    and "-" is put in quotes.
    """
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            bare = part.replace("_", "").replace("-", "").isalnum() and part.isascii()
            text += ("." if text else "") + (part if bare else f'"{part}"')
    return text


def _known_keys(parents: tuple[int | str, ...], root: type[BaseModel]) -> list[str]:
    """Return the keys that the section at a path may have, spelled as in the file, in the order of their declaration.

    Parameters
    ----------
    parents
        Keys and list positions that lead from the whole document to the section.
    root
        The schema's class for the whole document.
    """
    model = root
    inside_table = False
    for part in parents:
        if isinstance(part, int) or inside_table:
            inside_table = False
            continue
        annotation = model.model_fields[part].annotation
        inside_table = str(annotation).startswith("dict[")
        model = _find_section_class(annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _find_section_class(annotation: object) -> type[BaseModel] | None:
    """Return the first section class that occurs in a type annotation, such as ``list[Section]``.

    None if there is none.
    """
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in get_args(annotation):
        if (model := _find_section_class(part)) is not None:
            return model
    return None


def to_document(recipe: Recipe) -> dict[str, Any]:
    """Return the recipe as plain TOML values by key; keys that are None or at their default are left out.

    The first key is always ``recipe = 1``, the version of the format.
    """
    document = recipe.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)
    return {"recipe": 1, **{key: value for key, value in document.items() if key != "recipe"}}


def write_recipe(recipe: Recipe) -> str:
    """Return the recipe as the text of ``recipe.toml``."""
    return tomli_w.dumps(to_document(recipe))
