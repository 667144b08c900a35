"""What attacks, checks and beliefs find of small releases stays; work looks at the stop sign as often as before.

That a finding is right is shown elsewhere, by hand or by a second way. Here each figure and each value of a sentence is
held, so that no change alters one unseen.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import findings
import pytest
from findings import RELEASES, declared, differences, differences_from_kept, found_in, kept_findings
from kernels import KERNELS, as_on, other_kernel, skip_unless_it_runs


@pytest.mark.parametrize("name", RELEASES)
def test_what_is_found_of_a_release_is_what_was_found(name: str, tmp_path: Path) -> None:
    """All in one test, as each release is made, attacked and judged once."""
    now = found_in(name, tmp_path)
    assert differences_from_kept(name, now) == []
    seldom = {module: looks for module, looks in kept_findings()[name]["looks"].items() if now.looks[module] < looks}
    assert seldom == {}, "the stop sign is looked at as often as before, or more often"
    for fractions in now.fractions:
        assert fractions == sorted(fractions), "reports never go back"
        assert fractions[0] == 0.0
        assert 0.5 < fractions[-1] <= 1.0


def found_as_on(kernel: str, threads: int) -> str:
    """Return what differs of all releases where linear algebra works as on another processor, in its own process."""
    run = subprocess.run(
        [sys.executable, findings.__file__, "--compare"],
        env=as_on(kernel, threads),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode in (0, 1), run.stderr
    return run.stdout + (run.stderr if run.returncode and not run.stdout else "")


def test_another_processor_with_two_threads_finds_the_same() -> None:
    kernel = other_kernel()
    if kernel is None:
        pytest.skip("this processor can run one kernel of the linear algebra only")
    assert found_as_on(kernel, threads=2) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_processor_finds_the_same(kernel: str, threads: int) -> None:
    skip_unless_it_runs(kernel)
    assert found_as_on(kernel, threads) == ""


def test_what_attacks_and_checks_declare_stays() -> None:
    assert list(differences(kept_findings()[""]["declared"], declared())) == []


def test_a_difference_is_named() -> None:
    assert list(differences({"a": [1.0, "x"]}, {"a": [1.0 + 1e-7, "x"]})) == []
    assert list(differences({"a": [1.0, "x"]}, {"a": [1.1, "x"]})) == ["/a/0: 1.0 was kept, 1.1 is found"]
    assert list(differences([1], [1, 2])) == [": [1] was kept, [1, 2] is found"]
    assert list(differences({"a": 1}, {"a": True})) == ["/a: 1 was kept, True is found"]
