"""The recipe file: what it takes, what it refuses and how it says so."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from cases import case_rows, case_text
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe, read_recipe, read_sweep_section, write_recipe
from ppdm_desktop.engine.recipe.models import KINDS, ROLES, Recipe
from ppdm_desktop.engine.release.candidate.model import to_canonical_json
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Quoted, Term

WHOLE = case_text("recipe-whole.toml")


def test_the_documented_recipe_is_read_and_written_back() -> None:
    recipe = parse_recipe(tomllib.loads(WHOLE))
    assert recipe.columns["Income"].bins is not None
    assert recipe.privacy.rows[0].spans() == [(12, 12), (40, 57)]
    assert parse_recipe(tomllib.loads(write_recipe(recipe))) == recipe


@pytest.mark.parametrize(("text", "id", "part"), case_rows("recipe-what-does-not-fit-is-named"))
def test_what_does_not_fit_is_named(tmp_path: Path, text: str, id: str, part: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError) as caught:
        read_recipe(path)
    assert caught.value.id == id
    assert part in explain(caught.value)
    assert str(path) in explain(caught.value)


@pytest.mark.parametrize(
    ("format", "found"), [("'ods'", '"ods"'), ("5", "5"), ("['csv']", '["csv"]'), ("''", '""')], ids=str
)
def test_a_format_that_nobody_writes_is_named_beside_those_there_are(tmp_path: Path, format: str, found: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(f"recipe = 1\n[release]\nformat = {format}\n", encoding="utf-8")
    with pytest.raises(RecipeError) as caught:
        read_recipe(path, formats=release_formats())
    assert caught.value.id == "error.recipe.bad-value"
    reason = f"it must be one of 'csv', 'xlsx', 'sav', 'dta', but it is {found}"
    assert caught.value.arguments["key"] == Term("release.format")
    given = caught.value.arguments["reason"]
    assert isinstance(given, Term)
    assert str(given.text) == reason
    assert caught.value.file == str(path)
    path.write_text("recipe = 1\n[release]\nformat = 'xlsx'\n", encoding="utf-8")
    assert read_recipe(path, formats=release_formats()).release.format == "xlsx"


def _sections(model: type[BaseModel], inside: Callable[[object], object], place: str) -> Iterator[Any]:
    """Yield each section of the schema: its model, a document that holds it, and where it stands."""
    yield model, inside, place
    for name, field in model.model_fields.items():
        written, annotation = field.alias or name, str(field.annotation)
        parts = [field.annotation, *get_args(field.annotation)]
        parts += [part for each in parts for part in get_args(each)]
        for inner in dict.fromkeys(part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)):

            def around(found: object, written: str = written, annotation: str = annotation) -> object:
                listed = [found] if annotation.startswith("tuple[") else found
                return inside({written: {"any": listed} if annotation.startswith("dict[") else listed})

            step = ".any" if annotation.startswith("dict[") else "[1]" if annotation.startswith("tuple[") else ""
            yield from _sections(inner, around, f"{place}{written}{step}.")


EVERY_SECTION = list(_sections(Recipe, lambda found: {"recipe": 1, **found}, ""))  # type: ignore[dict-item]


def test_a_key_too_many_is_named_beside_those_of_its_section_wherever_it_stands() -> None:
    assert len(EVERY_SECTION) >= 19
    for model, inside, place in EVERY_SECTION:
        known = [field.alias or name for name, field in model.model_fields.items()]
        with pytest.raises(RecipeError) as caught:
            parse_recipe(inside({"qqqqq": 1}))  # like no key that there is
        assert caught.value.id == "error.recipe.unknown-key"
        assert caught.value.arguments["key"] == Term(f"{place}qqqqq")
        assert caught.value.arguments["known"] == Term(", ".join(known))
        with pytest.raises(RecipeError) as caught:
            parse_recipe(inside({f"{known[-1]}_": 1}))
        assert caught.value.id == "error.recipe.unknown-key-near"
        assert caught.value.arguments["near"] == Quoted(known[-1])


@pytest.mark.parametrize(
    ("text", "id", "part"),
    [
        ("recipe = 1\n[sweep]\nrepeat = 3\n", "error.recipe.unknown-key-near", "“repeats”"),
        ("recipe = 1\n[sweep]\nover = 3\n", "error.recipe.bad-value", "sweep.over in the recipe"),
        ("recipe = ", "error.recipe.not-toml", "r.toml"),
    ],
)
def test_what_does_not_fit_in_a_sweep_is_named(tmp_path: Path, text: str, id: str, part: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecipeError) as caught:
        read_sweep_section(path)
    assert (caught.value.id, caught.value.file) == (id, str(path))
    assert part in explain(caught.value)


def test_what_to_try_is_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text("recipe = 1\nnothing = 'of the sweep'\n[sweep]\nover = 'swap=0.1,0.2'\nrepeats = 4\n", "utf-8")
    found = read_sweep_section(path)
    assert found is not None
    assert (found.over, found.repeats) == ("swap=0.1,0.2", 4)
    path.write_text("recipe = 1\n", "utf-8")
    assert read_sweep_section(path) is None


@pytest.mark.parametrize("day", ["ward 7, Leiden", "2026-1-2", "2026-02-30", "20260102", "2026-01-02 ward 7", ""])
def test_only_a_day_gets_into_the_release_note(tmp_path: Path, day: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text('recipe = 1\n[operator]\nrelease_day = "2026-01-02"\n', encoding="utf-8")
    assert read_recipe(path).operator.release_day == "2026-01-02"
    path.write_text(f'recipe = 1\n[operator]\nrelease_day = "{day}"\n', encoding="utf-8")
    with pytest.raises(RecipeError) as raised:
        read_recipe(path)
    assert "YYYY-MM-DD" in explain(raised.value)
    assert "release_day" in explain(raised.value)


def test_files_that_are_no_recipe(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="unreadable"):
        read_recipe(tmp_path / "none.toml")
    with pytest.raises(RecipeError, match="folder"):
        read_recipe(tmp_path)
    for content, id in (
        (b"\xff\xfe", "not-utf8"),
        (b"a = [", "not-toml"),
        (b" " * 2**23 + b"  ", "too-large"),
        (b"a = " + b"[" * 2_000 + b"]" * 2_000, "too-deep"),
    ):
        (tmp_path / "r.toml").write_bytes(content)
        with pytest.raises(RecipeError, match=id):
            read_recipe(tmp_path / "r.toml")
    (tmp_path / "r.toml").write_bytes(b"a = '\xff'")
    with pytest.raises(RecipeError) as said:
        read_recipe(tmp_path / "r.toml")
    assert said.value.arguments == {"byte": 6}, "counted from 1"


@given(st.text(min_size=1, max_size=12), st.sampled_from(ROLES), st.sampled_from(KINDS), st.text(max_size=12))
def test_any_column_name_survives_the_file(name: str, role: str, kind: str, missing: str) -> None:
    recipe = parse_recipe(
        {"recipe": 1, "columns": {name: {"role": role, "kind": kind}}, "input": {"missing": [missing]}}
    )
    assert parse_recipe(tomllib.loads(write_recipe(recipe))) == recipe


def test_canonical_form_ignores_order_and_the_spelling_of_whole_numbers() -> None:
    assert to_canonical_json({"b": 1.0, "a": [0.5]}) == to_canonical_json({"a": (0.5,), "b": 1}) == b'{"a":[0.5],"b":1}'


def test_what_to_try_and_after_which_paper_say_nothing_of_a_release() -> None:
    plain = {"recipe": 1, "steps": [{"method": "random-swap"}]}
    beside = {"sweep": {"over": "proportion=0.1"}, "paper": {"source": "any"}}
    assert parse_recipe({**plain, **beside}) == parse_recipe(plain)
    with pytest.raises(RecipeError, match="unknown-key"):
        parse_recipe({**plain, "sweeps": {}})
