"""The calibration of the verdict: what it says of people, in worlds whose truth is known.

    python -m tests.benchmarks.worlds [--worlds 200]

Noise: does "at most x of y people are guessed right" hold for somebody who knows the law that the whole population
follows (coverage), and how much higher is x than what that somebody is able to (sharpness)? Beside it stands what
was measured when the rule was set (verdict page, section 10). Swaps, classes and people picked out are counted
one by one in whole numbers: there the verdict has to be equal. Exit status 1 where something does not hold.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from worlds import (
    CLASS_WORLDS,
    LAWS,
    NOISE_WORLDS,
    PICKED_WORLDS,
    SWAP_WORLDS,
    Counted,
    NoiseWorld,
    class_world,
    noise_worlds,
    picked_world,
    swap_world,
)

LEAST_COVERED, MOST_TIMES = 0.95, 2.0
"""The bound holds in so many worlds, and is at no time so many times as high."""
SPECIFIED = {"rebuilt": "57.5 %", "informed": "98.5 %", "the worse of both": "99.0 %, median 1.11, at most 1.80"}


def tell(name: str, worlds: Sequence[NoiseWorld], *priors: str) -> tuple[float, float]:
    """Print a line of the table and return coverage and the highest bound."""
    bounds = np.array([world.bound(*priors) for world in worlds])
    covered = float(np.mean(bounds >= 1))
    middle, high = np.median(bounds), np.quantile(bounds, 0.95)
    figures = f"{covered:8.1%} {bounds.min():7.2f} {middle:7.2f} {high:7.2f} {bounds.max():7.2f}"
    print(f"  {name:22} {len(worlds):6} {figures}   {SPECIFIED.get(name, '')}", flush=True)
    return covered, float(bounds.max())


def noise(count: int) -> bool:
    """Print the table of noise; say whether the worse of both priors holds."""
    worlds = list(noise_worlds(count))
    print('Noise, "at most x of y are guessed right": x over what one who knows the population\'s law is able to')
    print("                         worlds    holds   least  median    95 %    most   when the rule was set")
    tell("rebuilt", worlds, "rebuilt")
    tell("informed", worlds, "informed")
    covered, most = tell("the worse of both", worlds)
    for law in LAWS:
        own = [world for world in worlds if world.law == law]
        if own:
            tell(f"  {law}", own)
    for snr in sorted({world.snr for world in worlds}):
        tell(f"  signal to noise {snr:g}", [world for world in worlds if world.snr == snr])
    for people in sorted({world.people for world in worlds}):
        tell(f"  {people:,} people", [world for world in worlds if world.people == people])
    return covered >= LEAST_COVERED and most <= MOST_TIMES


def exact(name: str, worlds: Sequence[Counted]) -> bool:
    """Print how many worlds are counted as by hand; say whether all are."""
    equal = [world for world in worlds if world.ours == world.by_hand and world.right == world.able]
    certain, people = sum(sum(world.ours) for world in worlds), sum(len(world.ours) for world in worlds)
    words = f"{certain:,} of {people:,} people certain"
    if any(world.able for world in worlds):
        right, able = sum(world.right for world in worlds), sum(world.able for world in worlds)
        words += f"; guessed right {right:,}, by one who knows the drawn pools {float(able):,.0f}"
    print(f"  {name:22} {len(equal)} of {len(worlds)} worlds equal; {words}", flush=True)
    return len(equal) == len(worlds)


def picked() -> bool:
    """Print how many worlds' people are picked out as counted from the file's lines; say whether all are."""
    equal = alone = people = 0
    for world in range(PICKED_WORLDS):
        with tempfile.TemporaryDirectory() as folder:
            found, counted = picked_world(world, Path(folder))
        equal += {name: getattr(found, name) for name in counted} == counted
        alone, people = alone + counted["by_all_but_secret"], people + counted["people"]
    words = f"{alone:,} of {people:,} people picked out by everything but the secrets"
    print(f"  {'people picked out':22} {equal} of {PICKED_WORLDS} worlds equal; {words}")
    return equal == PICKED_WORLDS


def main() -> int:
    """Print the tables; 1 where something does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--worlds", type=int, default=NOISE_WORLDS, help="how many worlds of noise")
    began = time.process_time()
    holds = noise(parser.parse_args().worlds)
    print("Counted one by one, in whole fractions")
    holds &= exact("classes", [class_world(world) for world in range(CLASS_WORLDS)])
    holds &= exact("swaps", [swap_world(world) for world in range(SWAP_WORLDS)])
    holds &= picked()
    print(f"{time.process_time() - began:.0f} s of processor time" + ("" if holds else "; NOT SO"))
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
