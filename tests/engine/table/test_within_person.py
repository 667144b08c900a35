"""One value in all rows of a person: against pandas, in the recipe, and in the released file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cases import case_text
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.person_ids import identify_people
from ppdm_desktop.engine.table.within_person import unify_within_person
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Name
from tests.golden.people import visits_csv

WAYS = pytest.mark.parametrize("way", ["first", "most-frequent"])


def oracle(frame: pd.DataFrame, way: str) -> list[str]:
    """Return what stands in each row, by pandas; an empty text is missing."""

    def one(values: pd.Series) -> str:
        there = values[values != ""]
        if there.empty:
            return ""
        if way == "first":
            return str(there.iloc[0])
        counts = there.value_counts()
        return str(next(value for value in there if counts[value] == counts.max()))

    return list(frame["person"].map(frame.groupby("person")["value"].agg(one)))


@WAYS
@given(rows=st.lists(st.tuples(st.sampled_from("pqrs"), st.sampled_from(["", "a", "b", "c"])), min_size=1, max_size=24))
def test_agrees_with_pandas(way: str, rows: list[tuple[str, str]]) -> None:
    frame = pd.DataFrame(rows, columns=["person", "value"])
    table = Table(
        (Column.from_texts("person", frame["person"]), Column.from_texts("value", frame["value"])), np.arange(len(rows))
    )
    people = identify_people(table, ["person"])
    column, done = unify_within_person(table.column("value"), people, way)  # type: ignore[arg-type]
    expected = oracle(frame, way)
    changed = frame["value"] != pd.Series(expected)
    assert column.values() == expected
    assert (done.cells, done.people) == (int(changed.sum()), frame.loc[changed, "person"].nunique())
    assert people.varying(column.category_codes) == 0
    again, twice = unify_within_person(column, people, way)  # type: ignore[arg-type]
    assert again is column
    assert twice.cells == 0


RECIPE = case_text("within-person-recipe.toml")
REPAIR = """
[input.repair.region]
within_person = "first"
[input.repair.age]
within_person = "most-frequent"
"""


def recipe_of(text: str) -> Recipe:
    return parse_recipe(tomllib.loads(text))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    path.write_text(visits_csv(), encoding="utf-8")
    return path


def test_without_it_the_recipe_is_the_one_of_before(source: Path) -> None:
    plain = prepare(source, recipe_of(RECIPE))
    assert "repair" not in plain.effective["input"]
    assert "household" not in plain.effective["input"]
    words = '[input.repair.sex]\nvalues = { "male" = "m" }\n'
    repaired = prepare(source, recipe_of(RECIPE + words))
    assert "within_person" not in repaired.effective["input"]["repair"]["sex"]
    both = prepare(source, recipe_of(RECIPE + words + 'within_person = "first"\n'))
    assert both.effective["input"]["repair"]["sex"]["within_person"] == "first"
    assert both.table.column("sex").values() == repaired.table.column("sex").values()
    assert both.recipe_sha256 != repaired.recipe_sha256
    home = prepare(source, recipe_of(RECIPE.replace("[columns]", 'household = "unit"\n[columns]')))
    assert home.effective["input"]["household"] == "unit"
    assert home.complete.input.household == "unit"


def test_it_needs_a_person() -> None:
    with pytest.raises(RecipeError) as caught:
        recipe_of("recipe = 1\n" + REPAIR)
    assert "'region.within_person' needs 'person'" in explain(caught.value)


def test_a_column_that_is_not_there(source: Path) -> None:
    with pytest.raises(RecipeError) as caught:
        prepare(source, recipe_of(RECIPE + REPAIR.replace("region", "province")))
    assert caught.value.arguments["name"] == Name("province")
