"""The starred version of an older commit, for ``tests.benchmarks.useful --beside``: releases and their reasons.

    git archive 88bc0c71 ppdm_desktop resources | tar -x -C OLDER && mv OLDER/resources OLDER/ppdm_desktop
    PYTHONPATH=OLDER:. python -P -m tests.benchmarks.useful_older FOLDER [--data FOLDER] [--only NAME ...]

Writes ``NAME.TYPE.csv`` into the folder. The same ``PYTHONPATH`` runs ``tests.benchmarks.believable`` with the methods
of the older commit.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from ppdm_desktop import api
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, best
from tests.benchmarks.useful_tables import released_frame, sources


def main(arguments: Sequence[str]) -> int:
    """Print a line for each file and type."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, help="folder of the public data sets")
    parser.add_argument("--only", nargs="+", default=[], help="these files")
    parser.add_argument("--type", nargs="+", default=["research", "public"])
    options = parser.parse_args(arguments)
    options.out.mkdir(exist_ok=True)
    print("| file | type | versions | star | stopped by | reasons | processor s |\n|---|---|---|---|---|---|---|")
    for source in sources(options.data, options.only):
        path = options.out / f"{source.name}.input.csv"
        source.people.to_csv(path, index=False)
        for type in options.type:
            began = time.process_time()
            recipe = {**source.recipe(type), "release": {"type": type}}  # it knew of no agreement
            offered = api.candidates(path, api.Recipe._of(parse_recipe(recipe)))
            verdicts = [api.judge(candidate).verdict for candidate in offered]
            star = best([Scorecard(verdict) for verdict in verdicts])
            figures = ["–", "–", "–"]
            if star is not None:
                stops = ", ".join(check.id for check in verdicts[star].blocking)
                figures = [offered[star].name, stops, str(Scorecard(verdicts[star]).reasons)]
                frame = released_frame(offered[star].released)
                frame.to_csv(options.out / f"{source.name}.{type}.csv", index=False)
            seconds = f"{time.process_time() - began:.1f}"
            print(f"| {' | '.join([source.name, type, str(len(offered)), *figures, seconds])} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
