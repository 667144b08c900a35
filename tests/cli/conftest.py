"""Running commands as a person would, in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import PEOPLE, RECIPE, Job


@pytest.fixture(autouse=True)
def without_pdf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the PDFs out, as where there is no Qt; ``test_pdf.py`` makes them, for a third of a second each."""
    from ppdm_desktop.cli.commands import approve, release, self_test, top_up

    for module in (approve, release, self_test, top_up):
        monkeypatch.setattr(module, "pdf_renderers", dict)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """The small people table with a recipe that releases it."""
    source, recipe = tmp_path / "people.csv", tmp_path / "people.recipe.toml"
    source.write_text(PEOPLE, encoding="utf-8")
    recipe.write_text(RECIPE, encoding="utf-8")
    return Job(tmp_path, source, recipe, tmp_path / "out")
