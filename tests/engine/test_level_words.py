"""What the words of a level column mean: any level for any word, nothing silently, nobody forgotten."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe, to_document
from ppdm_desktop.engine.recipe.models import PrivacySection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import LevelMap, RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.record_levels import Statuses, resolve_levels
from ppdm_desktop.engine.wording.texts import level_title, render, words_of_levels
from ppdm_desktop.engine.wording.values import Names, Term, Terms
from tests.golden.people import employee

MEANT = {
    "low": "normal", "": "normal", "normal": "cautious", "Normal": "cautious", "high": "extra-cautious",
    "hoch": "extra-cautious",
}  # fmt: skip


def table_of(words: list[str], first_row: int = 2) -> Table:
    column = Column.from_texts("Wish", words, role="privacy-level")
    return Table((column,), np.arange(first_row, first_row + len(words)))


def resolved(table: Table, reduced: People | None = None, **privacy: Any) -> RecordLevels:
    none = np.zeros(table.rows, dtype=np.bool_)
    section = PrivacySection.model_validate(privacy)
    return resolve_levels(table, section, LevelMap(), lambda: Statuses(none, none), reduced)


def names_of(levels: RecordLevels) -> list[str]:
    return [levels.levels[code].name for code in levels.codes]


def personnel() -> list[str]:
    return [employee(i)[-1] or "" for i in range(800)]


def test_the_payroll_asks_as_its_page_says() -> None:
    words = personnel()
    assert Counter(words) == {"low": 200, "normal": 431, "high": 160, "Normal": 4, "hoch": 1, "": 4}
    levels = resolved(table_of(words), words=MEANT)
    counts = dict(zip([level.name for level in levels.levels], levels.counts.tolist(), strict=True))
    assert counts == {"normal": 204, "cautious": 435, "extra-cautious": 161}
    assert levels.sources["column"] == 596


def test_a_word_may_mean_the_weakest_level_also_where_it_is_anothers_name() -> None:
    levels = resolved(
        table_of(["paranoid", "normal", "cautious "]), words={"paranoid": "normal", "normal": "paranoid", "cautious": 7}
    )
    assert names_of(levels) == ["normal", "paranoid", "group 7"]


def refused(cells: list[str], people: People | None = None, /, **privacy: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        resolved(table_of(cells, first_row=6), people, **privacy)
    return caught.value


def test_a_word_without_a_meaning_is_refused_with_its_people_and_rows() -> None:
    meant = {word: level for word, level in MEANT.items() if word not in ("hoch", "Normal")}
    error = refused(personnel(), words=meant)
    assert (error.id, error.column, error.row) == ("error.levels.word-without-meaning", "Wish", 157)
    sentence = render(error.id, error.arguments).sentence
    assert sentence.startswith("The recipe does not say what “")
    assert sentence.endswith("This concerns 5 people.")
    found = error.arguments["found"]
    assert isinstance(found, Names)
    assert set(found.texts) == {"Normal", "hoch"}
    assert error.arguments["rows"] == Terms(("157", "357", "417", "557", "757"))


def test_an_empty_cell_without_a_meaning_is_refused() -> None:
    error = refused(personnel(), words={word: level for word, level in MEANT.items() if word})
    assert error.id == "error.levels.no-word"
    assert render(error.id, error.arguments).sentence == (
        "4 people have no word for the protection level. First rows: 156, 356, 556 and 756."
    )


def test_with_words_nothing_means_itself_but_whole_numbers() -> None:
    assert refused(["cautious", "low"], words={"low": "normal"}).arguments["found"] == Names(("cautious",))
    assert names_of(resolved(table_of(["12", "low"]), words={"low": "normal"})) == ["group 12", "normal"]


def test_without_words_it_is_as_it_was() -> None:
    assert names_of(resolved(table_of(["", "cautious", "7"]))) == ["normal", "cautious", "group 7"]
    error = refused(["", "low", "cautious", "low"])
    assert (error.id, error.row, error.arguments["people"]) == ("error.levels.unknown-text", 7, 2)


def test_people_are_counted_and_not_their_rows() -> None:
    one = People(np.array([0, 0, 0, 1, 2]), np.zeros(5, dtype=np.bool_))
    assert refused(["x", "x", "low", "x", "low"], one, words={"low": "normal"}).arguments["people"] == 2


def test_a_meaning_that_is_no_level_names_its_key() -> None:
    with pytest.raises(RecipeError) as caught:
        resolved(table_of(["low"]), words={"low": "lowest"})
    assert caught.value.arguments["key"] == Term('privacy.words."low"')


def test_words_are_the_same_but_for_blanks_around_them() -> None:
    assert names_of(resolved(table_of([" low", "low "]), words={" low ": "cautious"})) == ["cautious"] * 2
    document = {"recipe": 1, "privacy": {"words": {"low": "normal", " low": "cautious"}}}
    with pytest.raises(RecipeError, match="bad-value"):
        parse_recipe(document)
    kept = {"recipe": 1, "privacy": {"words": {"": "normal", "low": 7}}}
    assert to_document(parse_recipe(kept)) == kept


LEVELS = st.sampled_from(["normal", "cautious", "extra-cautious", "paranoid", 3, 12, 80])
WORDS = st.sampled_from(["", "a", "b", "normal", "paranoid", "9", "12"])


@given(words=st.lists(WORDS, min_size=1, max_size=12), meant=st.dictionaries(WORDS, LEVELS, min_size=1), default=LEVELS)
def test_every_person_gets_what_their_word_means_and_never_less_than_all(
    words: list[str], meant: dict[str, str | int], default: str | int
) -> None:
    lacking = [word for word in words if word not in meant and not word.isdigit()]
    if lacking:
        error = refused(words, words=meant, default=default)
        wanted = [word for word in lacking if word] or lacking
        assert error.arguments["people"] == len(wanted)
        assert error.row == 6 + next(place for place, word in enumerate(words) if word in wanted)
        return
    levels = LevelMap()
    found = resolved(table_of(words), words=meant, default=default)
    for word, code in zip(words, found.codes, strict=True):
        asked = [levels.find(str(each)) for each in (default, meant.get(word, word))]
        assert LevelMap.strictness(found.levels[code]) == max(LevelMap.strictness(each) for each in asked if each)


def test_titles_are_never_ids() -> None:
    said = words_of_levels(MEANT)
    titles = [level_title(each, said) for each in ("normal", "cautious", "extra-cautious", "paranoid", "group 7")]
    assert titles == ["Basic (low)", "Raised (normal, Normal)", "High (high, hoch)", "Very high", "groups of 7"]
