"""Write the starred version of an older commit, run with its package: see ``tests.benchmarks.useful --older``."""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import ppdm_desktop
from ppdm_desktop import api
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, find_best_candidate
from tests.benchmarks.useful_tables import released_frame

_MOST_SECONDS = 300
"""Processor seconds after which the process is ended."""


def main(path: Path, recipe: Path, released: Path) -> None:
    """Write the starred version of a file and print whether it is stopped, or how many reasons it needs."""
    ppdm_desktop.__path__.append(str(Path(ppdm_desktop.__file__).parents[1]))  # its own resources, not those installed
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
    plain = json.loads(recipe.read_text(encoding="utf-8"))
    plain["release"].pop("agreement", None)  # older commits know none
    versions = api.candidates(path, api.Recipe._from_engine(parse_recipe(plain)))
    cards = [Scorecard(api.judge(version).verdict) for version in versions]
    star = find_best_candidate(cards)
    if star is None:
        print("none")
        return
    released_frame(versions[star].released).to_csv(released, index=False)
    print("stopped" if cards[star].blocked else cards[star].reasons)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
