"""The same release in every locale: nothing of it depends on how the system writes, sorts or reads."""

from __future__ import annotations

import locale
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support import PEOPLE, RECIPE, not_analysed, reasons_for

from ppdm_desktop.cli.language import usual_language
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.wording.catalogue import SOURCE, set_language, speak_language

LOCALES = ("C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8")
CREATED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _locale_again() -> Iterator[None]:
    before = locale.setlocale(locale.LC_ALL)
    yield
    locale.setlocale(locale.LC_ALL, before)


def _speak_as(name: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have system, C library, program and Qt speak as in a place."""
    for variable in ("LC_ALL", "LANG", "LC_MESSAGES"):
        monkeypatch.setenv(variable, name)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        locale.setlocale(locale.LC_ALL, "C")  # not built on this system; the variables are read all the same
    set_language(usual_language(folder, {"LC_ALL": name}))
    try:
        from PySide6.QtCore import QLocale
    except ImportError:
        return
    QLocale.setDefault(QLocale(name.partition(".")[0]))


def test_the_same_bytes_in_every_locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, recipe = tmp_path / "people.csv", tmp_path / "r.toml"
    # Letters that Turkish changes in its own way.
    source.write_text(PEOPLE.replace("Illness", "Iıİi ILLNESS").replace("Delft", "DİJI"), "utf-8")
    recipe.write_text(RECIPE.replace("[columns.Illness]", '[columns."Iıİi ILLNESS"]'), "utf-8")
    made = {}
    for place, name in enumerate(LOCALES):
        _speak_as(name, monkeypatch, tmp_path)
        out = tmp_path / f"out{place}"
        with speak_language(SOURCE):  # as the command does: what is written is in the recipe's language
            prepared = prepare(source, read_recipe(recipe), need_type=True)
            candidate = run_candidate(prepared, Key(bytes(range(32)), "system"))
            export(
                candidate,
                out,
                accepts=reasons_for(all_checks()),
                analyses=not_analysed(),
                attacks=(),
                created=CREATED,
            )
        made[name] = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    # The report as data says how many seconds each step took, and the manifest and the papers have its hash.
    moving = ("report.json", "manifest.json", "dossier.json")
    first = {name: data for name, data in made["C"].items() if not name.endswith(moving)}
    assert {"release/data.csv", "release/release-note.html", "internal/recipe.toml", "internal/report.html"} <= {*first}
    for name in LOCALES[1:]:
        assert [path for path in first if made[name].get(path) != first[path]] == [], name
