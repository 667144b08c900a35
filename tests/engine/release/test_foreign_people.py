"""Files made elsewhere whose source has several rows of a person, with codes in place of identifiers and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from gate_cases import csv_of, make_candidate, recipe_of
from several_rows_support import VISIT_ROLES
from support import not_analysed

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.release_files import data_bytes
from ppdm_desktop.engine.release.foreign import comparing
from ppdm_desktop.engine.release.foreign.comparing import Comparison, compare
from tests.golden.people import VISIT_HEAD, visits

ROLES = VISIT_ROLES
CODES: dict[str, Any] = {"method": "pseudonymise"}
COLUMNS = {name: [str(row[place]) for row in visits(people=400)] for place, name in enumerate(VISIT_HEAD)}


def given(steps: list[dict[str, Any]], in_order: bool = True) -> dict[str, Any]:
    release = {"type": "research", "shuffle_rows": not in_order}
    return {"input": {"person": "person_nbr"}, "steps": steps, "release": release}


def compared(folder: Path, shown: bytes, steps: list[dict[str, Any]], rows: str = "aligned") -> Comparison:
    source, released = folder / "people-list.csv", folder / "shown.csv"
    source.write_text(csv_of(COLUMNS), encoding="utf-8")
    released.write_bytes(shown)
    recipe = parse_recipe(recipe_of(ROLES, **given(steps)))
    with patch.object(comparing, "analyse", lambda *_: not_analysed()):
        return compare(source, released, recipe, rows)


def own(folder: Path, steps: list[dict[str, Any]]) -> Candidate:
    return make_candidate(folder, COLUMNS, ROLES, **given(steps))


def test_codes_link_rows_whose_twins_are_not_known(tmp_path: Path) -> None:
    """Rows that nobody matched are nobody's: they are counted as rows, codes or not."""
    found = compared(tmp_path, data_bytes(own(tmp_path, [CODES])).data, [CODES], rows="none")
    assert found.matched is None
    assert found.released_rows == len(COLUMNS["days"])


def test_rows_matched_in_another_order_are_not_put_together(tmp_path: Path) -> None:
    shown = {name: COLUMNS[name] for name in ("visit_id", "region", "sex", "age", "days", "outcome")}
    backwards = {name: [values[place] for place in range(len(values) - 1, -1, -1)] for name, values in shown.items()}
    found = [
        compared(tmp_path, csv_of(columns).encode(), [], rows="by=visit_id").verdict.classes
        for columns in (shown, backwards)
    ]
    assert [each.judged for each in found if each is not None] == ["all_rows", "one_row"]
    one, other = (each.all_rows for each in found if each is not None)
    assert one is not None
    assert other is not None
    assert one.alone >= other.alone


@pytest.mark.parametrize("spoilt", ["number", "one of them"])
def test_an_identifier_in_place_of_its_code_is_refused(tmp_path: Path, spoilt: str) -> None:
    candidate = own(tmp_path, [CODES])
    lines = data_bytes(candidate).data.decode("utf-8-sig").splitlines()
    names = lines[0].split(",")
    cells = [line.split(",") for line in lines[1:]]
    place = names.index("person_nbr")
    for row, line in enumerate(cells):
        if spoilt == "number" or row == 7:
            line[place] = COLUMNS["person_nbr"][row]
    shown = "\n".join([lines[0], *(",".join(line) for line in cells)]) + "\n"
    with pytest.raises(InputError) as refused:
        compared(tmp_path, shown.encode(), [CODES])
    assert (refused.value.id, refused.value.column) == ("error.compare.identifier", "person_nbr")


def test_codes_that_no_step_speaks_of_are_refused(tmp_path: Path) -> None:
    shown = data_bytes(own(tmp_path, [CODES])).data
    with pytest.raises(InputError) as refused:
        compared(tmp_path, shown, [])
    assert refused.value.id == "error.compare.identifier"
