"""Judge releases in the code of another checkout: a script that imports nothing of this one.

It is told what to do by a JSON document on its standard input (`first_version.py`) and answers one line a release.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

_ENGINE = "ppdm_desktop.engine"


def _engine(name: str) -> Any:
    return importlib.import_module(f"{_ENGINE}.{name}")


def _candidate(job: Mapping[str, Any]) -> Any:
    """Make the release with the older code, and plant what stands in its file."""
    silent, key = _engine("progress").silent, _engine("randomness").Key
    recipe = _engine("recipe.load").parse_recipe(dict(job["recipe"]))
    prepared = _engine("release.pipeline").prepare(Path(job["source"]), recipe, silent(), need_type=True)
    made = _engine("release.pipeline").run_candidate(prepared, key(bytes.fromhex(job["key"]), job["origin"]), silent())
    return _with_cells(made, job["planted"]) if job["planted"] else made


def _with_cells(made: Any, columns: Mapping[str, Sequence[str]]) -> Any:
    last, everything = made.steps[-1], np.arange(made.final.rows)
    changed = [made.final.column(name).with_values(everything, list(values)) for name, values in columns.items()]
    after = made.final.replacing(*changed)
    recount = last.method.recount_run(last.before, after, last.settings, last.result)
    record = replace(last, result=replace(last.result, table=after), recount=recount)
    released = made.released.replacing(*(after.column(name).take(made.row_order) for name in columns))
    return replace(made, steps=(*made.steps[:-1], record), final=after, released=released)


def _said(job: Mapping[str, Any]) -> dict[str, Any]:
    error = _engine("errors").PpdmError
    try:
        made = _candidate(job)
    except error as refused:
        return {"name": job["name"], "refused": f"{refused.id} {refused.args}"[:300]}
    began = time.process_time()
    judged = _engine("release.judging").judge(made, {}, attacks=None if job["attacks"] else ())
    seconds = time.process_time() - began
    standing = _engine("release.standing").standing_of(judged, None)
    by_status = {
        status: [each.id for each in judged.checks if each.status in of]
        for status, of in (("red", ("red",)), ("amber", ("amber", "not-run")))
    }
    short = list(standing.short_of)
    return {"name": job["name"], **by_status, "short": short, "seconds": seconds}


def main() -> None:
    """Judge what the standard input says, in the code that is found on the path."""
    for each in json.load(sys.stdin):
        print(json.dumps(_said(each)), flush=True)


if __name__ == "__main__":
    main()
