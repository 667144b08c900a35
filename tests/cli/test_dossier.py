"""``dossier``: papers beside a release, which no manifest lists, and one that came back compared with it."""

from __future__ import annotations

import json

import pytest
from papers_support import rewritten
from support import Command, Job, accepting

from ppdm_desktop.cli.commands import dossier


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
    assert len(json.loads(listed.out)["forms"]) == 5
    assert "WP216" in command("dossier", "--list").out
    for arguments in ((), (job.folder,), (job.folder, "--form", "nothing"), (job.folder, "--check", job.source)):
        assert command("dossier", *arguments).code == 2
