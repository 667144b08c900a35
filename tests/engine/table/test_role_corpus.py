"""Files whose truth is known: what is suggested for them, and what is found inside their cells."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from role_corpus import table_of, word
from role_figures import FOUND_BY_FORM, RoleFigures, alarms_in, meet, meet_keys
from unseen_files import Planted, unseen_files

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.roles import STRONG, suggest_roles

UNSEEN_SHA256 = "0a5378d33277b0ccf1e82bb12b1bd68a67d99c17e8606efb8085f24f8767eae7"
# What the rules made of the twenty files when they first met them, before anything was mended: found of planted.
FIRST_FOUND = {
    Planted.EMAIL: (119, 119),
    Planted.PHONE: (190, 203),
    Planted.IBAN: (82, 82),
    Planted.NATIONAL_ID: (38, 118),
}
FIRST_ALARMS_PER_THOUSAND = 12.6
LEAST_RECALL, MOST_ALARMS = 0.99, 1.0


# The same of twenty more files by somebody else who had not read them, met once after all that was mended above. What
# was missed then: accounts whose bank's own digits are made up, addresses with "(at)", five-digit area codes and dots
# in phone numbers, cards of identity, numbers some words after their name. The kinds were mended, the files never are.
LATER_SHA256 = "1c52b99f3d7309a3c9a0cfc7a1b80388f35492e32915a197e891c2d960b0c479"
LATER_FIRST_FOUND = {
    Planted.EMAIL: (323, 339),
    Planted.PHONE: (515, 534),
    Planted.IBAN: (327, 355),
    Planted.NATIONAL_ID: (362, 421),
}


# Twelve files met after all that was mended, and left alone.
THIRD_SHA256 = "ab044331dba9ed03a22c42cd39ae92ed9e338c419406bb0e15224663df47aad3"


@pytest.mark.parametrize(
    ("collection", "count", "digest"),
    [("first", 20, UNSEEN_SHA256), ("later", 20, LATER_SHA256), ("third", 12, THIRD_SHA256)],
)
def test_the_unseen_files_are_as_they_were_written(collection: str, count: int, digest: str) -> None:
    files = unseen_files(collection)
    assert len({file.name for file in files}) == len(files) == count
    assert hashlib.sha256(b"".join(file.path.read_bytes() for file in files)).hexdigest() == digest
    for file in files:
        index = {column.name: number for number, column in enumerate(file.columns)}
        assert all(planted.text in file.rows[planted.row][index[planted.column]] for planted in file.planted)


@pytest.fixture(scope="module")
def met_later() -> RoleFigures:
    """What is made of the twenty later files now."""
    figures = RoleFigures()
    for file in unseen_files("later"):
        meet(file, figures)
    return figures


@pytest.mark.thorough
def test_no_key_of_people_in_the_later_files_is_suggested_for_release(met_later: RoleFigures) -> None:
    assert met_later.keys == 31
    assert met_later.keys_suggested == []


@pytest.mark.parametrize("kind", FOUND_BY_FORM)
def test_what_stands_inside_the_later_cells_is_found(met_later: RoleFigures, kind: Planted) -> None:
    first_found, planted = LATER_FIRST_FOUND[kind]
    assert met_later.planted[kind] == planted
    assert met_later.recall(kind) >= LEAST_RECALL > first_found / planted, met_later.missed


def test_nothing_but_places_is_found_where_nothing_stands_in_the_later_files(met_later: RoleFigures) -> None:
    """Their writer took coordinates and streets for no trace of a person; they are an accident's place or a home."""
    others = [alarm for alarm in met_later.alarms if "coordinates" not in alarm and "'street'" not in alarm]
    assert met_later.cells > 50_000
    assert 1_000 * len(others) / met_later.cells <= MOST_ALARMS


@pytest.fixture(scope="module")
def met() -> RoleFigures:
    """What is made of the first twenty files now."""
    figures = RoleFigures()
    for file in unseen_files("first"):
        meet(file, figures)
    return figures


@pytest.mark.thorough
def test_no_key_of_people_is_suggested_for_release_or_left(met: RoleFigures) -> None:
    assert met.keys == 28
    assert met.keys_suggested == []
    assert met.keys_left == []
    ours = RoleFigures()
    assert meet_keys(ours) >= 40
    assert (ours.keys_suggested, ours.keys_left) == ([], [])


@pytest.mark.parametrize("kind", FOUND_BY_FORM)
def test_what_stands_inside_cells_is_found(met: RoleFigures, kind: Planted) -> None:
    first_found, planted = FIRST_FOUND[kind]
    assert met.planted[kind] == planted
    assert met.recall(kind) >= LEAST_RECALL, met.missed
    assert met.found[kind] >= first_found


def test_keys_of_the_file_are_found_inside_its_other_cells(met: RoleFigures) -> None:
    """Keys of fewer than six signs are not: 26 may be anything. Nor are the names of people outside the file."""
    short = sum(
        len(each.text) < 6 for file in unseen_files("first") for each in file.planted if each.kind is Planted.OWN_KEY
    )
    assert 0 < short < 12
    assert met.found[Planted.OWN_KEY] == met.planted[Planted.OWN_KEY] - short


def test_nothing_is_found_where_nothing_stands(met: RoleFigures) -> None:
    assert met.cells > 20_000
    assert met.alarm_rate <= MOST_ALARMS < FIRST_ALARMS_PER_THOUSAND


@pytest.mark.data
@pytest.mark.parametrize("name", ["adult_train.csv", "adult_test.csv", "abalone.csv", "messy_deaths.xlsx"])
def test_public_files_raise_no_alarm(data_folder: Path, name: str) -> None:
    found = alarms_in(data_folder / name)
    assert found.cells
    assert found.alarm_rate <= MOST_ALARMS, found.alarms[:5]


# --- the other files of the page's table ------------------------------------------------


def test_a_credit_file_without_names_leaves_all_to_the_person(tmp_path: Path) -> None:
    """As the German credit data: 1,000 rows of codes such as A11 and of small numbers, and no line of names."""
    codes = (4, 5, 10, 5, 5, 4, 3, 4, 3, 3, 4, 2, 2)
    rows = []
    for row in range(1000):
        coded = [f"A{place + 1}{word('code', place, row) % values + 1}" for place, values in enumerate(codes)]
        numbers = [
            str(4 + word("months", row) % 33 * 2),
            str(250 + word("amount", row) % 7000),
            *(str(1 + word("rate", place, row) % 4) for place in range(5)),
            str(1 + word("good", row) % 2),
        ]
        rows.append([*coded, *numbers])
    path = tmp_path / "credit.csv"
    path.write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    table = read_source(path, InputSection(header_row=0)).table
    assert (table.rows, len(table.names)) == (1000, 21)
    assert {each.role for each in suggest_roles(table).values()} == {None}


# --- the faults of kind that the unseen files showed ------------------------------------


def test_what_mirrors_a_strong_identifier_is_believed_although_it_repeats_like_people() -> None:
    """A badge number agrees in what no name calls lasting; the login beside it settles whose it is."""
    people = [person for person in range(70) for _ in range(1 + word("visits", person) % 4)]
    columns = {
        "v": [f"B{word('badge', person) % 10**6:06d}" for person in people],
        "site": [f"site {word('site', person) % 3}" for person in people],
        "band": [f"band {word('band', person) % 7}" for person in people],
    }
    assert suggest_roles(table_of(columns))["v"].strength == "weak"
    columns["login"] = [f"user{person}" for person in people]
    found = suggest_roles(table_of(columns))["v"]
    assert (found.role, found.strength, found.reason) == ("identifier", STRONG, "reason.role.mirrors")
