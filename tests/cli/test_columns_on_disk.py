"""Where the columns lie while a command works changes nothing of what it says, and nothing is left of it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import Command, Job, accepting

from ppdm_desktop.engine.arrays import AnyInts
from ppdm_desktop.engine.release.writing import room
from ppdm_desktop.engine.table.stored.code_store import CodeStore, StoredCodes


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def stores(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Remember where arrays were kept."""
    found: list[Path] = []
    keep = CodeStore.keep

    def noted(store: CodeStore, codes: AnyInts) -> StoredCodes:
        found.append(store.path)
        return keep(store, codes)

    monkeypatch.setattr(CodeStore, "keep", noted)
    return found


@pytest.mark.parametrize("name", ["assess", "inspect"])
def test_a_command_says_the_same(name: str, job: Job, command: Command, temporary: Path, stores: list[Path]) -> None:
    given = (name, job.source, *(("--recipe", job.recipe) if name == "assess" else ()), "--json", "--columns")
    here = command(*given, "memory")
    assert (here.code, stores) == (0, [])
    there = command(*given, "disk")
    assert (there.code, there.document) == (0, here.document)
    assert stores
    assert list(temporary.iterdir()) == []


def test_little_memory_puts_columns_on_the_disk_and_says_so(
    job: Job, command: Command, temporary: Path, stores: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("assess", job.source, "--recipe", job.recipe).code == 0
    assert stores == []
    monkeypatch.setattr(room, "free_memory", lambda: room.COUNTED_ALWAYS)
    found = command("assess", job.source, "--recipe", job.recipe)
    assert found.code == 0
    assert "may not fit in memory" in found.err
    assert str(stores[0]) in found.err
    assert list(temporary.iterdir()) == []


def test_a_release_from_the_disk_is_the_same_and_verifies_both_ways(
    job: Job, command: Command, temporary: Path, stores: list[Path]
) -> None:
    job.edit("bayes-swap", "random-swap")
    for place in ("memory", "disk"):
        found = command(
            "release", job.source, "--recipe", job.recipe, "--seed", "7", "--out", job.folder / place,
            "--columns", place, *accepting(),
        )  # fmt: skip
        assert found.code == 0, found.err
        assert bool(stores) == (place == "disk")
    files = [
        {path.name: path.read_bytes() for path in (job.folder / place / "release").iterdir()}
        for place in ("memory", "disk")
    ]
    assert files[0] == files[1]
    for made, place in (("memory", "disk"), ("disk", "memory")):
        found = command("verify", job.folder / made, "--input", job.source, "--columns", place)
        assert (found.code, found.out.split(":")[0]) == (0, "identical")
    assert list(temporary.iterdir()) == []


def test_no_room_for_the_columns_is_said_before_the_file_is_read(
    job: Job, command: Command, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(total=0, used=0, free=room.STORED_ALWAYS))
    found = command("assess", job.source, "--recipe", job.recipe, "--columns", "disk")
    assert found.code == 2
    assert "64 MB free" in found.err
    assert list(temporary.iterdir()) == []
