"""The documents of a release in another language: the data and what is measured stay as they are."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from gate_cases import check, evidence_of, make_candidate
from support import reasons_for

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.gate.evidence import ReleaseTexts
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.samples.registry import sample_files
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.engine.wording.texts import render

CREATED = datetime(2026, 11, 21, 10, 58, 3, tzinfo=UTC)
RECORD = "certificate.pdf"
GERMAN = {"note_language": "de", "report_language": "de"}
FIELDS = {
    "dataset": "Kundenliste 2026",
    "controller": "Example Insurance",
    "purpose": "Research on tariffs",
    "legal_basis": "Art. 6(1)(f)",
    "recipient": "University of Examples",
    "dpo": "D. P. Officer",
    "categories_of_persons": "Policyholders",
    "retention": "Ten years",
    "measures": "Encrypted disk",
    "incident": "The officer, within a day",
}


def sample(folder: Path, *, release: Mapping[str, Any] = {}, operator: Mapping[str, Any] = {}) -> Candidate:
    """The life-insurance sample under one key."""
    data, recipe = sample_files("life-insurance")
    folder.mkdir(parents=True)
    (folder / "people.csv").write_bytes(data)
    document = tomllib.loads(recipe)
    document["release"] |= release
    if operator:
        document["operator"] = dict(operator)
    prepared = prepare(folder / "people.csv", parse_recipe(document), need_type=True)
    return run_candidate(prepared, Key(bytes(range(32)), "system"))


def released(candidate: Candidate, out: Path) -> Path:
    """Release it, the record as a page."""
    export(
        candidate,
        out,
        accepts=reasons_for(all_checks()),
        renderers={RECORD: lambda html: html.encode("utf-8")},
        created=CREATED,
    )
    return out


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sample released with documents in English, and with the very same in German."""
    folder = tmp_path_factory.mktemp("languages")
    english = released(sample(folder / "in-en"), folder / "en")
    return english, released(sample(folder / "in-de", release=GERMAN), folder / "de")


def test_data_and_report_are_the_same_in_each_language(both: tuple[Path, Path]) -> None:
    english, german = both
    assert (english / "release/data.csv").read_bytes() == (german / "release/data.csv").read_bytes()
    reports = [json.loads((out / "internal/report.json").read_bytes()) for out in both]
    for report in reports:
        assert all(step.pop("seconds") >= 0 for step in report["steps"])
        files = {each["path"]: each for each in report.pop("files")}
        assert set(files) == {"release/data.csv", "release/data-dictionary.csv", "release/release-note.html"}
    assert reports[0] == reports[1]
    recipes = [tomllib.loads((out / "internal/recipe.toml").read_text("utf-8")) for out in both]
    for key, value in GERMAN.items():
        assert key not in recipes[0]["release"]
        assert recipes[1]["release"].pop(key) == value
    assert recipes[0] == recipes[1]


def test_the_dictionary_has_the_same_headings_and_names_in_each_language_and_all_else_in_that_of_the_note(
    both: tuple[Path, Path],
) -> None:
    texts = [(out / "release/data-dictionary.csv").read_text("utf-8") for out in both]
    english, german = (list(csv.DictReader(io.StringIO(text))) for text in texts)
    assert english[0].keys() == german[0].keys()
    for in_english, in_german in zip(english, german, strict=True):
        for field in ("name", "original_header", "unit"):
            assert in_english[field] == in_german[field]
        for field in ("kind", "role_class", "treatment", "note"):
            assert in_english[field] != in_german[field]


def test_a_release_in_another_language_is_verified(both: tuple[Path, Path], tmp_path: Path) -> None:
    for out in both:
        source = out.parent / f"in-{out.name}" / "people.csv"
        with speak_language("de" if out.name == "en" else "en"):
            assert verify(out, source).result == "identical"


def test_neither_language_nor_record_moves_a_draw(tmp_path: Path) -> None:
    plain = sample(tmp_path / "plain")
    other = sample(tmp_path / "other", release=GERMAN, operator=FIELDS)
    assert plain.prepared.recipe_sha256 == other.prepared.recipe_sha256
    assert [column.values() for column in plain.released.columns] == [
        column.values() for column in other.released.columns
    ]


# --- what the record asks for -------------------------------------------------------------


@pytest.mark.parametrize("answer", ["yes", 1, "true"])
def test_whether_there_are_data_of_article_9_is_yes_or_no_and_nothing_else(answer: object) -> None:
    with pytest.raises(RecipeError) as refused:
        parse_recipe({"recipe": 1, "operator": {"special_categories": answer}})
    assert "special_categories" in render(refused.value.id, refused.value.arguments).sentence
    assert parse_recipe({"recipe": 1}).operator.special_categories is None


def test_the_fields_stay_with_the_owner(tmp_path: Path) -> None:
    out = released(sample(tmp_path / "in", operator=FIELDS), tmp_path / "out")
    report = json.loads((out / "internal/report.json").read_bytes())
    assert {key: report["operator"][key] for key in FIELDS} == FIELDS
    assert FIELDS["controller"] in (out / "internal" / RECORD).read_text("utf-8")
    for path in (out / "release").iterdir():
        text = path.read_text("utf-8")
        assert [value for value in FIELDS.values() if value in text] == []


# --- everything is said through the catalogue ---------------------------------------------


def test_a_word_that_is_not_the_notes_own_is_found_in_each_language(tmp_path: Path) -> None:
    columns = {"City": ["Delft", "Bonn"] * 12, "Illness": ["flu", "cold", "flu", "flu"] * 6}
    for code in ("en", "de"):
        roles = {"City": "q", "Illness": "c"}
        candidate = make_candidate(tmp_path / code, columns, roles, release={"note_language": code})
        evidence = evidence_of(candidate)
        assert check(evidence, "release-text").status == "green"
        for strange in ("<p>Seven people.</p>", '<p class="v">17</p>', '<p lang="fr"></p>'):
            note = evidence.texts.note.replace(b"</main>", strange.encode() + b"</main>")
            texts = ReleaseTexts(note, evidence.texts.dictionary)
            assert check(replace(evidence, texts=texts), "release-text").status == "red", (code, strange)
        moved = evidence.texts.note.replace(f'lang="{code}"'.encode(), b'lang="fr"')
        texts = ReleaseTexts(moved, evidence.texts.dictionary)
        assert check(replace(evidence, texts=texts), "release-text").status == "red"
