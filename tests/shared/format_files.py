"""A small file of each format that is read, and the exact texts in it."""

from __future__ import annotations

from statistics_files import arrow, sas_data_set, spss, stata
from table_workbooks import OLD, cell, data, ods, ods_cell, packed, row, xlsb, xlsx_parts

from ppdm_desktop.testing import FileCase

CELLS = {"name": ["Zoé", "007", "x", "NA", " y ", "Bo"], "n": ["1.5", "-3", "100", "2", "0.1", "7"]}
ROWS = list(zip(*CELLS.values(), strict=True))
INSIDE = data(
    row(1, cell("A1", "name"), cell("B1", "n")),
    *(row(at, cell(f"A{at}", name), cell(f"B{at}", float(n))) for at, (name, n) in enumerate(ROWS, start=2)),
)


def ods_row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def ods_record(name: str, n: str) -> str:
    return ods_row(ods_cell(name.replace(" ", "<text:s/>")), ods_cell(n, "float", office__value=n))


ODS_ROWS = "".join([ods_row(ods_cell("name"), ods_cell("n")), *(ods_record(*each) for each in ROWS)])
DELIMITED = "name;n\n" + "".join(f"{name};{n}\n" for name, n in ROWS)
QUOTED = 'name,n\r\n"a, b",1\r\n"two\nlines",2\r\n"say ""so""",3\r\n'
OLD_CELLS = {
    "name": ["Zoé", "007"],
    "n": ["0.1", "1500"],
    "day": ["2020-01-31", "1999-12-01"],
    "ok": ["TRUE", "FALSE"],
    "err": ["", "x"],
}
FILES = {
    "delimited": [
        FileCase(DELIMITED.encode("utf-8"), CELLS),
        FileCase(DELIMITED.replace(";", "\t").encode("utf-16"), CELLS),
        FileCase(QUOTED.encode("utf-8"), {"name": ["a, b", "two\nlines", 'say "so"'], "n": ["1", "2", "3"]}),
    ],
    "xlsx": [
        FileCase(packed(xlsx_parts({"data": INSIDE})), CELLS),
        FileCase(packed({**xlsx_parts({"data": INSIDE}), "xl/vbaProject.bin": "x"}), CELLS, format="xlsm"),
    ],
    "xlsb": [FileCase(xlsb("data", [("name", "n"), *((name, float(n)) for name, n in ROWS)]), CELLS)],
    "xls": [FileCase(OLD, OLD_CELLS)],
    "ods": [FileCase(ods(f"<table:table table:name='data'>{ODS_ROWS}</table:table>"), CELLS)],
    **{
        id: [FileCase(known.data, known.columns)]
        for id, known in (
            ("spss", spss(compress=False)),
            ("stata", stata(15)),
            ("sas", sas_data_set()),
            ("parquet", arrow()),
        )
    },
}
