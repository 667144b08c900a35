"""Suggested roles, the patterns behind them, ``inspect``, the first recipe and the sample."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
import unicodedata
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st
from role_corpus import person_tables, role_files, table_of

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table import likeness
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.full_names import given_name
from ppdm_desktop.engine.table.inspect import inspect_table, suggested_recipe_text
from ppdm_desktop.engine.table.kinds import apply_columns
from ppdm_desktop.engine.table.likeness import (
    HIGH_LIKENESS,
    Coded,
    find_possible_person_ids,
    measure_agreement,
    select_comparable_columns,
)
from ppdm_desktop.engine.table.patterns import (
    LEAST_DIGITS,
    NATIONAL_IDS,
    PATTERNS,
    Finding,
    count_patterns,
    find_in,
    find_personal_data,
    has_card,
    has_iban,
    is_phone,
    national_ids,
)
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.roles import FIRST, THEN, suggest_roles
from ppdm_desktop.engine.wording.texts import Note, all_texts, render
from ppdm_desktop.engine.wording.values import Name, Ratio
from tests.golden.people import NONE_INSIDE, VISIT_HEAD, embedded, number, visits, visits_csv


@given(st.text(alphabet="0123456789+-/ .()ABCDEXYZ", min_size=1, max_size=LEAST_DIGITS - 1))
def test_short_texts_pass_no_test_and_are_counted(text: str) -> None:
    assert not any(test(text) for test in (is_phone, has_iban, has_card, national_ids))
    counted = count_patterns([text, "a@b.org"])
    assert (counted.cells, sum(counted.counts.values())) == (2 if text.strip() else 1, 1)


CASES: list[tuple[str, list[str], str | None, str, str]] = case_rows("roles-cases", lists=True)


@pytest.mark.parametrize(("name", "texts", "role", "strength", "reason"), CASES)
def test_suggestions(name: str, texts: list[str], role: str | None, strength: str, reason: str) -> None:
    found = suggest_roles(table_of({name: texts}))[name]
    reason, _, pattern = reason.partition(".")
    assert (found.role, found.strength, found.reason) == (role, strength, f"reason.role.{reason}")
    assert not pattern or found.arguments["kind"] == Note(f"pattern.{pattern}")
    assert render(found.reason, found.arguments).sentence
    assert (found.kind == "text") == (reason in ("freely-written", "name-and-text"))


def test_every_rule_speaks_in_some_case() -> None:
    """Those that need other columns or a data dictionary speak in the tests below."""
    assert {f"pattern.{id}" for id, pattern in PATTERNS.items() if pattern.is_cell} <= {reason for *_, reason in CASES}
    spoken = {reason.partition(".")[0] for *_, reason in CASES} | {
        "alike",
        "filled-once",
        "gives-away",
        "events",
        "mirrors",
        "settles",
        "name-and-key",
        "coordinates",
        "dictionary",
    }
    known = {id.removeprefix("reason.role.") for id in all_texts() if id.startswith("reason.role.")}
    assert known == spoken
    assert len(FIRST + THEN) == 18


@pytest.mark.parametrize(("language", "role", "headers"), case_rows("roles-headers-of-many-languages"))
def test_headers_of_many_languages(language: str, role: str, headers: tuple[str, ...]) -> None:
    """Of columns with many values; accents and capitals do not matter."""
    values = [str(number("value", row) % 45) for row in range(60)]
    told = {}
    for header in headers:
        for written in (header, header.upper(), unaccented(header)):
            suggestion = suggest_roles(table_of({written: values}))[written]
            told[written] = suggestion.role
    assert {written: found for written, found in told.items() if found != role} == {}, language


def unaccented(text: str) -> str:
    """Return a text as people type it who have no accents on their keyboard."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not "\u0300" <= sign <= "\u036f")


@pytest.mark.parametrize(("question", "values", "role"), case_rows("roles-questions"))
def test_a_word_in_a_question_counts_where_the_values_can_be_such_a_thing(
    question: str, values: tuple[str, ...], role: str | None
) -> None:
    column = [values[row % len(values)] for row in range(60)]
    assert suggest_roles(table_of({question: column}))[question].role == role


@pytest.mark.parametrize(("header", "label", "lowest", "role"), case_rows("roles-weights"))
def test_a_weight_of_rows_is_nobodys_key_and_known_to_nobody(
    header: str, label: str, lowest: float, role: str | None
) -> None:
    rows = [number("row", row) % 40 for row in range(300)]
    table = table_of({header: [f"{lowest + row / 97:.4f}" for row in rows], "sex": ["fm"[row % 2] for row in rows]})
    table = replace(table, columns=(replace(table.columns[0], label=label), table.columns[1]))
    assert suggest_roles(table)[header].role == role
    assert find_possible_person_ids(table) == ()


# --- what needs other columns -----------------------------------------------------------


def test_rows_of_one_person_agree_in_what_stays_with_them() -> None:
    """Golden of the page on people: ``visits``, made anew by its own generator."""
    assert hashlib.sha256(visits_csv().encode()).hexdigest().startswith("1303c153")
    columns = {name: [str(row[place]) for row in visits()] for place, name in enumerate(VISIT_HEAD)}
    coded = {name: Coded.of(Column.from_texts(name, texts)) for name, texts in columns.items()}
    assert (coded["person_nbr"].values, coded["person_nbr"].pairs) == (2000, 864)
    found = measure_agreement(coded["person_nbr"], select_comparable_columns(list(coded.values())))
    assert {each.column: round(each.likeness, 3) for each in found if each.likeness >= HIGH_LIKENESS} == {
        "sex": 1.0,
        "region": 0.986,
        "age": 0.913,
    }
    columns["Feld 7"] = columns.pop("person_nbr")
    suggestion = suggest_roles(table_of(columns))["Feld 7"]
    assert (suggestion.role, suggestion.strength) == ("identifier", "strong")
    assert suggestion.arguments == {"column": Name("sex"), "share": Ratio(1.0)}
    anonymous = {f"v{place}": texts for place, texts in enumerate(columns.values())}
    suggestion = suggest_roles(table_of(anonymous))["v7"]
    assert (suggestion.role, suggestion.strength) == ("identifier", "weak"), "no column is named as a person's own"


def test_of_very_many_columns_some_are_compared_and_what_lasts_always() -> None:
    """A worksheet may have 16,384 columns: comparing each with each would take hours."""
    rng = np.random.default_rng(6)
    coded = [Coded(f"v{place}", codes := rng.integers(0, 3, 40), np.bincount(codes)) for place in range(900)]
    compared = select_comparable_columns(coded, {"v1", "v898"})
    assert 256 <= len(compared.columns) <= 258
    assert {"v0", "v1", "v898", "v899"} <= {each.name for each in compared.columns}
    few = select_comparable_columns(coded[:200])
    assert list(few.columns) == coded[:200]


def test_columns_laid_side_by_side_agree_as_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(7)
    coded = [Coded(f"v{place}", codes := rng.integers(0, 4, 60), np.bincount(codes)) for place in range(9)]
    together = [measure_agreement(each, select_comparable_columns(coded)) for each in coded]
    monkeypatch.setattr(likeness, "_MOST_STACKED", 0)
    assert select_comparable_columns(coded).stacked is None
    assert [measure_agreement(each, select_comparable_columns(coded)) for each in coded] == together
    assert all(len(each) == 8 for each in together)


def test_a_released_name_on_a_column_that_works_like_a_key_is_to_be_looked_at() -> None:
    people = [row * 2 // 3 for row in range(300)]
    columns = {
        "title": [f"T{number('t', person)}" for person in people],
        "sex": ["mf"[number("sex", person) % 2] for person in people],
        "race": [f"r{number('race', person) % 5}" for person in people],
    }
    found = suggest_roles(table_of(columns))
    assert (found["title"].role, found["title"].strength) == ("quasi-identifier", "weak")
    assert found["title"].reason == "reason.role.name-and-key"
    assert found["sex"].strength == "strong"


def test_a_column_that_gives_another_away_has_its_role_as_a_hint() -> None:
    columns = {"Alpha": ["x1", "x2", "y1", "y2"] * 30, "Country": ["x", "x", "y", "y"] * 30, "Beta": ["p", "q"] * 60}
    found = suggest_roles(table_of(columns))
    assert {name: found[name].role for name in ("Alpha", "Beta")} == {"Alpha": "quasi-identifier", "Beta": None}
    assert found["Alpha"].reason == "reason.role.gives-away"


def test_a_name_beside_sex_is_that_of_a_person() -> None:
    columns = {"Nom": ["Durand", "Petit", "Leroy"] * 20, "Sexe": ["f", "m"] * 30}
    assert suggest_roles(table_of(columns))["Nom"].strength == "strong"
    assert suggest_roles(table_of({"Nom": columns["Nom"]}))["Nom"].strength == "weak"


def test_a_place_in_two_columns() -> None:
    rows = range(60)
    columns = {
        "p": [f"{51 + number('p', row) % 9999 / 10_000:.4f}" for row in rows],
        "q": [f"{-13 - number('q', row) % 9999 / 10_000:.4f}" for row in rows],
        "share": [f"{number('s', row) % 9999 / 10_000:.4f}" for row in rows],
        "other share": [f"{number('o', row) % 9999 / 10_000:.4f}" for row in rows],
    }
    towns = [(47 + number("x", row % 7) % 700 / 100, 6 + number("y", row % 7) % 900 / 100) for row in rows]
    around = {
        "u": [f"{town[0] + number('u', row) % 99 / 1000:.4f}" for row, town in enumerate(towns)],
        "v": [f"{town[1] + number('v', row) % 99 / 1000:.4f}" for row, town in enumerate(towns)],
    }
    assert {each.role for each in suggest_roles(table_of(around)).values()} == {"quasi-identifier"}
    measured = {
        "bmi": [f"{18 + number('b', row) % 160_000 / 10_000:.4f}" for row in rows],
        "growth": [f"{number('g', row) % 150_000 / 10_000 - 3:.4f}" for row in rows],
    }
    assert suggest_roles(table_of(measured))["growth"].role is None
    found = suggest_roles(table_of({**columns, "far": [f"{900 + number('f', row) % 9:.4f}" for row in rows]}))
    assert (found["p"].role, found["q"].role, found["p"].strength) == ("quasi-identifier", "quasi-identifier", "weak")
    assert found["other share"].role is None
    assert found["far"].role is None
    traits = {name: [f"{(number(name, row) % 99_999 - 50_000) / 7_000:.4f}" for row in rows] for name in "pq"}
    assert {suggestion.role for suggestion in suggest_roles(table_of(traits)).values()} == {None}
    # Rows that share a measured score agree in a person's columns no more than by chance or by a copied row.
    copied = {name: values + values for name, values in traits.items()}
    twice = {**copied, "sex": [str(number("sex", row) % 2) for row in rows] * 2, "t": ["a", "b", "c"] * 40}
    assert {suggest_roles(table_of(twice))[name].role for name in "pq"} == {None}


@pytest.mark.parametrize(
    ("file", "strong"),
    [("place", []), ("weight", []), ("birth", []), ("person", ["ref"]), ("blocks", ["record"])],
)
def test_people_are_suspected_where_what_lasts_agrees(file: str, strong: list[str], tmp_path: Path) -> None:
    table = table_of(person_tables()[file])
    assert [suspect.column for suspect in find_possible_person_ids(table) if suspect.strong] == strong
    assert [suspect.column for suspect in find_possible_person_ids(table)] == strong
    path = tmp_path / "source.csv"
    rows = zip(*person_tables()[file].values())
    path.write_text("\n".join(map(",".join, [person_tables()[file], *rows])), encoding="utf-8")
    proposed = inspect_table(read(path))["person"]
    assert ([] if proposed is None else [proposed["column"]]) == strong


@pytest.mark.parametrize(
    ("name", "agree", "is_person"),
    case_rows("roles-the-person-is-proposed-by-what-stays-with-it"),
)
def test_the_person_is_proposed_by_what_stays_with_it(name: str, agree: bool, is_person: bool, tmp_path: Path) -> None:
    # Numbers of Spain, which end in a letter that checks them.
    people = [f"{row:08d}{'TRWAGMYFPDXBNJZSQVHLCKE'[row % 23]}" for row in range(40)]
    traits = [row if agree else row * 7 + time * 11 for row in range(40) for time in range(3)]
    cells = zip((person for person in people for _ in range(3)), traits, strict=True)
    lines = [f"{person},{'fm'[trait % 2]},{1950 + trait % 37},{trait % 5}" for person, trait in cells]
    path = tmp_path / "source.csv"
    path.write_text("\n".join([f"{name},sex,born,place", *lines]), encoding="utf-8")
    proposed = inspect_table(read(path))["person"]
    assert (proposed is not None and proposed["column"] == name) is is_person


def test_no_key_of_people_is_taken_for_anything_else() -> None:
    files = list(role_files())
    assert len(files) >= 60
    assert len({each.name for each in files}) == len(files)
    wrong = []
    for each in files:
        found = suggest_roles(each.table)[each.key]
        # Confirmed with the clear ones, whatever one role the rest is given afterwards.
        if (found.role, found.strength) != ("identifier", "strong"):
            wrong.append((each.name, found))
    assert wrong == []


# --- inside texts -----------------------------------------------------------------------


def test_each_identifier_inside_a_text_is_found_where_it_stands() -> None:
    found, told = Counter[str](), 0
    for kind, value, text in embedded():
        spans = {(each.kind, text[each.start : each.end]) for each in find_personal_data(text)}
        found[kind] += (kind, value) in spans
        told += len({each for each, _ in spans} - {kind})
    assert found == {"e-mail": 200, "phone": 200, "iban": 200}
    assert told <= 6, "of another kind too, because they pass its check digit by chance"
    assert find_personal_data("Paid late again, call 0171 592591") == [Finding("phone", 22, 33)]


# How each country writes it: # is a digit, ? a letter, D, d and Y a date; what stands before is its word.
WRITTEN: dict[str, str] = dict(case_rows("roles-national-numbers-in-texts"))
_AFTER_WORD = ("PESEL ", "TCKN ")
"""What stands before numbers that are found only after their name, because they have no form of their own."""
FRAMES = ("{}", "asked for {}", "see {}, new", "({})", "{} - call back", "id: {}.", "as {} said")


def without_word(text: str) -> str:
    """Return an identifier without the name that stands before it."""
    return text.removeprefix(_AFTER_WORD[0]).removeprefix(_AFTER_WORD[1])


def written_id(form: str, *parts: object) -> str:
    """Return an identifier in a country's form; whether it passes the test is chance."""
    year, month, day = number("y", *parts) % 90 + 10, number("m", *parts) % 12 + 1, number("d", *parts) % 28 + 1
    known = {
        "D": f"{year}{month:02d}{day:02d}",
        "d": f"{day:02d}{month:02d}{year}",
        "Y": f"{year}.{month:02d}.{day:02d}",
    }
    word, _, shape = form.rpartition(" ") if form.startswith(_AFTER_WORD) else ("", "", form)
    signs = [
        str(number(place, *parts) % 10)
        if sign == "#"
        else "ABCDEFGHJKLMNPQRSTUVWXYZ"[number(place, *parts) % 24]
        if sign == "?"
        else known.get(sign, sign)
        for place, sign in enumerate(shape)
    ]
    return f"{word} {''.join(signs)}".strip()


def test_every_national_number_is_tried_inside_texts() -> None:
    """Those that are hardly ever right by chance stand in the cases below."""
    names = {each.name for each in NATIONAL_IDS}
    assert names - set(WRITTEN) == {"CN resident number", "FR NIR", "IT codice fiscale"}


@pytest.mark.parametrize("each", [each for each in NATIONAL_IDS if each.name in WRITTEN], ids=lambda each: each.name)
def test_national_numbers_inside_texts_are_found(each: Any) -> None:
    drawn = (written_id(WRITTEN[each.name], each.name, place) for place in range(400_000))
    valid = list(islice((text for text in drawn if each.valid(without_word(text))), 30))
    assert len(valid) == 30
    found = 0
    for place, text in enumerate(valid):
        inside = FRAMES[place % len(FRAMES)].format(text)
        shown = without_word(text)
        found += any(
            inside[one.start : one.end] == shown for one in find_personal_data(inside) if one.kind == "national-id"
        )
    assert found == len(valid)


def test_plain_texts_hold_nothing() -> None:
    assert {text: found for text in NONE_INSIDE if (found := find_personal_data(text))} == {}


INSIDE: list[tuple[str, str | None, str]] = case_rows("patterns-inside-a-text")


@pytest.mark.parametrize(("text", "kind", "shown"), INSIDE)
def test_what_is_found_inside_a_text(text: str, kind: str | None, shown: str) -> None:
    """A row without a kind only looks like one: a number without its word is an amount."""
    found = [(each.kind, text[each.start : each.end]) for each in find_personal_data(text)]
    assert found == ([(kind, shown)] if kind else [])
    assert kind is None or re.search(PATTERNS[kind].sign, text, re.IGNORECASE), "others' signs may be missing elsewhere"


def test_every_pattern_is_found_inside_some_text_and_has_one_that_only_looks_alike() -> None:
    assert set(PATTERNS) == {kind for _, kind, _ in INSIDE if kind}
    alike = [text for text, kind, _ in INSIDE if kind is None] + list(NONE_INSIDE)
    assert [
        id for id, pattern in PATTERNS.items() if not any(re.search(pattern.sign, text, re.I) for text in alike)
    ] == []


def test_bare_numbers_of_one_column_that_pass_one_test_are_found() -> None:
    passing = [t for t in map(str, range(110_000_000, 110_003_000)) if is_bsn(t)]
    found = find_in([*passing, "none"])
    assert set(found) == set(range(len(passing)))
    assert found[0] == [Finding("national-id", 0, 9)]
    assert find_in([str(100_000_000 + 7919 * i) for i in range(300)]) == {}


def test_a_search_of_many_texts_tells_how_far_it_is() -> None:
    shares: list[float] = []
    listening = Progress(lambda share, _doing: shares.append(share))
    assert listening.run(find_in, [f"C{number}" for number in range(5_000)], "doing.read") == {}
    assert shares == [0.4, 0.8, 1.0]


def is_bsn(text: str) -> bool:
    """Say whether nine digits pass the Dutch test."""
    return sum(int(d) * w for d, w in zip(text, (9, 8, 7, 6, 5, 4, 3, 2, -1), strict=True)) % 11 == 0


# --- inspect and the first recipe -------------------------------------------------------


def read(path: Path) -> Reading:
    return read_source(path, InputSection())


def test_inspect_is_plain_data(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text("Age,Name,x\n30,Ann,?\n31,Bob,1\n30,,2\n30\n", encoding="utf-8")
    found = json.loads(json.dumps(inspect_table(read(path))))
    assert list(found) == ["file", "proposals", "person", "columns"]
    assert found["file"]["rows_unread"] == [{"line": 5, "reason": "1 field instead of 3"}]
    assert found["file"]["suggested_missing"] == [{"mark": "?", "cells": 1, "columns": ["x"]}]
    first = found["columns"][0]
    assert first["most_frequent"] == [{"value": "30", "count": 2}, {"value": "31", "count": 1}]
    assert (first["role"], first["kind"], first["distinct"], first["missing"]) == ("quasi-identifier", "numeric", 2, 0)
    assert (first["strength"], first["findings"]) == ("strong", {})
    assert (found["columns"][2]["role"], found["columns"][2]["strength"]) == (None, "weak")
    assert found["columns"][1]["missing"] == 1
    assert all(set(column["reason"]) == {"id", "arguments", "sentence"} for column in found["columns"])


def test_the_first_recipe_decides_nothing_until_it_is_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text('Age;"a ""b""\nc";x\n30;Ann;?\n31;Bob;1\n', encoding="utf-8")
    reading = read(path)
    text = suggested_recipe_text(reading)
    recipe = parse_recipe(tomllib.loads(text))
    assert recipe.columns == {}
    assert recipe.release.type is None
    assert (recipe.input.delimiter, recipe.input.missing, recipe.input.header_row) == (";", ("",), 1)
    lines = text.splitlines()
    lines.remove('missing = [""]')
    confirmed = "\n".join(line[1:] if line[:1] == "#" and line[1:2] != " " else line for line in lines)
    with pytest.raises(RecipeError):
        parse_recipe(tomllib.loads(confirmed))
    assert text.count("# yours to decide: ") == confirmed.count('role = ""') == 2
    recipe = parse_recipe(tomllib.loads(confirmed.replace('role = ""', 'role = "left-out"')))
    assert tuple(recipe.columns) == reading.table.names
    assert recipe.input.missing == ("", "?")
    assert recipe.input.sha256 == reading.account.sha256
    again = read_source(path, recipe.input)
    assert [c.role for c in apply_columns(again.table, recipe.columns).columns][0] == "quasi-identifier"


def test_both_orders_of_day_and_month_stand_in_the_first_recipe(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text("seen,Birthday\n" + "1/2/2021,3/4/1980\n5/6/2021,7/8/1999\n", encoding="utf-8")
    reading = read(path)
    choices = [line for line in suggested_recipe_text(reading).splitlines() if line.startswith("# your choice: ")]
    assert len(choices) == 4
    for name, line in zip(("seen", "seen", "Birthday", "Birthday"), choices, strict=True):
        section = f'[columns.{name}]\nrole = "other"\n' + line.split(": ")[2].replace(", ", "\n")
        columns = parse_recipe(tomllib.loads(f"recipe = 1\n{section}")).columns
        assert apply_columns(reading.table, columns).column(name).kind == "date"


def test_what_stands_inside_the_cells_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text(
        "note,n\ncall 0171 592591,1\nask a@b.org or b@b.org,2\nask a@b.org or b@b.org,2\n", encoding="utf-8"
    )
    found = inspect_table(read(path))["columns"]
    assert [each["findings"] for each in found] == [{"e-mail": 2, "phone": 1}, {}]


@pytest.mark.parametrize(
    ("name", "texts", "role"),
    [
        ("PhoneService", ["yes", "no"], None),
        ("address", ["U", "R"], None),
        ("phone", [f"extension {number}" for number in range(20)], None),
        ("phone", [f"extension {number}" for number in range(21)], "identifier"),
    ],
)
def test_a_column_of_few_values_is_no_identifier_without_being_asked(
    name: str, texts: list[str], role: str | None
) -> None:
    """Whatever its name, a value that many rows share points at nobody."""
    column = [texts[number(name, row) % len(texts)] for row in range(600)]
    assert (
        suggest_roles(table_of({name: column, "w": [str(number("w", row)) for row in range(600)]}))[name].role == role
    )


@pytest.mark.parametrize(("text", "given"), case_rows("roles-a-full-name-is-a-given-and-a-family-name"))
def test_a_full_name_is_a_given_and_a_family_name(text: str, given: str | None) -> None:
    assert given_name(text) == given
