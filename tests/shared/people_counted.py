"""What an intruder learns where people have several rows, counted with pandas; nothing is shared with the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Counted:
    """The figures of one measure, in people.

    Attributes
    ----------
    matches
        By person, in the order of their first rows: people they cannot be told from.
    prosecutor
        By person: the chance of a right match.
    sizes
        People in each class, sorted.
    unique, collective, groups, no_value
        Identifiable people by the confidential column, the groups that give it away, and who has no value.
    """

    matches: list[int]
    prosecutor: list[float]
    sizes: list[int]
    unique: int
    collective: int
    groups: int
    no_value: int


def by_one_row(frame: pd.DataFrame, person: str, quasi: Sequence[str], secret: str) -> Counted:
    """Count by one row that is known; empty texts are missing."""
    key = frame[list(quasi)].agg("\x1f".join, axis=1)
    facts = pd.DataFrame({"person": frame[person], "key": key, "secret": frame[secret]})
    people = facts.groupby("key")["person"].nunique()
    order = facts["person"].drop_duplicates()
    alike = facts["key"].map(people)
    held = facts.groupby(["key", "person"]).size().rename("own").reset_index()
    held["share"] = held["own"] / held["key"].map(facts["key"].value_counts())
    values = facts.groupby("key")["secret"].agg(lambda shown: shown.nunique() == 1 and (shown != "").all())
    unique = (alike == 1) & (facts["secret"] != "")
    group = (alike > 1) & facts["key"].map(values)
    whose_unique = set(facts.loc[unique, "person"])
    return Counted(
        matches=alike.groupby(facts["person"]).min().loc[order].tolist(),
        prosecutor=held.groupby("person")["share"].max().loc[order].tolist(),
        sizes=sorted(people.tolist()),
        unique=len(whose_unique),
        collective=len(set(facts.loc[group, "person"]) - whose_unique),
        groups=facts.loc[group, "key"].nunique(),
        no_value=int((facts["secret"] == "").groupby(facts["person"]).all().sum()),
    )


def by_all_rows(frame: pd.DataFrame, person: str, quasi: Sequence[str], secret: str, *, ordered: bool) -> Counted:
    """Count by all rows of a person, as a multiset or a sequence."""

    def together(columns: Sequence[str]) -> pd.Series:
        key = frame[list(columns)].agg("\x1f".join, axis=1)
        as_one = tuple if ordered else (lambda each: tuple(sorted(each)))
        return key.groupby(frame[person]).agg(as_one)

    order = frame[person].drop_duplicates()
    sets, valued = together(quasi).loc[order], together([*quasi, secret]).loc[order]
    missing = (frame[secret] == "").groupby(frame[person])
    none, some = missing.all().loc[order], missing.any().loc[order]
    counts = sets.map(sets.value_counts())
    # The first of its kind says more than a count of tuples, which pandas takes for an index of several levels.
    number = valued.map({value: place for place, value in enumerate(dict.fromkeys(valued))})
    group_of = sets.map({value: place for place, value in enumerate(dict.fromkeys(sets))})
    one = number.groupby(group_of).nunique().eq(1) & ~some.groupby(group_of).any()
    group = (counts > 1) & group_of.map(one)
    return Counted(
        matches=counts.tolist(),
        prosecutor=(1 / counts).tolist(),
        sizes=sorted(group_of.value_counts().tolist()),
        unique=int(((counts == 1) & ~none).sum()),
        collective=int(group.sum()),
        groups=int(group_of[group].nunique()),
        no_value=int(none.sum()),
    )
