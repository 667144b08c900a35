"""A release that replaces another is killed at each system call; is OUT ever absent, ever partial?

The storage of a release (folder, files, flushes, the change of places, what is removed afterwards) runs in a process
of its own under ``strace``, which ends it at one system call: at each of those that touch files, one process each,
counted from the first call of the storage on. After each kill OUT is looked at as it lies; then what every command
does at its start is done, and OUT is looked at again. Needs ``strace`` on Linux. From the repository's root:

    python -m tests.benchmarks.kills
    python -m tests.benchmarks.kills --by journal --step 3
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from ppdm_desktop.engine.release.storage.atomic_folder import bring_back, leftovers, recover, staging
from ppdm_desktop.engine.release.storage.disk import Disk

CALLS = "openat,write,fsync,close,mkdir,rename,renameat2,unlink,rmdir,utimensat,flock,newfstatat,lseek,read,getdents64"
BEGIN, FILES = "/ppdm-storage-begins", ("release/data.csv", "release/note.html", "internal/release.key")
WAYS = ("exchange", "journal")


class Journal(Disk):
    """A disk without the call that lets two folders change places."""

    def exchange(self, one: Path, other: Path) -> bool:
        """Say that there is none."""
        return False


def replace(out: Path, way: str, content: str) -> None:
    """Put a release in OUT's place."""
    with staging(out, Disk() if way == "exchange" else Journal()) as made:
        for folder in ("release", "internal"):
            made.add_folder(folder)
        for name in FILES:
            made.add(name, f"{content} {name}".encode())
        made.commit()


def state(out: Path) -> str:
    """Say what lies in OUT: ``old``, ``new``, ``absent``, else what is wrong."""
    if not out.exists():
        return "absent"
    found = {path.relative_to(out).as_posix(): path.read_text("utf-8") for path in out.rglob("*") if path.is_file()}
    for content in ("old", "new"):
        if found == {name: f"{content} {name}" for name in FILES}:
            return content
    return "partial"


def _run(out: Path, way: str, *strace: str) -> subprocess.CompletedProcess[str]:
    command = ["strace", "-f", "-qq", "-e", f"trace={CALLS}", *strace]
    own = [sys.executable, "-m", "tests.benchmarks.kills", "--child", str(out), "--by", way]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([*command, *own], env=environment, capture_output=True, text=True, check=False)


def calls(folder: Path, way: str) -> list[tuple[str, int]]:
    """Return each system call of the storage, by its name and its number among those of the whole process."""
    out, trace = folder / "out", folder / "trace"
    replace(out, way, "old")
    _run(out, way, "-o", str(trace))
    lines = [line for line in trace.read_text("utf-8", "replace").splitlines() if _NAME.match(line)]
    names = [name for line in lines for name in _NAME.findall(line)]
    begins = next(at for at, line in enumerate(lines) if BEGIN in line)
    before = Counter(names[:begins])
    each = []
    for name in names[begins:]:
        before[name] += 1
        each.append((name, before[name]))
    return each


_NAME = re.compile(r"^\d*\s*([a-z0-9]+)\(")


def main() -> int:
    """Kill, look, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=WAYS)
    parser.add_argument("--step", type=int, default=1, help="kill at each n-th call only")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child is not None:
        os.path.exists(BEGIN)  # seen in the trace: from here on it is the storage
        replace(given.child, given.by, "new")
        return 0
    if shutil.which("strace") is None:
        sys.stderr.write("strace is not installed here\n")
        return 2
    bad = 0
    for way in (given.by,) if given.by else WAYS:
        bad += _all_kills(way, given.step)
    return 1 if bad else 0


def _all_kills(way: str, step: int) -> int:
    at_once, after, by_call = Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="kills-") as made:
        wanted = calls(Path(made), way)[::step]
        for number, (name, when) in enumerate(wanted):
            folder = Path(made) / f"{number}"
            folder.mkdir()
            out = folder / "out"
            replace(out, way, "old")
            done = _run(out, way, "-o", os.devnull, "-e", f"inject={name}:signal=KILL:when={when}")
            by_call[name] += done.returncode != 0
            at_once[state(out)] += 1
            bring_back(folder, Disk())
            after[state(out)] += 1
            recover(folder, Disk())
            after["left behind"] += len(leftovers(folder)) + len(os.listdir(folder)) - 1
            shutil.rmtree(folder)
    killed = sum(by_call.values())
    print(f"{way}: {len(wanted)} calls, {killed} kills {dict(by_call)}")
    print(f"  OUT as it lay: {dict(at_once)}; after the next command: {dict(after)}", flush=True)
    absent = at_once["absent"] if way == "exchange" else after["absent"]
    return absent + at_once["partial"] + after["partial"] + after["absent"] + after["left behind"]


if __name__ == "__main__":
    sys.exit(main())
