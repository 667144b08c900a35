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
from table_workbooks import cell, data, packed, row, xlsx_parts

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


BOMB = '<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
ENTITIES = xlsx_parts({"People": data(row(1, cell("A1", "x")))})
ENTITIES["xl/workbook.xml"] = BOMB + ENTITIES["xl/workbook.xml"]


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

CASES: dict[str, tuple[Prepare, str]] = {
    "undecodable bytes": (raw(PEOPLE.encode() + b"015,\x81\x8d,30,\xff\xfeX,flu\n\x00\x01"), "people.csv"),
    "entity bomb": (raw(packed(ENTITIES)), "people.csv"),
    "missing source": (lambda job: job.source.unlink(), "people.csv"),
    "one-valued confidential column": (text(ONE_VALUE), "column “Illness”"),
    "missing recipe": (lambda job: job.recipe.unlink(), "people.recipe.toml"),
    "infinite number": (text(PEOPLE.replace("012,Flo,33", "012,Flo,inf")), "row 7"),
    "accept of a check that does not exist": (
        lambda job: ["--accept", "no-such-check=because I really say so"],
        "no-such-check",
    ),
    "accept without a reason": (lambda job: ["--accept", "class-size"], "class-size"),
    "target with too long a path": (lambda job: ["--out", job.folder.joinpath(*["n" * 200] * 30)], "longer than"),
    "log where the release goes": (lambda job: ["--log", job.out], "cannot be the log"),
    "key that counts": (key_of(bytes(range(32)).hex()), "pattern"),
    "target holds the source": (lambda job: ["--out", job.folder, "--replace"], ""),
    "target exists": (out_exists, "out"),
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


@pytest.mark.parametrize(("arguments", "part"), case_rows("bad-input-bad-use-is-refused", lists=True))
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
    said = "The setting “Sheet” (“People”) was ignored"
    job.edit("[input]", '[input]\nsheet = "People"')
    for arguments in (
        ("inspect", job.source, "--sheet", "People"),
        ("assess", job.source, "--recipe", job.recipe),
        ("release", job.source, "--recipe", job.recipe, "--out", job.out, *accepting()),
    ):
        found = command(*arguments)
        assert found.code == 0, found.err
        assert found.err.count(said) == found.err.count("leave [input] sheet out") == 1
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
