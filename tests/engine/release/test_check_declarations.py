"""Checks and release types are declared once: nothing else lists them, and what is not declared is refused by name."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from kept_values import faults_of
from source_trees import parse_once

import ppdm_desktop
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES, UNDECIDED
from ppdm_desktop.engine.release import gate
from ppdm_desktop.engine.release.gate import checks
from ppdm_desktop.engine.release.gate.base import all_checks, find_check, register
from ppdm_desktop.engine.release.gate.results import VerdictText
from ppdm_desktop.engine.wording.texts import explain

PACKAGE = Path(ppdm_desktop.__file__).parent

DECLARES = {"needs", "judged_by", "also_seen_by"}


def quoted(path: Path, ids: Collection[str]) -> Iterator[str]:
    """Yield each of some ids that is a text constant of a file and stands outside what names a check to speak of it."""
    source = path.read_text(encoding="utf-8")
    # To parse all files takes seconds, and most hold none of the ids in any form.
    if not any(each in source for each in ids):
        return
    tree = parse_once(source)
    declared = {
        id(value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and target.id in DECLARES and node.value is not None
        for value in ast.walk(node.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in ids and id(node) not in declared:
            yield str(node.value)


def test_the_ids_of_release_types_stand_in_one_file_alone() -> None:
    # The others are words of the language, and folders: a list of the four has this one in it.
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if list(quoted(path, {"public-high-harm"}))
    }
    assert found == {"engine/recipe/release_type.py"}


def test_checks_come_in_their_order() -> None:
    orders = [check.order for check in all_checks().values()]
    assert orders == sorted(orders)
    assert next(iter(all_checks())) == "roles-decided"


def test_two_checks_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="class-size"):
        register(type(find_check("class-size")))


def test_a_check_whose_text_is_missing_is_refused_when_it_is_declared() -> None:
    known = type(find_check("row-order"))
    with pytest.raises(ValueError, match=r"gate\.row-order\.lost"):
        register(type("Lost", (known,), {"id": "lost", "amber": VerdictText("amber", "gate.row-order.lost")}))
    assert "lost" not in all_checks()


@pytest.mark.parametrize("id", all_checks())
def test_the_texts_of_a_check_are_called_after_it_and_its_status(id: str) -> None:
    texts = find_check(id).texts()
    assert [text.id for text in texts if not text.id.startswith(f"gate.{id}.{text.status}")] == []
    assert len({text.id for text in texts}) == len(texts) >= 2


@pytest.mark.parametrize("id", RELEASE_TYPES)
def test_a_release_type_says_what_it_stands_for(id: str) -> None:
    kind = RELEASE_TYPES[id]
    assert kind.threshold == pytest.approx(1 / kind.k_min, abs=0.005)
    assert kind.lifts == {"group": kind.k_min}
    assert not (kind.is_public and kind.is_internal)


def test_what_nobody_decided_is_looked_at_as_research() -> None:
    assert UNDECIDED is RELEASE_TYPES["research"]


@pytest.mark.parametrize("given", ["publik", 3, ["public"], True])
def test_another_release_type_is_refused_with_those_there_are(given: object) -> None:
    with pytest.raises(RecipeError) as found:
        parse_recipe({"recipe": 1, "release": {"type": given}})
    assert "it must be one of 'public', 'public-high-harm', 'research', 'internal', but" in explain(found.value)


def test_limits_follow_the_release_type() -> None:
    limits = {
        id: {name: find_check(id).limits(kind, kind.k_min) for name, kind in RELEASE_TYPES.items()}
        for id in all_checks()
    }
    assert [limits["class-size"][id].green for id in RELEASE_TYPES] == [11, 20, 5, 3]
    assert [limits["dependencies"][id].red for id in RELEASE_TYPES] == [0.999, 0.999, 0.999, None]
    assert [limits["inference"][id].red for id in RELEASE_TYPES] == [0.2, 0.2, None, None]
    assert [limits["certain-by-all"][id].red for id in RELEASE_TYPES] == [1 / 11, 1 / 20, 0.5, None]
    assert [limits["most-exposed"][id].red for id in RELEASE_TYPES] == [0.95, 0.95, None, None]
    assert [limits["rare-secret"][id].red for id in RELEASE_TYPES] == [0.8, 0.8, 0.9, None]
    assert [limits["singling-out"][id].green for id in RELEASE_TYPES] == [0.01, 0.01, 1 / 5, 1 / 3]
    assert [limits["near-identifiers"][id].red for id in RELEASE_TYPES] == [1 / 11, 1 / 20, 0.5, None]
    assert [limits["reversal"][id].red for id in RELEASE_TYPES] == [0.5, 0.5, 0.5, None]
    assert [limits["linkage"][id].green for id in RELEASE_TYPES] == [1 / 11, 1 / 20, 1 / 5, 1 / 3]


def test_what_a_check_sees_and_says_stays_as_it_is() -> None:
    assert faults_of(gate) + faults_of(checks) == []


def test_planning_knows_no_check_by_its_class() -> None:
    sources = {
        path.name: path.read_text(encoding="utf-8") for path in (PACKAGE / "engine/release/planning").glob("*.py")
    }
    assert [name for name, source in sources.items() if "release.gate.checks" in source] == []
    assert [id for id, check in all_checks().items() if check.fails_at_coarsest] == ["singling-out"]
