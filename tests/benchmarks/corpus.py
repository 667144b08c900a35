"""The corpus as a table: what becomes of each release, what stops it, and how many reasons it asks for.

    python -m tests.benchmarks.corpus [--data FOLDER] [--kind leaking|honest] [--only TEXT] [--without KEY]

Each case is made and judged by the whole program, attacks and all; the releases that come before it are written. The
fresh set was written by somebody who did not know the rules; it has totals of its own.
Exit status 1 where a case is not as expected.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.report.figures_and_limits import describe_measured_figure, format_limit
from ppdm_desktop.engine.report.model import Verdict
from tests.corpus.case import Case, candidate_of, earlier_of, ledger_of
from tests.corpus.fresh import FRESH_HONEST, FRESH_LEAKS
from tests.corpus.honest import HONEST
from tests.corpus.leaking import LEAKING


@dataclass(frozen=True)
class Outcome:
    """What became of a case.

    Attributes
    ----------
    decision
        "stopped", "written", or "refused" with the message's id where no release could be made.
    as_expected
        Whether that is what the case says.
    red, amber
        Checks that stop it, and checks that want a reason, each with its figure and limit.
    reasons
        How many reasons are asked for.
    """

    decision: str
    as_expected: bool
    red: str = ""
    amber: str = ""
    reasons: int = 0


def outcome_of(case: Case, data: Path | None) -> Outcome:
    """Make and judge the release of a case."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            ledger = ledger_of(case, Path(folder), data)
            earlier = earlier_of(case, Path(folder))
            verdict = evaluate(candidate_of(case, Path(folder), data), ledger=ledger, earlier=earlier).report.verdict
        except PpdmError as refused:
            return Outcome(f"refused, {refused.id}", as_expected=False)
    red = frozenset(check.id for check in verdict.blocking)
    amber = frozenset(check.id for check in verdict.to_answer)
    if case.leaks and not case.written:
        as_expected = case.blocked_by <= red
    else:
        as_expected = not red and (case.leaks or case.expects(amber))
    decision = "stopped" if red else "written"
    return Outcome(
        decision, as_expected, figures_of(verdict, red), figures_of(verdict, amber), verdict.reasons_to_write
    )


def figures_of(verdict: Verdict, ids: frozenset[str]) -> str:
    """Return checks with what was measured and the limit, in the words of the certificate."""
    texts = []
    for check in verdict.checks:
        if check.id in ids:
            limit = format_limit(check)
            texts.append(
                f"{check.id}: {describe_measured_figure(check)}" + (f" ({limit})" if limit.strip(" –") else "")
            )
    return "; ".join(texts)


def without_key(case: Case, key: str) -> Case:
    """Return a case whose recipe lacks a key, written "release.agreement"."""
    section, _, name = key.partition(".")
    more = {title: dict(part) if title == section else part for title, part in case.more.items()}
    if section in more:
        more[section].pop(name, None)
    return replace(case, more=more)


def main(arguments: Sequence[str]) -> int:
    """Print one line a case and the totals; 1 where a case is not as expected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PPDM_DATA"))
    parser.add_argument("--only", default="", help="cases whose name begins with this")
    parser.add_argument("--kind", choices=("leaking", "honest"), help="only those")
    parser.add_argument("--without", action="append", default=[], metavar="KEY", help="leave a recipe's key out")
    options = parser.parse_args(arguments)
    data = Path(options.data) if options.data is not None else None
    of_kind = [
        case
        for case in (*LEAKING, *HONEST, *FRESH_LEAKS, *FRESH_HONEST)
        if options.kind is None or case.leaks == (options.kind == "leaking")
    ]
    cases = [case for case in of_kind if case.name.startswith(options.only) and (data is not None or not case.data)]
    outcomes: list[tuple[Case, Outcome]] = []
    print("| case | type | must be | became | red | reasons | amber | processor seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for case in cases:
        began = time.process_time()
        changed = case
        for key in options.without:
            changed = without_key(changed, key)
        outcome = outcome_of(changed, data)
        outcomes.append((case, outcome))
        became = outcome.decision if outcome.as_expected else f"**{outcome.decision}**"
        fields = (
            case.name,
            case.type,
            f"stopped by {', '.join(sorted(case.blocked_by))}" if case.leaks else "written",
            became,
            outcome.red,
            str(outcome.reasons),
            outcome.amber,
            f"{time.process_time() - began:.1f}",
        )
        print(f"| {' | '.join(fields)} |", flush=True)
    print()
    fresh = {case.name for case in (*FRESH_LEAKS, *FRESH_HONEST)}
    corpus = [(case, outcome) for case, outcome in outcomes if case.name not in fresh]
    print(f"corpus: {totals_of(corpus, left_out=sum(case.data for case in of_kind) if data is None else 0)}")
    print(f"fresh set: {totals_of([pair for pair in outcomes if pair[0].name in fresh], left_out=0)}")
    for case, outcome in outcomes:
        if case.leaks and outcome.decision == "written":
            print(f"leak that is written: {case.name}. {case.lesson}")
    return 0 if all(outcome.as_expected for _, outcome in outcomes) else 1


def totals_of(outcomes: Sequence[tuple[Case, Outcome]], left_out: int) -> str:
    """Return how many leaks were stopped, how many honest releases were written, and what those ask for."""
    leaks = [outcome for case, outcome in outcomes if case.leaks]
    honest = [outcome for case, outcome in outcomes if not case.leaks]
    stopped = sum(outcome.decision != "written" for outcome in leaks)
    reasons = [outcome.reasons for outcome in honest if outcome.decision == "written"]
    asked = f"reasons: {sum(reasons) / len(reasons):.2f} on average, {max(reasons)} at most; " if reasons else ""
    return (
        f"{stopped} of {len(leaks)} leaks stopped; {len(reasons)} of {len(honest)} honest releases written; {asked}"
        f"{sum(not outcome.as_expected for _, outcome in outcomes)} not as expected; {left_out} left out"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
