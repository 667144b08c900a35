"""Background work of the page Release: judging, writing and verifying."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine.decision_log import LogLine
from ppdm_desktop.engine.dossier.dossier import Paper
from ppdm_desktop.engine.dossier.forms import Form
from ppdm_desktop.engine.dossier.papers import write_papers
from ppdm_desktop.engine.randomness import RecipientSecret
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.release.storage.ledger import DrawEntry
from ppdm_desktop.engine.release.verify import Verification, verify
from ppdm_desktop.engine.release.writing.export import Evaluation, Exported, evaluate, export
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.ui.pdf.own_process import pdf_process
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.gate_rows import Attacks
from ppdm_desktop.ui.work.tasks import Work


@dataclass(frozen=True)
class Past:
    """Earlier draws and results that a judgement takes into account.

    Attributes
    ----------
    ledger
        File with earlier releases and draws.
    draws
        Draws of this session.
    original
        Verdict on the unprotected source.
    log
        The decisions so far.
    """

    ledger: Path | None
    draws: tuple[DrawEntry, ...]
    original: Verdict | None
    log: tuple[LogLine, ...] = ()


def judge_work(candidate: Candidate, attacks: Attacks, past: Past) -> Work:
    """Return the work that judges a candidate in memory."""

    def work() -> Evaluation:
        return evaluate(candidate, attacks=attacks, ledger=past.ledger, draws=past.draws, original=past.original)

    return work


def export_work(
    candidate: Candidate,
    out: Path,
    analyses: Analyses | None,
    attacks: Attacks,
    past: Past,
    *,
    keep_key: bool,
    replace: bool,
) -> Work:
    """Return the work that writes a release; analyses and attacks that are passed are not computed again."""
    documents = tuple(pdf_renderers())

    def work() -> Exported:
        with pdf_process(documents) as renderers:
            return export(
                candidate,
                out,
                keep_key=keep_key,
                replace=replace,
                analyses=analyses,
                attacks=attacks,
                ledger=past.ledger,
                draws=past.draws,
                original=past.original,
                log=past.log,
                renderers=renderers,
            )

    return work


def papers_work(out: Path, forms: Sequence[Form]) -> Work:
    """Return the work that writes the papers of a release; its result are their DOCX files with the papers."""
    documents = tuple(pdf_renderers())

    def work() -> list[tuple[Path, Paper]]:
        with pdf_process(documents) as renderers:
            return write_papers(out, forms, renderer=next(iter(renderers.values()), None))

    return work


def verify_work(out: Path, source: Path, recipient: RecipientSecret | None) -> Work:
    """Return the work that makes a release again from its source and compares both."""

    def work() -> Verification:
        return verify(out, source, recipient=recipient)

    return work
