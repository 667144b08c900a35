"""A process that has loaded the program and runs it again and again, each time in a fork that can be killed.

Most of a small release's time is the loading of libraries, in which nothing can be half-written. So
the first command runs here and loads everything; PDFs are left out, because Qt does not outlive a fork.

Arguments come as one JSON list a line; the answer is the number of the process, and when the run has
ended its status, a line each.
"""

import json
import os
import sys

import ppdm_desktop.__main__  # noqa: F401  (one thread for linear algebra, before anything is loaded)
from ppdm_desktop.cli.commands import release
from ppdm_desktop.cli.main import run


def main() -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    for place, line in enumerate(sys.stdin):
        number = os.fork() if place else os.getpid()
        if number == 0:
            os._exit(run(json.loads(line)))
        print(number, file=answers, flush=True)
        status = os.waitpid(number, 0)[1] if place else run(json.loads(line))
        print(status, file=answers, flush=True)


if __name__ == "__main__":
    vars(release)["pdf_renderers"] = dict
    main()
