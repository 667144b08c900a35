"""The program speaks to nobody: neither the command line nor the window opens a network socket.

Once from inside (Python's sockets are watched) and once from outside (the system calls of the program and
of its children are traced, which also sees Qt). Sockets between processes of this machine are allowed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import xlsxwriter

from ppdm_desktop.engine.samples import sample_files

WATCH = """
import os, socket, sys

class Watched(socket.socket):
    def __init__(self, family=-1, *more, **named):
        if family != getattr(socket, "AF_UNIX", None):
            os.write(2, f"a socket of family {family} was opened\\n".encode())
            os._exit(97)
        super().__init__(family, *more, **named)

socket.socket = Watched

def refuse(*more, **named):
    os.write(2, b"a name was looked up\\n")
    os._exit(98)

socket.getaddrinfo = socket.gethostbyname = socket.create_connection = refuse
"""
START = "from ppdm_desktop.__main__ import main; sys.exit(main())"
CALLS = re.compile(r"\b(socket|connect|bind|sendto|sendmsg|listen|accept4?)\((.*)")


@cache
def tracer() -> tuple[str, ...]:
    """Return how system calls are traced here; nothing where they cannot be (containers may forbid it)."""
    strace = shutil.which("strace") or ""
    # Where the kernel picks the calls out, all others go by at full speed.
    for options in (("-f", "--seccomp-bpf"), ("-f",)):
        command = [strace, *options, "-qq", "-e", "trace=network", "-o", os.devnull, "/bin/true"]
        if strace and subprocess.run(command, capture_output=True, check=False).returncode == 0:
            return (strace, *options, "-qq", "-e", "trace=network")
    return ()


TRACED = pytest.mark.skipif(not tracer(), reason="strace is not here, or may not trace")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """The sample as text and as a workbook, with its recipe."""
    data, recipe = sample_files("life-insurance")
    (tmp_path / "people.csv").write_bytes(data)
    (tmp_path / "people.recipe.toml").write_text(recipe, encoding="utf-8")
    book = xlsxwriter.Workbook(str(tmp_path / "people.xlsx"))
    sheet = book.add_worksheet()
    for row, line in enumerate(data.decode().splitlines()):
        sheet.write_row(row, 0, line.split(","))
    book.close()
    return tmp_path


def words(place: Path, what: str) -> list[str]:
    """Return the arguments of one use of the program."""
    return {
        "release": ["release", "people.csv", "--recipe", "people.recipe.toml", "--out", "out"],
        "workbook": ["inspect", "people.xlsx"],
        "window": ["people.csv"],
        "window-workbook": ["people.xlsx"],
    }[what]


def environment() -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PPDM_DESKTOP_SMOKE": "1"}


USES = pytest.mark.parametrize("what", ["release", "workbook", "window", "window-workbook"])


@USES
def test_it_opens_no_socket(place: Path, what: str) -> None:
    """Watched from inside, and where calls can be traced in the same run from outside."""
    code = f"import sys; sys.argv = ['ppdm-desktop', *{words(place, what)!r}]\n{WATCH}\n{START}"
    assert trace(place, [sys.executable, "-c", code]) == []


PLOT = """
import numpy as np
from PySide6.QtWidgets import QApplication
from ppdm_desktop.ui.charts.density import DensityChart, cloud_scenes, build_clouds

app = QApplication([])
plot = DensityChart(name="plot", label="Plot")
sides = np.arange(9.0), np.arange(9.0)
plot.set_scenes(cloud_scenes(build_clouds(sides, sides), ("age", "pay"), ("Before", "After"), ""), "", "")
plot.show()
app.processEvents()
assert not plot.grab().isNull() and "pyqtgraph" in sys.modules
plot.close()
"""


def test_a_plot_opens_no_socket(place: Path) -> None:
    """pyqtgraph can show plots of other processes, and imports what that needs."""
    assert trace(place, [sys.executable, "-c", f"{WATCH}\n{PLOT}"]) == []


def test_the_watch_sees_what_it_is_for(place: Path) -> None:
    code = f"{WATCH}\nimport urllib.request; urllib.request.urlopen('http://localhost:9')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode in (97, 98), done.stderr


def trace(place: Path, command: list[str]) -> list[str]:
    """Run a command and return its calls to other families than that of this machine, none where none can be seen."""
    log = place / "calls"
    done = subprocess.run(
        [*tracer(), "-o", str(log), *command] if tracer() else command,
        cwd=place,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = []
    for line in log.read_text("utf-8", "replace").splitlines() if tracer() else ():
        call = CALLS.search(line)
        # A pair of sockets between parent and child has no address at all.
        if call and ("AF_" in call[2]) and "AF_UNIX" not in call[2]:
            found.append(line)
    return found


@TRACED
def test_the_trace_sees_what_it_is_for(place: Path) -> None:
    code = "import socket; s = socket.socket(); s.settimeout(0.1); s.connect_ex(('127.0.0.1', 9))"
    assert len(trace(place, [sys.executable, "-c", code])) == 2
