"""What a whole job costs, in processor seconds and memory, from the file on the disk to the folder on the disk.

The table is ``mix``: fifteen columns, eight of them quasi-identifiers and four confidential. Each case is a process of
its own, counted with all its children (user and system seconds, and the largest memory of one process):

    inspect, assess      the two commands
    held                 a release without written reasons: read, method, write, read back, attacks, checks
    full                 the same as a draft: analyses, report and its PDF, record and folder as well
    verify               the draft's folder against the file

A release's seconds are also printed part by part (``release_parts``). Its goals leave out the attacks and what is
believed of people, which have a budget of their own: ``without attacks and belief`` is what is to be held against them.

Run from the repository's root:

    python -m tests.benchmarks.release                                  10,000 and 100,000 rows, additive noise
    python -m tests.benchmarks.release --rows 10000 1000000 --cases held full
    python -m tests.benchmarks.release --methods all --rows 10000
    python -m tests.benchmarks.release --wide                           and inspect of 101,766 rows in 50 columns

"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ppdm_desktop.engine.methods.base.declaration import METHODS
from tests.benchmarks.release_parts import BESIDE

ROOT = Path(__file__).resolve().parents[2]
DONE, HELD = 0, 3
"""Exit codes of work that was done to its end; 2 means that a method wants settings of its own."""
WIDE = (101_766, 50)
"""Rows and columns of the wide table."""
CASES = ("inspect", "assess", "held", "full", "verify")
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
NUMBERS, GROUPS = ("income", "blood_pressure"), ("diagnosis", "ward")
ROLES = {
    "quasi-identifier": ("age", "sex", "region", "job", "education", "marital", "country", "hours"),
    "confidential": (*NUMBERS, *GROUPS),
    "other": ("visits", "score", "remark_code"),
}


@dataclass(frozen=True)
class Cost:
    """What one process cost.

    Attributes
    ----------
    seconds
        Of the processor, user and system, with all children.
    peak
        Bytes of memory, of the process that took most.
    parts, peaks
        Of a release, seconds by part, and bytes that the process held at the most while that was at work; without
        those of children.
    """

    case: str
    rows: int
    size: int
    seconds: float
    peak: int
    status: int
    parts: Mapping[str, float] = field(default_factory=dict)
    peaks: Mapping[str, int] = field(default_factory=dict)

    @property
    def core(self) -> float:
        """Seconds without the parts that have a budget of their own."""
        return self.seconds - sum(self.parts.get(name, 0.0) for name in BESIDE)


def write_mix(path: Path, rows: int, seed: int = 1) -> None:
    """Write the table."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv

    rng = np.random.default_rng(seed)

    def named(form: str, numbers: np.ndarray) -> pa.Array:
        # Each text is made once: a hundred million rows have to be written in minutes.
        found, place = np.unique(numbers, return_inverse=True)
        return pa.array([form.format(each) for each in found.tolist()]).take(pa.array(place))

    def one_of(texts: Sequence[str]) -> pa.Array:
        return pa.array(texts).take(pa.array(rng.integers(0, len(texts), rows)))

    kind = rng.integers(0, 6, rows)
    columns = {
        "age": rng.integers(18, 90, rows),
        "sex": one_of(["f", "m"]),
        "region": named("r{:02d}", rng.integers(0, 40, rows)),
        "job": named("job {}", rng.integers(0, 15, rows)),
        "education": rng.integers(1, 17, rows),
        "marital": one_of(["single", "married", "divorced", "widowed"]),
        "country": named("c{}", np.minimum(rng.geometric(0.3, rows), 40)),
        "hours": np.clip(rng.normal(38, 10, rows), 1, 99).astype(int),
        "income": np.round(np.exp(rng.normal(10 + 0.1 * kind, 0.5, rows))).astype(int),
        "blood_pressure": named("{}", np.round(rng.normal(120 + 3 * kind, 12, rows), 1)),
        "diagnosis": named("d{}", (kind + rng.integers(0, 2, rows)) % 6),
        "ward": named("w{}", rng.integers(0, 8, rows)),
        "visits": rng.poisson(3, rows),
        "score": named("{}", np.round(rng.random(rows), 3)),
        "remark_code": named("x{}", rng.integers(0, 100, rows)),
    }
    with path.open("wb") as file:
        file.write((",".join(columns) + "\n").encode())
        csv.write_csv(pa.table(columns), file, csv.WriteOptions(include_header=False, quoting_style="none"))


def write_wide(path: Path) -> None:
    """Write a table as wide as a register of stays in hospital: the columns of ``write_mix``, several times over."""
    import pandas as pd

    rows, columns = WIDE
    parts = []
    for seed in range(-(-columns // 15)):
        write_mix(path, rows, seed)
        parts.append(pd.read_csv(path, dtype=str).add_suffix(f"_{seed}"))
    pd.concat(parts, axis=1).iloc[:, :columns].to_csv(path, index=False)


def write_recipe(path: Path, method: str | None) -> None:
    """Write the roles, and a step with the method's own proposals where one is named."""
    lines = ["recipe = 1", "[input]", "one_row_per_person = true", "[release]", 'type = "research"']
    for role, names in ROLES.items():
        for name in names:
            numeric = role == "confidential" and name in NUMBERS
            lines += [f"[columns.{name}]", f'role = "{role}"', *(['kind = "numeric"'] if numeric else [])]
    if method:
        lines += ["[[steps]]", f'method = "{method}"']
    path.write_text("\n".join(lines) + "\n", "utf-8")


def run(case: str, command: Sequence[str], rows: int, size: int, parts: Path | None = None) -> Cost:
    """Run a command as a process of its own; what it prints is dropped.

    Parameters
    ----------
    parts
        File into which a release writes what its parts cost.
    """
    if parts is not None:
        assert list(command[1:3]) == ["-m", "ppdm_desktop"]
        command = [command[0], "-m", "tests.benchmarks.release_parts", str(parts), *command[3:]]
    environment = {**os.environ, **ONE_THREAD, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # or every run would compile the program anew
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT, env=environment
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    scale = 1 if sys.platform == "darwin" else 1024
    cost = Cost(case, rows, size, used.ru_utime + used.ru_stime, used.ru_maxrss * scale, process.returncode)
    if parts is None or not parts.exists():
        return cost
    found = json.loads(parts.read_text("utf-8"))
    parts.unlink()
    peaks = found["peaks"]
    # What a process held at the most counts from when it was last asked.
    highest = max([cost.peak, *peaks.values()])
    return replace(
        cost, peak=highest, parts=dict(sorted(found["seconds"].items(), key=lambda each: -each[1])), peaks=peaks
    )


def commands(case: str, folder: Path, source: Path, recipe: Path) -> list[str]:
    """Return the command of a case."""
    program = [sys.executable, "-m", "ppdm_desktop"]
    draft = str(folder / "draft")
    return (
        program
        + {
            "inspect": ["inspect", str(source)],
            "assess": ["assess", str(source), "--recipe", str(recipe)],
            "held": ["release", str(source), "--recipe", str(recipe), "--out", str(folder / "held"), "--seed", "1"],
            "full": [
                "release",
                str(source),
                "--recipe",
                str(recipe),
                "--out",
                draft,
                "--seed",
                "1",
                "--draft",
                "--replace",
            ],
            "verify": ["verify", draft, "--input", str(source)],
        }[case]
    )


# --- what comes out ---------------------------------------------------------------------


def apart(call: str) -> str:
    """Return what a call of ``write_mix`` or ``write_wide`` gives, made in a process of its own.

    A child's largest memory counts from what its parent holds when it is made: so this process stays small.
    """
    program = f"from pathlib import *; from tests.benchmarks.release import write_mix, write_wide; print({call})"
    command = [sys.executable, "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def exponent(costs: Sequence[Cost]) -> float | None:
    """Return how the seconds grow with the rows, from the two largest sizes: 1 is in proportion."""
    largest = sorted(costs, key=lambda each: each.rows)[-2:]
    if len(largest) < 2 or largest[0].rows == largest[1].rows:
        return None
    one, other = largest
    return math.log(other.seconds / one.seconds) / math.log(other.rows / one.rows)


def told(cost: Cost) -> str:
    """Return a line of the table, and below it one for each part of a release."""
    line = (
        f"{cost.case:28} {cost.rows:>11,} {cost.size / 1e6:8.1f} {cost.seconds:9.2f} {cost.peak / 1e6:8.0f} "
        f"{cost.peak / cost.size:8.1f} {cost.status:6d}"
    )
    lines = [line]
    if cost.parts:
        peaks = cost.peaks
        children = cost.seconds - sum(cost.parts.values())
        shown = {"without attacks and belief": cost.core, **cost.parts, "child processes, ending": children}
        lines += [
            f"  {name:38} {'':17} {seconds:11.2f}" + (f" {peaks[name] / 1e6:8.0f}" if peaks.get(name) else "")
            for name, seconds in shown.items()
        ]
    return "\n".join(lines)


HEAD = f"{'case':28} {'rows':>11} {'file MB':>8} {'seconds':>9} {'peak MB':>8} {'x file':>8} {'status':>6}"


def cases_of(given: argparse.Namespace) -> Mapping[str, str | None]:
    """Return what is run, by its name: each case, and with several methods one full release each."""
    if not given.methods:
        return dict.fromkeys(given.cases, "additive-noise")
    wanted = [*METHODS.all()] if given.methods == ["all"] else given.methods
    return {f"full, {method}": method for method in wanted}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--methods", nargs="+", help="ids, or all: one full release each")
    parser.add_argument("--wide", action="store_true", help=f"inspect {WIDE[0]:,} x {WIDE[1]} as well")
    given = parser.parse_args()
    costs = []
    print(HEAD, flush=True)
    with tempfile.TemporaryDirectory() as place:
        for rows in given.rows:
            folder = Path(place) / str(rows)
            folder.mkdir()
            source, recipe = folder / "mix.csv", folder / "mix.recipe.toml"
            apart(f"write_mix({source!r}, {rows})")
            size = source.stat().st_size
            for name, method in cases_of(given).items():
                write_recipe(recipe, method)
                case = name.partition(",")[0]
                parts = folder / "parts.json" if case in ("held", "full") else None
                cost = run(name, commands(case, folder, source, recipe), rows, size, parts)
                if cost.status in (DONE, HELD):
                    costs.append(cost)
                print(
                    told(cost) if cost.status in (DONE, HELD) else f"{name:28} not run: status {cost.status}",
                    flush=True,
                )
            shutil.rmtree(folder)
        if given.wide:
            source = Path(place) / "wide.csv"
            apart(f"write_wide({source!r})")
            command = commands("inspect", Path(place), source, source)
            costs.append(run(f"inspect, {WIDE[1]} columns", command, WIDE[0], source.stat().st_size))
            print(told(costs[-1]), flush=True)
    for case in dict.fromkeys(each.case for each in costs):
        grows = exponent([each for each in costs if each.case == case])
        if grows is not None:
            print(f"{case}: grows with the rows to the power of {grows:.2f}")


if __name__ == "__main__":
    main()
