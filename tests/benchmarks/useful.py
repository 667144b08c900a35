"""How useful the versions are that the program offers: invented tables and public files, for researchers and for all.

    python -m tests.benchmarks.useful [--data FOLDER] [--only NAME ...] [--type research public] [--beside FOLDER ...]

A line for each file and type: versions offered and how many need no reason; of the first one its family, reasons,
"useful", and a model's gain as a share of what the original gives (learnt from the release, tested on other people:
AUC above a half, or R², of gradient boosting or a linear model, whichever is better on the original); rows that break
what always holds, by ``tests.benchmarks.believable_truths``; processor seconds to the first version and to all. All
are judged as their releases will be, with all learners: without reasons is what needs none then. Where the files of
``--data`` have recipes beside (``NAME.csv``, ``NAME.research.toml``, ``NAME.public.toml``), only these are looked at,
whole, and no model is.

Beside it: the method for groups alone, with the smallest group of the type; in research the best levels of the
quasi-identifiers for groups of five with at most 4 % left out, which is what ARX answers on the same lists; and what
others made of the same file: ``NAME.TYPE.csv`` in a folder.
``--inputs FOLDER`` writes the files for them. Last come the means, and how often ours are more useful.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import r2_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.algorithms.generalisation.column_levels import recodings_of
from ppdm_desktop.engine.methods.base.declaration import Family, methods_of
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate, with_steps
from ppdm_desktop.engine.release.foreign.comparing import compare
from ppdm_desktop.engine.release.planning.judging import Judge
from ppdm_desktop.engine.release.planning.plan import plan, settle
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.hierarchies import ANYTHING, Hierarchy
from tests.benchmarks.believable_truths import ends_of, is_number, meanings
from tests.benchmarks.useful_tables import Source, released_frame, sources

KEY = Key(hashlib.sha256(b"how useful").digest(), "system")
_MOST_ROWS, _MOST_WORDS = 8_000, 40
_OFFERED = "versions|without reasons|best useful of those|family|reasons|useful|model|impossible rows|first s|all s"


def features(shown: pd.DataFrame, source: pd.DataFrame, target: str) -> np.ndarray:
    """Return what a model learns from, shape (rows, features): middles of ranges, and shares of the words meant."""
    parts = []
    for name in source.columns.drop(target):
        if is_number(source[name]):
            parts.append(middles(shown, source, name)[:, None])
            continue
        words = source[name].value_counts().index[:_MOST_WORDS].tolist()
        texts = shown[name].tolist() if name in shown else ["*"] * len(shown)
        known = {text: meanings(text, words) for text in set(texts)}
        shares = {text: [(word in meant) / len(meant) for word in words] for text, meant in known.items()}
        parts.append(np.array([shares[text] for text in texts]))
    return np.asarray(np.nan_to_num(np.hstack(parts)))


def middles(shown: pd.DataFrame, source: pd.DataFrame, name: str) -> np.ndarray:
    """Return the middle of what each cell may stand for, the source's mean where nothing is known."""
    low, high = ends_of(source[name], source[name])
    mean = float(np.nanmean(low)) if np.isfinite(low).any() else 0.0
    if name not in shown:
        return np.full(len(shown), mean)
    least, most = float(np.nanmin(low)), float(np.nanmax(high))
    low, high = ends_of(source[name], shown[name])
    is_known = np.isfinite(low) | np.isfinite(high)
    return np.where(is_known, (np.maximum(low, least) + np.minimum(high, most)) / 2, mean)


def gain(release: pd.DataFrame, source: Source, learner: int) -> float:
    """Return what a model that learnt from a release predicts better of other people than chance would, 0 to 1."""
    target, people = source.target, source.people
    release = release.sample(min(len(release), _MOST_ROWS), random_state=1)
    if target not in release:
        return 0.0
    tested, test = source.held_out[target], features(source.held_out, people, target)
    numeric = is_number(people[target]) and people[target].nunique() > 2
    wanted = middles(release, people, target) if numeric else release[target].to_numpy()
    usable = np.ones(len(release), dtype=bool) if numeric else release[target].isin(set(people[target])).to_numpy()
    if len(set(wanted[usable])) < 2:
        return 0.0
    train = features(release, people, target)[usable]
    if numeric:
        model = (HistGradientBoostingRegressor(max_iter=80), make_pipeline(StandardScaler(), Ridge()))[learner]
        return max(float(r2_score(tested.astype(float), model.fit(train, wanted).predict(test))), 0.0)
    linear = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
    model = (HistGradientBoostingClassifier(max_iter=80), linear)[learner].fit(train, wanted[usable])
    right = float(roc_auc_score(tested == model.classes_[1], model.predict_proba(test)[:, 1]))
    return max(2 * right - 1, 0.0)


def share_of_gain(release: pd.DataFrame, source: Source) -> str:
    """Return what a model gains from a release as a share of its gain from the original; a dash without other people.

    These are the people held out.
    """
    if source.held_out.empty:
        return "–"
    original = [gain(source.people, source, learner) for learner in (0, 1)]
    learner = int(np.argmax(original))
    return f"{gain(release, source, learner) / max(original[learner], 1e-9):.2f}"


def impossible(release: pd.DataFrame, source: Source) -> str:
    """Return the share of rows that break what always holds in an invented table."""
    broken = [truth.broken(source.people, release) for truth in source.truths]
    return f"{np.any(broken, axis=0).mean():.1%}" if broken else "–"


def judged_words(verdict: Verdict) -> str:
    """Return whether a version is stopped, or how many reasons it needs."""
    return "stopped" if verdict.blocking else str(verdict.reasons_to_write)


def offered(prepared: Prepared, source: Source) -> list[str]:
    """Return the figures of what the program offers."""
    began, arrivals = time.process_time(), list[float]()
    planned = plan(prepared, (), lambda version: arrivals.append(time.process_time() - began), KEY)
    total = time.process_time() - began
    versions = [settle(prepared, version) for version in planned.versions]
    useful = [
        version.verdict.usefulness.useful.value or 0.0 for version in versions if judged_words(version.verdict) == "0"
    ]
    seconds = [f"{arrivals[0]:.1f}" if arrivals else "–", f"{total:.1f}"]
    if not versions:
        stops = ", ".join(blocking.check for blocking in planned.blocking) or "refused"
        return ["0", "0", "–", stops, *["–"] * 4, *seconds]
    star = versions[0]
    release = released_frame(run_candidate(with_steps(prepared, star.steps), star.key).released)
    shares = [
        f"{star.verdict.usefulness.useful.value or 0.0:.2f}",
        share_of_gain(release, source),
        impossible(release, source),
    ]
    best = f"{max(useful):.2f}" if useful else "–"
    return [str(len(versions)), str(len(useful)), best, star.family.id, judged_words(star.verdict), *shares, *seconds]


def alone(prepared: Prepared, source: Source, step: StepSection) -> list[str]:
    """Return reasons, "useful" and a model's share of gain of a release by one step."""
    try:
        judged = Judge(prepared, KEY).judge((step,))
    except PpdmError as refused:
        return [refused.id, "–", "–"]
    useful = judged.verdict.usefulness.useful.value or 0.0
    share = share_of_gain(released_frame(judged.candidate.released), source)
    return [judged_words(judged.verdict), f"{useful:.2f}", share]


def best_levels(prepared: Prepared, source: Source) -> list[str]:
    """Return the figures of the best levels of the quasi-identifiers; dashes in public, where the columns are too many.

    A column of words without a list of broader values is shown as it is or hidden.
    """
    if prepared.type.is_public:
        return ["–"] * 3
    known = prepared.table.with_role("quasi-identifier")
    listed = [
        replace(column, hierarchy=Hierarchy(dict.fromkeys(column.categories, (ANYTHING,)), 1))
        for column in known
        if len(recodings_of(column)) == 1
    ]
    step = StepSection(method="full-domain", columns=tuple(column.name for column in known))
    return alone(replace(prepared, table=prepared.table.replacing(*listed)), source, step)


def made_by_others(path: Path, released: Path, source: Source, recipe: dict[str, object]) -> list[str]:
    """Return "useful" and a model's share of gain of a file that somebody else made of the source."""
    if not released.exists():
        return ["–", "–"]
    useful = compare(path, released, parse_recipe(recipe), "none").verdict.usefulness.useful.value or 0.0
    return [f"{useful:.2f}", share_of_gain(pd.read_csv(released, dtype=str, keep_default_na=False), source)]


def line_of(source: Source, type: str, folder: Path, beside: Sequence[Path]) -> list[str]:
    """Return the line of one file and type."""
    path, recipe = write_input(source, type, folder)
    prepared = prepare(path, parse_recipe(recipe), need_type=True)
    rows, columns = source.people.shape
    line = [source.name, f"{rows} × {columns}", type, *offered(prepared, source)]
    line += alone(prepared, source, methods_of(Family.GROUPS)[0].new_step)
    line += best_levels(prepared, source)
    for other in beside:
        line += made_by_others(path, other / f"{source.name}.{type}.csv", source, recipe)
    return line


def write_input(source: Source, type: str, folder: Path) -> tuple[Path, dict[str, object]]:
    """Write a file and its recipe into a folder, if it has none beside, and return both."""
    path, recipe = folder / f"{source.name}.csv", source.recipe(type)
    if source.path is not None:
        return source.path, recipe
    source.people.to_csv(path, index=False)
    (folder / f"{source.name}.{type}.json").write_text(json.dumps(recipe), encoding="utf-8")
    return path, recipe


def main(arguments: Sequence[str]) -> int:
    """Print a line for each file and type, and the means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("PPDM_DATA"), help="folder of the public data sets")
    parser.add_argument("--only", nargs="+", default=[], help="these files")
    parser.add_argument("--type", nargs="+", default=["research", "public"])
    parser.add_argument("--beside", nargs="+", type=Path, default=[], help="folders of releases made by others")
    parser.add_argument("--inputs", type=Path, help="only write the files and recipes there")
    options = parser.parse_args(arguments)
    data = Path(options.data) if options.data is not None else None
    head = f"file|rows × columns|type|{_OFFERED}"
    head += "".join(f"|{name}: reasons|{name}: useful|{name}: model" for name in ("groups alone", "best levels"))
    head += "".join(f"|{path.name}: useful|{path.name}: model" for path in options.beside)
    lines = []
    print(f"| {head.replace('|', ' | ')} |\n|{'---|' * (head.count('|') + 1)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for source in sources(data, options.only):
            for type in options.type:
                if source.path is not None and not source.path.with_suffix(f".{type}.toml").exists():
                    continue
                if options.inputs is not None:
                    write_input(source, type, options.inputs)
                    continue
                lines.append(line_of(source, type, Path(folder), options.beside))
                print(f"| {' | '.join(lines[-1])} |", flush=True)
    if lines:
        table = pd.DataFrame(lines, columns=head.split("|")).replace("–", np.nan)
        for type in options.type:
            print(totals_of(type, table[table["type"] == type]))
    return 0


def totals_of(type: str, table: pd.DataFrame) -> str:
    """Return how many files have a version without reasons, the mean shares, and how often ours is better than others'.

    Ours is the first version, and the best of those without reasons. Of others it is also said for how many files the
    gate stops their output, and for how many it asks for no reason.
    """
    free = (table["without reasons"] != "0").sum()
    star, best = table["useful"].astype(float), table["best useful of those"].astype(float)
    parts = [
        f"{type}: {free} of {len(table)} files have a version without reasons; "
        f"useful {star.mean():.2f}, of the best without reasons {best.mean():.2f}"
    ]
    for column in table.columns[table.columns.str.endswith(": useful")]:
        name, theirs = column.removesuffix(": useful"), table[column].astype(float)
        reasons = table.get(f"{name}: reasons", pd.Series("", index=table.index))
        is_stopped = reasons == "stopped"
        part = f"{name} useful {theirs.mean():.2f} of {theirs.notna().sum()}"
        for which, ours in (("first", star), ("best", best)):
            better = ours > theirs
            part += f", {which} better in {better.sum()} ({(better | is_stopped).sum()} with those that the gate stops)"
        part += f", stopped {is_stopped.sum()}, without reasons {(reasons == '0').sum()}"
        parts.append(part)
    for column in ("model", *table.columns[table.columns.str.endswith(": model")]):
        parts.append(f"{column} {table[column].astype(float).mean():.2f}")
    return "; ".join(parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
