"""What the commands print, for the bundled sample and a table whose people have several rows.

The wording of the command line is held here and nowhere else.
``tests/shared/snapshots.py`` tells how to write it again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cases import case_text
from snapshots import left_over, without_volatile
from support import Command, Job

from ppdm_desktop.engine.randomness import Key
from tests.golden.people import visits_csv

CheckSnapshots = Callable[[Mapping[str, str]], None]
VISITS = case_text("command-snapshots-visits.toml")
NAMES = ("sample", "several-rows", "mistakes")


@pytest.fixture(autouse=True)
def same_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Draw the same key in each run, and find nothing that other runs left in the folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))
    monkeypatch.setattr(Key, "fresh", classmethod(lambda cls: cls(bytes(range(32)), "system")))


def transcript(command: Command, folder: Path, *calls: tuple[object, ...]) -> str:
    """Run commands in order; return each with its exit code and what it printed."""
    parts = []
    for arguments in calls:
        outcome = command(*arguments)
        line = " ".join(map(str, arguments))
        parts.append(f"$ ppdm-desktop {line}\n{outcome.out}{outcome.err}exit code {outcome.code}\n")
    return without_volatile("\n".join(parts), {folder: "FOLDER"})


def test_commands_on_the_sample(command: Command, tmp_path: Path, check_snapshots: CheckSnapshots) -> None:
    source, recipe, out = (tmp_path / name for name in ("life.csv", "life.recipe.toml", "out"))
    text = transcript(
        command,
        tmp_path,
        ("sample", "life-insurance", "--out", source),
        ("inspect", source),
        ("assess", source, "--recipe", recipe),
        ("release", source, "--recipe", recipe, "--out", out),
        ("verify", out, "--input", source),
        ("verify", out, "--input", source, "--figure", "singling-out"),
        ("release", source, "--recipe", recipe, "--out", out),
        ("compare", source, out / "release" / "data.csv", "--recipe", recipe),
    )
    check_snapshots({"command/sample": text})


def test_commands_on_a_table_whose_people_have_several_rows(
    command: Command, tmp_path: Path, check_snapshots: CheckSnapshots
) -> None:
    source, recipe, out = (tmp_path / name for name in ("visits.csv", "recipe.toml", "out"))
    source.write_text(visits_csv(people=25), encoding="utf-8")
    recipe.write_text(VISITS, encoding="utf-8")
    text = transcript(
        command,
        tmp_path,
        ("inspect", source),
        ("assess", source, "--recipe", recipe),
        ("release", source, "--recipe", recipe, "--out", out),
    )
    check_snapshots({"command/several-rows": text})


def test_mistakes(command: Command, job: Job, check_snapshots: CheckSnapshots) -> None:
    unknown_role = job.folder / "unknown.toml"
    unknown_role.write_text('recipe = 1\n[columns.Age]\nrole = "secret"\n', encoding="utf-8")
    text = transcript(
        command,
        job.folder,
        ("inspect", job.folder / "nothing.csv"),
        ("assess", job.source, "--recipe", unknown_role),
        ("release", job.source, "--recipe", job.recipe, "--out", job.out, "--accept", "who-is-found=too short"),
        ("release", job.source, "--recipe", job.recipe, "--out", job.out, "--accept", "no-check=for a reason"),
        ("verify", job.folder, "--input", job.source),
        ("release", job.source, "--recipe", job.recipe),
    )
    check_snapshots({"command/mistakes": text})


def test_every_snapshot_has_its_commands() -> None:
    assert left_over("command", NAMES) == []
