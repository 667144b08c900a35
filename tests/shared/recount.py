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
    could not give what was asked. ``person`` names the column that says whose row it is (each row is another person
    without one), and ``linked`` says that rows stand in order, so that a person's can be put together; people are
    counted, not rows.
    """

    source: pd.DataFrame
    released: pd.DataFrame
    recipe: Mapping[str, Any]
    rows: Sequence[int]
    groups: Sequence[int] | None = None
    used: Mapping[tuple[str, str], tuple[float, int]] | None = None
    person: str | None = None
    linked: bool = False

    def lines(self) -> list[Line]:
        """Return (step, column, level, people, demand, least reached, people short) of each line, sorted."""
        roles = {name: section["role"] for name, section in self.recipe["columns"].items()}
        self.quasi = [name for name in self.source if roles[name] == "quasi-identifier"]
        wish = [name for name in self.source if roles[name] == "privacy-level"]
        self.level = self.source[wish[0]] if wish else pd.Series("normal", index=self.source.index)
        index = self.source.index
        self.who = pd.Series(index, index=index) if self.person is None else self.source[self.person]
        self.shown = self.released.set_axis(pd.Index(self.rows)).reindex(self.source.index)
        found: list[Line] = []
        for place, step in enumerate(self.recipe["steps"], start=1):
            method, given = step["method"], step.get("parameters", {})
            for name in DEMANDS if method not in NOTHING_BY_LEVEL else ():
                at = self.level == name
                for columns in self._sets(method, step.get("columns", self.quasi), given) if at.any() else ():
                    if "swap" in method:
                        line = self._swap(columns, name, given)
                    elif method == "two-phase-noise":
                        line = self._noise(columns[0], at, DEMANDS[name]["noise"], given)
                    else:
                        line = self._company(method, columns, name, given)
                    found.append((place, ", ".join(columns), name, self.people(at), *line))
        return sorted(found, key=lambda line: line[:3])

    def people(self, rows: pd.Series[bool]) -> int:
        """Count the people who have some of the rows."""
        return int(self.who[rows].nunique())

    def _rows_of(self, table: pd.DataFrame, who: pd.Series[Any]) -> pd.Series[Any]:
        """Return each person's rows, put together."""
        rows = pd.Series(list(map(tuple, table.to_numpy())), index=table.index)
        return rows.groupby(who).agg(tuple)

    def _sets(self, method: str, columns: list[str], given: Mapping[str, Any]) -> list[list[str]]:
        if method == "data-reconstruction":
            return [self.quasi]
        alone = "swap" in method or method in ("two-phase-noise", "microaggregation")
        joint = [name for name in columns if name in given.get("together", ())]
        return [[name] for name in columns if name not in joint] + [joint] * bool(joint) if alone else [columns]

    def _company(self, method: str, columns: list[str], name: str, given: Mapping[str, Any]) -> Found:
        wanted = max(DEMANDS[name]["group"], LEAST[self.recipe["release"]["type"]])
        written = given.get("group", given.get("k"))
        if written is not None:
            wanted = max(written if name == "normal" else max(wanted, written), 2)
        keys = columns if method == "microaggregation" else self.quasi
        who = self.who.loc[list(self.rows)].reset_index(drop=True)
        if self.linked and method != "microaggregation":
            sets = self._rows_of(self.released[keys], who)
            sizes = who.map(sets.map(sets.value_counts()))
        else:
            sizes = who.groupby([self.released[key] for key in keys]).transform("nunique").groupby(who).transform("min")
        sizes = sizes.set_axis(pd.Index(self.rows))
        if self.groups is not None:
            sizes = pd.Series(self.groups).groupby(list(self.groups)).transform("size")
        if method == "data-reconstruction":
            sizes = pd.Series(sizes.min(), index=self.source.index)
        seen = sizes.reindex(self.source.index)[self.level == name].dropna()
        if method == "generalize":
            seen = seen[seen >= wanted]
        short = (seen < wanted).reindex(self.source.index, fill_value=False)
        return float(wanted), None if seen.empty else float(seen.min()), self.people(short)

    def _together(self, table: pd.DataFrame, columns: list[str]) -> pd.Series[Any]:
        """Return the values of some columns as one, empty where one of them is."""
        whole = table[columns].agg("\x1f".join, axis=1) if len(columns) > 1 else table[columns[0]]
        return whole.where(~(table[columns] == "").any(axis=1), "")

    def _swap(self, columns: list[str], name: str, given: Mapping[str, Any]) -> Found:
        column, groups = ", ".join(columns), given.get("obey_groups", True)
        truth, shown = self._together(self.source, columns), self._together(self.shown, columns)
        cap = (truth[truth != ""].nunique() - 1) / truth[truth != ""].nunique()
        share = min(DEMANDS[name]["swap"], cap)
        if isinstance(written := given.get("proportion"), int | float):
            share = written if name == "normal" else max(share, written)
        everybody = self._people_in_groups(truth, truth != shown)
        pure, alone, changed, level = everybody["pure"], everybody["alone"], everybody["changed"], everybody["level"]
        unique = pure & (alone | (not groups)) & (level == name)
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
        for _, members in everybody[pure & ~alone].groupby("group") if groups else ():
            if members["level"].map(STRICTNESS).max() == STRICTNESS[name]:
                exact, count = round(own * len(members), 6), int(changed[members.index].sum())
                off = max(max(math.floor(exact), 1) - count, count - max(math.ceil(exact), 1), 0)
                lacking.append((off, count / len(members)))
        if any(off for off, _ in lacking) and not short:
            reached = max(lacking, key=lambda pair: pair[0])[1]
        return share, reached, short + sum(off for off, _ in lacking)

    def _people_in_groups(self, truth: pd.Series[Any], changed: pd.Series[bool]) -> pd.DataFrame:
        """Return for each person whether they are alone, or in a group of one value, and in which."""
        found = pd.DataFrame({"who": self.who, "value": truth, "changed": changed, "level": self.level})
        if self.linked:
            found = found.assign(changed=changed.groupby(self.who).transform("any")).drop_duplicates("who")
            found["group"] = found["who"].map(self._rows_of(self.source[self.quasi], self.who))
        else:
            found["group"] = self.source.groupby(self.quasi).ngroup()
        kept = found.groupby("group")
        found["company"] = kept["who"].transform("nunique")
        found["alone"] = found["company"] == 1
        found["pure"] = (kept["value"].transform("nunique") == 1) & (kept["value"].transform("min") != "")
        found["pure"] |= found["alone"] & (found["value"] != "")
        found["changed"] = found["changed"].groupby(found["who"]).transform("any")
        # Of several rows the one alone, then the one of the smallest group of one value, then the first.
        order = found.assign(least=found["company"].where(found["pure"], math.inf)).sort_values("least", kind="stable")
        return order.drop_duplicates("who").sort_index()

    def _noise(self, column: str, at: pd.Series[bool], times: float, given: Mapping[str, Any]) -> Found:
        truth, seen = pd.to_numeric(self.source[column]), pd.to_numeric(self.shown[column])
        decimals = self.source[column].str.extract(r"\.(\d+)$")[0].str.len().max()
        grid = 10.0 ** -(0 if pd.isna(decimals) else int(decimals))
        sd = float(given.get("sd", truth.std(ddof=0) / math.sqrt(given.get("snr", 1.0))))
        sd *= 1.0 if given.get("mode") == "faithful" else times
        told = at & truth.notna()
        if self.person is not None and truth.groupby(self.who).nunique().max() == 1:
            told &= ~self.who[told].duplicated().reindex(told.index, fill_value=True)
        moved = (seen - truth)[told]
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
