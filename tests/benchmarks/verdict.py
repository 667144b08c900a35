"""What a verdict costs, in processor seconds: the gate alone, with attacks, and with the original beside it.

A table of fifteen columns, four of them known to others and three confidential: two that are swapped and one behind
noise. Judged are 8,000 rows (Adult's size in the tests), 100,000, and with ``--large`` 1,000,000. Each case runs in a
process of its own, with one thread for linear algebra as in the program. With ``--families`` a version of each family
is judged as planning does, without attacks, at three sizes: the first of a file, and a further one with another key.
Run from the repository's root:

    python -m tests.benchmarks.verdict [--large] [--rows N ...]
    python -m tests.benchmarks.verdict --families
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
CASES = {
    "gate": "the gate alone",
    "gate-original": "the gate, and the original's",
    "whole": "attacks and gate",
    "whole-original": "attacks and gate, and the original's",
}
BUDGET = {8_000: 4.0, 100_000: 20.0, 1_000_000: 90.0}
"""The most that a verdict without attacks may cost."""


FAMILY_GOALS = {(1_000, 15): 0.3, (30_000, 25): 2.0, (100_000, 50): 6.0}
"""The most that a further version of any family may cost, by rows and columns."""


def table(folder: Path, rows: int, width: int = 15) -> tuple[Path, dict[str, Any]]:
    """Write the table and return its recipe."""
    import numpy as np

    rng = np.random.default_rng(1)
    kind = rng.integers(0, 5, rows)
    columns: dict[str, Any] = {
        "age": rng.integers(18, 90, rows),
        "sex": rng.integers(0, 2, rows),
        "region": rng.integers(0, 40, rows),
        "job": rng.integers(0, 15, rows),
        "illness": (kind + rng.integers(0, 3, rows)) % 6,
        "answer": rng.integers(0, 4, rows),
        "income": (2_000 + 500 * kind + rng.normal(0, 600, rows)).round().clip(0, 9_000).astype(int),
    }
    for place in range(width - len(columns)):
        is_word = place % 2
        columns[f"{'word' if is_word else 'count'}{place // 2}"] = (
            (kind + rng.integers(0, 4, rows)) % 7 if is_word else rng.poisson(3 + kind)
        )
    roles = dict.fromkeys(columns, "other") | dict.fromkeys(("age", "sex", "region", "job"), "quasi-identifier")
    roles |= dict.fromkeys(("illness", "answer", "income"), "confidential")
    numeric = {"age", "income", *(name for name in columns if name.startswith("count"))}
    path = folder / "people.csv"
    cells = zip(*(values.tolist() for values in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in cells)]) + "\n", "utf-8")
    sections = {
        name: {"role": role, "kind": "numeric" if name in numeric else "nominal"} for name, role in roles.items()
    }
    return path, {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": sections,
        "steps": [
            {"method": "random-swap", "columns": ["illness", "answer"]},
            {"method": "two-phase-noise", "columns": ["income"]},
        ],
        "release": {"type": "research"},
    }


def measure(rows: int, case: str) -> dict[str, Any]:
    """Judge one table in this process and return what it cost."""
    from ppdm_desktop.engine.randomness import Key
    from ppdm_desktop.engine.recipe.load import parse_recipe
    from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
    from ppdm_desktop.engine.release.evaluate.evaluate import evaluate

    with tempfile.TemporaryDirectory() as folder:
        path, document = table(Path(folder), rows)
        candidate = run_candidate(prepare(path, parse_recipe(document)), Key.from_seed(1))
        attacks = None if case.startswith("whole") else ()
        given: dict[str, Any] = {}
        if not case.endswith("original"):
            # The object is asked for beforehand, as the window does for the second candidate and all further ones.
            given["original"] = evaluate(candidate, attacks=()).report.original
        started = time.process_time()
        verdict = evaluate(candidate, attacks=attacks, **given).report.verdict
        seconds = time.process_time() - started
    return {"seconds": seconds, "attacks": len(verdict.attacks or ()), "status": verdict.decision.status}


def judge_families(rows: int, width: int) -> None:
    """Print what it costs to judge a version of each family without attacks, in this process."""
    from ppdm_desktop.engine.methods.base.families import Family, KnobKind
    from ppdm_desktop.engine.methods.base.registry import methods_of
    from ppdm_desktop.engine.randomness import Key
    from ppdm_desktop.engine.recipe.load import parse_recipe
    from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate, with_steps
    from ppdm_desktop.engine.release.planning.chains import Chains
    from ppdm_desktop.engine.release.planning.drafts import Draft

    with tempfile.TemporaryDirectory() as folder:
        path, document = table(Path(folder), rows, width)
        prepared = prepare(path, parse_recipe(document | {"steps": []}))
        chains = Chains(prepared)
        for family in Family:
            method = None if family is Family.TRUE_VALUES else methods_of(family)[0]
            exchanged = ("illness", "answer") if family is Family.EXCHANGED else ()
            draft = Draft({(KnobKind.EXCHANGE, name): 1 for name in exchanged})
            chain = chains.chain(family, method, draft)
            if chain is None:
                print(f"  {family.id:14} no version", flush=True)
                continue
            seconds = []
            for seed in (1, 2):
                candidate = run_candidate(with_steps(prepared, chain.steps), Key.from_seed(seed))
                started = time.process_time()
                _judge_draft(candidate)
                seconds.append(time.process_time() - started)
            print(f"  {family.id:14} first {seconds[0]:6.2f} s  further {seconds[1]:6.2f} s", flush=True)


def _judge_draft(candidate: Any) -> None:
    """Judge a candidate as planning does, but for attacks."""
    from dataclasses import replace

    from ppdm_desktop.engine.release.evaluate.release_files import build_release_files
    from ppdm_desktop.engine.release.gate import decide, run_gate
    from ppdm_desktop.engine.release.measures.utility import measure
    from ppdm_desktop.engine.release.verdict.make import verdict_of
    from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of

    measures = measure(candidate, for_note=True)
    evidence = build_release_files(candidate, measures, lambda name, data: data)
    evidence = replace(evidence, draft=True)
    results = run_gate(evidence)
    prepared = candidate.prepared
    decision = decide(results, {}, prepared.account.sha256, "", type=prepared.type.id)
    verdict_of(evidence, results, decision, usefulness_of(candidate), draft=True)


def main() -> None:
    """Print each case's processor seconds and its multiple of the gate alone."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[8_000, 100_000])
    parser.add_argument("--large", action="store_true", help="a million rows, too")
    parser.add_argument("--families", action="store_true", help="a version of each family, at three sizes")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.families:
        os.environ.update(ONE_THREAD)
        for (rows, width), goal in FAMILY_GOALS.items():
            print(f"{rows:,} rows, {width} columns; at most {goal:g} s wanted of a further version", flush=True)
            judge_families(rows, width)
        return
    if given.one:
        print(json.dumps(measure(given.rows[0], given.one)))
        return
    for rows in [*given.rows, *([1_000_000] if given.large else [])]:
        print(f"{rows:,} rows, 15 columns", flush=True)
        alone = 0.0
        for case, words in CASES.items():
            command = [sys.executable, "-m", "tests.benchmarks.verdict", "--rows", str(rows), "--one", case]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **ONE_THREAD})
            found = json.loads(done.stdout.splitlines()[-1])
            alone = alone or found["seconds"]
            budget = f"; at most {BUDGET[rows]:g} s wanted" if case == "gate" and rows in BUDGET else ""
            print(
                f"  {words:38} {found['seconds']:7.1f} s  {found['seconds'] / alone:5.2f} times the gate"
                f"  ({found['attacks']} attacks{budget})",
                flush=True,
            )


if __name__ == "__main__":
    main()
