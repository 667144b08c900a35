"""What spreadsheet programs do to cells: groups that became dates, and numbers whose last digits were cut off."""

from __future__ import annotations

from pathlib import Path

import pytest
from table_workbooks import cell, data, packed, row, xlsx_parts

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.groups_as_dates import find_groups_behind_dates
from ppdm_desktop.engine.table.reading.proposals import accept_all_proposals, propose_repairs
from ppdm_desktop.engine.table.roles import STRONG, suggest_roles

DATES = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="16"/></cellXfs>'


@pytest.mark.parametrize(
    ("texts", "groups"),
    [
        (["2024-09-05", "15-19", "65+"], {"2024-09-05": ("5-9", "9-5")}),
        (["2024-10-14 00:00:00", "15-19"], {"2024-10-14 00:00:00": ("10-14", "14-10")}),
        (["05.09.2024", "15 - 19", "20 - 24"], {"05.09.2024": ("5 - 9", "9 - 5")}),
        (["5-Sep", "Oct-14", "15\u201319"],
         {"5-Sep": ("5\u20139", "9\u20135"), "Oct-14": ("10\u201314", "14\u201310")}),
        (["05. Sep", "00-04", "15-19"], {"05. Sep": ("05-09", "09-05")}),
        (["2024-02-01", "3 to 4", "5 and more"], {"2024-02-01": ("1 to 2", "2 to 1")}),
        (["2024-03-03", "2024-05-04", "1949-01-01", "1-60"],
         {"2024-03-03": ("3-3",), "2024-05-04": ("4-5", "5-4"), "1949-01-01": ("1-1", "1-49")}),
        (["2024-05-04", ">5", "<3"], {"2024-05-04": ("4-5", "5-4")}),
        (["2024-09-05", "2024-10-14"], {}),
        (["2024-09-05", "unknown", "k.A."], {}),
        (["2024-09-05", "12", "13", "refused"], {}),
        (["15-19", "20-24", "3 rooms"], {}),
        (["5 May", "unknown", "later"], {}),
    ],
)  # fmt: skip
def test_a_date_among_groups_was_perhaps_a_group(texts: list[str], groups: dict[str, tuple[str, ...]]) -> None:
    assert find_groups_behind_dates(texts) == groups


def test_each_date_of_a_sheet_is_asked_about_and_mended(tmp_path: Path) -> None:
    spots = ["15-19", (45540, "date"), "20-24", (45579, "date"), "2024-09-05", "15-19"] * 4
    body = []
    for at, spot in enumerate(spots, start=2):
        value = cell(f"B{at}", spot) if isinstance(spot, str) else cell(f"B{at}", spot[0], s="1")
        body.append(row(at, cell(f"A{at}", "f" if at % 2 else "m"), value))
    path = tmp_path / "source.xlsx"
    path.write_bytes(
        packed(xlsx_parts({"S": data(row(1, cell("A1", "sex"), cell("B1", "age group")), *body)}, styles=DATES))
    )
    reading = read_source(path, InputSection())
    proposals = propose_repairs(reading)
    assert [(proposal.column, proposal.cells, proposal.clear) for proposal in proposals] == [
        ("age group", 8, False),
        ("age group", 4, False),
    ]
    first = read_source(path, proposals[0].taken(reading.options, proposals[0].choices[1].section))
    assert [proposal.examples for proposal in propose_repairs(first)] == [proposals[1].examples], (
        "the other is still asked"
    )
    assert set(first.table.columns[1].values()) == {"15-19", "9-5", "20-24", "2024-10-14"}
    repaired = read_source(path, accept_all_proposals(reading, proposals)).table.columns[1]
    assert set(repaired.values()) == {"15-19", "5-9", "20-24", "10-14"}


CARDS = [f"{4 + index / 1000:.5f}E+11" for index in range(30)]


@pytest.mark.parametrize(
    ("values", "cut"),
    [
        (CARDS, 30),
        ([text.replace(".", ",") for text in CARDS], 30),
        ([*CARDS[:20], *(str(10**10 + index) for index in range(10))], 20),
        (["1.20E+05", "7.00E+11", *(f"{index}A5" for index in range(28))], 2),
        ([f"{index}.50E+05" for index in range(1, 31)], 0),
        ([f"{index}.123456789012345e+15" for index in range(1, 31)], 0),
        ([f"{index}.5e-06" for index in range(1, 31)], 0),
    ],
)
def test_digits_that_were_cut_off_are_said(values: list[str], cut: int, tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text("w;v\n" + "".join(f"{'fm'[at % 2]};{value}\n" for at, value in enumerate(values)), encoding="utf-8")
    reading = read_source(path, InputSection(delimiter=";"))
    notes = [note.arguments["count"] for note in reading.account.warnings if note.id == "warning.read.digits-cut"]
    assert notes == ([cut] if cut else [])
    suggested = suggest_roles(reading.table)["v"]
    assert not (2 * cut >= len(values) and (suggested.strength == STRONG or suggested.reason == "reason.role.unique"))
