"""Where the columns lie while a command works changes nothing of what it says, and nothing is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import Command, Job, accepting

from ppdm_desktop.engine.arrays import AnyInts
from ppdm_desktop.engine.table.stored.code_store import CodeStore, StoredCodes

pytestmark = pytest.mark.usefixtures("temporary")


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
