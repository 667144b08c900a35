"""Workbooks made by hand, so that a test says exactly what stands in them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def relation(id: str, kind: str, target: str) -> str:
    return f'<Relationship Id="{id}" Type="{RELATIONS}/{kind}" Target="{target}"/>'


def xlsx_parts(
    sheets: Mapping[str, str],
    *,
    strings: str = "",
    styles: str = "",
    book: str = "",
    states: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the parts of a workbook; ``sheets`` maps a name to the XML inside ``worksheet``."""
    listed = related = ""
    parts = {}
    for number, (name, inside) in enumerate(sheets.items(), start=1):
        state = (states or {}).get(name)
        shown = f' state="{state}"' if state else ""
        listed += f'<sheet name="{name}" sheetId="{number}" r:id="rId{number}"{shown}/>'
        related += relation(f"rId{number}", "worksheet", f"worksheets/sheet{number}.xml")
        parts[f"xl/worksheets/sheet{number}.xml"] = f'<worksheet xmlns="{MAIN}">{inside}</worksheet>'
    parts["_rels/.rels"] = (
        f'<Relationships xmlns="{PACKAGE}">{relation("a", "officeDocument", "xl/workbook.xml")}</Relationships>'
    )
    parts["xl/_rels/workbook.xml.rels"] = f'<Relationships xmlns="{PACKAGE}">{related}</Relationships>'
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}">{book}<sheets>{listed}</sheets></workbook>'
    )
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{strings}</sst>'
    parts["xl/styles.xml"] = f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'
    return parts


def packed(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def cell(address: str, value: object = None, **more: str) -> str:
    """Return a cell: a text inline, a number as it is written."""
    extra = "".join(f' {key}="{text}"' for key, text in more.items() if key != "formula")
    formula = f"<f>{more['formula']}</f>" if "formula" in more else ""
    if isinstance(value, str) and "t" not in more:
        return f'<c r="{address}" t="inlineStr"{extra}>{formula}<is><t>{value}</t></is></c>'
    stored = "" if value is None else f"<v>{value}</v>"
    return f'<c r="{address}"{extra}>{formula}{stored}</c>'


def row(number: int, *cells: str, **more: str) -> str:
    extra = "".join(f' {key}="{text}"' for key, text in more.items())
    return f'<row r="{number}"{extra}>{"".join(cells)}</row>'


def data(*rows: str) -> str:
    return f"<sheetData>{''.join(rows)}</sheetData>"


TABLE = data(row(1, cell("A1", "name"), cell("B1", "n")), row(2, cell("A2", "x"), cell("B2", 1)))

ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"'
    ' xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
    "{styles}<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
    "</office:document-content>"
)


def ods(tables: str, styles: str = "", **more: str) -> bytes:
    parts: dict[str, str | bytes] = {
        "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
        "content.xml": ODS.format(styles=styles, tables=tables),
    }
    parts.update(more)
    return packed(parts)


def ods_cell(text: str = "", kind: str = "string", **more: str) -> str:
    extra = "".join(f' {key.replace("__", ":").replace("_", "-")}="{value}"' for key, value in more.items())
    shown = f"<text:p>{text}</text:p>" if text else ""
    typed = f' office:value-type="{kind}"' if kind else ""
    return f"<table:table-cell{typed}{extra}>{shown}</table:table-cell>"
