"""Matches the columns of an earlier file with those of a new one, and adapts the earlier recipe to the new file."""

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
"""Smallest similarity at which two columns with different names are taken for the same column."""
_TOO_NEAR = 0.1
"""If the second-best column is less than this much less similar than the best one, a person has to choose."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe"})
Why = Literal["same-name", "like-name", "content", "asked", "gone"]


@pydantic.dataclasses.dataclass(frozen=True)
class Profile:
    """A summary of a column's content that a project keeps; no value can be read from it without this computer's key.

    Attributes
    ----------
    kind
        Kind of the column, as guessed from the file.
    missing
        Share of missing cells.
    distinct
        Binary logarithm of the number of different values.
    hashes
        The smallest hash in each of `HASHES` (64) equal ranges, 8 hexadecimal digits each, over the column's values
        weighted by their share. Empty if there are none.
    """

    kind: str
    missing: float
    distinct: float
    hashes: Annotated[str, pydantic.Field(pattern=f"^([0-9a-f]{{{HASHES * _DIGITS}}})?$")] = ""

    def similarity(self, profile: Profile) -> float:
        """Return how similar the contents of two columns are, from 0 to 1.

        It is the share of the 64 hash ranges in which both columns have the same hash; ranges that are empty in both do
        not count. It is 0 for columns of different kinds, or if one of them has no hashes.
        """
        if self.kind != profile.kind or not self.hashes or not profile.hashes:
            return 0.0
        starts = range(0, HASHES * _DIGITS, _DIGITS)
        pairs = [(self.hashes[start : start + _DIGITS], profile.hashes[start : start + _DIGITS]) for start in starts]
        filled = [pair for pair in pairs if pair != (_EMPTY, _EMPTY)]
        return sum(mine == theirs for mine, theirs in filled) / max(len(filled), 1)


PROFILES = pydantic.TypeAdapter(dict[str, Profile])
"""Converts the profiles of columns, by name, from and to plain data."""


@dataclass(frozen=True)
class Match:
    """An earlier column, the new column that replaces it, and why.

    ``new`` is "" if no column replaces it (``why`` is "gone") or if a person has to choose ("asked").
    """

    old: str
    new: str
    why: Why


def fold_name(name: str) -> str:
    """Return a column's name in small letters without blanks, punctuation, accents and years; umlauts are spelt out.

    For example, both "Größe (2024)" and "groesse_2025" become "groesse".
    """
    plain = unicodedata.normalize("NFKD", name.casefold().translate(_SPELT_OUT))
    return "".join(letter for letter in _YEAR.sub("", plain) if letter.isalnum())


def match_columns(old: Mapping[str, Profile | None], new: Mapping[str, Profile]) -> tuple[Match, ...]:
    """Return for each earlier column, in order, the new column of the same name, else of a like name or like content.

    Each new column is used at most once. Names are alike if `fold_name` makes them equal and no third column, earlier
    or new, has the same folded name. Contents are only compared for columns that no name matches; earlier ones without
    a profile (None) are not compared. ``new`` is "" in the match if no column fits ("gone"), or if two new columns fit
    an earlier one, or two earlier ones the same new one, almost equally well ("asked").
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
    """Return matches by earlier column for pairs whose contents are similar, the most similar pairs first.

    Similar means at least `LIKE` (0.5). Earlier columns that match nothing are left out. If another possible pair with
    one of the two columns is less than 0.1 less similar, ``new`` is "" and the user has to choose ("asked").
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
    """Return the earlier recipe adapted to a new file, without most of what holds for one file or one release only.

    Left out are the written reasons for accepting failed checks, the options with which the file was read (except those
    of `_adapt_input_section`: texts that mean missing, repairs, and which rows belong to a person), row numbers,
    hashes, the approver, the days of review, expiry and release, the columns and regressions by which usefulness is
    measured, and answers that could weaken a check: the recipients' agreement, a teaching copy, a quota, the
    population, and that each row is a different person. A rule about values is dropped if one of its columns is not
    carried over, and a step if all of them are not. Everything else stays, also the operator's other texts and the
    answers in printed forms.

    Parameters
    ----------
    names
        New name of each earlier column that is carried over, by its earlier name.
    sections
        The recipe's sections for the new columns, by their names.
    """
    operator = {"review_date": None, "expires": None, "release_day": None, "approver": None}
    steps = (_carry_over_step(step, names) for step in recipe.steps)
    return recipe.model_copy(
        update={
            "input": InputSection().model_copy(update=_adapt_input_section(recipe.input, names)),
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


def _adapt_input_section(options: InputSection, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings for reading the earlier file that also hold for the new one, for its ``[input]`` section.

    They are the texts that mean a missing value, and the repairs of columns in ``names`` (new names by earlier ones).
    The columns for person, household and order, and the reduction to one row per person, are only included if all
    columns that identify a person are carried over. Repairs within a person are as well. A household or order column
    that is not carried over is None, and the reduction of a column that is not is dropped.
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


def _rename_columns_in_value(value: Any, names: Mapping[str, str], gone: Collection[str]) -> Any:
    """Return a parameter's value with the new names of columns; None if it is the name of a column that is gone.

    Names of gone columns are removed from a list and from the keys of a mapping. Of a mapping, only the keys are
    renamed. Values that are no names of columns stay unchanged. TypeError for a list that has a list or mapping in it.

    Parameters
    ----------
    names
        New names by earlier ones.
    gone
        Earlier names of the step's columns that the new file does not have.
    """
    if isinstance(value, Mapping):
        return {names.get(key, key): inner for key, inner in value.items() if key not in gone}
    if isinstance(value, list | tuple):
        return type(value)(_rename_columns_in_value(inner, names, ()) for inner in value if inner not in gone)
    if isinstance(value, str):
        return None if value in gone else names.get(value, value)
    return value


def _carry_over_step(step: StepSection, names: Mapping[str, str]) -> StepSection | None:
    """Return a step with the new names of its columns; None if the step names columns and none of them is carried over.

    Parameter values for columns of the step that are not carried over are dropped. A step that names no columns still
    names none, and all its parameters are kept.
    """
    columns = None if step.columns is None else tuple(names[name] for name in step.columns if name in names)
    if columns == ():
        return None
    gone = set(step.columns or ()) - set(names)
    values = {name: _rename_columns_in_value(value, names, gone) for name, value in step.parameters.items()}
    kept = {name: value for name, value in values.items() if value is not None}
    return step.model_copy(update={"columns": columns, "parameters": kept})


def _carry_over_privacy(privacy: PrivacySection, names: Mapping[str, str]) -> PrivacySection:
    """Return the privacy levels for the new file, with the new names of the columns that are carried over.

    Rules for rows by number, and rules about columns that are not carried over, are dropped. If the column of levels is
    not carried over, the meanings of its words are dropped as well.
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
