"""``sample``: write a sample data set and its recipe."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.parameters import NumberParameter, Parameter
from ppdm_desktop.engine.samples import all_samples, find_sample, sample_options
from ppdm_desktop.engine.samples.base import ROWS
from ppdm_desktop.engine.samples.drawn import BLOCK
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Reason, Term


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``sample`` to the parser."""
    ids = tuple(all_samples())
    parser.add_argument("name", choices=ids, metavar="NAME", help=_("one of: {ids}", ids=Term(", ".join(ids))))
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=_("the CSV file to write"))
    for option, takers in sample_options().values():
        parser.add_argument(
            f"--{option.name}", help=_describe_option(option, takers), **_build_argument_settings(option)
        )


def _describe_option(option: Parameter, takers: Sequence[str]) -> str:
    """Return the help text of an option of ``sample``, with the samples that take it if some samples do not.

    It then begins with "only for people, visits: ". Samples without any option are not considered. For the number of
    rows, every sample of a fixed size is added, as in "census always has 1,080 rows".
    """
    samples = all_samples().values()
    only = len(takers) < sum(bool(sample.options) for sample in samples)
    text = str(option.help)
    if only:
        samples_with = Term(", ".join(takers))
        text = _("only for {samples}: {help}", samples=samples_with, help=Term(option.help))
    if option.name != ROWS:
        return text
    fixed = [sample for sample in samples if sample.id not in takers]
    sizes = [
        _("{sample} always has {rows} {rows:row|rows}", sample=Term(sample.id), rows=sample.default_rows)
        for sample in fixed
    ]
    return "; ".join([text, *sizes])


def _build_argument_settings(option: Parameter) -> dict[str, Any]:
    """Return the keyword arguments for ``add_argument`` that say how an option's value is read and shown.

    Numbers are read as int or float and shown with their range; any other value stays a text.
    """
    if not isinstance(option, NumberParameter):
        return {"metavar": "TEXT"}
    ends = f"{option.low:g}..{option.high:g}" if option.low is not None and option.high is not None else "N"
    return {"type": int if option.whole else float, "metavar": ends}


def recipe_path(out: Path) -> Path:
    """Return the path of the recipe beside a sample file: ``people.recipe.toml`` for ``people.csv``."""
    return out.with_name(out.stem + ".recipe.toml")


def run(args: argparse.Namespace, console: Console) -> int:
    """Write a sample file and, beside it, its recipe; print both paths; return the exit code 0.

    Raise InputError if a file exists or cannot be written; existing files are kept. After any error the files written
    by this run are deleted.
    """
    sample = find_sample(args.name)
    options = {name: getattr(args, name) for name in sample_options()}
    rows = sample.settled(options).get(ROWS, sample.default_rows)
    data = _report_progress(sample.pieces(options), rows)
    written: list[Path] = []
    try:
        for path, blocks in ((args.out, data), (recipe_path(args.out), [sample.recipe().encode("utf-8")])):
            with path.open("xb") as file:
                written.append(path)
                file.writelines(blocks)
    except BaseException as error:
        for path in written:
            path.unlink(missing_ok=True)
        if not isinstance(error, OSError):
            raise
        raise InputError("error.output.not-written", file=str(path), args={"reason": Reason.of(error)}) from error
    console.lines(
        *(
            _("{name}: {value}", name=Term(_("Written")), value=Term(str(path)))
            for path in (args.out, recipe_path(args.out))
        )
    )
    return 0


def _report_progress(blocks: Iterator[bytes], rows: int) -> Iterator[bytes]:
    """Yield the blocks of a sample file unchanged, and report after each which share of ``rows`` is written.

    Each block counts as ``BLOCK`` rows.
    """
    for number, block in enumerate(blocks, 1):
        yield block
        progress.report(number * BLOCK / rows, "doing.sample")
