"""Dates, amounts and codes for no answer as the world's programs and people write them: one proposal, one reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import case_rows

from ppdm_desktop.engine.recipe.models import InputSection, RepairSection
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.cell_words import _lists, folded
from ppdm_desktop.engine.table.reading.proposals import Proposal, propose
from ppdm_desktop.engine.table.roles import suggest_roles


def read(tmp_path: Path, name: str, texts: list[str]) -> Reading:
    path = tmp_path / "source.csv"
    path.write_text("".join(f"{text}\tw{row % 7}\n" for row, text in enumerate([name, *texts])), encoding="utf-8")
    return read_source(path, InputSection(delimiter="\t", header_row=1, decimal="."))


def proposals(tmp_path: Path, name: str, texts: list[str]) -> list[Proposal]:
    return [proposal for proposal in propose(read(tmp_path, name, texts)) if proposal.column == name]


def corrected(tmp_path: Path, name: str, texts: list[str]) -> Reading:
    """Return the reading with the first proposal taken, which has to be clear."""
    reading = read(tmp_path, name, texts)
    proposal = next(proposal for proposal in propose(reading) if proposal.column == name)
    assert proposal.clear, proposal
    return read_source(tmp_path / "source.csv", proposal.taken(reading.options))


@pytest.mark.parametrize(
    ("texts", "days"),
    case_rows("value-proposals-dates-have-one-reading", lists=True),
)
def test_dates_have_one_reading(texts: list[str], days: list[str], tmp_path: Path) -> None:
    column = corrected(tmp_path, "v", texts).table.column("v")
    assert (column.kind, column.values()) == ("date", days)


BIRTHS = [f"{1930 + row}0{1 + row % 9}{10 + row % 19}" for row in range(60)]


@pytest.mark.parametrize(
    ("name", "texts", "clear"),
    [
        ("v", BIRTHS, True),  # the span of a life
        ("v", [text[6:] + text[4:6] + text[:4] for text in BIRTHS], True),
        ("v", BIRTHS[:4], False),
        ("Geburtsdatum", BIRTHS[:4], True),
        ("v", [*BIRTHS, "19301301"], None),  # no month has this number
        ("v", [*BIRTHS, "21501201"], None),
        ("v", ["20240105123000", "20240106123000"], False),
        ("v", [*BIRTHS, "00000000", "99991231"], True),
        ("case", ["12345678", "23456789"], None),
        ("v", ["1950-01-02", "1953-05-06"], None),
    ],
)
def test_digits_are_dates_where_name_or_span_says_so(
    name: str, texts: list[str], clear: bool | None, tmp_path: Path
) -> None:
    asked = [proposal.clear for proposal in proposals(tmp_path, name, texts) if proposal.kind == "dates"]
    assert asked == ([] if clear is None else [clear])


def test_a_month_means_the_same_in_all_languages() -> None:
    meaning: dict[str, int] = {}
    for language, months in _lists()["months"].items():
        assert len(months) == 12, language
        for number, names in enumerate(months, start=1):
            assert {meaning.setdefault(folded(name), number) for name in names.split()} == {number}, names


@pytest.mark.parametrize(
    ("texts", "numbers"),
    case_rows("value-proposals-amounts-of-many-countries-have-one-reading", lists=True),
)
def test_amounts_of_many_countries_have_one_reading(texts: list[str], numbers: list[str], tmp_path: Path) -> None:
    assert corrected(tmp_path, "v", texts).table.column("v").values() == numbers


@pytest.mark.parametrize(
    "texts",
    [
        ["R1001", "R1002"],
        ["E11.9", "E10.1"],
        ["12 Main Street", "13 Main Street"],
        ["+420 721 473 566", "+420 605 428 433"],
        ["5 EUR", "6 EUR", "7 EUR", "No"],
    ],
)
def test_codes_with_letters_are_no_amounts(texts: list[str], tmp_path: Path) -> None:
    assert not proposals(tmp_path, "v", texts)


AGES = [str(18 + row % 72) for row in range(90)]
DAYS = [f"{2010 + row % 14}-0{1 + row % 9}-1{row % 10}" for row in range(60)]


@pytest.mark.parametrize(
    ("texts", "codes"),
    [
        ([*AGES, "999", "999", "998"], ["999", "998"]),
        ([*AGES, "-1", "-1"], ["-1"]),
        ([*AGES, "-99.0", "-99.0"], ["-99.0"]),
        ([*AGES, "-9", "-9", "-8", "777", "777"], ["-9", "777", "-8"]),
        (["1", "2", "9"] * 9, ["9"]),
        (["0", "1", "2", "3", "4", "99"] * 9, ["99"]),
        (["1", "2", "3", "4", "8", "8"] * 9, ["8"]),
        (["1", "2", "6"] * 9, []),  # "6 other", perhaps
        (["1", "2", "3", "4", "5"] * 9 + ["8"] * 3 + ["9"] * 2, ["8", "9"]),
        (["1", "2", "3", "4", "5"] * 9 + ["9"] * 2, []),
        (["1", "2", "3", "4", "5", "6"] * 9 + ["8"] * 3 + ["9"] * 2, []),
        ([*AGES, "99", "98", "99"], []),
        ([*AGES, "999"], []),  # once: an outlier
        (["5.29", "7.00", "9.99"] * 9, []),  # a price
        ([f"{1 + row / 9:.2f}" for row in range(28)] + ["9.99", "9.99"], ["9.99"]),
        ([f"{row % 4}.{row % 3}9" for row in range(28)] + ["9.99", "9.99"], []),  # prices
        (["agree", "-99", "disagree", "99"] * 2, ["-99", "99"]),
        (["agree", "-99", "1/2", "3/4", "99"] * 2, []),
        ([*AGES, "500", "500"], []),
        (["-2", "-1", "0", "1", "2"] * 9, []),
        (["-1", "0", "1"] * 9, []),
        ([str(value) for value in range(-5, 30)] * 2, []),
        (["0", "1", "2", "3"] * 20 + ["7", "7"], []),  # children, perhaps
        (["-0.9", "-0.8", "0.3", "0.7"] * 9, []),
        ([*DAYS, "9999-12-31"], ["9999-12-31"]),
        ([*DAYS, "1900-01-01", "1900-01-01"], ["1900-01-01"]),
        ([*DAYS, "2024-12-31", "2024-12-31"], []),
        ([f"{1930 + row}-01-01" for row in range(60)] * 2, []),
        (["00.00.0000", "00.00.0000", *(f"{day}.02.2020" for day in range(10, 28))], ["00.00.0000"]),
        (["1/0/1900", *(f"1/{day}/2020" for day in range(13, 28))], ["1/0/1900"]),
        (["0000-00-00 00:00:00", *(f"2020-02-{day} 08:00:00" for day in range(10, 28))], ["0000-00-00 00:00:00"]),
        ([*AGES, "ask again", "<5"], []),  # another number, written otherwise, is not missing
        ([*AGES, "ask again"], ["ask again"]),
    ],
)
def test_codes_for_no_answer_are_asked_about_and_nothing_else(
    texts: list[str], codes: list[str], tmp_path: Path
) -> None:
    asked = proposals(tmp_path, "v", texts)
    assert [proposal.section for proposal in asked] == [RepairSection(missing=(code,)) for code in codes]
    assert not any(proposal.clear for proposal in asked)
    assert [proposal.cells for proposal in asked] == [texts.count(code) for code in codes]


@pytest.mark.parametrize(
    "word",
    [
        *("Refused", "Don’t know", "NO ANSWER", "-9. No answer", "(Refusal)", "NS/NP", "keine Angabe", "Weiß nicht"),
        *("Ne sait pas", "No contesta", "Non risponde", "Não sabe", "Weet niet", "Nie wiem", "Vet ej", "Ved ikke"),
        *("Neví", "Bilmiyorum", "En osaa sanoa", "無回答", "不知道", "not given", "S/D", "未測", "Belirtilmemiş"),
    ],
)
def test_words_for_no_answer_are_suggested(word: str, tmp_path: Path) -> None:
    reading = read(tmp_path, "v", ["yes", "no", word])
    assert [(mark.mark, mark.cells, mark.columns) for mark in reading.account.suggested_missing] == [(word, 1, ("v",))]


def test_states_and_answers_are_no_marks(tmp_path: Path) -> None:
    assert not read(tmp_path, "v", ["NC", "SD", "NS", "no", "nothing known yet"]).account.suggested_missing


def test_roles_are_suggested_anew_once_dates_are_read(tmp_path: Path) -> None:
    texts = [f"{1 + row % 28} stycznia {1930 + row}" for row in range(60)]
    assert suggest_roles(read(tmp_path, "v", texts).table)["v"].reason == "reason.role.looks-like-dates"
    made = suggest_roles(corrected(tmp_path, "v", texts).table)["v"]
    assert (made.role, made.reason) == ("quasi-identifier", "reason.role.date")


@pytest.mark.parametrize(
    ("last", "reasons"),
    [
        (["Razem\t\t\t812"], ["sum"]),
        (["合計\t\t\t812", "※退会者を除く\t\t\t"], ["sum", "note"]),
        (["制表人:裘某\t\t\t"], ["note"]),
        (["________\t\t\t"], ["note"]),
        (["Antal: 12\t\t\t", "Underskrift\t\t\t"], ["note"]),
        (["Antal\tOslo\tm\t812"], []),  # a person of this name
        (["Summers\tOslo\tm\t812"], []),
        (["Ann\t\t\t"], []),  # a person of whom little is known
    ],
)
def test_last_lines_that_are_no_people(last: list[str], reasons: list[str], tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    people = [f"Ann{row}\tOslo\t{'mf'[row % 2]}\t{60 + row}" for row in range(12)]
    path.write_text("\n".join(["name\ttown\tsex\tpoints", *people, *last]), encoding="utf-8")
    asked = read_source(path, InputSection(delimiter="\t")).account.rows_to_answer
    assert [leave.reason for leave in asked] == reasons
    assert [row for leave in asked for row in leave.rows] == [14 + at for at in range(len(last) if reasons else 0)]


@pytest.mark.parametrize(
    ("words", "marks"),
    [
        (["Labour", "Green", "DK", "REF"], ["DK", "REF"]),
        (["Norge", "Danmark", "NS"], ["NS"]),
        (["SE", "NO", "DK", "FI"], []),
        (["Branca", "Parda", "ns"], []),
    ],
)
def test_capitals_for_no_answer_are_proposed_among_words(words: list[str], marks: list[str], tmp_path: Path) -> None:
    asked = [p.first_section.missing for p in proposals(tmp_path, "v", words * 9) if p.kind == "missing"]
    assert asked == [(mark,) for mark in marks]


@pytest.mark.parametrize(
    ("separator", "texts", "first"),
    [
        (";", ["1.234", "2.500", "12.000"], "1234"),
        (",", ["1.234", "2.500", "12.000", "300"], "1234"),
        (",", ["1.234", "2.500", "12.000"], None),
        (";", ["1.234", "2.500", "0.125"], None),
        (";", ["1.234", "2.5", "3.125"], None),
    ],
)
def test_marks_that_may_group_thousands_are_asked_about(
    separator: str, texts: list[str], first: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "source.csv"
    path.write_text("\n".join(f"{text}{separator}w" for text in ["v", *texts * 4]), encoding="utf-8")
    reading = read_source(path, InputSection())
    asked = [proposal for proposal in propose(reading) if proposal.column == "v"]
    assert [len(proposal.choices) for proposal in asked] == ([] if first is None else [2])
    taken = [read_source(path, proposal.taken(reading.options)).table.column("v").values()[0] for proposal in asked]
    assert taken == ([] if first is None else [first])
