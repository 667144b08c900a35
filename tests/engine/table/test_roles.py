"""Suggested roles, the patterns behind them, ``inspect``, the first recipe and the sample."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from processor_time import within_processor_seconds

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.inspect import inspect_table, suggested_recipe_text
from ppdm_desktop.engine.table.kinds import apply_columns, guess_kind
from ppdm_desktop.engine.table.patterns import (
    LEAST_DIGITS,
    count_patterns,
    has_card,
    has_iban,
    is_phone,
    national_ids,
)
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.roles import RULES, name_words, suggest_role
from ppdm_desktop.engine.texts import render


def column(name: str, texts: list[str]) -> Column:
    guess = guess_kind(Column.from_texts(name, texts))
    return Column.from_texts(name, texts, kind=guess.kind, style=guess.style)


def luhn(prefix: str) -> str:
    for digit in "0123456789":
        number = prefix + digit
        total = sum(sum(divmod(int(d) * (1 + i % 2), 10)) for i, d in enumerate(reversed(number)))
        if total % 10 == 0:
            return number
    raise AssertionError


@given(st.text(alphabet="0123456789+-/ .()ABCDEXYZ", min_size=1, max_size=LEAST_DIGITS - 1))
def test_short_texts_pass_no_test_and_are_counted(text: str) -> None:
    assert not any(test(text) for test in (is_phone, has_iban, has_card, national_ids))
    found = count_patterns([text, "a@b.org"])
    assert (found.cells, found.matching) == (2 if text.strip() else 1, 1)


CASES = [
    ("Age", ["30", "31", "30"] * 10, "quasi-identifier", "quasi-name"),
    ("Geburtsdatum", ["1990-01-02"] * 3, "quasi-identifier", "quasi-name"),
    ("DateOfBirth", ["x"] * 3, "quasi-identifier", "quasi-name"),
    ("code postal", ["75001", "75002"], "quasi-identifier", "quasi-name"),
    ("Straße", ["Hauptstr. 1", "Nebenweg 2"], "identifier", "identifier-name"),
    ("Nachname", ["Müller", "Meier"], "identifier", "identifier-name"),
    ("Name", ["Ann", "Bob"], "identifier", "identifier-name"),
    ("apellidos", ["García"], "identifier", "identifier-name"),
    ("contact", [f"user{i}@example.org" for i in range(30)], "identifier", "pattern-e-mail"),
    ("ref", [luhn(f"411111111111{i:03d}") for i in range(30)], "identifier", "pattern-card"),
    ("konto", ["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"], "identifier", "pattern-iban"),
    ("call", ["+49 30 1234567", "0612345678", "(212) 555-0123 "], "identifier", "pattern-phone"),
    ("doc", ["12345678Z", "87654321X"], "identifier", "pattern-national-id"),
    ("consent", ["normal", "paranoid", ""], "privacy-level", "levels"),
    ("xyz", [f"v{i}" for i in range(30)], "identifier", "unique"),
    ("xyz", [str(i) for i in range(100, 130)], "identifier", "row-number"),
    ("xyz", [str(i * i) for i in range(30)], "other", "rest"),
    ("case no", [str(i * 7 // 2) for i in range(30)], "identifier", "number-name"),
    ("region code", ["1", "2"] * 20, "quasi-identifier", "quasi-name"),
    ("seen", ["2020-01-02", "2020-01-03"], "quasi-identifier", "date"),
    ("remarks", [f"the patient said {i} words" for i in range(30)], "left-out", "free-text"),
    ("nothing", ["", ""], "left-out", "empty"),
    ("PatientId", [f"P{i // 4:04d}" for i in range(100)], "identifier", "key-name"),
    ("country_id", [f"C{i // 4}" for i in range(100)], "quasi-identifier", "quasi-name"),
    ("ward_id", [f"W{i % 5}" for i in range(100)], "other", "rest"),
    ("Staff", [f"Ann Lee {i // 4}" for i in range(100)], "identifier", "person-name"),
    ("staff", ["nurse", "doctor"] * 10, "other", "rest"),
    ("who", [f"Lee-{max(i, 3)}" for i in range(60)], "identifier", "nearly-unique"),
    ("ref", [str(1_000_000 + 7919 * i) for i in range(60)], "identifier", "unique"),
    ("Income", [str(100_000 + 7919 * i) for i in range(60)], "other", "maybe-confidential"),
    ("mass", [str(900 + 79 * i) for i in range(60)], "other", "rest"),
    ("Income", ["1", "2"] * 10, "other", "maybe-confidential"),
    ("relation", ["a", "b"] * 10, "other", "rest"),
]


@pytest.mark.parametrize(("name", "texts", "role", "reason"), CASES)
def test_suggestions(name: str, texts: list[str], role: str, reason: str) -> None:
    found = suggest_role(column(name, texts))
    assert (found.role, found.reason) == (role, f"reason.role.{reason}")
    assert render(found.reason, found.arguments).sentence
    assert (found.hint == "confidential") == (reason == "maybe-confidential")
    assert found.role != "confidential"


def test_every_rule_speaks_in_some_case() -> None:
    assert len(RULES) + 1 <= len({reason.split("-e-")[0] for *_, reason in CASES})


def test_words_of_a_name() -> None:
    assert name_words("DateOfBirth") == ["date", "of", "birth"]
    assert name_words("Straße/Nr.") == ["strasse", "nr"]
    assert name_words("PRÉNOM_2") == ["prenom", "2"]


def test_patterns() -> None:
    found = count_patterns(
        ["a@b.org", "write to x.y@z.co today", "a@b", "+1 212 555 0123", "2020-01-01", "12.345.678", "1234567",
         "DE89370400440532013000", "DE89370400440532013001", "4111 1111 1111 1111", "4111111111111112",
         "219-09-9998", "12345678Z", "12345678A", "", "plain words"],
    )  # fmt: skip
    assert found.cells == 15
    assert found.counts["e-mail"] == 2
    assert found.counts["phone"] == 1
    assert found.counts["iban"] == 1
    assert found.counts["card"] == 1
    assert set(found.national) == {"ES DNI", "US SSN"}
    assert found.matching == 7
    weighted = count_patterns(["a@b.org", "x"], [5, 2])
    assert (weighted.cells, weighted.counts["e-mail"], weighted.matching) == (7, 5, 5)


def test_bare_numbers_count_only_when_most_pass() -> None:
    plain = count_patterns([str(100_000_000 + 7919 * i) for i in range(3000)])
    assert plain.counts["national-id"] == 0
    passing = [f"{i:09d}" for i in range(110_000_000, 110_020_000)]
    bsn = [t for t in passing if sum(int(d) * w for d, w in zip(t, (9, 8, 7, 6, 5, 4, 3, 2, -1))) % 11 == 0]
    found = count_patterns(bsn[:500])
    assert found.national["NL BSN"] == found.counts["national-id"] == 500
    many = [str(10**8 + i) for i in range(100_000)]
    with within_processor_seconds(1):
        count_patterns(many)


# --- inspect and the first recipe -------------------------------------------------------


def read(path: Path) -> Reading:
    return read_source(path, InputSection(), silent())


def test_inspect_is_plain_data(tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    path.write_text("Age,Name,x\n30,Ann,?\n31,Bob,1\n30,,2\n30\n", encoding="utf-8")
    found = json.loads(json.dumps(inspect_table(read(path))))
    assert list(found) == ["file", "columns"]
    assert found["file"]["rows_unread"] == [{"line": 5, "reason": "1 fields instead of 3"}]
    assert found["file"]["suggested_missing"] == [{"mark": "?", "cells": 1, "columns": ["x"]}]
    first = found["columns"][0]
    assert first["most_frequent"] == [{"value": "30", "count": 2}, {"value": "31", "count": 1}]
    assert (first["role"], first["kind"], first["distinct"], first["missing"]) == ("quasi-identifier", "numeric", 2, 0)
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
    recipe = parse_recipe(tomllib.loads(confirmed))
    assert tuple(recipe.columns) == reading.table.names
    assert recipe.input.missing == ("", "?")
    assert recipe.input.sha256 == reading.account.sha256
    again = read_source(path, recipe.input, silent())
    assert [c.role for c in apply_columns(again.table, recipe.columns).columns][0] == "quasi-identifier"


def test_adult(data_folder: Path) -> None:
    reading = read(data_folder / "adult_train.csv")
    roles = {each["name"]: each["role"] for each in inspect_table(reading)["columns"]}
    quasi = {"age", "education", "marital-status", "occupation", "race", "sex", "native-country"}
    assert quasi <= {name for name, role in roles.items() if role == "quasi-identifier"}
    assert "identifier" not in roles.values()
    assert parse_recipe(tomllib.loads(suggested_recipe_text(reading))).columns == {}


def test_the_sample(tmp_path: Path) -> None:
    data, text = sample_files("life-insurance")
    path = tmp_path / "sample.csv"
    path.write_bytes(data)
    recipe = parse_recipe(tomllib.loads(text))
    reading = read_source(path, recipe.input, silent())
    table = apply_columns(reading.table, recipe.columns)
    assert table.rows == 16
    assert [column.role for column in table.columns] == ["quasi-identifier"] * 3 + ["confidential"]
    assert table.column("Amount").categories == ("Low", "Med", "High")
    assert [column.values()[0] for column in table.columns] == ["30-39", "Female", "CA", "Med"]
    assert table.column("Amount").values().count("High") == 6
    assert recipe.release.type == "research"
    assert recipe.input.one_row_per_person
    with pytest.raises(InputError):
        sample_files("nothing")
