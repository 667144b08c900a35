"""What the library promises beside its examples: its names, what is refused unasked, and frames told as files are."""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path

import pandas as pd
import pytest
from cases import case_rows

from ppdm_desktop import api
from ppdm_desktop.engine.errors import InputError

FUNCTIONS: dict[str, tuple[str, ...]] = dict(case_rows("promises-functions"))
"""What programs of others may call, and by which names."""
FRAME = pd.DataFrame({"age": [34, 35, 36, 35], "town": ["Bonn", "Ghent", "Bonn", None], "pay": [1.5, 2.0, None, 2.25]})


def recipe() -> api.Recipe:
    found = api.suggest(FRAME).recipe(type="research")
    return found.with_role("age", "quasi-identifier").with_role("town", "confidential").with_role("pay", "confidential")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_keeps_the_names_of_its_arguments(name: str) -> None:
    wanted = FUNCTIONS[name]
    assert name in api.__all__
    found = inspect.signature(getattr(api, name)).parameters
    assert tuple(found)[: len(wanted)] == wanted
    assert all(each.default is not each.empty for each in list(found.values())[len(wanted) :]), "more is by choice"


def test_every_name_is_there_and_says_what_it_is() -> None:
    for name in api.__all__:
        assert name == "Data" or (getattr(api, name).__doc__ or "").strip(), name


def test_a_frame_held_against_itself_has_no_changed_cell() -> None:
    found = api.compare(FRAME, FRAME, recipe())
    assert found.matched == len(FRAME)
    assert found.changed_cells is not None
    assert set(found.changed_cells.values()) == {0}
    other = FRAME.assign(pay=[1.5, 2.0, None, 2.5])
    changed = api.compare(FRAME, other, recipe()).changed_cells
    assert changed is not None
    assert changed["pay"] == 1


def test_the_original_of_a_candidate_gives_no_frame_unasked() -> None:
    candidate = api.protect(FRAME, recipe().with_step("random-swap"), seed=3)
    with pytest.raises(InputError, match=r"error\.frame\.original"):
        candidate.original.to_frame()
    assert candidate.original.to_frame(unsafe=True)["age"].tolist() == [34, 35, 36, 35]
    assert candidate.original.names == tuple(FRAME.columns)
    assert sorted(candidate.to_frame()["age"]) == [34, 35, 35, 36]


def test_a_frame_is_told_by_the_hash_of_the_csv_that_it_would_be(tmp_path: Path) -> None:
    candidate = api.protect(FRAME, recipe().with_step("random-swap"), seed=3)
    document = api.judge(candidate, attacks=()).report["input"]
    text = "age,town,pay\r\n34,Bonn,1.5\r\n35,Ghent,2\r\n36,Bonn,\r\n35,,2.25\r\n"
    assert document["format"] == "frame"
    assert document["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_key_and_a_seed_are_one_too_many_and_a_key_repeats_the_release() -> None:
    with pytest.raises(InputError, match=r"error\.key\.and-seed"):
        api.protect(FRAME, recipe(), key=bytes(range(32)), seed=1)
    with pytest.raises(InputError, match=r"error\.key\.regular"):
        api.protect(FRAME, recipe(), key=bytes(range(32)))
    first = api.protect(FRAME, recipe().with_step("random-swap"))
    again = api.protect(FRAME, recipe().with_step("random-swap"), key=first.key)
    assert first.to_frame().equals(again.to_frame())
    assert len(first.key) == 32
