"""Columns of an earlier file matched with those of a new one, and the earlier recipe carried over to it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pydantic

from ppdm_desktop.engine.recipe.models import (
    ColumnSection,
    InputSection,
    PrivacySection,
    Recipe,
    ReduceSection,
    StepSection,
    UtilitySection,
)

HASHES = 64
_DIGITS = 8
_EMPTY = "f" * _DIGITS
LIKE = 0.5
"""Similarity from which on two columns of different names are taken for the same."""
_TOO_NEAR = 0.1
"""Where a second column is so near to the best one, a person has to say which it is."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe"})
Why = Literal["same-name", "like-name", "content", "asked", "gone"]


@pydantic.dataclasses.dataclass(frozen=True)
class Profile:
    """What a project keeps of a column's content; no value can be read from it without this computer's key.

    Attributes
    ----------
    kind
        Kind as guessed from the file.
    missing
        Share of missing cells.
    distinct
        Binary logarithm of the number of different values.
    hashes
        Smallest hash in each of `HASHES` equal ranges, 8 hexadecimal digits each, of values weighted by their share.
    """

    kind: str
    missing: float
    distinct: float
    hashes: Annotated[str, pydantic.Field(pattern=f"^([0-9a-f]{{{HASHES * _DIGITS}}})?$")] = ""

    def similarity(self, profile: Profile) -> float:
        """Return how much of the content of two columns of one kind is common, from 0 to 1.

        0 for different kinds or no content.
        """
        if self.kind != profile.kind or not self.hashes or not profile.hashes:
            return 0.0
        starts = range(0, HASHES * _DIGITS, _DIGITS)
        pairs = [(self.hashes[start : start + _DIGITS], profile.hashes[start : start + _DIGITS]) for start in starts]
        filled = [pair for pair in pairs if pair != (_EMPTY, _EMPTY)]
        return sum(mine == theirs for mine, theirs in filled) / max(len(filled), 1)


PROFILES = pydantic.TypeAdapter(dict[str, Profile])
"""Reads and writes the profiles of columns as plain data."""


@dataclass(frozen=True)
class Match:
    """An earlier column and the new one that it is taken for; "" where there is none or a person has to say."""

    old: str
    new: str
    why: Why


def folded(name: str) -> str:
    """Return a column's name without case, blanks, punctuation, umlauts, accents and years.

    >>> folded("Größe (2024)") == folded("groesse_2025")
    True
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_SPELT_OUT))
    return "".join(letter for letter in _YEAR.sub("", plain) if letter.isalnum())


def match_columns(old: Mapping[str, Profile | None], new: Mapping[str, Profile]) -> tuple[Match, ...]:
    """Return for each earlier column, in order, the new one: of the same name, of a like name, or of like content.

    Each new column is taken once. Names that are alike twice in one of the files are no proof. ``new`` is "" where
    there is none ("gone") or where two are nearly as much alike ("asked").
    """
    matches = {name: Match(name, name, "same-name") for name in old if name in new}
    often = Counter(map(folded, old)) + Counter(folded(name) for name in new if name not in old)
    by_folded = {folded(name): name for name in new if name not in matches}
    for name in (name for name in old if name not in matches):
        key = folded(name)
        if key in by_folded and often[key] == 2:
            matches[name] = Match(name, by_folded[key], "like-name")
    taken = {match.new for match in matches.values()}
    left = {name: profile for name, profile in old.items() if name not in matches and profile is not None}
    matches |= _match_contents(left, {name: profile for name, profile in new.items() if name not in taken})
    return tuple(matches.get(name, Match(name, "", "gone")) for name in old)


def _match_contents(old: Mapping[str, Profile], new: Mapping[str, Profile]) -> dict[str, Match]:
    """Return matches of columns whose contents are alike, the most alike first.

    Earlier columns without one are left out. Where another pair is nearly as much alike, the new column is "" and the
    user has to be asked.
    """
    likeness = [(old[a].similarity(new[b]), a, b) for a in old for b in new]
    matches: dict[str, Match] = {}
    free = set(new)

    def is_rival(near: float, value: float, earlier: str, name: str) -> bool:
        """Return whether a pair that shares a column with the present one is nearly as much alike."""
        is_open = name in free and (earlier not in matches or matches[earlier].why == "asked")
        return is_open and near > value - _TOO_NEAR

    for value, earlier, name in sorted(likeness, key=lambda found: (-found[0], found[1], found[2])):
        if value < LIKE or earlier in matches or name not in free:
            continue
        sharing = [pair for pair in likeness if (pair[1] == earlier) != (pair[2] == name)]
        if any(is_rival(near, value, a, b) for near, a, b in sharing):
            matches[earlier] = Match(earlier, "", "asked")
        else:
            matches[earlier] = Match(earlier, name, "content")
            free.discard(name)
    return matches


def carried_recipe(recipe: Recipe, names: Mapping[str, str], sections: Mapping[str, ColumnSection]) -> Recipe:
    """Return an earlier recipe for a new file, without what holds for one file or one release only.

    Reasons, row numbers, hashes, review and approval stay behind, and so do answers that could weaken a check: the
    agreement, a quota, the population.

    Parameters
    ----------
    names
        New name of each earlier column that is carried.
    sections
        Sections of the new columns, by their names.
    """
    renamed = _Renamed(names)
    options = recipe.input
    kept: dict[str, Any] = {
        "missing": options.missing,
        "repair": {names[name]: section for name, section in options.repair.items() if name in names},
        "person": renamed.all_of(options.person),
        "household": names.get(options.household or ""),
        "one_row_per_person": options.one_row_per_person,
        "order_by": names.get(options.order_by or ""),
        "reduce": None if options.reduce is None else _reduced(options.reduce, names),
    }
    if kept["person"] is None:
        kept |= {"household": None, "order_by": None, "reduce": None}
        without = {name: section.model_copy(update={"within_person": None}) for name, section in kept["repair"].items()}
        kept["repair"] = {name: section for name, section in without.items() if section.in_reading}
    operator = {"review_date": None, "expires": None, "release_day": None, "approver": None}
    steps = (_step(step, renamed) for step in recipe.steps)
    return recipe.model_copy(
        update={
            "input": InputSection().model_copy(update=kept),
            "columns": dict(sections),
            "privacy": _privacy(recipe.privacy, names),
            "rules": tuple(
                rule.model_copy(
                    update={
                        "columns": tuple(names[name] for name in rule.columns),
                        "minus": rule.minus and tuple(names[name] for name in rule.minus if name in rule.columns),
                    }
                )
                for rule in recipe.rules
                if set(rule.columns) <= set(names)
            ),
            "steps": tuple(step for step in steps if step is not None),
            "risk": recipe.risk.model_copy(update={"population": None}),
            "population": None,
            "utility": _utility(recipe.utility, renamed),
            "release": recipe.release.model_copy(update={"agreement": False, "teaching_copy": False}),
            "operator": recipe.operator.model_copy(update=operator),
            "accept": {},
        }
    )


class _Renamed:
    """New names of columns, put in the place of the earlier ones."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def all_of(self, columns: Collection[str] | None) -> tuple[str, ...] | None:
        """Return the new names of all columns; None where one is not carried."""
        if columns is None or not set(columns) <= set(self.names):
            return None
        return tuple(self.names[name] for name in columns)

    def those_of(self, columns: Collection[str]) -> tuple[str, ...]:
        """Return the new names of those columns that are carried."""
        return tuple(self.names[name] for name in columns if name in self.names)

    def value(self, value: Any, gone: Collection[str]) -> Any:
        """Return a parameter's value with new names; None where it names a column that is gone.

        From lists and mappings the names that are gone are left out. Other values are unchanged.
        """
        if isinstance(value, Mapping):
            return {self.names.get(key, key): inner for key, inner in value.items() if key not in gone}
        if isinstance(value, list | tuple):
            return type(value)(self.value(inner, ()) for inner in value if inner not in gone)
        if isinstance(value, str):
            return None if value in gone else self.names.get(value, value)
        return value


def _step(step: StepSection, renamed: _Renamed) -> StepSection | None:
    """Return a step for the columns that are carried; None where none of its columns is."""
    columns = None if step.columns is None else renamed.those_of(step.columns)
    if columns == ():
        return None
    gone = set(step.columns or ()) - set(renamed.names)
    values = {name: renamed.value(value, gone) for name, value in step.parameters.items()}
    kept = {name: value for name, value in values.items() if value is not None}
    return step.model_copy(update={"columns": columns, "parameters": kept})


def _privacy(privacy: PrivacySection, names: Mapping[str, str]) -> PrivacySection:
    """Return the levels for the columns that are carried, without rows by number and rules on other columns."""
    column = names.get(privacy.column or "")
    rules = []
    for rule in privacy.rules:
        if all(condition.column is None or condition.column in names for condition in rule.where):
            where = (
                condition.model_copy(update={"column": names.get(condition.column or "")}) for condition in rule.where
            )
            rules.append(rule.model_copy(update={"where": tuple(where)}))
    words = {} if column is None else privacy.words
    return privacy.model_copy(update={"column": column, "words": words, "rules": tuple(rules), "rows": ()})


def _reduced(reduce: ReduceSection, names: Mapping[str, str]) -> ReduceSection:
    """Return how a person's rows become one, for the columns that are carried."""
    columns = {names[name]: way for name, way in reduce.columns.items() if name in names}
    return reduce.model_copy(update={"columns": columns})


def _utility(utility: UtilitySection, renamed: _Renamed) -> UtilitySection:
    """Return what usefulness is measured against, for the columns that are carried.

    None for what has none of them left.
    """
    targets = None if utility.targets is None else renamed.those_of(utility.targets) or None
    models = tuple(
        model.model_copy(update={"y": renamed.names[model.y], "x": renamed.all_of(model.x)})
        for model in utility.models or ()
        if {model.y, *model.x} <= set(renamed.names)
    )
    return utility.model_copy(update={"targets": targets, "models": models or None})
