"""Files made to do harm, or broken: a message in bounded time and memory, never a crash."""

from __future__ import annotations

import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from known_books import rows_of
from old_books import Book, xls
from processor_time import within_processor_seconds
from table_workbooks import TABLE, cell, data, ods, ods_cell, ole, packed, row, xlsx_parts

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.base import read_with
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.table.reading.workbook.compound import has_endless_chain
from ppdm_desktop.engine.wording.texts import all_texts, explain
from ppdm_desktop.engine.wording.values import Name, Quoted, Term

FAR = data(row(1, cell("A1", "a")), row(1048576, cell("XFD1048576", "x")))


def refusal(content: bytes) -> InputError:
    """Read in this process: what the child would say."""
    with pytest.raises(InputError) as caught:
        reader_of(content).read(content, InputSection())
    assert caught.value.id in all_texts()
    explain(caught.value)
    return caught.value


def refused_file(tmp_path: Path, content: bytes) -> InputError:
    """Read through the door, with the child process."""
    path = tmp_path / "source.xlsx"
    path.write_bytes(content)
    with within_processor_seconds(1.5), pytest.raises(InputError) as caught:
        read_source(path, InputSection())
    assert caught.value.file == str(path)
    assert "source.xlsx" in explain(caught.value)
    return caught.value


MEASURED = """
import resource, sys
from pathlib import Path
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import read_source

if __name__ == "__main__":
    try:
        read_source(Path(sys.argv[1]), InputSection())
    except InputError as error:
        print(error.id, error.arguments.get("sheet"), error.arguments.get("cell"))
    # Not RUSAGE_SELF: that begins with what the process that started this one had.
    with open("/proc/self/status") as status:
        own = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux shows it")
def test_a_far_cell_is_refused_with_its_place_in_little_time_and_memory(tmp_path: Path) -> None:
    path, script = tmp_path / "far.xlsx", tmp_path / "measure.py"
    path.write_bytes(packed(xlsx_parts({"stray": FAR})))
    assert path.stat().st_size < 3000
    script.write_text(MEASURED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    said, peak = done.stdout.splitlines()
    assert said == "error.read.far-cell stray XFD1048576"
    assert int(peak) < 300
    with within_processor_seconds(0.5):
        refusal(path.read_bytes())


def test_ods_repeats(tmp_path: Path) -> None:
    head = f"<table:table-row>{ods_cell('a')}</table:table-row>"
    wide = ods_cell("x", table__number_columns_repeated="16384")
    for repeated in (
        f"<table:table-row table:number-rows-repeated='1048575'>{wide}</table:table-row>",
        f"<table:table-row>{ods_cell('x', table__number_columns_repeated='999999999')}</table:table-row>",
        f"<table:table-row table:number-rows-repeated='99999999999'>{ods_cell('x')}</table:table-row>",
    ):
        error = refusal(ods(f"<table:table table:name='big'>{head}{repeated}</table:table>"))
        assert error.id == "error.read.far-cell"
        assert error.arguments["sheet"] == Name("big")
        assert str(error.arguments["cell"])[0].isalpha()


# --- zip bombs --------------------------------------------------------------------------


def with_sizes(content: bytes, name: str, declared: int) -> bytes:
    """Write another inflated size into both headers of a part."""
    raw = bytearray(content)
    encoded = name.encode()
    struct.pack_into("<I", raw, raw.index(encoded) - 30 + 22, declared)
    struct.pack_into("<I", raw, raw.rindex(encoded) - 46 + 24, declared)
    return bytes(raw)


def test_high_ratio(tmp_path: Path) -> None:
    parts: dict[str, str | bytes] = dict(xlsx_parts({"data": TABLE}))
    parts["xl/worksheets/sheet1.xml"] = b"<worksheet>" + b" " * (40 * 2**20)
    error = refused_file(tmp_path, packed(parts))
    assert error.id == "error.read.harmful-part"
    assert error.arguments["part"] == Quoted("xl/worksheets/sheet1.xml")
    parts["xl/media/x.png"] = parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = "<worksheet/>"
    assert refusal(packed(parts)).arguments["part"] == Quoted("xl/media/x.png")


def test_sizes_that_lie() -> None:
    content = packed(xlsx_parts({"data": TABLE * 50}))
    name = "xl/worksheets/sheet1.xml"
    for declared, id in ((10, "error.read.harmful-part"), (10**6, "error.read.broken-package")):
        error = refusal(with_sizes(content, name, declared))
        assert (error.id, error.arguments["part"]) == (id, Quoted(name))


def test_overlapping_parts() -> None:
    """Two entries of the directory that point at the same bytes."""
    content = packed(xlsx_parts({"data": TABLE}))
    end = content.rindex(b"PK\x05\x06")
    count, size, start = struct.unpack_from("<HII", content, end + 10)
    directory = content[start : start + size]
    first = directory[: directory.index(b"PK\x01\x02", 4)]
    doubled = directory + first.replace(b"sheet1.xml", b"sheet9.xml")
    tail = bytearray(content[end:])
    struct.pack_into("<HHII", tail, 8, count + 1, count + 1, len(doubled), start)
    error = refusal(content[:start] + doubled + bytes(tail))
    assert error.id == "error.read.harmful-part"


def test_too_many_parts_encrypted_parts_and_no_package() -> None:
    many: dict[str, str | bytes] = {f"x{place}": b"" for place in range(10_001)}
    assert refusal(packed(many)).id == "error.read.too-many-parts"
    content = bytearray(packed(xlsx_parts({"data": TABLE})))
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    assert refusal(bytes(content)).id == "error.read.password"
    assert refusal(b"PK\x03\x04 and then nothing").id == "error.read.broken-package"
    assert refusal(packed({"readme.txt": "hello"})).id == "error.read.other-format"


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9, 0.99])
def test_a_file_cut_short(tmp_path: Path, cut: float) -> None:
    content = packed(xlsx_parts({"data": TABLE}))
    assert refusal(content[: int(len(content) * cut)]).id == "error.read.broken-package"


@pytest.mark.parametrize(
    "part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"]
)
@pytest.mark.parametrize("content", ["", "<worksheet", "no xml", "<a></b>", "<sst>\x00</sst>"])
def test_broken_xml(part: str, content: str) -> None:
    parts = xlsx_parts({"data": TABLE})
    parts[part] = content
    assert refusal(packed(parts)).id == "error.read.broken-package"


@pytest.mark.parametrize(
    "sheet",
    [
        data(row(1, cell("A1", "a")), row(2, cell("A2", 99, t="s"))),
        data(row(1, cell("A1", "a")), row(2, cell("A2", -1, t="s"))),
        data(row(1, cell("A1", "a")), row(2, cell("!2", 1))),
        data(row(1, cell("A1", "a")), row(2, cell("2", 1))),
        data(row(1, cell("A1", "a")), row(2, cell("ZZZZZZZZZ2", 1))),
        data(row(1, cell("A1", "a")), row(9999999, cell("A9999999", 1))),
    ],
)
def test_impossible_cells(sheet: str) -> None:
    assert refusal(packed(xlsx_parts({"data": sheet}))).id in ("error.read.broken-package", "error.read.far-cell")


# --- entities ---------------------------------------------------------------------------

LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
)


@pytest.mark.parametrize(
    "part",
    ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "_rels/.rels",
     "xl/_rels/workbook.xml.rels", "docProps/core.xml", "[Content_Types].xml", "xl/theme/theme1.xml"],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entity_bombs_in_every_part(part: str, encoding: str) -> None:
    parts: dict[str, str | bytes] = dict(xlsx_parts({"data": TABLE}))
    inside = str(parts.get(part, "<x/>"))
    parts[part] = f'<?xml version="1.0" encoding="{encoding}"?>{LAUGHS}]>{inside}'.encode(encoding)
    content = packed(parts)
    with within_processor_seconds(0.5):
        error = refusal(content)
    assert (error.id, error.arguments["part"]) == ("error.read.harmful-part", Quoted(part))


def test_entity_bomb_in_ods_and_a_declaration_behind_padding() -> None:
    content = "<!-- " + "x" * 3_000_000 + " -->" + '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>'
    assert refusal(packed({"content.xml": content})).id == "error.read.harmful-part"
    assert refusal(packed({"content.xml": LAUGHS + "]><x>&j;</x>"})).id == "error.read.harmful-part"


# --- other containers -------------------------------------------------------------------


def test_a_password_is_named(tmp_path: Path) -> None:
    error = refused_file(tmp_path, ole("EncryptionInfo", "EncryptedPackage"))
    assert error.id == "error.read.password"
    assert "a copy without password" in explain(error)
    manifest = '<manifest:manifest xmlns:manifest="x"><manifest:encryption-data/></manifest:manifest>'
    content = packed({"content.xml": b"\x01\x02 not xml", "META-INF/manifest.xml": manifest})
    assert refusal(content).id == "error.read.password"


def test_a_web_archive_that_is_called_a_workbook_is_refused_by_name(tmp_path: Path) -> None:
    text = "MIME-Version: 1.0\r\nX-Document-Type: Workbook\r\n\r\nThis document is a Single File Web Page.\r\n"
    error = refused_file(tmp_path, text.encode())
    assert (error.id, error.arguments["format"]) == ("error.read.other-format", Term("MHTML"))


def test_empty_and_header_only_workbooks() -> None:
    assert refusal(packed(xlsx_parts({"data": data()}))).id == "error.read.empty-workbook"
    assert refusal(packed(xlsx_parts({}))).id == "error.read.empty-workbook"
    only = data(row(1, cell("A1", "a"), cell("B1", "b")))
    assert refusal(packed(xlsx_parts({"data": only}))).id == "error.read.header-only"


def test_stored_parts_are_read() -> None:
    content = packed(xlsx_parts({"data": TABLE}), zipfile.ZIP_STORED)
    assert reader_of(content).read(content, InputSection()).headers == ("name", "n")


# --- a chain of sectors that leads back into itself is found before a reader follows it for ever ---


SOUND = xls(Book({"data": rows_of(*(f"text {n}" for n in range(400)))}))


def number(data: bytes, place: int) -> int:
    return int(struct.unpack_from("<I", data, place)[0])


def with_next(data: bytes, sector: int, next: int) -> bytes:
    """Return a compound file in whose table another sector follows this one."""
    place = (number(data, 76) + 1) * 512 + 4 * sector
    return data[:place] + struct.pack("<I", next) + data[place + 4 :]


def start_of_workbook(data: bytes) -> int:
    entry = data.index("Workbook".encode("utf-16-le"))
    return number(data, entry + 116)


def test_a_sound_file_has_none() -> None:
    assert not has_endless_chain(SOUND)


@pytest.mark.parametrize("part", ["directory", "workbook"])
def test_a_chain_that_leads_back_is_refused_in_words(part: str) -> None:
    first = number(SOUND, 48) if part == "directory" else start_of_workbook(SOUND)
    broken = with_next(SOUND, first, first)
    assert has_endless_chain(broken)
    with pytest.raises(InputError) as refused:
        read_with(reader_of(broken), broken, InputSection())
    assert refused.value.id == "error.read.broken-package"


def test_a_list_of_tables_that_leads_back_is_found() -> None:
    sector = number(SOUND, 48)
    place = (sector + 1) * 512 + 508
    looped = (
        SOUND[:68] + struct.pack("<II", sector, 1) + SOUND[76:place] + struct.pack("<I", sector) + SOUND[place + 4 :]
    )
    assert has_endless_chain(looped)


@given(st.binary(max_size=1500), st.integers(0, 511), st.binary(min_size=1, max_size=8))
def test_whatever_stands_there_it_ends(tail: bytes, place: int, over: bytes) -> None:
    damaged = bytearray(SOUND[:2048] + tail)
    damaged[place : place + len(over)] = over
    assert has_endless_chain(bytes(damaged)) in (True, False)
