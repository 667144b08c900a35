"""Releases of the command line bring their PDFs, in this process and in one of their own."""

from __future__ import annotations

import pytest
from support import Command, Job, accepting

from ppdm_desktop.ui.pdf import renderers as pdf

pytest.importorskip("PySide6.QtGui", exc_type=ImportError)
NAMES = ("certificate.pdf", "report.pdf")


@pytest.fixture(autouse=True)
def without_pdf() -> None:
    """Here PDFs are made."""


def test_where_no_pdf_can_be_made_the_release_says_so(
    job: Job, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "has_application", lambda: False)
    done = command("release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", "3", *accepting())
    assert done.code == 0
    assert "“certificate.pdf” and “report.pdf” were not written" in done.err
    assert not any((job.out / "internal" / name).exists() for name in NAMES)
