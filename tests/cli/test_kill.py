"""Killed at any moment, a release is complete or absent; the next run leaves no orphans."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from support import Command, Job, accepting
from thoroughness import draws

_KILLS = draws(16, 50)
_SERVER = Path(__file__).with_name("forking.py")


def _arguments(job: Job) -> list[str]:
    parts = ["release", job.source, "--recipe", job.recipe, "--out", job.out, "--seed", 1, "--replace", *accepting()]
    return [str(part) for part in parts]


class _Runs:
    """Releases in forks of a process that has loaded everything."""

    def __init__(self, server: subprocess.Popen[str]) -> None:
        self._server = server

    def run(self, job: Job, wait: float | None = None) -> int:
        """Release, killed after so many seconds when it is not done by then; return the status."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(_arguments(job)) + "\n")
        self._server.stdin.flush()
        number = int(self._server.stdout.readline())
        if wait is not None and not select.select([self._server.stdout], [], [], wait)[0]:
            os.kill(number, signal.SIGKILL)
        return int(self._server.stdout.readline())


@contextmanager
def _runs() -> Iterator[_Runs]:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        [sys.executable, str(_SERVER)], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        yield _Runs(server)


def _complete(out: Path, command: Command, source: Path) -> bool:
    return command("verify", out, "--input", source).code == 0


class _Started:
    """Releases in processes that are started for them: for systems that cannot fork."""

    def run(self, job: Job, wait: float | None = None) -> int:
        """Release, killed after so many seconds when it is not done by then; return the status."""
        command = [sys.executable, "-m", "ppdm_desktop", *_arguments(job)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                return process.wait(wait)
            except subprocess.TimeoutExpired:
                process.kill()
                return process.wait() or 1


@pytest.mark.skipif(hasattr(os, "fork"), reason="forks are killed instead, which is quicker")
def test_killed_where_nothing_forks(job: Job, command: Command) -> None:
    """Few moments, all of them late, when files are written: every start loads the whole program."""
    runs = _Started()
    started = time.monotonic()
    assert runs.run(job) == 0
    whole = time.monotonic() - started
    good = (job.out / "release" / "data.csv").read_bytes()
    for share in (0.75, 0.9):
        runs.run(job, whole * share)
        # The next command brings back what was moved aside, where the system cannot exchange two folders.
        assert _complete(job.out, command, job.source)
        assert (job.out / "release" / "data.csv").read_bytes() == good
    assert runs.run(job) == 0
    assert {path.name for path in job.folder.iterdir()} == {"people.csv", "people.recipe.toml", "out"}


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")
def test_killed_at_random_moments(job: Job, command: Command) -> None:
    with _runs() as runs:
        assert runs.run(job) == 0  # loads everything
        started = time.monotonic()
        assert runs.run(job) == 0
        whole = time.monotonic() - started
        good = (job.out / "release" / "data.csv").read_bytes()
        moments = np.random.default_rng(20261121)
        absent = landed = killed = 0
        for _ in range(_KILLS):
            # Half of the kills while the old release stands, half with nothing there; most of
            # them late, when files are being written.
            if moments.random() < 0.5 and job.out.exists():
                subprocess.run(["rm", "-r", str(job.out)], check=True)
            killed += runs.run(job, whole * (0.3 + 0.8 * moments.random())) != 0
            if job.out.exists():
                landed += 1
                assert (job.out / "release" / "data.csv").read_bytes() == good
                assert _complete(job.out, command, job.source)
            else:
                absent += 1
        assert killed > 0
        assert landed > 0
        assert absent > 0
        assert runs.run(job) == 0
    left = {path.name for path in job.folder.iterdir()}
    assert left == {"people.csv", "people.recipe.toml", "out"}
    assert _complete(job.out, command, job.source)
