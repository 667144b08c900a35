"""What every level was given, counted a second time with pandas alone: source file, released file, recipe, row map.

It shares no line with the program, and its lines say what those of ``level_recount`` say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
from scipy import stats

DEMANDS: dict[str, dict[str, float]] = {
    "normal": {"group": 5, "noise": 1.0, "swap": 0.5},
    "cautious": {"group": 10, "noise": 1.5, "swap": 0.6},
    "extra-cautious": {"group": 20, "noise": 2.0, "swap": 0.7},
    "paranoid": {"group": 50, "noise": 3.0, "swap": 1.0},
}
STRICTNESS = {name: place for place, name in enumerate(DEMANDS)}
LEAST = {"public": 11, "public-high-harm": 20, "research": 5, "internal": 3}
NOTHING_BY_LEVEL = ("additive-noise", "bit-plus-plus", "bit-minus-minus")
Found = tuple[float, float | None, int]
Line = tuple[int, str, str, int, float, float | None, int]


@dataclass
class Recount:
    """Source, released file, recipe and row map.

    ``rows`` is the source row (from 0) of each released row, ``groups`` the group of each source row where records
    were made anew by groups, and ``used`` the share and count that a swap stated, by column and level, where it
    could not give what was asked.
    """

    source: pd.DataFrame
    released: pd.DataFrame
    recipe: Mapping[str, Any]
    rows: Sequence[int]
    groups: Sequence[int] | None = None
    used: Mapping[tuple[str, str], tuple[float, int]] | None = None

    def lines(self) -> list[Line]:
        """Return (step, column, level, people, demand, least reached, people short) of each line, sorted."""
        roles = {name: section["role"] for name, section in self.recipe["columns"].items()}
        self.quasi = [name for name in self.source if roles[name] == "quasi-identifier"]
        wish = [name for name in self.source if roles[name] == "privacy-level"]
        self.level = self.source[wish[0]] if wish else pd.Series("normal", index=self.source.index)
        self.shown = self.released.set_axis(pd.Index(self.rows)).reindex(self.source.index)
        found: list[Line] = []
        for place, step in enumerate(self.recipe["steps"], start=1):
            method, given = step["method"], step.get("parameters", {})
            for name in DEMANDS if method not in NOTHING_BY_LEVEL else ():
                at = self.level == name
                for columns in self._sets(method, step.get("columns", self.quasi)) if at.any() else ():
                    if "swap" in method:
                        line = self._swap(columns[0], name, given)
                    elif method == "two-phase-noise":
                        line = self._noise(columns[0], at, DEMANDS[name]["noise"], given)
                    else:
                        line = self._company(method, columns, name, given)
                    found.append((place, ", ".join(columns), name, int(at.sum()), *line))
        return sorted(found, key=lambda line: line[:3])

    def _sets(self, method: str, columns: list[str]) -> list[list[str]]:
        if method == "data-reconstruction":
            return [self.quasi]
        alone = "swap" in method or method in ("two-phase-noise", "microaggregation")
        return [[name] for name in columns] if alone else [columns]

    def _company(self, method: str, columns: list[str], name: str, given: Mapping[str, Any]) -> Found:
        wanted = max(DEMANDS[name]["group"], LEAST[self.recipe["release"]["type"]])
        written = given.get("group", given.get("k"))
        if written is not None:
            wanted = max(written if name == "normal" else max(wanted, written), 2)
        keys = columns if method == "microaggregation" else self.quasi
        sizes = self.released.groupby(keys)[keys[0]].transform("size").set_axis(pd.Index(self.rows))
        if self.groups is not None:
            sizes = pd.Series(self.groups).groupby(list(self.groups)).transform("size")
        if method == "data-reconstruction":
            sizes = pd.Series(sizes.min(), index=self.source.index)
        seen = sizes.reindex(self.source.index)[self.level == name].dropna()
        if method == "generalize":
            seen = seen[seen >= wanted]
        return float(wanted), None if seen.empty else float(seen.min()), int((seen < wanted).sum())

    def _swap(self, column: str, name: str, given: Mapping[str, Any]) -> Found:
        source, truth, groups = self.source, self.source[column], given.get("obey_groups", True)
        cap = (truth[truth != ""].nunique() - 1) / truth[truth != ""].nunique()
        share = min(DEMANDS[name]["swap"], cap)
        if isinstance(written := given.get("proportion"), int | float):
            share = written if name == "normal" else max(share, written)
        kept = source.groupby(self.quasi)[column]
        pure = (kept.transform("nunique") == 1) & (kept.transform("min") != "")
        alone, changed = kept.transform("size") == 1, truth != self.shown[column]
        unique = pure & (alone | (not groups)) & (self.level == name)
        people, done = int(unique.sum()), int(changed[unique].sum())
        exact = round(share * people, 6)
        least, most = math.floor(exact), math.ceil(exact)
        if people >= 20:
            least = most = math.floor(exact + 0.5)
        if (column, name) in (self.used or {}):
            share, least = (self.used or {})[column, name]
            most = least
        short, reached = max(least - done, done - most, 0), done / people if people else None
        own = 0.0 if given.get("group_share") == "one-member" else float(given.get("group_share", 0.5))
        own = max(own, 0.0 if name == "normal" else min(max(min(DEMANDS[name]["swap"], cap), share), cap))
        lacking = [(0, 0.0)]
        for _, members in source[pure & ~alone].groupby(self.quasi) if groups else ():
            if self.level[members.index].map(STRICTNESS).max() == STRICTNESS[name]:
                exact, count = round(own * len(members), 6), int(changed[members.index].sum())
                off = max(max(math.floor(exact), 1) - count, count - max(math.ceil(exact), 1), 0)
                lacking.append((off, count / len(members)))
        if any(off for off, _ in lacking) and not short:
            reached = max(lacking, key=lambda pair: pair[0])[1]
        return share, reached, short + sum(off for off, _ in lacking)

    def _noise(self, column: str, at: pd.Series[bool], times: float, given: Mapping[str, Any]) -> Found:
        truth, seen = pd.to_numeric(self.source[column]), pd.to_numeric(self.shown[column])
        decimals = self.source[column].str.extract(r"\.(\d+)$")[0].str.len().max()
        grid = 10.0 ** -(0 if pd.isna(decimals) else int(decimals))
        sd = float(given.get("sd", truth.std(ddof=0) / math.sqrt(given.get("snr", 1.0))))
        sd *= 1.0 if given.get("mode") == "faithful" else times
        moved = (seen - truth)[at & truth.notna()]
        gone, there = int(moved.isna().sum()), moved.dropna()
        if there.empty:
            return sd, None, gone
        half = grid / 2 / sd
        still = min(half / math.sqrt(3), 1.0) if given.get("noise") == "uniform" else math.erf(half / math.sqrt(2))
        kept = int((there == 0).sum())
        short = kept if stats.binom.sf(kept - 1, len(there), still) < 1e-6 else 0
        if ((there.abs() + grid / 2) ** 2).sum() < sd**2 * stats.chi2.ppf(1e-6, len(there)):
            short = len(there)
        return sd, float((there**2).mean() ** 0.5), gone + short
