"""A data dictionary of REDCap gives labels, codes and identifiers to the columns of an export."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import case_rows

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection, RepairSection
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.inspect import inspect_table
from ppdm_desktop.engine.table.likeness import find_possible_person_ids
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.proposals import propose_repairs
from ppdm_desktop.engine.table.reading.redcap import read_redcap_dictionary
from ppdm_desktop.engine.table.roles import suggest_roles

FROM_PAGE = '"Variable / Field Name","Form Name","Field Type","Field Label","Choices, Calculations, OR Slider Labels",'
FROM_PAGE += "Identifier?\n"
FROM_INTERFACE = "field_name,form_name,field_type,field_label,select_choices_or_calculations,identifier\n"
FIELDS = """study_id,f,text,Study ID,,
contact,f,text,<b>How</b> to reach,,y
sex,f,radio,Sex at birth,"1, Female | 2, Male | 9, Prefer not to say",
pain,f,dropdown,Pain today,"0, none | 1, 1 | 2, 2 | 3, worst",
smoker,f,yesno,Do you smoke?,,
race,f,checkbox,Race,"A, White, or mixed | -9, Not known",
bmi,f,calc,BMI,"[kg] / [m]",
elsewhere,f,text,Not in the export,,
"""
EXPORT = "study_id,contact,sex,pain,smoker,race___a,race____9,bmi\n" + "".join(
    f"{row},{'ab'[row % 2]},{'129'[row % 3]},{row % 4},{row % 2},{row % 2},1,{20 + row}\n" for row in range(24)
)


@pytest.mark.parametrize("headings", [FROM_PAGE, FROM_INTERFACE])
def test_columns_get_labels_codes_kinds_and_roles_and_cells_stay(tmp_path: Path, headings: str) -> None:
    source, dictionary = tmp_path / "export.csv", tmp_path / "dictionary.csv"
    source.write_text(EXPORT, encoding="utf-8")
    dictionary.write_text(headings + FIELDS, encoding="utf-8-sig")
    plain = read_source(source, InputSection())
    reading = read_source(source, InputSection(dictionary=read_redcap_dictionary(dictionary)))
    table = reading.table
    assert [column.values() for column in table.columns] == [column.values() for column in plain.table.columns]
    assert [column.label for column in table.columns] == [
        *("Study ID", "How to reach", "Sex at birth", "Pain today", "Do you smoke?"),
        *("Race: White, or mixed", "Race: Not known", "BMI"),
    ]
    assert table.column("sex").codebook == (("1", "Female"), ("2", "Male"), ("9", "Prefer not to say"))
    assert table.column("race____9").codebook == (("1", "Checked"),)
    assert not table.column("bmi").codebook
    kinds = {column.name: column.kind for column in table.columns}
    assert (kinds["sex"], kinds["pain"], kinds["bmi"]) == ("nominal", "ordinal", "numeric")
    assert table.column("pain").order == ("0", "1", "2", "3")
    assert [(proposal.column, proposal.section) for proposal in propose_repairs(reading)] == [
        ("sex", RepairSection(missing=("9",)))
    ]
    assert suggested(table) == ("identifier", "strong")
    assert suggested(plain.table) != ("identifier", "strong")


def suggested(table: Table) -> tuple[str | None, str]:
    suggestion = suggest_roles(table)["contact"]
    return suggestion.role, suggestion.strength


def test_another_file_is_no_dictionary(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text(EXPORT, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_redcap_dictionary(path)
    assert caught.value.id == "error.read.no-dictionary"


@pytest.mark.parametrize(("header", "row", "person"), case_rows("redcap-the-rows-of-one-record-are-one-person"))
def test_the_rows_of_one_record_are_one_person(header: str, row: str, person: str | None, tmp_path: Path) -> None:
    rows = [row.format(person=100 + at // 3, time=at % 3, answer=at * 7 % 11) for at in range(180)]
    path = tmp_path / "export.csv"
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    reading = read_source(path, InputSection())
    said = inspect_table(reading)["person"]
    assert (said["column"] if said else None) == person
    assert [suspect.column for suspect in find_possible_person_ids(reading.table) if suspect.strong] == (
        [person] * bool(person)
    )
