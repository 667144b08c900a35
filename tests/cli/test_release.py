"""The whole job through the command line, judged by the files it leaves."""

from __future__ import annotations

import csv
import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from openpyxl import load_workbook
from support import ACCEPTS, KEY_FILE, PEOPLE, RECIPE, Command, Job, accept_arguments, accepting, reason_for

from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.storage.ledger import read_draws, read_ledger


def release(job: Job, command: Command, *more: object) -> None:
    (job.folder / "key").write_text(KEY_FILE, encoding="ascii")
    found = command(
        "release",
        job.source,
        "--recipe",
        job.recipe,
        "--out",
        job.out,
        "--key-file",
        job.folder / "key",
        *accepting(),
        *more,
    )
    assert found.code == 0, found.err
    assert "Traceback" not in found.err


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("named", [False, True])
def test_an_earlier_release_that_is_named_is_compared(job: Job, command: Command, named: bool) -> None:
    """Averages before and after one person joined give that person away; it is told where the folder is named."""
    rows = [f"{number % 4},{1_000 + 37 * number % 900}" for number in range(480)]
    columns = {"age": "quasi-identifier", "pay": "confidential"}
    sections = "".join(f'[columns.{name}]\nrole = "{role}"\nkind = "numeric"\n' for name, role in columns.items())
    step = '[[steps]]\nmethod = "microaggregation"\ncolumns = ["pay"]\nparameters = { group = 15 }\n'
    head = "recipe = 1\n[input]\none_row_per_person = true\n"
    job.recipe.write_text(f'{head}{sections}{step}[release]\ntype = "public"\n', encoding="utf-8")
    write = ("release", job.source, "--recipe", job.recipe, "--json", *accepting())
    job.source.write_text("\n".join(["age,pay", *rows, ""]), encoding="utf-8")
    written = command(*write, "--out", job.out)
    assert written.code == 0, written.err
    job.source.write_text("\n".join(["age,pay", *rows, "3,1444", ""]), encoding="utf-8")
    compared = command(*write, "--out", job.folder / "later", *(("--earlier", job.out) if named else ()))
    checks = {check["id"]: check["status"] for check in compared.document["verdict"]["checks"]}
    assert checks["earlier-release"] == ("red" if named else "amber"), compared.err


def test_another_draw_of_a_released_source_needs_a_reason(job: Job, command: Command) -> None:
    draft = command("release", job.source, "--recipe", job.recipe, "--out", job.folder / "draft", "--draft")
    assert draft.code == 0, draft.err
    assert read_ledger(ledger_file()) == ()
    release(job, command)
    assert len(read_ledger(ledger_file())) == 1
    reasons = accepting()
    place = reasons.index(f"keys-and-draws={reason_for('keys-and-draws')}")
    without = [*reasons[: place - 1], *reasons[place + 1 :]]
    again = ("release", job.source, "--recipe", job.recipe, "--out", job.folder / "again", "--json")
    blocked = command(*again, *without)
    assert blocked.code == 3
    assert "earlier-release" in blocked.document["verdict"]["decision"]["blocked_by"]
    assert len(blocked.document["earlier_releases"]) == 1
    assert blocked.document["release"]["draws_of_this_recipe"] == 3
    assert blocked.document["verdict"]["draws"]["tried"] == len(read_draws(ledger_file())) == 3
    assert command(*again, *reasons).code == 0
    assert len(read_ledger(ledger_file())) == 2


def test_verify_says_identical_then_finds_a_changed_byte(job: Job, command: Command) -> None:
    release(job, command)
    found = command("verify", job.out, "--input", job.source, "--json")
    assert (found.code, found.document["result"]) == (0, "identical")
    assert command("verify", job.out, "--input", job.source).out.startswith("identical")
    data = job.out / "release" / "data.csv"
    changed = data.read_bytes().replace(b"Delft", b"Dalft", 1)
    data.write_bytes(changed)
    found = command("verify", job.out, "--input", job.source, "--json")
    assert (found.code, found.document["result"]) == (3, "different")


def test_blocked_gate_prints_the_report_and_writes_nothing(job: Job, command: Command) -> None:
    before = job.listing()
    found = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", 1, "--json")
    assert found.code == 3
    document = found.document
    assert document["format"] == 3
    assert document["verdict"]["decision"]["released"] is False
    assert "guessable-key" in document["verdict"]["decision"]["blocked_by"]
    # Every check is named, by its id too, however many there are.
    assert "A written reason is missing for “" in found.err
    assert all(f"” ({id})" in found.err for id in document["verdict"]["decision"]["blocked_by"])
    assert job.listing() == before


def test_draft_writes_internal_only(job: Job, command: Command) -> None:
    found = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", 1, "--draft")
    assert found.code == 0, found.err
    assert {p.name for p in job.out.iterdir()} == {"internal"}


def test_report_on_stdout_is_the_report_that_was_written(job: Job, command: Command) -> None:
    release_json = command(
        "release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", 1, *accepting(), "--json"
    )
    assert release_json.code == 0
    written = json.loads((job.out / "internal" / "report.json").read_text(encoding="utf-8"))
    assert release_json.document == written
    digest = hashlib.sha256((job.out / "release" / "data.csv").read_bytes()).hexdigest()
    assert written["release"]["data_sha256"] == digest
    assert written["release"]["key"] == "kept"


SURVIVORS = """Code,Serial,Country,Surname,Number,Illness,Age
007,12345678901234567890,NA,Null,1E5,flu,30
0007,00000000000000000012,DE,None,1e5,cold,31
7,12345678901234567891,NA,nan,=1+1,flu,32
07,98765432109876543210,FR,true,-5,cold,33
"""


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_texts_survive_untouched_from_input_to_release(job: Job, command: Command, form: str) -> None:
    job.source.write_text(SURVIVORS, encoding="utf-8")
    job.recipe.write_text(
        'recipe = 1\n[input]\none_row_per_person = true\n[columns."*"]\nrole = "other"\n'
        '[columns.Age]\nrole = "quasi-identifier"\n[columns.Illness]\nrole = "confidential"\n'
        '[[steps]]\nmethod = "bayes-swap"\n[release]\ntype = "internal"\n',
        encoding="utf-8",
    )
    release(job, command, "--format", form, *accepting("formula-cells", "identifier-patterns", "free-text"))
    again = command("inspect", job.out / "release" / f"data.{form}", "--json")
    assert again.code == 0
    kept = [line.split(",")[:5] for line in SURVIVORS.strip().splitlines()[1:]]
    if form == "csv":
        body = rows_of(job.out / "release" / "data.csv")[1:]
        found = [[text.removeprefix("'") for text in row[:5]] for row in body]
    else:
        sheet = load_workbook(job.out / "release" / "data.xlsx")["data"]
        found = [[str(each) for each in row[:5]] for row in sheet.iter_rows(min_row=2, values_only=True)]
    assert sorted(found) == sorted(kept)


def test_free_text_is_released_once_somebody_read_it(job: Job, command: Command) -> None:
    said = [
        f"said that {word} came late again"
        for word in ["the", "bus", "her", "aunt", "nobody", "he", "she", "they", "all", "snow"]
    ]
    lines = job.source.read_text(encoding="utf-8").strip().splitlines()
    notes = ["Note", *said[: len(lines) - 1]]
    job.source.write_text("\n".join(map(",".join, zip(lines, notes, strict=True))) + "\n", encoding="utf-8")
    recipe = job.recipe.read_text(encoding="utf-8") + '[columns.Note]\nrole = "other"\nkind = "text"\n'
    job.recipe.write_text(recipe, encoding="utf-8")
    # No reason for reading and roles, which would answer this check, too.
    accepts = accept_arguments(id for id in ACCEPTS if id != "roles-overruled")
    release_it = ("release", job.source, "--recipe", job.recipe, "--out", job.out, "--json", *accepts)
    blocked = command(*release_it)
    assert (blocked.code, blocked.document["verdict"]["decision"]["blocked_by"]) == (3, ["free-text"])
    # The terminal lists what is to be read, and beside it the digest, worked out here as the recipe's page says it.
    known = json.dumps(sorted(notes[1:]), ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.sha256(known.encode()).hexdigest()
    (entry,) = [each for each in blocked.document["verdict"]["checks"] if each["id"] == "free-text"]
    listed = [{"column": "Note", "texts": len(notes) - 1, "digest": digest}]
    assert entry["sentence"]["arguments"]["to_read"] == listed
    told = command(*(each for each in release_it if each != "--json")).out
    assert f'under [columns."Note"]: texts_read = "{digest}"' in told
    assert set(notes[1:]) <= set(map(str.strip, told.splitlines()))
    job.recipe.write_text(f'{recipe}texts_read = "{digest}"\n', encoding="utf-8")
    found = command(*release_it)
    assert found.code == 0, found.err
    assert command("verify", job.out, "--input", job.source).out.startswith("identical")


def test_markers_appear_nowhere_in_the_release(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "ZQX7FOLDER"
    folder.mkdir()
    source = folder / "ZQX7FILE.csv"
    lines = PEOPLE.strip().splitlines()
    body = [",".join([f"ZQX7ID{i}", f"ZQX7NAME{i}", *line.split(",")[2:]]) for i, line in enumerate(lines[1:])]
    source.write_text("\n".join([lines[0], *body]) + "\n", encoding="utf-8")
    job = Job(folder, source, folder / "ZQX7RECIPE.toml", folder / "ZQX7OUT")
    job.recipe.write_text(RECIPE, encoding="utf-8")
    for form in ("csv", "xlsx"):
        release(job, command, "--format", form, "--replace")
        for path in (job.out / "release").iterdir():
            content = path.read_bytes()
            if path.suffix == ".xlsx":
                with zipfile.ZipFile(path) as archive:
                    content += b"".join(archive.read(name) for name in archive.namelist())
            lowered = content.lower()
            assert b"zqx7" not in lowered, path.name
            assert KEY_FILE.encode() not in lowered
            assert Key.from_hex(KEY_FILE).bytes_ not in content
            assert hashlib.sha256(source.read_bytes()).hexdigest().encode() not in lowered


def test_self_test_and_sample(command: Command, tmp_path: Path) -> None:
    assert command("self-test").out.strip().endswith("OK")
    out = tmp_path / "s.csv"
    assert command("sample", "life-insurance", "--out", out).code == 0
    assert command("sample", "life-insurance", "--out", out).code == 2
    found = command("assess", out, "--recipe", tmp_path / "s.recipe.toml", "--json").document
    assert (found["records"], found["identifiable"], found["uniquely_identifiable"]) == (16, 12, 6)
    assert (found["collectively_identifiable"], found["collective_groups"], found["unidentifiable"]) == (6, 3, 4)
    released = command("release", out, "--recipe", tmp_path / "s.recipe.toml", "--out", tmp_path / "o")
    assert released.code == 0, released.err


def test_a_reason_of_before_is_told_and_counts_once_it_is_confirmed(job: Job, command: Command) -> None:
    seeded = ("--seed", 1)
    reason = reason_for("keys-and-draws")
    job.edit("[release]", f"[accept.keys-and-draws]\nreason = '{reason}'\n[release]")
    without = accept_arguments(id for id in ACCEPTS if find_check(id).cause.id != "keys-and-draws")
    given = ("release", job.source, "--recipe", job.recipe, *seeded)
    blocked = command(*given, "--out", job.out, "--json", *without)
    assert blocked.code == 3, blocked.err
    assert blocked.document["verdict"]["decision"]["blocked_by"] == ["guessable-key"]
    assert reason in blocked.err
    done = command(*given, "--out", job.out, *without, "--accept", f"keys-and-draws={reason}")
    assert done.code == 0, done.err
    # What was written there is bound: it counts again without being confirmed.
    kept = job.out / "internal" / "recipe.toml"
    again = command("release", job.source, "--recipe", kept, *seeded, "--out", job.folder / "again")
    assert again.code == 0, again.err


def test_a_teaching_copy_says_what_it_is(job: Job, command: Command) -> None:
    job.edit('type = "internal"', 'type = "research"')
    found = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--teaching-copy")
    assert found.code == 2
    assert "only possible for internal use" in found.err
    job.edit('type = "research"', 'type = "internal"')
    (job.folder / "key").write_text(KEY_FILE, encoding="ascii")
    words = ("release", job.source, "--recipe", job.recipe, "--out", job.out, "--key-file", job.folder / "key")
    found = command(*words, "--teaching-copy", "--draft")
    assert found.code == 2
    found = command(*words, "--teaching-copy", *accept_arguments(("near-identifiers", "keys-released")))
    assert found.code == 0, found.err
    assert {path.name for path in job.out.iterdir()} == {"internal", "teaching-copy"}
    assert "Teaching copy, not for release. No decision was made." in found.out
    assert "share this folder" not in found.out
    found = command("verify", job.out, "--input", job.source)
    assert found.code == 0
    assert found.out.splitlines()[-1] == "Teaching copy, not for release"
    assert json.loads(command("verify", job.out, "--input", job.source, "--json").out)["teaching_copy"] is True
