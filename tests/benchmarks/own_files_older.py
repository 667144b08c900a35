"""Print what a checkout of 88bc0c71 made of people's own files, as JSON: see ``tests.benchmarks.own_files --older``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def main(checkout: str, folder: Path) -> None:
    """Print name, what is read and what does not hold for each file of a folder, by the package of a checkout."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    import_module("tests.benchmarks")  # stays that of this checkout
    sys.path.insert(0, checkout)
    import_module("ppdm_desktop").__path__.append(checkout)  # its own resources, not those of the installed package
    reading, proposals = (import_module(f"ppdm_desktop.engine.table.reading{part}") for part in ("", ".proposals"))
    column = import_module("ppdm_desktop.engine.table.column").Column
    silent, read_source = import_module("ppdm_desktop.engine.progress").silent, reading.read_source

    def propose_in_turn(first: Any, read: Callable[[Any], Any]) -> tuple[Any, Any]:
        """Return all proposals, and the file as read with all of them taken, of several choices the first."""
        options = first.options.model_copy(update={"sha256": first.account.sha256})
        listed = proposals.propose(first, silent())
        for proposal in listed:
            options = proposal.taken(options, proposal.choices[0].section if proposal.choices else None)
        return listed, read(options)

    def read(path: Path, options: Any, *given: Any, **further: Any) -> Any:
        """Return how a file is read; a listener for progress may be left out."""
        return read_source(path, options, *(given or (silent(),)), **further)

    vars(proposals)["propose_in_turn"], vars(reading)["read_source"] = propose_in_turn, read
    for name in {"codebook", "missing_texts"} - {*dir(column)}:
        setattr(column, name, ())
    print(json.dumps(list(import_module("tests.benchmarks.own_files").cases(folder))))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
