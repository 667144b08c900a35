"""The kit's two scripts: reflected columns, and R beside Python where there is an R."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import kit_support
import numpy as np
import pytest

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.public.analysis_kit import KIT, LAW, R_SCRIPT, SCRIPT, kit_script

PYTHON, R = kit_script(SCRIPT).decode(), kit_script(R_SCRIPT).decode()
CONSTANTS = ("Z", "STOP", "MOST", "FLOOR", "CELLS", "DRAWS")
_TOKENS = re.compile(r"#[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[A-Za-z_.][\w.]*|[()\[\]{}]|\n|.")


def tokens(script: str) -> list[str]:
    """Return the words, brackets and signs of an R script, without comments, blanks and what strings hold."""
    found = (match[0] for match in _TOKENS.finditer(script))
    return ['""' if each[0] in "\"'" and len(each) > 1 else each for each in found if each[0] not in "# "]


def unbalanced(script: str) -> str:
    """Return the first bracket that does not fit, or those left open."""
    pairs, open_ = {")": "(", "]": "[", "}": "{"}, []
    for each in tokens(script):
        if each in pairs.values():
            open_.append(each)
        elif each in pairs and (not open_ or open_.pop() != pairs[each]):
            return each
    return "".join(open_)


# --- the R script, read and not run ---------------------------------------------------------


def test_both_scripts_have_the_same_constants_and_functions() -> None:
    module = kit_support.kit_module()
    for name in CONSTANTS:
        (stated,) = re.findall(rf"^{name} <- ([\d.]+)", R, re.MULTILINE)
        assert float(stated) == getattr(module, name)
    ours = set(re.findall(r"^def ([a-z]\w*)\(", PYTHON, re.MULTILINE)) - {"table"}
    theirs = set(re.findall(r"^([a-z]\w*) <- function\(", R, re.MULTILINE))
    assert ours <= theirs
    assert theirs - ours == {
        "here", "read_json", "place_in", "integral", "noisy_below", "turned_below", "print_table", "read_arguments"
    }  # fmt: skip


def test_the_r_script_is_whole_and_uses_base_r_alone() -> None:
    assert unbalanced(R) == ""
    for broken in (R.replace("function(", "function", 1), R + "}", R.replace("]]", "]", 1)):
        assert unbalanced(broken), "the check sees a bracket that is gone or too many"
    assert not re.search(r"TODO|FIXME|XXX|\?\?\?|\.\.\.|library\(|require\(|::|<<-\s*$", R)
    words = tokens(R)
    assert all(not (each == "else" and words[at - 1] == "\n") for at, each in enumerate(words)), "R ends there"
    own = set(re.findall(r"([a-z_]\w*) <- function\(", R))
    called = {each for each, after in itertools.pairwise(words) if after == "(" and re.match(r"[a-z]", each)}
    assert called - own == _BASE
    assert not {"url", "system", "system2", "download", "socketConnection", "eval", "source", "file"} & called


_WORDS = """
abs apply as.numeric as.vector c cat ceiling character colMeans colSums commandArgs crossprod diag diff
dirname dnorm do.call eigen file.path findInterval floor for function getwd grep grepl gsub if intToUtf8 is.na
is.null invisible lapply length list log lower.tri match matrix max max.col mean min names nchar ncol
normalizePath nrow numeric order outer paste paste0 pmax pmin pnorm rbind read.table readLines rep return
rmultinom rowSums sd seq seq_along seq_len set.seed solve sort sprintf sqrt stop strrep strsplit strtoi
structure sub sum suppressWarnings sweep switch sys.nframe tabulate unique unlist unname vapply which while
"""
"""All that is called: functions of base R, and words of the language that stand before a bracket."""
_BASE = set(_WORDS.split())


# --- a release with reflected noise ---------------------------------------------------------


def folder_of(folder: Path, rows: int = 800) -> Path:
    """Write a release folder by hand: X with noise that is added, Days with noise turned back at zero, C without."""
    rng = np.random.default_rng(5)
    group = rng.integers(2, size=rows)
    x = 20 + 6 * group + rng.normal(0, 5, rows)
    days = rng.poisson(4 + 3 * group).astype(float)
    y = 3 * x + rng.normal(0, 4, rows)
    shown = {
        "X, in m": [f"{each:.1f}" for each in x + rng.normal(0, 5, rows)],
        "Days": [str(int(each)) for each in turned(days, rng)],
        "Y": [f"{each:.1f}" for each in y],
        "C": [f"c{each}" for each in group],
    }
    shown["X, in m"][3] = ""
    lines = [",".join(f'"{name}"' for name in shown)]
    lines += [",".join(row) for row in zip(*shown.values(), strict=True)]
    (folder / KIT).mkdir(parents=True)
    (folder / "data.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    one = {"shares": [1.0], "correlation": [[1.0]]}
    law: dict[str, Any] = {
        "format": 1,
        "data_file": "data.csv",
        "decimal": ".",
        "delimiter": ",",
        "rows_are_people": True,
        "noise": [
            {"columns": ["X, in m"], "law": "gaussian", "sd": [[5.0]], "band": [[0.1]], "step": [0.1],
             "bounds": [None], "reflected_at": [None], "reflected_above": [None], **one},
            {"columns": ["Days"], "law": "gaussian", "sd": [[3.0]], "band": [[2.0]], "step": [1.0],
             "bounds": [[0.0, 20.0]], "reflected_at": [-0.5], "reflected_above": [None], **one},
        ],
    }  # fmt: skip
    (folder / KIT / LAW).write_text(json.dumps(law), encoding="utf-8")
    for name in (SCRIPT, R_SCRIPT):
        (folder / KIT / name).write_bytes(kit_script(name))
    return folder / KIT


def turned(values: Floats, rng: np.random.Generator) -> Floats:
    found = np.rint(np.abs(values + rng.normal(0, 3, len(values)) + 0.5) - 0.5)
    return np.asarray(found // 2 * 2 + rng.integers(2, size=len(values)))


def run(kit: Path, *arguments: str, with_r: bool = False) -> tuple[int, str]:
    program = ["Rscript", "--vanilla", str(kit / R_SCRIPT)] if with_r else [sys.executable, "-I", str(kit / SCRIPT)]
    done = subprocess.run([*program, *arguments], capture_output=True, text=True, check=False, cwd=kit)
    return done.returncode, done.stdout + done.stderr


ASKED: tuple[tuple[str, ...], ...] = (
    (),
    ("--regression", "Y", "X, in m"),
    ("--naive-bayes", "C", "X, in m", "Y"),
    ("--histogram", "Days", "--bars", "7"),
    ("--histogram", "X, in m", "--bars", "5", "--low", "0", "--high", "50"),
)


def test_what_is_not_corrected_for_a_reflected_column_is_said(tmp_path: Path) -> None:
    kit = folder_of(tmp_path / "release")
    code, said = run(kit)
    assert code == 0
    assert "Days: its noise is turned back at zero" in said
    assert "X, in m" in said
    for asked in (("--regression", "Y", "Days"), ("--naive-bayes", "C", "Days")):
        code, said = run(kit, *asked)
        assert code != 0
        assert "cannot be subtracted" in said


def test_the_histogram_of_a_reflected_column_is_corrected_and_covered() -> None:
    kit = kit_support.kit_module()
    group = {"columns": ["D"], "law": "gaussian", "shares": [1.0], "sd": [[3.0]], "band": [[2.0]], "step": [1.0],
             "bounds": [[0.0, 19.0]], "correlation": [[1.0]], "reflected_at": [-0.5],
             "reflected_above": [None]}  # fmt: skip
    rng = np.random.default_rng(3)
    truth = np.minimum(rng.poisson(5.0, 4_000), 19).astype(float)
    shown = turned(truth, rng)
    edges, shares, low, high = kit.histogram({"noise": [group]}, "D", shown, bars=5, draws=100)
    assert edges[0] == -0.5
    true = np.histogram(truth, edges)[0] / len(truth)
    straight = {**group, "reflected_at": [None]}
    added = kit.histogram({"noise": [straight]}, "D", shown, bars=5, draws=2)[1]
    assert np.abs(shares - true).sum() < 0.1
    assert np.abs(shares - true).sum() < 0.5 * np.abs(added - true).sum(), "the kernel of added noise is wrong here"
    assert ((low - 0.02 <= true) & (true <= high + 0.02)).all()


# --- R beside Python --------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R here: the script is read and not run")
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: " ".join(asked) or "plain")
def test_r_says_what_python_says(tmp_path: Path, asked: tuple[str, ...]) -> None:
    kit = folder_of(tmp_path / "release")
    (code, ours), (other, theirs) = run(kit, *asked), run(kit, *asked, with_r=True)
    assert (code, other) == (0, 0), theirs
    for one, two in zip(ours.splitlines(), theirs.splitlines(), strict=True):
        words, beside = one.split(), two.split()
        assert len(words) == len(beside)
        # Of a histogram, only the ends of the intervals hang on the language's own random numbers.
        loose = 2 if "--histogram" in asked else 0
        for place, (word, same) in enumerate(zip(words, beside, strict=True)):
            try:
                number = float(word)
            except ValueError:
                assert word == same
                continue
            wide = 0.06 if place >= len(words) - loose else 2e-4 * max(abs(number), 1e-3)
            assert abs(number - float(same)) <= wide
