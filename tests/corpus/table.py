"""The corpus as a table: what each release is, what was expected of it, and what the gate said and measured.

Run from the root of the checkout: `python -m tests.corpus.table [--data FOLDER] [--kind leaking|honest] [--only TEXT]`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate
from tests.corpus.case import Case, candidate_of
from tests.corpus.honest import HONEST
from tests.corpus.leaking import LEAKING


def figures(evaluation: Evaluation, status: str) -> str:
    """Return the checks of a status, each with its figure and its limit."""
    found = []
    for check in evaluation.checks:
        if check.status == status:
            value = check.figure.value if check.figure is not None else None
            shown = "" if value is None else f" {value:.4g} (limit {check.limit})"
            found.append(check.id + shown)
    return "; ".join(found)


def main(arguments: list[str]) -> int:
    """Print one line a case and the totals; 1 where a case is not as expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("PPDM_DATA"))
    parser.add_argument("--only", default="", help="cases whose name begins with this")
    parser.add_argument("--kind", choices=("leaking", "honest"), help="only those")
    options = parser.parse_args(arguments)
    corpus = {"leaking": LEAKING, "honest": HONEST}
    of_kind = corpus[options.kind] if options.kind else (*LEAKING, *HONEST)
    chosen: list[Case] = [case for case in of_kind if case.name.startswith(options.only)]
    wrong = 0
    print("case | type | expected | decision | red | amber | processor seconds")
    for case in chosen:
        began = time.process_time()
        if case.data and options.data is None:
            print(f"{case.name} | {case.type} | | left out: --data | | |")
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = evaluate(candidate_of(case, Path(folder), options.data))
            except PpdmError as refused:
                print(f"{case.name} | {case.type} | | REFUSED {refused.id} {refused.args} | | |", flush=True)
                wrong += 1
                continue
        red = {check.id for check in found.checks if check.status == "red"}
        amber = {check.id for check in found.checks if check.status == "amber"}
        as_expected = case.blocked_by <= red if case.leaks else not red and amber == case.ambers
        wrong += not as_expected
        expected = "stopped by " + ", ".join(sorted(case.blocked_by)) if case.leaks else "released"
        decision = "blocked" if red else "released with reasons" if amber else "released"
        print(
            f"{case.name} | {case.type} | {expected} | {'' if as_expected else 'NOT AS EXPECTED: '}{decision} | "
            f"{figures(found, 'red')} | {figures(found, 'amber')} | {time.process_time() - began:.1f}",
            flush=True,
        )
    leaking = sum(case.leaks for case in chosen)
    print(f"{leaking} leaking, {len(chosen) - leaking} honest, {wrong} not as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
