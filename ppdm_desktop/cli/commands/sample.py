"""``sample``: write a bundled sample and its recipe."""

from __future__ import annotations

import argparse
from pathlib import Path

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.samples import SAMPLE_NAMES, sample_files

DESCRIPTION = "Write a bundled sample as CSV, and the recipe that releases it beside it."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("name", choices=SAMPLE_NAMES, metavar="NAME", help=f"one of: {', '.join(SAMPLE_NAMES)}")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the CSV file to write")


def recipe_path(out: Path) -> Path:
    """Return where the recipe of a sample file lies."""
    return out.with_name(out.stem + ".recipe.toml")


def run(given: argparse.Namespace, console: Console) -> int:
    """Write both files; existing ones are never overwritten."""
    data, recipe = sample_files(given.name)
    written: list[Path] = []
    try:
        for path, content in ((given.out, data), (recipe_path(given.out), recipe.encode("utf-8"))):
            with path.open("xb") as file:
                written.append(path)
                file.write(content)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise InputError(
            "error.sample.not-written", file=str(path), args={"reason": error.strerror or "not writable"}
        ) from error
    console.lines(f"Wrote {given.out} and {recipe_path(given.out)}")
    return 0
