"""After the release: the certificate is opened where there is one, the report where no PDF could be made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from report_cases import judged_candidate

from ppdm_desktop.engine.release.writing.export import Evaluation, Exported
from ppdm_desktop.engine.report.figures_and_limits import (
    NO_LIMIT,
    describe_beside_control,
    describe_measured_figure,
    limit_words,
)
from ppdm_desktop.engine.report.report_words import decision_words, picked_out_words
from ppdm_desktop.ui.pages.release.done import DonePanel


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    return judged_candidate(tmp_path_factory.mktemp("done"))


def exported(judged: Evaluation, out: Path, *names: str) -> Exported:
    (out / "internal").mkdir(parents=True)
    for name in names:
        (out / "internal" / name).write_bytes(b"x")
    report = judged.report
    return Exported(
        out, report.document(), judged.decision, judged.checks, (), verdict=report.verdict, original=report.original
    )


def test_the_page_begins_with_the_decision_and_has_the_figures_of_the_verdict(
    qtbot: Any, judged: Evaluation, tmp_path: Path
) -> None:
    panel = DonePanel()
    qtbot.addWidget(panel)
    done = exported(judged, tmp_path / "out")
    panel.show_export(done, True)
    assert panel._strip.text.text().splitlines()[0] == decision_words(done.verdict)
    wanted = done.verdict.figures
    assert len(panel.figures.rows) == len(wanted) >= 5
    assert done.original is not None
    for check, (_, found, limit) in zip(wanted, panel.figures.rows, strict=True):
        before = describe_measured_figure(done.original.check(check.id))
        after = describe_beside_control(check, describe_measured_figure(check))
        if check.counts_singled:
            before = picked_out_words(done.original)
        assert found == (f"{before} → {after}" if check.figure is not None else after)
        assert limit == ("" if limit_words(check) == NO_LIMIT else limit_words(check))
