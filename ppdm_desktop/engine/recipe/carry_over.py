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
    StepSection,
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

        It is the share of the `HASHES` ranges with equal hashes, ranges that are empty in both left out. 0 for
        different kinds or where one column has no hashes.
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


def fold_name(name: str) -> str:
    """Return a column's name without case, blanks, punctuation, umlauts, accents and years.

    >>> folded("Größe (2024)") == folded("groesse_2025")
    True
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_SPELT_OUT))
    return "".join(letter for letter in _YEAR.sub("", plain) if letter.isalnum())


def match_columns(old: Mapping[str, Profile | None], new: Mapping[str, Profile]) -> tuple[Match, ...]:
    """Return for each earlier column, in order, the new one: of the same name, of a like name, or of like content.

    Each new column is taken once. Names are alike if `fold_name` makes them equal, but prove nothing where a third
    column has the same folded name. Columns without a profile are not matched by content. ``new`` is "" where there is
    none ("gone") or where two are nearly as much alike ("asked").
    """
    matches = {name: Match(name, name, "same-name") for name in old if name in new}
    often = Counter(map(fold_name, old)) + Counter(fold_name(name) for name in new if name not in old)
    by_folded = {fold_name(name): name for name in new if name not in matches}
    for name in (name for name in old if name not in matches):
        key = fold_name(name)
        if key in by_folded and often[key] == 2:
            matches[name] = Match(name, by_folded[key], "like-name")
    taken = {match.new for match in matches.values()}
    left = {name: profile for name, profile in old.items() if name not in matches and profile is not None}
    matches |= _match_contents(left, {name: profile for name, profile in new.items() if name not in taken})
    return tuple(matches.get(name, Match(name, "", "gone")) for name in old)


def _match_contents(old: Mapping[str, Profile], new: Mapping[str, Profile]) -> dict[str, Match]:
    """Return by earlier column the match by content, pairs of similarity `LIKE` (0.5) or more, the most alike first.

    Earlier columns without a match are left out. Where another free pair with one of the two columns is at most 0.1
    less similar, ``new`` is "" and the user has to be asked.
    """
    pairs = sorted(((old[a].similarity(new[b]), a, b) for a in old for b in new), key=lambda pair: (-pair[0], pair[1:]))
    matches: dict[str, Match] = {}
    free = set(new)
    for value, earlier, name in pairs:
        if value < LIKE or earlier in matches or name not in free:
            continue
        waiting = {a for a in old if a not in matches or matches[a].why == "asked"}
        sharing = [near for near, a, b in pairs if (a == earlier) != (b == name) and b in free and a in waiting]
        if max(sharing, default=0.0) > value - _TOO_NEAR:
            matches[earlier] = Match(earlier, "", "asked")
        else:
            matches[earlier] = Match(earlier, name, "content")
            free.discard(name)
    return matches


def carried_recipe(recipe: Recipe, names: Mapping[str, str], sections: Mapping[str, ColumnSection]) -> Recipe:
    """Return an earlier recipe for a new file, without what holds for one file or one release only.

    Reasons, row numbers, hashes, review and approval stay behind, and so do answers that could weaken a check: the
    agreement, a quota, the population, that each row is a person. So do the columns that usefulness is measured by.

    Parameters
    ----------
    names
        New name of each earlier column that is carried.
    sections
        Sections of the new columns, by their names.
    """
    operator = {"review_date": None, "expires": None, "release_day": None, "approver": None}
    steps = (_carry_over_step(step, names) for step in recipe.steps)
    return recipe.model_copy(
        update={
            "input": InputSection().model_copy(update=_input(recipe.input, names)),
            "columns": dict(sections),
            "privacy": _carry_over_privacy(recipe.privacy, names),
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
            "utility": recipe.utility.model_copy(update={"targets": None, "models": None}),
            "release": recipe.release.model_copy(update={"agreement": False, "teaching_copy": False}),
            "operator": recipe.operator.model_copy(update=operator),
            "accept": {},
        }
    )


def _input(options: InputSection, names: Mapping[str, str]) -> dict[str, Any]:
    """Return how the earlier file was read, as changes of an empty ``[input]`` section with the new columns' names.

    These are the marks of missing values and the repairs of columns that are in ``names`` (new names by earlier ones).
    Who is a person, household, order and reduction to one row are carried only if all columns of the person are there.
    """
    is_carried = options.person is not None and set(options.person) <= set(names)
    repairs = options.repair if is_carried else options.repairs_of_cells
    repair = {names[name]: section for name, section in repairs.items() if name in names}
    kept: dict[str, Any] = {"missing": options.missing, "repair": repair}
    if is_carried:
        kept |= {
            "person": tuple(names[name] for name in options.person or ()),
            "household": names.get(options.household or ""),
            "order_by": names.get(options.order_by or ""),
            "reduce": options.reduce,
        }
    if is_carried and options.reduce is not None:
        columns = {names[name]: way for name, way in options.reduce.columns.items() if name in names}
        kept["reduce"] = options.reduce.model_copy(update={"columns": columns})
    return kept


def _renamed(value: Any, names: Mapping[str, str], gone: Collection[str]) -> Any:
    """Return a parameter's value with new names; None where it names a column that is gone.

    From lists and mappings the names that are gone are left out. Other values are unchanged.
    """
    if isinstance(value, Mapping):
        return {names.get(key, key): inner for key, inner in value.items() if key not in gone}
    if isinstance(value, list | tuple):
        return type(value)(_renamed(inner, names, ()) for inner in value if inner not in gone)
    if isinstance(value, str):
        return None if value in gone else names.get(value, value)
    return value


def _carry_over_step(step: StepSection, names: Mapping[str, str]) -> StepSection | None:
    """Return a step with the new names of the columns that are carried; None where it names columns and none is.

    Values of parameters that belong to other columns are dropped. A step that names no columns stays so.
    """
    columns = None if step.columns is None else tuple(names[name] for name in step.columns if name in names)
    if columns == ():
        return None
    gone = set(step.columns or ()) - set(names)
    values = {name: _renamed(value, names, gone) for name, value in step.parameters.items()}
    kept = {name: value for name, value in values.items() if value is not None}
    return step.model_copy(update={"columns": columns, "parameters": kept})


def _carry_over_privacy(privacy: PrivacySection, names: Mapping[str, str]) -> PrivacySection:
    """Return the levels for the columns that are carried, without rules for rows by number and rules on other columns.

    The meanings of words are dropped with the column of levels.
    """
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
