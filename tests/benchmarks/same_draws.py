"""Does another checkout write the same data for every method on every bundled sample?

    .venv/bin/python -m tests.benchmarks.same_draws BEFORE AFTER [--rows 300] [--only METHOD ...]
    .venv/bin/python -m tests.benchmarks.same_draws . . --older-processor

Where ``same_release`` compares whole releases of one recipe a method, this runs each method of BEFORE on each sample's
own columns and levels, with its defaults, with each other choice of a parameter that is a choice, and once with a
stricter level for whoever is alone, all with one key, and compares the bytes of the data file alone. What one of them
refuses is compared by the error's id. With ``--older-processor`` the second runs as on one of 2010. Exit status 1
where anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

SEED = 7
NAMED = frozenset({"pseudonymise"})
"""Methods for columns that identify people: a sample has none, so its first column is taken for one."""
GIVEN = {"generalize": {"width": 20}, "data-reconstruction": {"generations": 10}}
"""What a method needs, or what keeps it quick."""
FOR_THE_ALONE = {"rules": [{"where": {"status": "unique"}, "level": "cautious"}]}
OLDER_PROCESSOR = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Nehalem",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
}
"""What has NumPy, linear algebra and the C library take the code they have for a processor without AVX2 and FMA."""


# --- in the process of one checkout ---------------------------------------------------------


def cases(only: frozenset[str]) -> Iterator[dict[str, Any]]:
    """List samples, methods and parameters of the checkout this runs in."""
    from ppdm_desktop.engine.methods.base.declaration import all_methods
    from ppdm_desktop.engine.samples import all_samples

    for sample in all_samples():
        for id, method in all_methods().items():
            if only and id not in only:
                continue
            given = dict(GIVEN.get(id, {}))
            ways: list[dict[str, Any]] = [{}]
            for parameter in method.parameters:
                choices = getattr(parameter, "choices", ()) or ()
                ways += [{parameter.name: choice} for choice in choices]
            for way in ways:
                yield {"sample": sample, "method": id, "parameters": {**given, **way}, "levels": False}
            yield {"sample": sample, "method": id, "parameters": given, "levels": True}


def written(case: dict[str, Any], folder: Path) -> str:
    """Run a case and return the hash of its data file, or the id of the error."""
    from ppdm_desktop.engine.errors import PpdmError
    from ppdm_desktop.engine.methods.base.declaration import find_method
    from ppdm_desktop.engine.randomness import Key, RecipientSecret
    from ppdm_desktop.engine.recipe.load import parse_recipe
    from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
    from ppdm_desktop.engine.table.writing import find_writer

    source = folder / f"{case['sample']}.csv"
    document = tomllib.loads(source.with_suffix(".toml").read_text(encoding="utf-8"))
    parameters = dict(case["parameters"])
    confidential = [name for name, section in document["columns"].items() if section["role"] == "confidential"]
    if "class" in {each.name for each in find_method(case["method"]).parameters} and confidential:
        parameters.setdefault("class", confidential[0])
    document["steps"] = [{"method": case["method"], "parameters": parameters}]
    if case["method"] in NAMED:
        document["steps"][0]["columns"] = list(document["columns"])[:1]
        document["columns"][document["steps"][0]["columns"][0]]["role"] = "identifier"
    if case["levels"]:
        document["privacy"] = {**document.get("privacy", {}), **FOR_THE_ALONE}
    document["release"] = {"type": "internal"}
    document.pop("accept", None)
    try:
        prepared = prepare(source, parse_recipe(document), need_type=True)
        candidate = run_candidate(prepared, Key.from_seed(SEED), recipient=RecipientSecret(b"s" * 32))
        data = find_writer("csv").write(candidate.released, guarded=True)
    except PpdmError as error:
        return error.id
    return hashlib.sha256(data.data).hexdigest()


def child(folder: Path, only: frozenset[str]) -> None:
    """Run the cases of a folder, made here where there are none yet, and print a line of JSON for each."""
    listed = folder / "cases.json"
    if not listed.exists():
        listed.write_text(json.dumps(list(cases(only))), encoding="utf-8")
    for case in json.loads(listed.read_text(encoding="utf-8")):
        print(json.dumps([case, written(case, folder)]), flush=True)


# --- comparing ------------------------------------------------------------------------------


def outcomes(
    place: Path, folder: Path, only: frozenset[str], processor: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[dict[str, Any], str]]:
    """Run all cases with the package at a place, and on this processor or as on another one."""
    environment = {**os.environ, "PYTHONPATH": str(place), "QT_QPA_PLATFORM": "offscreen", **processor}
    words = [sys.executable, "-P", __file__, "--child", str(folder), "--only", *only]
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout is not None
        for line in process.stdout:
            case, outcome = json.loads(line)
            yield case, outcome
    if process.returncode:
        raise SystemExit(f"the cases could not be run with {place}")


def compare(
    before: Path, after: Path, only: frozenset[str], rows: str, processor: Mapping[str, str] = MappingProxyType({})
) -> int:
    """Print what differs between two checkouts, and how many cases there were; return how many differ."""
    from tests.benchmarks.same_release import command, package_of

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = []
        for side, checkout in (("before", before), ("after", after)):
            (folder / side).mkdir()
            places.append(package_of(checkout, folder / side))
        shared = folder / "cases"
        shared.mkdir()
        for sample in ("life-insurance", "employees", "agrawal", "salary-offers"):
            size = () if sample == "life-insurance" else ("--rows", rows)
            run = command(places[0], folder, "sample", sample, "--out", shared / f"{sample}.csv", *size)
            if run.returncode:
                raise SystemExit(run.stderr)
            (shared / f"{sample}.recipe.toml").rename(shared / f"{sample}.toml")
        differing = released = count = 0
        first = list(outcomes(places[0], shared, only))
        for (case, one), (_, other) in zip(first, outcomes(places[1], shared, only, processor), strict=True):
            count += 1
            released += len(one) == 64
            if one != other:
                differing += 1
                way = ", ".join(str(case[key]) for key in ("sample", "method", "parameters"))
                print(f"{way}{', with levels' * case['levels']}: {one} -> {other}")
    print(f"{count} cases, {released} written, {differing} differ.")
    return differing


def main() -> int:
    """Compare two checkouts, or run the cases of one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="*", metavar="CHECKOUT")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--only", nargs="*", default=[], help="these methods")
    parser.add_argument("--older-processor", action="store_true", help="run the second as on an older one")
    parser.add_argument("--rows", default="300", help="rows of the invented tables")
    given = parser.parse_args()
    only = frozenset(given.only)
    if given.child is not None:
        child(given.child, only)
        return 0
    if len(given.checkouts) != 2:
        parser.error("two checkouts are compared: BEFORE AFTER")
    before, after = (each.resolve() for each in given.checkouts)
    return 1 if compare(before, after, only, given.rows, OLDER_PROCESSOR if given.older_processor else {}) else 0


if __name__ == "__main__":
    sys.exit(main())
