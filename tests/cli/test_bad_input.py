"""Bad input of every kind: a message that names place and remedy, exit 2, nothing written.

Each case prepares the folder; then ``release`` must refuse within a bounded time, without a
traceback, leave stdout empty under ``--json`` and leave no file behind.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import case_rows
from processor_time import within_processor_seconds
from support import PEOPLE, Command, Job, accepting
from table_workbooks import cell, data, ole, packed, row, xlsx_parts

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


def edits(*changes: tuple[str, str]) -> Prepare:
    def prepare(job: Job) -> None:
        for old, new in changes:
            job.edit(old, new)

    return prepare


def both(first: Prepare, second: Prepare) -> Prepare:
    def prepare(job: Job) -> None:
        first(job)
        second(job)

    return prepare


def workbook(inside: str, **parts: bytes) -> bytes:
    """Return a workbook of one sheet."""
    return packed(
        {**xlsx_parts({"People": inside}), **{f"xl/worksheets/{name}.xml": part for name, part in parts.items()}}
    )


FAR = data(row(1, cell("A1", "x")), row(1_048_576, cell("XFD1048576", "y")))


def bomb(job: Job) -> None:
    job.source.write_bytes(workbook("", sheet9=b"0" * 700_000_000))


BOMB = '<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
ENTITIES = xlsx_parts({"People": data(row(1, cell("A1", "x")))})
ENTITIES["xl/workbook.xml"] = BOMB + ENTITIES["xl/workbook.xml"]


def folder_as_source(job: Job) -> None:
    job.source.unlink()
    job.source.mkdir()


def pipe_as_source(job: Job) -> None:
    job.source.unlink()
    os.mkfifo(job.source)


def out_exists(job: Job) -> None:
    job.out.mkdir()
    (job.out / "mine.txt").write_text("keep me", encoding="utf-8")


def key_of(digits: str) -> Prepare:
    def prepare(job: Job) -> list[object]:
        (job.folder / "k").write_text(digits, encoding="utf-8")
        return ["--key-file", job.folder / "k"]

    return prepare


ONE_VALUE = "\n".join(
    line if i == 0 else line.rsplit(",", 1)[0] + ",flu" for i, line in enumerate(PEOPLE.strip().splitlines())
)
ALL_NAMES = "\n".join(f'"{line.split(",")[1]}" = "normal"' for line in PEOPLE.splitlines()[1:])

CASES: dict[str, tuple[Prepare, str]] = {
    "empty file": (raw(b""), "empty"),
    "only a header": (text("Id,Name,Age,City,Illness\n"), "people.csv"),
    "undecodable bytes": (raw(PEOPLE.encode() + b"015,\x81\x8d,30,\xff\xfeX,flu\n\x00\x01"), "people.csv"),
    "unclosed quote": (text(PEOPLE + '015,"Ina,30,Delft,flu\n' * 3), "quot"),
    "password-protected workbook": (raw(ole("EncryptionInfo", "EncryptedPackage")), "password"),
    "zip bomb": (bomb, "people.csv"),
    "entity bomb": (raw(packed(ENTITIES)), "people.csv"),
    "far cell": (raw(workbook(FAR)), "people"),
    "broken zip": (raw(b"PK\x03\x04" + b"\x00" * 200), "people.csv"),
    "sheet that is not there": (
        both(raw(workbook(data(row(1, cell("A1", "x"))))), edits(("[input]", '[input]\nsheet = "Nope"'))),
        "Nope",
    ),
    "missing source": (lambda job: job.source.unlink(), "people.csv"),
    "folder as source": (folder_as_source, "people.csv"),
    **({"pipe as source": (pipe_as_source, "people.csv")} if hasattr(os, "mkfifo") else {}),
    "one-valued confidential column": (text(ONE_VALUE), "column “Illness”"),
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
    "missing recipe": (lambda job: job.recipe.unlink(), "people.recipe.toml"),
    "empty cell without a meaning": (
        both(
            edits(
                ('[columns.Name]\nrole = "left-out"', '[columns.Name]\nrole = "privacy-level"'),
                ("[release]", f"[privacy.words]\n{ALL_NAMES}\n[release]"),
            ),
            text(PEOPLE.replace("012,Flo,33", "012,,33")),
        ),
        "1 person has no word for the protection level. First row: 7",
    ),
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
    "key file malformed": (key_of("12ab"), "64"),
    "key of 64 zeros": (key_of("0" * 64), "pattern"),
    "key that counts": (key_of(bytes(range(32)).hex()), "pattern"),
    "key file missing": (lambda job: ["--key-file", job.folder / "nope"], "nope"),
    "target is the source": (lambda job: ["--out", job.source, "--replace"], "people.csv"),
    "target holds the source": (lambda job: ["--out", job.folder, "--replace"], ""),
    "target exists": (out_exists, "out"),
    "target has no parent": (lambda job: ["--out", job.folder / "no" / "such" / "folder"], "folder"),
    "target below a file": (lambda job: ["--out", job.recipe / "out"], "people.recipe.toml in this path is a file"),
    **{name: (edits(*changes), part) for name, changes, part in case_rows("bad-input-recipes")},
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
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
    case_rows("bad-input-bad-use-is-refused", lists=True),
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
