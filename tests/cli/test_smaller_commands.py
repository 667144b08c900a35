"""The commands ``compare``, ``suggest`` and ``sample``: text, documents, exit codes, refusals in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases import case_rows
from support import PEOPLE, Command, Job, accept_arguments

from ppdm_desktop.cli.commands.suggest import print_versions
from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.methods.base.declaration import Family
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.planning.version import Planned, Refusal
from ppdm_desktop.engine.samples import all_samples, sample_files

SHOWN = [line.split(",")[2:] for line in PEOPLE.splitlines()]


def write(job: Job, rows: list[list[str]], name: str = "shown.csv") -> None:
    """Write the released file."""
    (job.folder / name).write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")


def test_one_document_with_the_report_s_sections(job: Job, command: Command) -> None:
    write(job, SHOWN)
    before = job.listing()
    found = command("compare", job.source, job.folder / "shown.csv", "--recipe", job.recipe, "--json")
    assert found.code == 0, found.err
    assert list(found.document) == ["input", "verdict", "original", "risk", "utility"]
    assert found.document["risk"]["after"]["scope"] == found.document["risk"]["before"]["scope"]
    assert found.document["input"]["rows_read"] == 8
    assert {entry["id"] for entry in found.document["verdict"]["attacks"]} >= {"singling-out", "inference"}
    assert job.listing() == before


def test_the_same_figures_as_the_report(job: Job, command: Command) -> None:
    job.edit("[release]", "[release]\nshuffle_rows = false")
    draft = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--draft", "--seed", 3, "--json")
    accepts = accept_arguments(draft.document["verdict"]["decision"]["blocked_by"])
    made = command(
        "release", job.source, "--recipe", job.recipe, "--out", job.folder / "two", "--seed", 3, "--json", *accepts
    )
    assert made.code == 0, made.err
    released = job.folder / "two" / "release" / "data.csv"
    found = command("compare", job.source, released, "--recipe", job.recipe, "--json")
    assert found.code == 0, found.err
    report = made.document
    for part in ("input", "risk", "utility"):
        assert found.document[part] == report[part]
    ours = [entry for entry in report["verdict"]["attacks"] if entry["id"] != "seed-search"]
    assert found.document["verdict"]["attacks"] == ours
    assert "key" in found.err


# --- ``suggest`` from the command line: a document, and recipes that can be released --------------


def test_versions_as_a_document_and_as_recipes_that_are_never_overwritten(job: Job, command: Command) -> None:
    folder = job.source.parent / "versions"
    options = ("suggest", job.source, "--recipe", job.recipe, "--write", folder, "--seed", 1, "--json")
    found = command(*options)
    assert found.code == 0, found.err
    document = json.loads(found.out)
    versions = document["versions"]
    assert {version["family"] for version in versions} <= {family.id for family in Family}
    assert all(version["kept"].startswith("Kept: ") and version["verdict"]["checks"] for version in versions)
    written = sorted(path.name for path in folder.iterdir()) if versions else []
    assert len(written) == len(versions)
    assert versions or document["blocking"] or document["refusals"]
    job.edit('role = "quasi-identifier"', 'role = "quasi-identifier"\ndetail = "keep"')
    again = command(*options[:-1])
    assert "Not kept although marked: " in again.out
    assert (again.code, "cannot be written" in again.err) == ((2, True) if versions else (0, False))


def test_a_refusal_names_the_family_that_has_no_version(capsys: pytest.CaptureFixture[str]) -> None:
    without = Family.NOISE
    print_versions(Planned((), (Refusal((without,), "A class is needed."),)), Console(as_json=False))
    said = capsys.readouterr().out
    assert said == f"No version may be released.\n“{without.title}”: A class is needed.\n"


# --- ``sample`` on the command line: sizes, functions and seeds, and refusals that leave nothing behind ---


def test_size_function_and_seed(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "people.csv"
    found = command("sample", "agrawal", "--out", out, "--rows", "300", "--function", "3", "--seed", "7")
    assert found.code == 0, found.err
    assert out.read_bytes() == sample_files("agrawal", rows=300, function=3, seed=7)[0]
    assert (tmp_path / "people.recipe.toml").read_text(encoding="utf-8") == sample_files("agrawal", rows=300)[1]
    assert out.read_bytes() != sample_files("agrawal", rows=300, function=3)[0]
    assert out.read_bytes() != sample_files("agrawal", rows=300, function=2, seed=7)[0]


@pytest.mark.parametrize(("given", "said"), case_rows("sample-refusals-write-nothing", lists=True))
def test_refusals_write_nothing(command: Command, tmp_path: Path, given: list[str], said: str) -> None:
    found = command("sample", *given, "--out", tmp_path / "x.csv")
    assert found.code == 2
    assert said in found.err
    assert list(tmp_path.iterdir()) == []


def test_an_existing_recipe_is_kept_and_the_table_taken_back(command: Command, tmp_path: Path) -> None:
    recipe = tmp_path / "x.recipe.toml"
    recipe.write_text("mine", encoding="utf-8")
    assert command("sample", "employees", "--out", tmp_path / "x.csv").code == 2
    assert recipe.read_text(encoding="utf-8") == "mine"
    assert list(tmp_path.iterdir()) == [recipe]


@pytest.mark.parametrize("name", all_samples())
def test_a_sample_may_be_released_as_often_as_anybody_likes(tmp_path: Path, name: str) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(sample_files(name)[1], encoding="utf-8")
    assert {"earlier-release", "redrawn"} <= set(read_recipe(recipe).accept["keys-and-draws"].checks)
