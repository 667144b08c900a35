"""Adding records to an earlier release from the command line: files, exit codes, refusals in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases import case_text
from support import AUDIT_CHECKS, DISCLOSURE_CHECKS, KEY_FILE, Command, Outcome, accept_arguments

HEADER = "Age,Pay,Town,Level"
RECIPE = case_text("top-up-command.toml")
CHECKS = (*AUDIT_CHECKS, *DISCLOSURE_CHECKS, "guessable-key", "rare-values", "small-groups", "level-readback")
ACCEPTS = accept_arguments(CHECKS)


def table(first: int, rows: int) -> str:
    lines = [HEADER]
    for row in range(first, first + rows):
        town = ("Delft", "Ghent", "Bonn")[row // 2 % 3]
        lines.append(f"{20 + row * 7 % 50},{1500 + row * 37 % 900},{town},{(5, 8)[row % 2]}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def earlier(tmp_path: Path, command: Command) -> Path:
    """A condensed release whose original is gone."""
    source, recipe = tmp_path / "old.csv", tmp_path / "recipe.toml"
    source.write_text(table(0, 60), encoding="utf-8")
    recipe.write_text(RECIPE, encoding="utf-8")
    made = command("release", source, "--recipe", recipe, "--out", tmp_path / "one", "--seed", 1, *ACCEPTS)
    assert made.code == 0, made.err
    source.unlink()
    return tmp_path / "one"


def added(earlier: Path, command: Command, text: str, *more: object) -> Outcome:
    new = earlier.parent / "new.csv"
    new.write_text(text, encoding="utf-8")
    return command("top-up", earlier, "--input", new, "--out", earlier.parent / "two", *(more or ACCEPTS))


def test_records_are_added_and_verified(earlier: Path, command: Command) -> None:
    (earlier.parent / "key").write_text(KEY_FILE, encoding="ascii")
    found = added(earlier, command, table(60, 30), "--key-file", earlier.parent / "key", "--json", *ACCEPTS)
    assert found.code == 0, found.err
    out = earlier.parent / "two"
    assert found.document["release"]["rows"] == 90
    assert found.document == json.loads((out / "internal" / "report.json").read_bytes())
    assert found.document["steps"][0]["method"] == "top-up"
    assert {path.name for path in (out / "release").iterdir()} == {
        "data.csv",
        "data-dictionary.csv",
        "release-note.html",
    }
    assert {path.name for path in (out / "internal").iterdir()} >= {
        "condensation.json",
        "earlier-condensation.json",
        "earlier-data.csv",
        "top-up.json",
        "recipe.toml",
        "release.key",
        "report.html",
        "manifest.json",
    }
    verified = command("verify", out, "--input", earlier.parent / "new.csv", "--json")
    assert (verified.code, verified.document["result"]) == (0, "identical")
    data = out / "release" / "data.csv"
    data.write_bytes(data.read_bytes().replace(b"Bonn", b"Boon", 1))
    assert command("verify", out, "--input", earlier.parent / "new.csv").code == 3


def test_people_are_taken_out_alone_or_while_others_join(earlier: Path, command: Command) -> None:
    gone, folder = earlier.parent / "gone.csv", earlier.parent
    gone.write_text("\n".join([HEADER, *table(7, 3).splitlines()[1:]]) + "\n", encoding="utf-8")
    found = command("top-up", earlier, "--withdraw", gone, "--out", folder / "two", "--json", *ACCEPTS)
    assert found.code == 0, found.err
    assert (found.document["release"]["rows"], found.document["steps"][0]["detail"]["top_up"]["left"]) == (57, 3)
    checks = {each["id"]: each["status"] for each in found.document["verdict"]["checks"]}
    assert checks["joined-or-left"] == "green"
    assert command("verify", folder / "two", "--input", gone).code == 0
    again = command("top-up", folder / "two", "--withdraw", gone, "--out", folder / "three", *ACCEPTS)
    refused(again, "not in the earlier release", "row 2")
    new = folder / "new.csv"
    new.write_text(table(60, 30), encoding="utf-8")
    both = command("top-up", earlier, "--input", new, "--withdraw", gone, "--out", folder / "four", "--json", *ACCEPTS)
    assert (both.code, both.document["release"]["rows"]) == (0, 87)
    refused(command("top-up", earlier, "--out", folder / "five", *ACCEPTS), "Neither new records nor people")


def refused(found: Outcome, *words: str) -> None:
    assert found.code == 2
    assert found.out == ""
    assert found.err.startswith("error: ")
    assert "Traceback" not in found.err
    for word in words:
        assert word in found.err


def test_a_folder_that_is_none_is_refused(earlier: Path, command: Command) -> None:
    new = earlier.parent / "new.csv"
    new.write_text(table(60, 30), encoding="utf-8")
    refused(command("top-up", earlier.parent, "--input", new, "--out", earlier.parent / "two"), "release")
    refused(command("top-up", earlier, "--input", new, "--out", earlier / "two"), "folder of the earlier one")
    refused(command("top-up", earlier, "--input", new, "--out", earlier), "folder of the earlier one")
    file = earlier / "release" / "data.csv"
    file.write_bytes(file.read_bytes() + b"1,2,3\n")
    refused(added(earlier, command, table(60, 30)), "release/data.csv")
