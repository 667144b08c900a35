"""Bad input of every kind: a message that names place and remedy, exit 2, nothing written.

Each case prepares the folder; then ``release`` must refuse within a bounded time, without a
traceback, leave stdout empty under ``--json`` and leave no file behind.
"""

from __future__ import annotations

import io
import os
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from processor_time import within_processor_seconds
from support import PEOPLE, Command, Job, accepting

Prepare = Callable[[Job], list[object] | None]
_MOST_SECONDS = 1.5


def text(content: str, encoding: str = "utf-8") -> Prepare:
    def prepare(job: Job) -> None:
        job.source.write_bytes(content.encode(encoding))

    return prepare


def raw(content: bytes) -> Prepare:
    def prepare(job: Job) -> None:
        job.source.write_bytes(content)

    return prepare


def edit(old: str, new: str) -> Prepare:
    def prepare(job: Job) -> None:
        job.edit(old, new)

    return prepare


def both(first: Prepare, second: Prepare) -> Prepare:
    def prepare(job: Job) -> None:
        first(job)
        second(job)

    return prepare


def workbook(sheet: str, *, extra: dict[str, bytes] | None = None, head: str = "") -> bytes:
    """A minimal XLSX with this sheetData."""
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        'officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": head + '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>'
        '<sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        'relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{sheet}</sheetData></worksheet>",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
        for name, blob in (extra or {}).items():
            archive.writestr(name, blob)
    return packed.getvalue()


def cell(place: str, value: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{value}</t></is></c>'


FAR = f'<row r="1">{cell("A1", "x")}</row><row r="1048576">{cell("XFD1048576", "y")}</row>'


def bomb(job: Job) -> None:
    job.source.write_bytes(workbook("", extra={"xl/worksheets/sheet9.xml": b"0" * 700_000_000}))


ENTITIES = workbook(
    f'<row r="1">{cell("A1", "x")}</row>',
    head='<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>',
)


def locked(job: Job) -> None:
    """An OLE container with the streams of a password-protected workbook."""
    directory = b"".join(
        (name.encode("utf-16-le").ljust(64, b"\0") + (len(name) * 2 + 2).to_bytes(2, "little")).ljust(128, b"\0")
        for name in ("Root Entry", "EncryptionInfo", "EncryptedPackage", "")
    )
    head = bytes.fromhex("d0cf11e0a1b11ae1").ljust(24, b"\0") + bytes.fromhex("3e000300feff0900")
    header = bytearray(head.ljust(512, b"\0"))
    header[0x2C:0x30] = (1).to_bytes(4, "little")
    header[0x30:0x34] = (1).to_bytes(4, "little")
    header[0x4C:0x50] = (0).to_bytes(4, "little")
    job.source.write_bytes(bytes(header) + b"\xfe\xff\xff\xff" * 128 + directory.ljust(512, b"\0") + b"\0" * 4096)


def missing_source(job: Job) -> None:
    job.source.unlink()


def folder_as_source(job: Job) -> None:
    job.source.unlink()
    job.source.mkdir()


def pipe_as_source(job: Job) -> None:
    job.source.unlink()
    os.mkfifo(job.source)


def out_is_source(job: Job) -> list[object]:
    return ["--out", job.source, "--replace"]


def out_holds_source(job: Job) -> list[object]:
    return ["--out", job.folder, "--replace"]


def out_exists(job: Job) -> None:
    job.out.mkdir()
    (job.out / "mine.txt").write_text("keep me", encoding="utf-8")


def out_has_no_parent(job: Job) -> list[object]:
    return ["--out", job.folder / "no" / "such" / "folder"]


def out_below_a_file(job: Job) -> list[object]:
    return ["--out", job.recipe / "out"]


def bad_key(job: Job) -> list[object]:
    (job.folder / "k").write_text("12ab", encoding="utf-8")
    return ["--key-file", job.folder / "k"]


def key_of(digits: str) -> Prepare:
    def prepare(job: Job) -> list[object]:
        (job.folder / "k").write_text(digits, encoding="utf-8")
        return ["--key-file", job.folder / "k"]

    return prepare


def missing_key(job: Job) -> list[object]:
    return ["--key-file", job.folder / "nope"]


ONE_VALUE = "\n".join(
    line if i == 0 else line.rsplit(",", 1)[0] + ",flu" for i, line in enumerate(PEOPLE.strip().splitlines())
)
NUMERIC_AGE = 'role = "quasi-identifier"\nkind = "numeric"'
STEP = 'method = "bayes-swap"'
ALL_NAMES = "\n".join(f'"{line.split(",")[1]}" = "normal"' for line in PEOPLE.splitlines()[1:])
EACH_ROW = "one_row_per_person = true"

CASES: dict[str, tuple[Prepare, str]] = {
    "empty file": (raw(b""), "empty"),
    "only a header": (text("Id,Name,Age,City,Illness\n"), "people.csv"),
    "wrong encoding named": (edit("[input]", '[input]\nencoding = "utf-8"'), ""),
    "undecodable bytes": (raw(PEOPLE.encode() + b"015,\x81\x8d,30,\xff\xfeX,flu\n\x00\x01"), "people.csv"),
    "unknown encoding": (edit("[input]", '[input]\nencoding = "utf-99"'), "utf-99"),
    "unclosed quote": (text(PEOPLE + '015,"Ina,30,Delft,flu\n' * 3), "quot"),
    "password-protected workbook": (locked, "password"),
    "zip bomb": (bomb, "people.csv"),
    "entity bomb": (raw(ENTITIES), "people.csv"),
    "far cell": (raw(workbook(FAR)), "people"),
    "broken zip": (raw(b"PK\x03\x04" + b"\x00" * 200), "people.csv"),
    "sheet that is not there": (
        both(raw(workbook(f'<row r="1">{cell("A1", "x")}</row>')), edit("[input]", '[input]\nsheet = "Nope"')),
        "Nope",
    ),
    "missing source": (missing_source, "people.csv"),
    "folder as source": (folder_as_source, "people.csv"),
    **({"pipe as source": (pipe_as_source, "people.csv")} if hasattr(os, "mkfifo") else {}),
    "one-valued confidential column": (text(ONE_VALUE), "column “Illness”"),
    "no quasi-identifier": (
        both(
            edit(NUMERIC_AGE, 'role = "other"\nkind = "numeric"'),
            edit('[columns.City]\nrole = "quasi-identifier"', '[columns.City]\nrole = "other"'),
        ),
        "quasi-identifier",
    ),
    "nothing released": (
        lambda job: (
            job.recipe.write_text(
                'recipe = 1\n[input]\none_row_per_person = true\n[columns."*"]\nrole = "left-out"\n'
                '[release]\ntype = "internal"\n',
                encoding="utf-8",
            ),
            None,
        )[-1],
        "No column would be released",
    ),
    "unknown recipe key": (edit("[release]", "[release]\nforamt = 'csv'"), "release.foramt"),
    "recipe that is not TOML": (edit("recipe = 1", "recipe = = 1"), "TOML"),
    "missing recipe": (lambda job: job.recipe.unlink(), "people.recipe.toml"),
    "column the file lacks": (edit("[columns.City]", "[columns.Town]"), "people.recipe.toml, column “Town”"),
    "unknown method": (edit(STEP, 'method = "bayes-swop"'), "bayes-swap"),
    "unknown parameter": (edit(STEP, STEP + "\nparameters = { proporton = 0.5 }"), "proporton"),
    "parameter out of range": (edit(STEP, STEP + "\nparameters = { proportion = 1.5 }"), "proportion"),
    "step on a column of another role": (edit(STEP, STEP + '\ncolumns = ["City"]'), "City"),
    "no release type": (edit('type = "internal"', ""), "research"),
    "unknown level": (edit("[release]", '[privacy]\ndefault = "secret"\n[release]'), "secret"),
    "unknown level text": (
        edit('[columns.Name]\nrole = "left-out"', '[columns.Name]\nrole = "privacy-level"'),
        "row 2",
    ),
    "word without a meaning": (
        both(
            edit('[columns.Name]\nrole = "left-out"', '[columns.Name]\nrole = "privacy-level"'),
            edit("[release]", '[privacy.words]\n"Flo" = "normal"\n[release]'),
        ),
        "does not say what",
    ),
    "empty cell without a meaning": (
        both(
            edit('[columns.Name]\nrole = "left-out"', '[columns.Name]\nrole = "privacy-level"'),
            both(
                edit("[release]", f"[privacy.words]\n{ALL_NAMES}\n[release]"),
                text(PEOPLE.replace("012,Flo,33", "012,,33")),
            ),
        ),
        "1 person has no word for the protection level. First row: 7",
    ),
    "rows without the file's hash": (
        edit("[release]", '[[privacy.rows]]\nrows = [1]\nlevel = "cautious"\n[release]'),
        "sha256",
    ),
    "another file's hash": (edit("[input]", f'[input]\nsha256 = "{"0" * 64}"'), "fingerprint"),
    "text in a numeric column": (text(PEOPLE.replace("007,Null,30", "007,Null,4e")), "row 2"),
    "infinite number": (text(PEOPLE.replace("012,Flo,33", "012,Flo,inf")), "row 7"),
    "accept of a check that does not exist": (
        lambda job: ["--accept", "no-such-check=because I really say so"],
        "no-such-check",
    ),
    "accept of a check in the place of its cause": (
        lambda job: ["--accept", "class-size=because I really say so"],
        "who-is-found",
    ),
    "accept with too short a reason": (lambda job: ["--accept", "who-is-found=because"], "who-is-found"),
    "accept without a reason": (lambda job: ["--accept", "class-size"], "class-size"),
    "accept without a check": (lambda job: ["--accept", "=because I really say so"], "CAUSE=REASON"),
    "target with too long a name": (lambda job: ["--out", job.folder / ("n" * 300)], "longer than this system"),
    "target with too long a path": (lambda job: ["--out", job.folder.joinpath(*["n" * 200] * 30)], "longer than"),
    "log where the release goes": (lambda job: ["--log", job.out], "cannot be the log"),
    "JSON instead of a table": (text('[{"a": 1, "b": 2}, {"a": 3, "b": 4}]'), "JSON"),
    "quotes broken from the first line on": (text('Id,"Na"me,Age\n1,"a"b,2\n'), "line 1"),
    "a table where the recipe has a list": (edit(STEP, STEP + '\ncolumns = "Illness"'), "a list in square brackets"),
    "a text where the recipe has a number": (edit("[input]", '[input]\nheader_row = "one"'), "a whole number"),
    "a role that does not exist": (edit('role = "left-out"', 'role = "leftout"'), 'it is "leftout"'),
    "key file malformed": (bad_key, "64"),
    "key of 64 zeros": (key_of("0" * 64), "pattern"),
    "key that counts": (key_of(bytes(range(32)).hex()), "pattern"),
    "key file missing": (missing_key, "nope"),
    "target is the source": (out_is_source, "people.csv"),
    "target holds the source": (out_holds_source, ""),
    "target exists": (out_exists, "out"),
    "target has no parent": (out_has_no_parent, "folder"),
    "target below a file": (out_below_a_file, "people.recipe.toml in this path is a file"),
    "person answered twice": (edit("[input]", '[input]\nperson = "Id"'), "'one_row_per_person'"),
    "no such person column": (edit(EACH_ROW, 'person = "Ix"\nreduce.by = "first"'), "input.person"),
    "mean of words": (
        edit(EACH_ROW, 'person = "Id"\nreduce = { by = "first", columns = { Location = "mean" } }'),
        "input.reduce.columns",
    ),
}
HARMLESS = {"wrong encoding named"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in CASES if name not in HARMLESS])
def test_bad_input_is_refused_in_words(name: str, job: Job, command: Command) -> None:
    prepare, part = CASES[name]
    more = prepare(job) or []
    before = job.listing()
    source = job.source.read_bytes() if job.source.is_file() else None
    arguments = ["release", job.source, "--recipe", job.recipe, "--out", job.out, "--json"]
    with within_processor_seconds(_MOST_SECONDS):
        found = command(*arguments, *accepting(), *more)
    assert found.code == 2, found
    assert found.out == ""
    assert found.err.startswith("error: ")
    assert part in found.err
    assert found.err.startswith((f"error: {job.folder}", "error: --accept: ")), "names the file, or the option at fault"
    assert "Traceback" not in found.err
    assert len(found.err.strip().splitlines()) == 1
    assert job.listing() == before
    assert source is None or job.source.read_bytes() == source


def test_there_are_enough_kinds() -> None:
    assert len(CASES) - len(HARMLESS) >= 25


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere, and Windows knows no modes"
)
def test_target_not_writable(job: Job, command: Command) -> None:
    shut = job.folder / "shut"
    shut.mkdir(mode=0o500)
    found = command("release", job.source, "--recipe", job.recipe, "--out", shut / "out", *accepting())
    assert found.code == 2
    assert "shut" in found.err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["people.csv"], "neither a command nor an existing file"),
        (["release"], "--recipe"),
        (["nonsense", "--json"], "neither a command nor an existing file"),
        (["n" * 300], "neither a command nor an existing file"),
        (["release", "a", "--recipe", "b", "--out", "c", "--seed", "x"], "--seed"),
        (["sample", "no-such", "--out", "f"], "life-insurance"),
        (["assess", "none.csv", "--recipe", "none.toml"], "none.toml"),
        (["--foo"], "--foo is not an option"),
        (["--foo", "release"], "--foo is not an option"),
        (["--recipe", "r.toml", "release", "a", "--out", "c"], "after its name"),
        (["--", "--foo"], "neither a command nor an existing file"),
        (["--", "release"], "--recipe"),
        (["--", "people.csv", "more"], "neither a command nor an existing file"),
        (["-"], "neither a command nor an existing file"),
    ],
)
def test_bad_use_is_refused(arguments: list[str], part: str, command: Command, tmp_path: Path) -> None:
    found = command(*arguments)
    assert found.code == 2
    assert part in found.err
    assert found.out == ""


def test_a_privacy_rule_that_finds_nobody_is_said(job: Job, command: Command) -> None:
    job.edit(
        "[release]", '[[privacy.rules]]\nwhere = { column = "City", equals = "delft" }\nlevel = "cautious"\n[release]'
    )
    found = command("assess", job.source, "--recipe", job.recipe)
    assert found.code == 0
    assert "Protection rule 1 (level Raised) matches no record" in found.err


def test_what_the_reading_guessed_or_left_out_is_said_before_a_release(job: Job, command: Command) -> None:
    job.source.write_bytes(PEOPLE.replace("Flo", "Zoë").encode("cp1252") + b"015,too few\n")
    found = command("release", job.source, "--recipe", job.recipe, "--out", job.out)
    assert "It was read as cp1252" in found.err
    assert "1 row of the source could not be read, for example line " in found.err


def test_a_sheet_named_for_text_is_said_wherever_a_file_is_read(job: Job, command: Command) -> None:
    said = "You named the sheet “People”, but this file is text"
    job.edit("[input]", '[input]\nsheet = "People"')
    for arguments in (
        ("inspect", job.source, "--sheet", "People"),
        ("assess", job.source, "--recipe", job.recipe),
        ("release", job.source, "--recipe", job.recipe, "--out", job.out, *accepting()),
    ):
        found = command(*arguments)
        assert found.code == 0, found.err
        assert found.err.count(said) == 1
    kept = job.out / "internal" / "recipe.toml"
    assert "sheet" not in tomllib.loads(kept.read_text(encoding="utf-8"))["input"]
    again = command(
        "release", job.source, "--recipe", kept, "--out", job.folder / "again", *accepting("earlier-release")
    )
    assert again.code == 0, again.err
    assert said not in again.err
    written = job.folder / "written.toml"
    assert said in command("inspect", job.source, "--sheet", "People", "--write-recipe", written).err
    assert said not in command("assess", job.source, "--recipe", written).err


def test_an_unusual_sign_between_columns_is_said(job: Job, command: Command) -> None:
    job.source.write_text(PEOPLE.replace(",", "~"), encoding="utf-8")
    found = command("inspect", job.source)
    assert found.code == 0
    assert "read as one column. But nearly every line has “~” equally often" in found.err
    assert "delimiter = ... under [input]" in found.err
    assert "read as one column" not in command("inspect", job.source, "--delimiter", "~").err
