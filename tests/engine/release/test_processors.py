"""The same released data on another processor: linear algebra and logarithms differ there in their last digits."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from ppdm_desktop.engine.samples import sample_files
from tests.benchmarks.same_draws import OLDER_PROCESSOR, outcomes

REPOSITORY = Path(__file__).resolve().parents[3]
CASES = (
    ("employees", "two-phase-noise"),
    ("employees", "condensation"),
    ("employees", "microaggregation"),
    # Names alone: many steps of its search gain the same, and many records lie equally far along an axis.
    ("salary-offers", "condensation"),
)
LAST_DIGITS = """
import hashlib, numpy
values = numpy.linspace(0.1, 9, 5000).reshape(50, 100)
found = numpy.exp(values), numpy.log(values), values @ values.T
print(hashlib.sha256(b"".join(each.tobytes() for each in found)).hexdigest())
"""


def last_digits(**more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", LAST_DIGITS], capture_output=True, text=True, check=True, env={**os.environ, **more}
    )
    return done.stdout


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="another processor is played on Linux alone"
)
def test_the_same_data_on_a_processor_with_other_last_digits(tmp_path: Path) -> None:
    if last_digits() == last_digits(**OLDER_PROCESSOR):
        pytest.skip("this processor computes as the older one does")
    for sample in dict.fromkeys(sample for sample, _ in CASES):
        data, recipe = sample_files(sample, rows=200)
        (tmp_path / f"{sample}.csv").write_bytes(data)
        (tmp_path / f"{sample}.toml").write_text(recipe, "utf-8")
    cases = [{"sample": sample, "method": id, "parameters": {}, "levels": False} for sample, id in CASES]
    (tmp_path / "cases.json").write_text(json.dumps(cases), "utf-8")
    here, there = (list(outcomes(REPOSITORY, tmp_path, frozenset(), each)) for each in ({}, OLDER_PROCESSOR))
    assert [(case["sample"], case["method"]) for case, hashed in here if len(hashed) == 64] == list(CASES)
    assert here == there
