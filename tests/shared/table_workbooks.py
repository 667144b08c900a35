"""Workbooks made by hand, so that a test says exactly what stands in them."""

from __future__ import annotations

import base64
import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence

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


# --- binary workbooks -------------------------------------------------------------------

# A hidden sheet; a table from B3 on with a text, a number, a date, a boolean and =1/0 without a value.
OLD = zlib.decompress(
    base64.b85decode(
        "c-rk)OGs2v82-+E%tL&PriDhsAY|nOj220tQ$e{(tVM+cHF_^3=1kmNWScCTWf8P0+6cC2k=3RL71XXpVALWA0<BfF3JO}NxBvg|y*8SK11T8y"
        "8_s{v`Op8FbN=(V_w{7u)Y$#HX)Hnqbj-PNL<)F{N<3&JK>e=E)!-SU;)YmLh{tFmBPO1dy^8W2@_bK2!#(2#QQ#w$V>pejT-HvlBKArQ8O1TQ"
        "D}!=R!%ZsXsFk>?g!TztC-kn!J{7uKIG2UClkAl0!DPCtvCYrpqguW6l@nEXC_3+jvmG^f$$5PKs`6w_>~Z=tr`A|U(kR6^Xi7WntnF~S0=G~C"
        "3=>)g2U{#_3e_~-<M{5TfN#ONex3^XtIJm){*Q(H=pXnon#9HYYnlO!z&)Wjne&v?Z3bsT1Sk6~%g*LeiYq3|8n7}$nHgFVaephP<$lKQbL=6~"
        "$Yus@N}{X|5*wz)kQ<<??Knhxa-WH|w(cZ>vn8x7`$l5HzELKtsg$UN3aMAhno3aEGq=CKIndjkJ}#UQIV-#qWiy8l7Z+HAl*{LPJlZH4O+qh<"
        ")s0fG6Ix9PPtS(#8o#oCRAeqmZv*++A$XhKQc&MY_57EEkCORM>1|Y>=$t-RJ@GC*hI$$ni}d+7ie}ZUZd_+PP6tor?>!%c*8a8+#k7PUyXzmD"
        "6`19fN2v79R;>yTSd{juUs&l;WeF2rVyw+k)nr5#j;c2v{Exks=8ulo(y67-w+w0-^DUEFrf*qa!m=)wd90pMY`R!(l9T7~9ky(0F`|Zek6;sX"
        "d~bXU@=QgMR7jF-c48DbN%>9;aT4{N7~;g)z)m`L1x^fc0$-k;#DXNkQb`mdM2HX}LWBtMSMbe=?@PM89(Xszh}>Mf?>e(o=EBb;|1Az7N53I@"
        "rQC-sJsk`el|SoYs=$_7rcUs^ka2{(I~YK(#4%8G{?c26D*QjoR!sc6B~+~cxnkm6VgEk?z6=j6"
    )
)


def ole(*streams: str) -> bytes:
    """Return what of an OLE file is looked at: its mark and the names in its directory."""
    names = b"".join(name.encode("utf-16-le").ljust(128, b"\0") for name in ("Root Entry", *streams))
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + names + bytes(512)


def xlsb(sheet: str, rows: Sequence[Sequence[str | float]]) -> bytes:
    """Return a binary workbook of one sheet."""
    book = (
        (131, b""),
        (143, b""),
        (156, struct.pack("<II", 0, 1) + wide("rId1") + wide(sheet)),
        (144, b""),
        (132, b""),
    )
    size = struct.pack("<IIII", 0, len(rows) - 1, 0, len(rows[0]) - 1)
    cells: list[tuple[int, bytes]] = []
    for number, values in enumerate(rows):
        cells.append((0, struct.pack("<I", number) + bytes(21)))
        for place, value in enumerate(values):
            head = struct.pack("<II", place, 0)
            cells.append((6, head + wide(value)) if isinstance(value, str) else (5, head + struct.pack("<d", value)))
    inside = (129, b""), (148, size), (145, b""), *cells, (146, b""), (130, b"")
    related = relation("rId1", "worksheet", "worksheets/sheet1.bin")
    return packed(
        {
            "xl/workbook.bin": b"".join(binary_record(*each) for each in book),
            "xl/_rels/workbook.bin.rels": f'<Relationships xmlns="{PACKAGE}">{related}</Relationships>',
            "xl/worksheets/sheet1.bin": b"".join(binary_record(*each) for each in inside),
        }
    )


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def binary_record(id: int, content: bytes) -> bytes:
    """Return a record: its number and length in groups of seven bits, the lowest first."""
    mark = bytes([id]) if id < 128 else bytes([id & 0x7F | 0x80, id >> 7])
    length, left = b"", len(content)
    while True:
        length += bytes([left & 0x7F | (0x80 if left > 0x7F else 0)])
        left >>= 7
        if not left:
            return mark + length + content
