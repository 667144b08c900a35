"""Releases of the command line bring their PDFs, in this process and in one of their own."""

from __future__ import annotations

import json

import pytest
from report_cases import pages_of
from support import Command, Job, accepting

from ppdm_desktop.ui.pdf import renderers as pdf

pytest.importorskip("PySide6.QtGui", exc_type=ImportError)
NAMES = ("certificate.pdf", "report.pdf")


@pytest.fixture(autouse=True)
def without_pdf() -> None:
    """Here PDFs are made."""


@pytest.mark.thorough
def test_release_writes_both_and_verify_finds_them_identical(job: Job, command: Command) -> None:
    done = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", "3", *accepting())
    assert done.code == 0, done.err
    assert "were not written" not in done.err
    report = json.loads((job.out / "internal/report.json").read_text("utf-8"))
    for name in NAMES:
        data = (job.out / "internal" / name).read_bytes()
        assert data.startswith(b"%PDF-")
        text = "".join(pages_of(data))
        assert report["input"]["sha256"] in text
        assert report["created"].encode() in data
        assert str(job.folder).encode() not in data
    listed = json.loads((job.out / "internal/manifest.json").read_text("utf-8"))["files"]
    assert {f"internal/{name}" for name in NAMES} <= set(listed)
    assert command("verify", job.out, "--input", job.source).out.startswith("identical")
    (job.out / "internal/certificate.pdf").write_bytes(b"%PDF-1.4 another")
    changed = command("verify", job.out, "--input", job.source)
    assert changed.code == 3
    assert "certificate.pdf" in changed.out


def test_where_no_pdf_can_be_made_the_release_says_so(
    job: Job, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "has_application", lambda: False)
    done = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", "3", *accepting())
    assert done.code == 0
    assert "“certificate.pdf” and “report.pdf” were not written" in done.err
    assert not any((job.out / "internal" / name).exists() for name in NAMES)
