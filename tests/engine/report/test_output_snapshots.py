"""What a release says in writing: report.json, record, release note and report page of small releases.

The wording of all four is held here and nowhere else; ``tests/shared/snapshots.py`` tells how to write them again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from findings import CREATED, RELEASES, make_release
from snapshots import compare, is_same, left_over, outline, page_text, without_volatile

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import PriorResults, evaluate_files, format_utc_time
from ppdm_desktop.engine.release.measures.analyses import analyse
from ppdm_desktop.engine.release.reporting.build import with_analyses
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.html import Drawn, render_report
from ppdm_desktop.engine.samples import sample_files

SAMPLE = "life-insurance"
"""The only release that passes: its recipe holds the reasons."""
NAMES = (*RELEASES, SAMPLE)
WHOLE = ("everything", "several rows")
"""Releases whose report stands whole in its snapshot, and whose page of the report is held."""
ELSEWHERE = ("original", "risk.before", "verdict.attacks", "verdict.beliefs")
"""Parts of the other reports that are left out: findings.jsonl holds their figures, and the whole ones their form."""
PARTS = ("report", "record", "note")


def without_parts(document: dict[str, Any]) -> dict[str, Any]:
    """Return a report's document without the parts named in ``ELSEWHERE``."""
    document = {name: dict(value) if isinstance(value, dict) else value for name, value in document.items()}
    for part in ELSEWHERE:
        section, _, name = part.rpartition(".")
        (document[section] if section else document).pop(name)
    return document


def folder_of(name: str) -> str:
    """Return the folder of a release's snapshots."""
    return name.replace(" ", "-")


def make_candidate(name: str, folder: Path) -> Candidate:
    """Return the candidate of a small release, or of the bundled sample with its recipe."""
    if name != SAMPLE:
        return make_release(name, folder)
    source = folder / f"{SAMPLE}.csv"
    data, recipe = sample_files(SAMPLE)
    source.write_bytes(data)
    prepared = prepare(source, parse_recipe(tomllib.loads(recipe)), need_type=True)
    return run_candidate(prepared, Key(bytes(range(32)), "system"))


def written_texts(name: str, folder: Path) -> dict[str, str]:
    """Make a release and return the texts that are written with it, by the name of their snapshot."""
    candidate = make_candidate(name, folder)
    reasons, contents = candidate.prepared.recipe.accept, dict[str, bytes]()

    def write(path: str, data: bytes) -> bytes:
        contents[path] = data
        return data

    evaluation = evaluate_files(
        candidate, write, reasons, format_utc_time(CREATED), PriorResults(None, None), keep_key=True, draft=False
    )
    report = evaluation.report
    document = report.document()
    pages = {"record": render_certificate(report), "note": contents["release/release-note.html"]}
    if name in WHOLE:
        analyses = analyse(candidate)
        drawn = Drawn(evaluation.measures.marginals, evaluation.measures.associations, analyses.reconstructions)
        pages["page"] = render_report(with_analyses(report, analyses), drawn, in_full=True)
    else:
        document = without_parts(document)
    document["program"].pop("libraries")
    texts = {"report": outline(document), **{part: page_text(page) for part, page in pages.items()}}
    return {
        f"output/{folder_of(name)}/{part}": without_volatile(text, {folder: "FOLDER"}) for part, text in texts.items()
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_a_release_says_is_as_kept(
    name: str, tmp_path: Path, check_snapshots: Callable[[Mapping[str, str]], None]
) -> None:
    check_snapshots(written_texts(name, tmp_path))


def test_every_snapshot_has_its_release() -> None:
    names = [f"{folder_of(name)}/{part}" for name in NAMES for part in (*PARTS, *(["page"] if name in WHOLE else []))]
    assert left_over("output", names) == []


def test_a_changed_sentence_is_shown_and_last_digits_are_not() -> None:
    assert is_same("share: 0.33333, n: 3\n", "share: 0.333331, n: 3\n")
    assert not is_same("share: 0.33333, n: 3\n", "share: 0.3334, n: 3\n")
    assert not is_same("share: 0.33333, n: 3\n", "share: 0.33333, n: 4\n")
    assert "+Nobody is." in compare("output/nothing", "Nobody is.", write=False).splitlines()


def test_long_lists_and_empty_fields_are_shortened() -> None:
    data = {"rows": list(range(48)), "nothing": None, "share": 1 / 3, "words": ["a", "b"]}
    assert outline(data) == '{"rows": [0, 1, 2, 3, 4, "… 48 in all"], "share": 0.33333, "words": ["a", "b"]}'
