"""Who joined or left a condensed release, looked for by an intruder: ``python -m tests.benchmarks.leaving``.

Three tables. First fifty people arrive and twenty leave: the group sizes by what each asks for, and what the check
``joined-or-left`` finds. Then people leave one at a time, and an intruder who has both files, everybody's true record
and the list of who was in which group names the one of the group most like the rows that are gone. By chance one of
the group is right. Last the fifty arrive and the twenty leave in three changes, one after the other, and the intruder
has the exact statistics of all four releases: all ways of setting up to two groups of one against up to two of
another, and three groups of three releases, are tried against all sets of up to three people.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))

from leaving_support import changed, entered, people, released, statistics, worked_out, write

from ppdm_desktop.engine.release.top_up.step import Merged
from ppdm_desktop.engine.release.writing.export import evaluate

NEEDS = (5, 5, 5, 8, 12)


def many(seed: int) -> list[str]:
    """Let fifty arrive while twenty leave."""
    old = people(seed, 150, NEEDS)
    with tempfile.TemporaryDirectory() as name:
        earlier = released(Path(name), old)
        candidate = changed(earlier, people(seed + 1, 50, NEEDS), old[::7][:20], seed=seed + 2)
        check = next(each for each in evaluate(candidate).checks if each.id == "joined-or-left")
    detail = candidate.steps[0].result.detail
    found = detail["top_up"]
    sizes = "; ".join(
        f"{each['asked']}: {each['joined']} in {each['smallest_group']}" for each in found["sizes_by_need"]
    )
    words = check.sentence.arguments
    return [
        f"| {seed} | {found['added']} | {len(detail['pending'])} | {found['left']} | {found['groups_dissolved']} | "
        f"{sizes} | {words['among']} of {words['asked']} | {check.status} |"
    ]


def one_by_one(seed: int, leaving: int) -> tuple[int, float, int]:
    """Let people leave alone; return the intruder's hits, the hits expected by chance, and how many left."""
    old = people(seed, 63, (5,))
    known = np.array([each[:2] for each in old])
    spread = known.std(axis=0)
    hits, chance = 0, 0.0
    with tempfile.TemporaryDirectory() as name:
        earlier = released(Path(name), old)
        for who in range(leaving):
            candidate = changed(earlier, [], [old[who]], seed=seed + who)
            merged = candidate.steps[0].result.kept
            assert isinstance(merged, Merged)
            group = _family_of_each(earlier)
            own = np.flatnonzero(group == merged.change.left[0])
            write(candidate, Path(name) / f"left{who}")
            gone = _rows(earlier) - _rows(Path(name) / f"left{who}")
            rows = np.array([[float(each) for each in line.split(",")[:2]] for line in gone.elements()])
            apart = (((known[own][:, None, :] - rows[None, :, :]) / spread) ** 2).sum(axis=2).min(axis=1)
            hits += int(own[apart.argmin()] == who)
            chance += 1 / len(own)
    return hits, chance, leaving


def in_a_row(seed: int) -> list[str]:
    """Let fifty arrive and twenty leave in three changes, and attack all four releases together."""
    old = people(seed, 60, NEEDS)
    everybody, inside = list(old), list(old)
    with tempfile.TemporaryDirectory() as name:
        releases = [released(Path(name), old)]
        for turn, (arriving, going) in enumerate(((17, 7), (17, 7), (16, 6)), start=1):
            joining = people(seed + turn, arriving, NEEDS)
            gone = [*inside[-2:], *inside[: 3 * (going - 2) : 3]]
            candidate = changed(releases[-1], joining, gone, seed=seed + turn)
            releases.append(Path(name) / f"out{turn + 1}")
            write(candidate, releases[-1])
            everybody += joining
            inside = [each for each in inside if each not in gone] + entered(candidate, joining)
        known = np.array([each[:2] for each in everybody])
        kept = [statistics(each) for each in releases]
        tried = len(list(worked_out(kept, known, 4)))
    return [f"| {seed} | {len(inside)} | {' '.join(str(len(each.moments.n)) for each in kept)} | {tried} |"]


def _family_of_each(earlier: Path) -> np.ndarray:
    """Return the family of each person, in the order of the file that the earlier release was made from."""
    members = statistics(earlier).members
    assert members is not None
    return members.of


def _rows(out: Path) -> Counter[str]:
    return Counter((out / "release" / "data.csv").read_text(encoding="utf-8").splitlines()[1:])


def sizes() -> Iterator[str]:
    """Yield the first table."""
    yield "| seed | joined | wait | left | groups dissolved | asked: joined in smallest group | closest case | check |"
    yield "|---|---|---|---|---|---|---|---|"
    for seed in range(5):
        yield from many(10 * seed)


def singled_out() -> Iterator[str]:
    """Yield the second table."""
    yield "| seed | left one at a time | named rightly | by chance |"
    yield "|---|---|---|---|"
    every = np.zeros(3)
    for seed in range(3):
        found = one_by_one(1000 * (seed + 1), 20)
        every += found
        yield f"| {seed} | {found[2]} | {found[0]} | {found[1]:.1f} |"
    yield f"| all | {every[2]:.0f} | {every[0]:.0f} | {every[1]:.1f} |"


def together() -> Iterator[str]:
    """Yield the third table."""
    yield "| seed | people at the end | groups of the four releases | sets of one to three people worked out |"
    yield "|---|---|---|---|"
    for seed in range(3):
        yield from in_a_row(100_000 * (seed + 1))


TABLES = (sizes, singled_out, together)


def main() -> int:
    """Print the tables, each row as it comes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--table", type=int, choices=(1, 2, 3), action="append", help="only this one; can be said again"
    )
    for number in parser.parse_args().table or (1, 2, 3):
        for line in TABLES[number - 1]():
            print(line, flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
