"""How many versions that the methods propose are stopped, and by which check: five public files, for researchers.

    python -m tests.benchmarks.stopped --data FOLDER [--only FILE ...] [--tree DIR]

Each method's own suggestions are run on the whole file, attacked and judged, once without and once with an agreement
that the recipients sign. A version that the method refuses to make is counted as refused. With ``--tree`` the versions
are what the methods of that older checkout propose, and it judges them first, without an agreement.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.report.model import Verdict

FILES: dict[str, tuple[str, str, str]] = {
    "adult_train": (
        "age education marital-status occupation race sex native-country",
        "capital-gain capital-loss class",
        "fnlwgt education-num",
    ),
    "pima": ("pregnancies age", "class", ""),
    "haberman": ("age operation_year", "survival_status", ""),
    "casc_census": ("AFNLWGT ERNVAL", "AGI TAXINC", ""),
    "bupa": ("mcv", "drinks selector", ""),
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
        # Older checkouts do not know the key.
        "release": {"type": "research", **({"agreement": True} if agreement else {})},
    }
    return prepare(path, parse_recipe(recipe), need_type=True)


def proposed_steps(prepared: Prepared) -> Iterator[StepSection]:
    """Yield what each method proposes for a file, each with the settings that the method starts with."""
    for method in all_methods().values():
        for suggestion in method.suggestions(prepared.table):
            yield method.new_step.model_copy(update={"parameters": dict(suggestion.parameters)})


def verdicts_of(prepared: Prepared, signed: Prepared | None, step: StepSection) -> Iterator[Verdict]:
    """Yield how a version is judged without and, where that is wanted, with an agreement; its attacks are made once.

    Raises
    ------
    PpdmError
        When the method refuses the file.
    """
    recipe = prepared.recipe.model_copy(update={"steps": (step,)})
    candidate = run_candidate(replace(prepared, recipe=recipe), Key.from_seed(1))
    verdict = evaluate(candidate).report.verdict
    yield verdict
    if signed is not None:
        agreed = replace(candidate.prepared, recipe=signed.recipe.model_copy(update={"steps": (step,)}))
        yield evaluate(replace(candidate, prepared=agreed), attacks=tuple(verdict.attacks or ())).report.verdict


def counts_of(prepared: Prepared, signed: Prepared | None, steps: Iterable[StepSection]) -> list[Counter[str]]:
    """Return what became of the versions without and with an agreement, and which checks stopped them."""
    counts = [Counter[str](), *([Counter[str]()] if signed is not None else [])]
    for step in steps:
        try:
            verdicts = list(verdicts_of(prepared, signed, step))
        except PpdmError:
            for counter in counts:
                counter.update(("versions", "refused"))
            continue
        for counter, verdict in zip(counts, verdicts, strict=True):
            checks = [check.id for check in verdict.blocking]
            counter.update(("versions", *(["stopped"] if checks else []), *checks))
    return counts


def judged_by(package: Path, path: Path) -> tuple[list[StepSection], Counter[str]]:
    """Return what the methods of another checkout propose for a file, and how it judges them; laid out as installed."""
    # -P leaves the folder of this program out of the search path, so that the package comes from the checkout.
    command = [sys.executable, "-P", __file__, "--data", str(path.parent), "--only", path.stem, "--as-json"]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return [StepSection.model_validate(step) for step in answer["steps"]], Counter(answer["counts"])


def main(arguments: Sequence[str]) -> int:
    """Print a line for each file and agreement: versions, refused, stopped, and the checks that stop them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--only", nargs="+", choices=FILES, default=list(FILES), help="only these files")
    parser.add_argument(
        "--tree", type=Path, help="an older checkout, which proposes the versions and judges them first"
    )
    parser.add_argument("--as-json", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.as_json:
        prepared = prepared_file(options.data / f"{options.only[0]}.csv")
        steps = list(proposed_steps(prepared))
        (counts,) = counts_of(prepared, None, steps)
        proposed = [step.model_dump(mode="json", exclude_unset=True) for step in steps]
        print(json.dumps({"steps": proposed, "counts": counts}))
        return 0
    # The other checkout's process does not find the tests.
    from tests.benchmarks.same_release import package_of

    with tempfile.TemporaryDirectory() as folder:
        package = package_of(options.tree, Path(folder)) if options.tree else None
        print_table(options.data, options.only, package)
    return 0


def print_table(data: Path, names: Sequence[str], package: Path | None) -> None:
    """Print a line for each file and judgement, and the totals."""
    total: dict[str, Counter[str]] = {}
    print("| file | judged | versions | refused | stopped | by |\n|---|---|---|---|---|---|")
    for name in names:
        path = data / f"{name}.csv"
        prepared, signed = prepared_file(path), prepared_file(path, agreement=True)
        rows: dict[str, Counter[str]] = {}
        if package is not None:
            steps, rows["before"] = judged_by(package, path)
        else:
            steps = list(proposed_steps(prepared))
        rows["now"], rows["now, with an agreement"] = counts_of(prepared, signed, steps)
        for judged, counts in rows.items():
            total[judged] = total.get(judged, Counter()) + counts
            print(line_of(name, judged, counts), flush=True)
    for judged, counts in total.items():
        print(line_of("all", judged, counts))


def line_of(name: str, judged: str, counts: Counter[str]) -> str:
    """Return a line of the table: the checks that stop versions come commonest first."""
    figures = ("versions", "refused", "stopped")
    checks = ", ".join(f"{id} {count}" for id, count in counts.most_common() if id not in figures)
    return f"| {name} | {judged} | {' | '.join(str(counts[figure]) for figure in figures)} | {checks} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
