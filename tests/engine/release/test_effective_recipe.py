"""The effective recipe: what moves a random draw stands in it, and nothing else does."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows

from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Prepared, hash_document, to_canonical_json
from ppdm_desktop.engine.release.candidate.pipeline import prepare

ROWS = "Age,Ill,Pay,Ward\n31,flu,10,a\n32,cold,20,a\n31,flu,30,b\n"
SWAP: dict[str, Any] = {
    "recipe": 1,
    "columns": {
        "Age": {"role": "quasi-identifier", "kind": "numeric"},
        "Ill": {"role": "confidential", "kind": "nominal"},
        "Pay": {"role": "confidential", "kind": "numeric"},
    },
    "steps": [{"method": "bayes-swap", "columns": ["Ill"]}],
}
EVOLVED: dict[str, Any] = {
    **SWAP,
    "steps": [{"method": "data-reconstruction", "parameters": {"generations": 7}}],
}


def prepared(folder: Path, recipe: dict[str, Any] = SWAP, **changes: Any) -> Prepared:
    """Prepare the small file by a recipe; a change is named by its keys, joined by two underscores."""
    document = copy.deepcopy(recipe)
    for keys, value in changes.items():
        *way, last = keys.split("__")
        inside = document
        for key in way:
            inside = inside.setdefault(key, {})
        inside[last] = value
    path = folder / "people.csv"
    path.write_text(ROWS, "utf-8")
    (folder / "ill.csv").write_text("flu;infection\ncold;infection\n", "utf-8")
    return prepare(path, parse_recipe(document))


@pytest.mark.parametrize(
    "changes", case_rows("effective-recipe-what-only-judges-or-says-what-holds-anyway", lists=True), ids=str
)
def test_what_only_judges_or_says_what_holds_anyway_moves_no_draw(changes: dict[str, Any], tmp_path: Path) -> None:
    one, other = prepared(tmp_path), prepared(tmp_path, **changes)
    assert one.effective == other.effective
    assert (one.recipe_sha256, one.draws_sha256) == (other.recipe_sha256, other.draws_sha256)


@pytest.mark.parametrize(
    ("changes", "place", "found"),
    case_rows("effective-recipe-what-decides-stands-in-it-and-moves", lists=True),
    ids=str,
)
def test_what_decides_stands_in_it_and_moves_every_draw(
    changes: dict[str, Any], place: tuple[str, ...], found: object, tmp_path: Path
) -> None:
    one, other = prepared(tmp_path), prepared(tmp_path, **changes)
    inside: Any = other.effective
    for key in place:
        inside = inside[key]
    assert inside == found
    assert other.recipe_sha256 != one.recipe_sha256
    assert other.draws_sha256 != one.draws_sha256


def test_a_star_is_spelt_out_and_a_column_of_no_role_stays_unnamed(tmp_path: Path) -> None:
    starred = prepared(tmp_path, columns={"*": {"role": "confidential"}, "Ward": {"role": "identifier"}})
    assert {name: each["role"] for name, each in starred.effective["columns"].items()} == {
        **dict.fromkeys(("Age", "Ill", "Pay"), "confidential"),
        "Ward": "identifier",
    }
    assert starred.effective["columns"]["Pay"]["kind"] == "numeric", "the guess is written out"
    assert "Ward" not in prepared(tmp_path).complete.columns
    complete = prepared(tmp_path).complete
    assert complete.input.sha256 == hashlib.sha256(ROWS.encode()).hexdigest()
    assert (complete.input.delimiter, complete.input.header_row) == (",", 1)


def test_where_a_search_was_ended_moves_no_draw_of_the_recipe_that_says_so(tmp_path: Path) -> None:
    more = copy.deepcopy(EVOLVED)
    more["steps"][0]["parameters"]["generations"] = 8
    one, other = prepared(tmp_path, EVOLVED), prepared(tmp_path, more)
    assert one.effective["steps"][0]["parameters"]["generations"] == 7
    assert one.effective["steps"][0]["written"] == ["generations"]
    assert one.recipe_sha256 != other.recipe_sha256
    assert one.draws_sha256 == other.draws_sha256


def test_what_is_drawn_by_is_the_recipe_without_the_length_alone(tmp_path: Path) -> None:
    recipe = copy.deepcopy(EVOLVED)
    recipe["steps"][0]["parameters"]["population"] = 40
    found = prepared(tmp_path, recipe)
    document = copy.deepcopy(found.effective)
    (step,) = document["steps"]
    assert step["written"] == ["generations", "population"]
    step["written"] = ["population"]
    del step["parameters"]["generations"]
    document["input"]["one_row_per_person"] = True  # an answer draws nothing
    assert found.draws_sha256 == hash_document(document)


def test_a_parameter_of_a_later_version_moves_draws_once_it_is_written(tmp_path: Path) -> None:
    old = copy.deepcopy(prepared(tmp_path).effective)
    del old["steps"][0]["parameters"]["together"]
    old["input"]["one_row_per_person"] = True  # an answer draws nothing
    assert prepared(tmp_path).draws_sha256 == hash_document(old), "as the version before there was one"
    written = copy.deepcopy(SWAP)
    written["steps"][0]["parameters"] = {"together": []}
    assert prepared(tmp_path, written).draws_sha256 != hash_document(old)


def test_the_canonical_form_is_json_in_which_a_whole_number_is_written_in_one_way() -> None:
    document = {"b": (1.0, -2.0, 0.5, 2.0**53, 2.0**53 - 1), "a": {3: {"é": True}}, "c": None}
    plain = {"a": {"3": {"é": True}}, "b": [1, -2, 0.5, 2.0**53, 2**53 - 1], "c": None}
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    assert to_canonical_json(document) == text.encode("utf-8")
    assert hash_document(document) == hashlib.sha256(text.encode("utf-8")).hexdigest()
