"""The red team's table: what each surface says of each release of the corpus.

    python -m tests.benchmarks.corpus [--data FOLDER] [--kind leaking|honest] [--only TEXT]

A case is made and judged by the whole program, attacks and all. Then five surfaces are printed, and read again as a
person reads them: the page Release, the certificate, the report, the page Compare and the command line. All have to
say what the verdict says, and to name the same checks. An honest release is judged a second time with a reason for
every check that wants one. Exit status 1 where a case is not as expected, or a surface says something else.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from contradictions import Page

from ppdm_desktop.cli.commands.release import tell_gate
from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate.reasons import bound
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.figures_and_limits import found_words, limit_words
from ppdm_desktop.engine.report.html import render_report
from ppdm_desktop.engine.report.model import Report, Verdict
from ppdm_desktop.ui.pages.compare.scorecards import outcome_words
from ppdm_desktop.ui.state.gate_rows import BLOCKS, gate_rows, headline
from tests.corpus.case import Case, candidate_of, reasons
from tests.corpus.honest import HONEST
from tests.corpus.leaking import LEAKING

STOPPED, GOES = "stopped", "may go"
_WORDS = {
    STOPPED: re.compile(r"Not released|stopped|blocked"),
    GOES: re.compile(r"Released|Nothing stops the release|Nothing stands against the release|may be released"),
}


@dataclass(frozen=True)
class Surface:
    """What one surface says: the decision in one word, and the checks that it says nothing lets pass.

    ``checks`` is None where the surface names none, and ``count`` is how many it speaks of.
    """

    word: str
    checks: frozenset[str] | None
    count: int


def word_of(said: str) -> str:
    """Return the decision that a sentence begins with, or the sentence where it is none."""
    return next((word for word, begins in _WORDS.items() if begins.match(said.strip())), said)


def surfaces_of(
    evaluation: Evaluation, accept: Mapping[str, AcceptSection], candidate: Candidate
) -> dict[str, Surface]:
    """Print a verdict on each surface, and read what stands there."""
    report, prepared = evaluation.report, candidate.prepared
    rows = gate_rows(evaluation.checks, accept, prepared.account.sha256, prepared.type.id)
    page = frozenset(row.id for row in rows if row.state == BLOCKS)
    outcome = outcome_words(Scorecard(report.verdict))
    number = re.search(r"stopped by ([\d,]+)", outcome)
    return {
        "page": Surface(word_of(headline(report.verdict, rows)[0]), page, len(page)),
        "certificate": _certificate(report),
        "report": _report(report),
        "compare": Surface(word_of(outcome), None, int(number[1]) if number else 0),
        "command line": _command_line(report),
    }


def _certificate(report: Report) -> Surface:
    html = render_certificate(report).decode()
    against = re.search(r'(?s)<table class="against">.*?</table>', html)
    # Of the lines against it the red ones are those that no reason lets pass.
    rows = re.findall(r"(?s)<tr.*?</tr>", against[0]) if against else []
    red = [re.findall(r"\(([a-z-]+)\)", row)[0] for row in rows if re.search(r'class="[^"]*\bred\b', row)]
    return Surface(word_of(Page(html).first), frozenset(red), len(red))


def _report(report: Report) -> Surface:
    html = render_report(report).decode()
    banner = re.search(r'(?s)<div class="banner[^>]*><p><strong>(.*?)</strong>', html)
    ids = {each.id for each in report.verdict.checks}
    red = [
        id
        for _, cells in Page(html).rows
        if len(cells) == 7 and (id := cells[0].rpartition(" ")[2]) in ids and cells[1].split()[-1] == "red"
    ]
    return Surface(word_of(banner[1] if banner else ""), frozenset(red), len(red))


def _command_line(report: Report) -> Surface:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        tell_gate(report.document(), Console())
    first, *lines = [line for line in out.getvalue().splitlines() if line.strip()]
    red = [found[1] for line in lines if (found := re.match(r"red\s+([a-z-]+)", line))]
    return Surface(word_of(first), frozenset(red), len(red))


# --- the table -----------------------------------------------------------------------------------


def with_reasons(candidate: Candidate, found: Evaluation) -> tuple[Evaluation, dict[str, AcceptSection]]:
    """Judge a candidate again with a reason for every check that wants one."""
    prepared, written = candidate.prepared, reasons()
    accept = {
        each.id: bound(written[each.id], each, prepared.type.id, prepared.account.sha256, None)
        for each in found.checks
        if each.status in ("amber", "not-run")
    }
    verdict = found.report.verdict
    again = evaluate(candidate, accept, attacks=tuple(verdict.attacks or ()), original=found.report.original)
    given = again.report.verdict
    # As it stands once the files are written.
    decision = given.decision.model_copy(update={"released": given.decision.status != "blocked"})
    report = again.report.model_copy(update={"verdict": given.model_copy(update={"decision": decision})})
    return replace(again, report=report), accept


def line_of(case: Case, data: Path | None) -> tuple[str, bool]:
    """Return a case's line of the table, and whether all is as expected."""
    began = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        candidate = candidate_of(case, Path(folder), data)
        found = evaluate(candidate)
        accept: dict[str, AcceptSection] = {}
        if not found.report.verdict.blocking:
            found, accept = with_reasons(candidate, found)
        said = surfaces_of(found, accept, candidate)
    verdict = found.report.verdict
    red = frozenset(each.id for each in verdict.blocking)
    amber = {each.id for each in verdict.to_answer}
    expected = STOPPED if case.leaks else GOES
    agree = all(
        each.word == expected and each.count == len(red) and each.checks in (None, red) for each in said.values()
    )
    right = case.blocked_by <= red if case.leaks else not red and amber == case.ambers
    shown = ", ".join(f"{name} {each.word}" for name, each in said.items())
    if agree:
        shown = f"{expected} (all {len(said)})"
    fields = (
        case.name,
        case.type,
        verdict.decision.status + ("" if right else " NOT AS EXPECTED"),
        shown if agree else f"SURFACES DIFFER: {shown}",
        _figures(verdict, red if case.leaks else amber),
        f"{time.process_time() - began:.1f}",
    )
    return " | ".join(fields), agree and right


def _figures(verdict: Verdict, ids: frozenset[str] | set[str]) -> str:
    """Return checks with what was measured and the limit, in the words of the certificate."""
    found = []
    for check in verdict.checks:
        if check.id in ids:
            limit = limit_words(check)
            found.append(f"{check.id}: {found_words(check)}" + (f" ({limit})" if limit.strip(" –") else ""))
    return "; ".join(found)


def main(arguments: Sequence[str]) -> int:
    """Print one line a case and the totals; 1 where a case is not as expected or a surface says something else."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PPDM_DATA"))
    parser.add_argument("--only", default="", help="cases whose name begins with this")
    parser.add_argument("--kind", choices=("leaking", "honest"), help="only those")
    options = parser.parse_args(arguments)
    data = Path(options.data) if options.data is not None else None
    of_kind = {"leaking": LEAKING, "honest": HONEST}.get(options.kind or "", (*LEAKING, *HONEST))
    chosen = [case for case in of_kind if case.name.startswith(options.only)]
    there = [case for case in chosen if data is not None or not case.data]
    wrong = 0
    print("case | type | decision | page, certificate, report, compare, command line | ", end="")
    print("what stops it, or what wants a reason | processor seconds")
    for case in there:
        try:
            line, right = line_of(case, data)
        except PpdmError as refused:
            line, right = f"{case.name} | {case.type} | NOT AS EXPECTED: refused, {refused.id}", False
        wrong += not right
        print(line, flush=True)
    leaking = sum(case.leaks for case in there)
    honest, left_out = len(there) - leaking, len(chosen) - len(there)
    print(f"{leaking} leaking, {honest} honest, {wrong} not as expected; {left_out} left out")
    print("Keys that are none, and draws until one passes: tests/corpus/test_draws_and_keys.py")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
