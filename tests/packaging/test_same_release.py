"""The benchmark that compares two checkouts: silent where nothing changed, and it names what did."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.benchmarks.same_release import compare

CASE = frozenset({"life-insurance"})


def changed_copy(repository: Path, folder: Path, *changes: tuple[str, str, str]) -> Path:
    """Copy what makes a release, with one text in each of some files put in another's place."""
    for part in ("ppdm_desktop", "resources"):
        shutil.copytree(repository / part, folder / part)
    for name, old, new in changes:
        path = folder / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1, f"{name} has changed: choose another place"
        path.write_text(text.replace(old, new), "utf-8")
    return folder


def test_a_name_that_is_no_sample_and_no_method_is_refused(repository: Path) -> None:
    with pytest.raises(SystemExit, match="nonsuch"):
        compare(repository, repository, frozenset({"round", "nonsuch"}))


@pytest.mark.slow
@pytest.mark.thorough
def test_a_changed_byte_and_a_changed_figure_are_named_and_nothing_else(repository: Path, tmp_path: Path) -> None:
    after = changed_copy(
        repository,
        tmp_path / "after",
        ("resources/templates/release-note.html", "<h1>{% if", "<h1> {% if"),
        ("ppdm_desktop/engine/identifiability/measures.py", "float(self.prosecutor.mean())", "0.123"),
    )
    found = compare(repository, after, CASE)
    assert any(each.startswith("life-insurance: release.release-note.html: ") for each in found)
    assert any(each.startswith("life-insurance: report.risk.") and "prosecutor_mean" in each for each in found)
    expected = ("release.release-note.html: ", "report.files[1].", "report.risk.")
    assert all(each.removeprefix("life-insurance: ").startswith(expected) for each in found), "and nothing else"
