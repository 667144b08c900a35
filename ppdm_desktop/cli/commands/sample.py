"""``sample``: write a sample and its recipe."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.samples import BLOCK, DEFAULT_SEED, SAMPLE_NAMES, find_sample

DESCRIPTION = "Write an invented sample as CSV, and the recipe that releases it beside it."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("name", choices=SAMPLE_NAMES, metavar="NAME", help=f"one of: {', '.join(SAMPLE_NAMES)}")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the CSV file to write")
    parser.add_argument("--rows", type=int, metavar="N", help="number of rows; life-insurance has 16 and no other")
    parser.add_argument("--function", type=int, metavar="1..5", help="agrawal only: which function makes the groups")
    parser.add_argument("--seed", type=int, metavar="N", help=f"another number gives other rows ({DEFAULT_SEED})")


def recipe_path(out: Path) -> Path:
    """Return where the recipe of a sample file lies."""
    return out.with_name(out.stem + ".recipe.toml")


def run(given: argparse.Namespace, console: Console) -> int:
    """Write both files; existing ones are never overwritten, and half-written ones are taken away."""
    sample = find_sample(given.name)
    sample.check(given.rows, given.function, given.seed)
    data = _reported(sample.blocks(given.rows, given.function, given.seed), given.rows or sample.default_rows, console)
    written: list[Path] = []
    try:
        for path, blocks in ((given.out, data), (recipe_path(given.out), [sample.recipe().encode("utf-8")])):
            with path.open("xb") as file:
                written.append(path)
                file.writelines(blocks)
    except BaseException as error:
        for path in written:
            path.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise InputError(
            "error.sample.not-written", file=str(path), args={"reason": error.strerror or "not writable"}
        ) from error
    console.lines(f"Wrote {given.out} and {recipe_path(given.out)}")
    return 0


def _reported(blocks: Iterator[bytes], rows: int, console: Console) -> Iterator[bytes]:
    """Pass the pieces on and show how far they are."""
    for number, block in enumerate(blocks, 1):
        yield block
        console.progress.report(number * BLOCK / rows, "doing.sample")
