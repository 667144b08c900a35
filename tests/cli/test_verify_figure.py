"""``verify --figure``: every figure that stands on the certificate, asked for by the id beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from contradictions import Page
from report_cases import with_verdict
from support import Command

from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.model import Report


@pytest.fixture
def sample(tmp_path: Path, command: Command) -> tuple[Path, Path]:
    """The life-insurance sample, released as README does."""
    source, out = tmp_path / "people.csv", tmp_path / "out"
    assert command("sample", "life-insurance", "--out", source).code == 0
    given = ("--recipe", tmp_path / "people.recipe.toml", "--out", out, "--seed", 7)
    made = command(
        "release", source, *given, "--accept", "keys-and-draws=The sample is invented and drawn the same each time"
    )
    assert made.code == 0, made.err
    return out, source


def printed(out: Path) -> dict[str, tuple[str, str, str]]:
    """What the certificate says of each figure and of each reason's figure, by id."""
    report = Report.model_validate(json.loads((out / "internal/report.json").read_text("utf-8")))
    checks = [
        each.model_copy(
            update={"on_certificate": all_checks()[each.id].on_certificate, "residual": all_checks()[each.id].residual}
        )
        for each in report.verdict.checks
    ]
    report = with_verdict(report, checks=checks)
    page = Page(render_certificate(report).decode())
    found = {}
    for row in page.table("figures")[1:]:
        found[page.id_of(row[0], report.verdict)] = (row[2], row[3], row[4])
    for row in page.table("reasons"):
        number = row[0].removeprefix("Reason ").partition(":")[0]
        for line in row[1].split("\n"):
            called, _, words = line.partition(": ")
            words, _, limit = words.partition(". Limit: ")
            found.setdefault(page.id_of(called, report.verdict), (words, limit or "–", f"reason {number}"))
    return found


def test_every_figure_of_the_certificate_is_found_again_in_its_words(
    sample: tuple[Path, Path], command: Command
) -> None:
    out, source = sample
    figures = printed(out)
    assert {id for id, check in all_checks().items() if check.on_certificate} < set(figures)
    for id, (words, limit, judged) in figures.items():
        found = command("verify", out, "--input", source, "--figure", id)
        assert found.code == 0, (id, found.out)
        if all_checks()[id].of_history:
            assert found.out.startswith("not possible: ")
            continue
        assert found.out.startswith("identical: "), found.out
        assert f"({id}) in the written file: {words}. Limit: {limit}. Result: {judged}." in found.out


def test_without_the_key_and_of_no_such_figure(sample: tuple[Path, Path], command: Command) -> None:
    out, source = sample
    none = command("verify", out, "--input", source, "--figure", "certain-discosure")
    assert none.code == 2
    assert "Did you mean “certain-disclosure”?" in none.err
    (out / "internal/release.key").unlink()
    found = command("verify", out, "--input", source, "--figure", "certain-disclosure")
    assert (found.code, found.out.partition(":")[0]) == (0, "not possible")
