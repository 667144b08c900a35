"""Privacy levels: the map, numbers as levels, and the strictest of everything that matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe, to_document
from ppdm_desktop.engine.recipe.models import ColumnSection, LevelSection, PrivacySection
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.kinds import apply_columns
from ppdm_desktop.engine.table.levels import Demand, LevelMap, RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.record_levels import Statuses, resolve_levels
from ppdm_desktop.engine.wording.texts import explain, render
from ppdm_desktop.engine.wording.values import Names, Term, Terms
from tests.golden.people import employee

TABLE = Table(
    (
        Column.from_texts("Consent", ["", "cautious", "7", "", "paranoid", ""], role="privacy-level"),
        Column.from_texts(
            "Age",
            ["17", "30", "65.0", "", "90", "64"],
            role="quasi-identifier",
            kind="numeric",
            style=NumberStyle(),
        ),
        Column.from_texts("Country", ["DE", "FR", "DE", "NA", "", "IT"], role="quasi-identifier"),
        Column.from_texts(
            "Grade",
            ["low", "mid", "high", "low", "", "mid"],
            role="other",
            kind="ordinal",
            order=("low", "mid", "high"),
        ),
        Column.from_texts(
            "Day",
            ["2020-01-31", "2021-05-01", "", "2019-12-31", "2022-01-01", "2020-02-01"],
            role="other",
            kind="date",
            date_format="%Y-%m-%d",
        ),
    ),
    np.array([1, 2, 3, 5, 6, 7]),
)


def levels_of(section: Mapping[str, Any], table: Table = TABLE) -> list[str]:
    privacy = PrivacySection.model_validate(dict(section))
    none = np.zeros(table.rows, dtype=bool)
    one = none.copy()
    one[0] = True
    found = resolve_levels(table, privacy, LevelMap(), lambda: Statuses(one, none))
    return [found.levels[code].name for code in found.codes]


def test_column_default_and_number() -> None:
    assert levels_of({"column": "Consent"}) == [
        "normal",
        "cautious",
        "group 7",
        "normal",
        "paranoid",
        "normal",
    ]


def test_nothing_weakens() -> None:
    assert levels_of({"default": "extra-cautious"}) == ["extra-cautious"] * 4 + ["paranoid", "extra-cautious"]


@pytest.mark.parametrize(("where", "rows"), case_rows("levels-rules", lists=True))
def test_rules(where: Any, rows: list[int]) -> None:
    table = TABLE.replacing(Column.from_texts("Consent", [""] * 6, role="left-out"))
    found = levels_of({"rules": [{"where": where, "level": "paranoid"}]}, table)
    assert [i for i, name in enumerate(found) if name == "paranoid"] == rows


def test_rows_count_as_in_the_source() -> None:
    found = levels_of({"rows": [{"rows": [1, "3-5"], "level": "paranoid"}]})
    assert [i for i, name in enumerate(found) if name == "paranoid"] == [0, 2, 3, 4]


@pytest.mark.parametrize(("section", "id"), case_rows("levels-bad-sections-are-explained", lists=True))
def test_bad_sections_are_explained(section: Mapping[str, Any], id: str) -> None:
    with pytest.raises(PpdmError) as caught:
        levels_of(section)
    assert caught.value.id == id


def test_unknown_level_text_names_its_row() -> None:
    table = TABLE.replacing(Column.from_texts("Consent", ["", "x", "normal", "", "zz", ""], role="privacy-level"))
    with pytest.raises(InputError) as caught:
        levels_of({}, table)
    assert (caught.value.column, caught.value.row) == ("Consent", 2)


def test_number_takes_the_other_keys_of_the_weakest_level_that_is_large_enough() -> None:
    levels = LevelMap()
    assert levels.of_number(7).demand == Demand(7, 100, 1.5, 0.6, 1.0, 10.0)
    assert levels.of_number(5).demand.swap == 0.5
    assert levels.of_number(51).demand.swap == 1.0
    assert levels.of_number(3).is_weakest
    assert not levels.of_number(7).is_weakest
    assert levels.find("0") is None
    assert levels.find("-3") is None


def test_map_must_be_monotone_and_complete() -> None:
    def build(**sections: dict[str, Any]) -> LevelMap:
        made = {k.replace("_", "-"): LevelSection.model_validate(v) for k, v in sections.items()}
        return LevelMap.from_recipe(made)

    assert build(normal={"group": 3}).named[0].demand.group == 3
    with pytest.raises(RecipeError, match="not-monotone"):
        build(cautious={"group": 4})
    with pytest.raises(RecipeError, match="incomplete"):
        build(vip={})
    full = {"group": 70, "intervals": 10, "noise": 4, "swap": 1, "selection_noise": "uniform"}
    assert build(vip=full).named[-1].name == "vip"


def test_the_limit_of_doubt_falls_with_the_levels_and_comes_from_the_weaker_neighbour() -> None:
    def doubts(**sections: dict[str, Any]) -> dict[str, float]:
        made = {name: LevelSection.model_validate(section) for name, section in sections.items()}
        return {level.name: level.demand.doubt for level in LevelMap.from_recipe(made).named}

    assert list(doubts().values()) == [20, 10, 5, 3]
    assert doubts(paranoid={"doubt": 2.5})["paranoid"] == 2.5
    # Recipes from before the key: a level of one's own keeps working, wherever it stands.
    own = {"intervals": 100, "noise": 1.5, "swap": 0.6, "selection_noise": 1}
    assert doubts(vip={"group": 12, **own})["vip"] == 10
    assert doubts(vip={"group": 12, **own, "doubt": 7})["vip"] == 7
    first = {"intervals": 300, "noise": 0.5, "swap": 0.4, "selection_noise": 0.1}
    assert list(doubts(few={"group": 3, **first})) == ["few", "normal", "cautious", "extra-cautious", "paranoid"]
    assert doubts(few={"group": 3, **first})["few"] == 20
    with pytest.raises(RecipeError, match="not-monotone") as refused:
        doubts(cautious={"doubt": 30})
    said = explain(refused.value)
    assert all(words in said for words in ("Raised", "Basic", "doubt", "30", "20", "group sizes"))
    with pytest.raises(ValueError, match="greater than 1"):
        doubts(paranoid={"doubt": 1})


def test_only_what_differs_is_written_of_a_level_of_ones_own() -> None:
    def made(**sections: dict[str, Any]) -> dict[str, Demand]:
        given = {name.replace("_", "-"): LevelSection.model_validate(each) for name, each in sections.items()}
        return {level.name: level.demand for level in LevelMap.from_recipe(given).named}

    # The built-in level next below: by group, by doubt, by both, else by what there is.
    assert made(vip={"group": 30})["vip"] == Demand(30, 50, 2.0, 0.7, 2.0, 5.0)
    assert made(vip={"group": 3})["vip"] == Demand(3, 200, 1.0, 0.5, 0.5, 20.0)
    assert made(vip={"doubt": 8})["vip"] == Demand(10, 100, 1.5, 0.6, 1.0, 8.0)
    assert made(vip={"group": 15, "doubt": 7})["vip"] == Demand(15, 100, 1.5, 0.6, 1.0, 7.0)
    assert made(vip={"noise": 2.5})["vip"] == Demand(20, 50, 2.5, 0.7, 2.0, 5.0)
    assert made(vip={"intervals": 300})["vip"] == Demand(5, 300, 1.0, 0.5, 0.5, 20.0)
    # Of a built-in level that was changed, as it was changed.
    assert made(vip={"group": 12}, cautious={"noise": 4})["vip"].noise == 4
    # Only groups and doubt may not fall from level to level.
    assert made(vip={"group": 30, "swap": 0.1, "noise": 1, "intervals": 500})["vip"].swap == 0.1
    assert made(extra_cautious={"noise": 1})["extra-cautious"].noise == 1
    with pytest.raises(RecipeError, match="not-monotone"):
        made(vip={"group": 30, "doubt": 8})


@given(
    st.sampled_from(["normal", "cautious", "extra-cautious", "paranoid", 2, 7, 30]),
    st.lists(st.sampled_from(["", "normal", "cautious", "paranoid", "12", "3"]), min_size=1, max_size=8),
    st.sampled_from(["normal", "cautious", 15]),
)
def test_every_record_gets_at_least_what_each_source_says(
    default: str | int, texts: list[str], ruled: str | int
) -> None:
    table = Table((Column.from_texts("L", texts, role="privacy-level"),), np.arange(1, len(texts) + 1))
    everybody = {"where": {"column": "L", "in": sorted(set(texts) - {""}) or ["-"]}, "level": ruled}
    privacy = PrivacySection.model_validate({"default": default, "rules": [everybody]})
    levels = LevelMap()
    found = resolve_levels(table, privacy, levels, lambda: Statuses(*[np.zeros(len(texts), bool)] * 2))
    for i, text in enumerate(texts):
        asked = [str(default), *([text, str(ruled)] if text else [])]
        strictest = max(LevelMap.strictness(levels.find(name)) for name in asked)  # type: ignore[arg-type]
        assert LevelMap.strictness(found.levels[found.codes[i]]) == strictest
    assert sum(found.sources.values()) == len(texts)


@pytest.mark.parametrize("pattern", ["%d.%m.%Y", "%m/%d/%Y", "%Y-%m-%d", "%d.%m.%Y %H:%M"])
def test_dates_are_compared_however_the_column_writes_them(pattern: str) -> None:
    days = [datetime(2020, 1, 31, 23, 5), datetime(2021, 5, 12), datetime(2019, 12, 31)]
    read = Table((Column.from_texts("Day", [day.strftime(pattern) for day in days]),), np.arange(1, 4))
    table = apply_columns(read, {"Day": ColumnSection(role="other", kind="date", format=pattern)})
    rule = {"where": {"column": "Day", "between": ["2020-01-31", "2020-12-31"]}, "level": "cautious"}
    assert levels_of({"rules": [rule]}, table) == ["cautious", "normal", "normal"]


# --- what the words of a level column mean: any level for any word, nothing silently, nobody forgotten ---


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
    assert (error.id, error.column, error.row) == ("error.levels.unknown-text", "Wish", 157)
    sentence = render(error.id, error.arguments).sentence
    assert "the recipe does not say what they mean" in sentence
    assert sentence.endswith("This concerns 5 people.")
    found = error.arguments["found"]
    assert isinstance(found, Names)
    assert set(found.texts) == {"Normal", "hoch"}
    assert error.arguments["rows"] == Terms(("157", "357", "417", "557", "757"))


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
