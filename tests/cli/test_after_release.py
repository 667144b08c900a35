"""Commands after a release: a second person approves it, last year is a start, two are compared, papers are made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from papers_support import rewritten
from support import Command, Job, accepting

from ppdm_desktop.cli.commands import dossier
from ppdm_desktop.engine.decision_log import read_log


def write(job: Job, command: Command, out: Path, *options: object) -> str:
    found = command("release", job.source, "--out", out, "--seed", 1, *accepting("guessable-key"), *options)
    assert found.code == 0, found.err
    return found.out


def test_a_release_waits_is_approved_and_starts_the_next(job: Job, command: Command) -> None:
    text = job.recipe.read_text(encoding="utf-8")
    operator = '[operator]\nname = "Ann"\nexpires = "2026-01-01"\nreview_date = "2025-12-01"\n'
    head, _, rest = text.partition("[release]\n")
    job.recipe.write_text(f"{head}[release]\nfour_eyes = true\n{rest}\n{operator}", encoding="utf-8")
    waiting = job.folder / "out (waiting)"
    assert "approve" in write(job, command, job.out, "--recipe", job.recipe)
    assert "Nobody has approved" in command("verify", waiting, "--input", job.source).out
    refused = command("approve", waiting, "--by", "ANN")
    assert (refused.code, waiting.exists()) == (2, True)
    approved = command("approve", waiting, "--by", "Bo", "--note", "Read", "--input", job.source)
    assert approved.code == 0, approved.err
    assert f"{job.out / 'release'}: You may share this folder" in approved.out
    assert read_log(job.out / "internal/decisions.jsonl")[-2].value == "Read"
    said = command("verify", job.out, "--input", job.source)
    assert (said.code, "Not to be used after" in said.out, "Nobody" in said.out) == (0, True, False)

    # A year later: a column has another name, and the value of another is new.
    people = job.source.read_text(encoding="utf-8")
    job.source.write_text(people.replace("City", "city ").replace("Lille", "Paris"), encoding="utf-8")
    started = command(
        "release", job.source, "--like", job.out / "internal/recipe.toml", "--out", job.folder / "b", "--draft"
    )
    assert "similar name" in started.out, started.err
    assert "Last time’s reason for" in started.out
    job.source.write_text(people, encoding="utf-8")
    text = job.recipe.read_text(encoding="utf-8").replace("four_eyes = true", "shuffle_rows = false")
    job.recipe.write_text(text, encoding="utf-8")
    write(job, command, job.folder / "later", "--recipe", job.recipe)
    compared = command("compare-releases", job.out, job.folder / "later", "--json").document
    assert compared["lines"][0]["first"] in ("100 %", "100%")
    assert any(line["differs"] for line in compared["lines"] if line["group"] == "checks")
    assert command("compare-releases", job.out, job.folder / "later").code == 0
    assert command("compare-releases", job.folder / "later").code in (0, 2)


# --- ``dossier`` ----------------------------------------------------------------------------------


def test_papers_of_a_release(command: Command, job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dossier, "pdf_renderers", lambda: {"any": lambda html: b"%PDF"})
    with job.recipe.open("a", encoding="utf-8") as recipe:
        recipe.write('\n[dossier.eu]\nmeans = "Lists of voters"\n')
    assert command("release", job.source, "--recipe", job.recipe, "--out", job.out, *accepting()).code == 0
    made = command("dossier", job.out, "--form", "eu", "--form", "intruder", "--json")
    assert made.code == 0, made.err
    assert [paper["form"] for paper in json.loads(made.out)["papers"]] == ["eu", "intruder", "intruder"]
    files = {path.name for path in (job.out / "papers").iterdir()}
    assert files == {f"{form}.{suffix}" for form in ("eu", "intruder") for suffix in ("html", "docx", "pdf")}
    assert "Lists of voters" in (job.out / "papers" / "eu.html").read_text("utf-8")
    # People edit papers: the release is verified as before.
    assert command("verify", job.out, "--input", job.source).code == 0
    docx = job.out / "papers" / "eu.docx"
    assert command("dossier", job.out, "--check", docx).code == 0
    name = json.loads((job.out / "internal" / "report.json").read_text("utf-8"))["input"]["sha256"]
    found = command("dossier", job.out, "--check", rewritten(docx, name, "0" * 64))
    assert found.code == 3
    assert "source" in found.out


def test_forms_are_listed_and_mistakes_explained(command: Command, job: Job) -> None:
    listed = command("dossier", "--list", "--json")
    assert len(json.loads(listed.out)["forms"]) == 6
    assert "WP216" in command("dossier", "--list").out
    for arguments in ((), (job.folder,), (job.folder, "--form", "nothing"), (job.folder, "--check", job.source)):
        assert command("dossier", *arguments).code == 2
