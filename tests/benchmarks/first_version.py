"""What an older checkout of the program says of a release, and what saying it costs.

The older code judges in a process of its own, which runs `first_version_process.py`. A checkout of version 0.1.0 is
made by ``git worktree add --detach FOLDER LAST_COMMIT``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.same_release import package_of

LAST_COMMIT = "b0824f3"
"""All of version 0.1.0: what judges in it was not changed any more before the verdict was made anew."""
_PROCESS = Path(__file__).with_name("first_version_process.py")


@dataclass(frozen=True)
class Job:
    """One release to be made and judged.

    Attributes
    ----------
    name
        What the answer is called by.
    source
        The file.
    recipe
        The recipe as plain data.
    key, origin
        The key in hexadecimal digits, and where it is from.
    planted
        Whole columns, in the order of the source, in place of what the last step left.
    attacks
        Whether the attacks are made.
    """

    name: str
    source: str
    recipe: Mapping[str, Any]
    key: str
    origin: str
    planted: Mapping[str, Sequence[str]] = field(default_factory=dict)
    attacks: bool = True


@dataclass(frozen=True)
class Said:
    """What the older checkout said of one release.

    Attributes
    ----------
    name
        As in the job.
    refused
        The program's own words where it does not read the file or the recipe; then nothing else is said.
    red, amber
        Checks of the gate that nothing lets pass, and checks that want a reason.
    short
        What kept it off the map's safe ground; empty where it lay there.
    seconds
        Processor seconds of judging.
    """

    name: str
    refused: str = ""
    red: Sequence[str] = ()
    amber: Sequence[str] = ()
    short: Sequence[str] = ()
    seconds: float = 0.0


def said_by(checkout: Path, jobs: Sequence[Job]) -> Iterator[Said]:
    """Let the code of a checkout judge releases, one after the other in one process.

    Raises
    ------
    RuntimeError
        When that process ends before it has judged them all.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPATH": str(package_of(checkout, Path(folder)))}
        environment |= {"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        answered = 0
        with subprocess.Popen(
            [sys.executable, "-P", str(_PROCESS)],
            env=environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            json.dump([asdict(job) for job in jobs], process.stdin)
            process.stdin.close()
            for line in process.stdout:
                answered += 1
                yield Said(**json.loads(line))
    if answered < len(jobs):
        raise RuntimeError(f"{checkout} judged {answered} of {len(jobs)} releases")
