"""How many versions that the methods propose are stopped, and by which check: five public files, for researchers.

    python -m tests.benchmarks.stopped --data FOLDER [--only FILE ...]

Each method's own suggestions are run on the whole file, attacked and judged, once without and once with an agreement
that the recipients sign. A version that the method refuses to make is counted as refused.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.report.model import Verdict

FILES: dict[str, tuple[str, str, str]] = {
    "adult_train": ("age education marital-status occupation race sex native-country", "class", "fnlwgt"),
    "pima": ("age pregnancies bmi", "class glucose", ""),
    "haberman": ("age operation_year", "survival_status positive_axillary_nodes", ""),
    "casc_census": ("AGI FEDTAX", "PTOTVAL INTVAL", "AFNLWGT"),
    "bupa": ("mcv alkphos", "drinks", "selector"),
}
"""By file: columns that others know, confidential ones, and those left out; all others are "other"."""


def prepared_file(path: Path, *, agreement: bool = False) -> Prepared:
    """Return a file as a recipe for researchers reads it, each row being a person."""
    known, secret, left_out = (names.split() for names in FILES[path.stem])
    roles = dict.fromkeys(path.read_text(encoding="utf-8").partition("\n")[0].split(","), "other")
    for role, names in (("quasi-identifier", known), ("confidential", secret), ("left-out", left_out)):
        roles |= dict.fromkeys(names, role)
    recipe = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": {name: {"role": role} for name, role in roles.items()},
        "release": {"type": "research", "agreement": agreement},
    }
    return prepare(path, parse_recipe(recipe), silent(), need_type=True)


def proposed_steps(prepared: Prepared) -> Iterator[StepSection]:
    """Yield what each method proposes for a file, each with the settings that the method starts with."""
    for method in all_methods().values():
        for suggestion in method.suggestions(prepared.table):
            yield method.new_step.model_copy(update={"parameters": dict(suggestion.parameters)})


def verdicts_of(prepared: Prepared, signed: Prepared, step: StepSection) -> tuple[Verdict, Verdict]:
    """Return how a version is judged without and with an agreement; its attacks are made once.

    Raises
    ------
    PpdmError
        When the method refuses the file.
    """
    recipe = prepared.recipe.model_copy(update={"steps": (step,)})
    candidate = run_candidate(replace(prepared, recipe=recipe), Key.from_seed(1), silent())
    verdict = evaluate(candidate).report.verdict
    agreed = replace(candidate.prepared, recipe=signed.recipe.model_copy(update={"steps": (step,)}))
    with_agreement = evaluate(replace(candidate, prepared=agreed), attacks=tuple(verdict.attacks or ()))
    return verdict, with_agreement.report.verdict


def main(arguments: Sequence[str]) -> int:
    """Print a line for each file and agreement: versions, refused, stopped, and the checks that stop them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--only", nargs="+", choices=FILES, default=list(FILES), help="only these files")
    options = parser.parse_args(arguments)
    total = {False: Counter[str](), True: Counter[str]()}
    print("| file | agreement | versions | refused | stopped | by |\n|---|---|---|---|---|---|")
    for name in options.only:
        path = options.data / f"{name}.csv"
        prepared, signed = prepared_file(path), prepared_file(path, agreement=True)
        found = {False: Counter[str](), True: Counter[str]()}
        for step in proposed_steps(prepared):
            try:
                verdicts = verdicts_of(prepared, signed, step)
            except PpdmError:
                for counts in found.values():
                    counts.update(("versions", "refused"))
                continue
            for agreement, verdict in zip((False, True), verdicts, strict=True):
                checks = [check.id for check in verdict.blocking]
                found[agreement].update(("versions", *(["stopped"] if checks else []), *checks))
        for agreement, counts in found.items():
            total[agreement] += counts
            print(line_of(name, agreement, counts), flush=True)
    for agreement, counts in total.items():
        print(line_of("all", agreement, counts))
    return 0


def line_of(name: str, agreement: bool, counts: Counter[str]) -> str:
    """Return a line of the table: the checks that stop versions come commonest first."""
    figures = ("versions", "refused", "stopped")
    checks = ", ".join(f"{id} {count}" for id, count in counts.most_common() if id not in figures)
    return (
        f"| {name} | {'yes' if agreement else 'no'} | {' | '.join(str(counts[each]) for each in figures)} | {checks} |"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
