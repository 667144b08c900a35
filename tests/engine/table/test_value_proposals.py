"""Dates, amounts and codes for no answer as the world's programs and people write them: one proposal, one reading."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from cases import case_rows

from ppdm_desktop.engine.recipe.models import InputSection, RepairSection
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.proposals import Proposal, propose_in_turn, propose_repairs
from ppdm_desktop.engine.table.reading.word_lists import _load_word_lists, fold_text
from ppdm_desktop.engine.table.roles import suggest_roles


def read(tmp_path: Path, name: str, texts: list[str]) -> Reading:
    path = tmp_path / "source.csv"
    path.write_text("".join(f"{text}\tw{row % 7}\n" for row, text in enumerate([name, *texts])), encoding="utf-8")
    return read_source(path, InputSection(delimiter="\t", header_row=1, decimal="."))


def proposals(tmp_path: Path, name: str, texts: list[str]) -> list[Proposal]:
    return [proposal for proposal in propose_repairs(read(tmp_path, name, texts)) if proposal.column == name]


def corrected(tmp_path: Path, name: str, texts: list[str]) -> Reading:
    """Return the reading with the first proposal taken, which has to be clear."""
    reading = read(tmp_path, name, texts)
    proposal = next(proposal for proposal in propose_repairs(reading) if proposal.column == name)
    assert proposal.clear, proposal
    return read_source(tmp_path / "source.csv", proposal.taken(reading.options))


@pytest.mark.parametrize(("texts", "days"), case_rows("value-proposals-dates-have-one-reading", lists=True))
def test_dates_have_one_reading(texts: list[str], days: list[str], tmp_path: Path) -> None:
    column = corrected(tmp_path, "v", texts).table.column("v")
    assert (column.kind, column.values()) == ("date", days)


BIRTHS = [f"{1930 + row}0{1 + row % 9}{10 + row % 19}" for row in range(60)]


@pytest.mark.parametrize(
    ("name", "texts", "clear"), case_rows("value-proposals-digits-are-dates-where-name-or-span-says-so", lists=True)
)
def test_digits_are_dates_where_name_or_span_says_so(
    name: str, texts: list[str], clear: bool | None, tmp_path: Path
) -> None:
    asked = [proposal.clear for proposal in proposals(tmp_path, name, texts) if proposal.kind == "dates"]
    assert asked == ([] if clear is None else [clear])


def test_a_month_means_the_same_in_all_languages() -> None:
    meaning: dict[str, int] = {}
    for language, months in _load_word_lists()["months"].items():
        assert len(months) == 12, language
        for number, names in enumerate(months, start=1):
            assert {meaning.setdefault(fold_text(name), number) for name in names.split()} == {number}, names


@pytest.mark.parametrize(
    ("texts", "numbers"), case_rows("value-proposals-amounts-of-many-countries-have-one-reading", lists=True)
)
def test_amounts_of_many_countries_have_one_reading(texts: list[str], numbers: list[str], tmp_path: Path) -> None:
    assert corrected(tmp_path, "v", texts).table.column("v").values() == numbers


@pytest.mark.parametrize("texts", case_rows("value-proposals-codes-with-letters-are-no-amounts", lists=True))
def test_codes_with_letters_are_no_amounts(texts: list[str], tmp_path: Path) -> None:
    assert not proposals(tmp_path, "v", texts)


AGES = [str(18 + row % 72) for row in range(90)]
DAYS = [f"{2010 + row % 14}-0{1 + row % 9}-1{row % 10}" for row in range(60)]


@pytest.mark.parametrize(
    ("texts", "codes"), case_rows("value-proposals-codes-for-no-answer-are-asked-about-and", lists=True)
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
    assert suggest_roles(read(tmp_path, "v", texts).table)["v"].reason == "reason.role.looks-unread"
    made = suggest_roles(corrected(tmp_path, "v", texts).table)["v"]
    assert (made.role, made.reason) == ("quasi-identifier", "reason.role.date")


@pytest.mark.parametrize(("last", "reasons"), case_rows("value-proposals-last-lines-that-are-no-people", lists=True))
def test_last_lines_that_are_no_people(last: list[str], reasons: list[str], tmp_path: Path) -> None:
    path = tmp_path / "source.csv"
    people = [f"Ann{row}\tOslo\t{'mf'[row % 2]}\t{60 + row}" for row in range(12)]
    path.write_text("\n".join(["name\ttown\tsex\tpoints", *people, *last]), encoding="utf-8")
    asked = read_source(path, InputSection(delimiter="\t")).account.rows_to_answer
    assert [leave.reason for leave in asked] == reasons
    assert [row for leave in asked for row in leave.rows] == [14 + at for at in range(len(last) if reasons else 0)]


@pytest.mark.parametrize(
    ("words", "marks"), case_rows("value-proposals-capitals-for-no-answer-are-proposed", lists=True)
)
def test_capitals_for_no_answer_are_proposed_among_words(words: list[str], marks: list[str], tmp_path: Path) -> None:
    asked = [p.first_section.missing for p in proposals(tmp_path, "v", words * 9) if p.kind == "missing"]
    assert asked == [(mark,) for mark in marks]


def test_a_code_is_proposed_in_turn_after_the_words_beside_it(tmp_path: Path) -> None:
    reading = read(tmp_path, "age", [*map(str, range(20, 60)), *["not told"] * 4, *["999"] * 5])
    in_turn, _ = propose_in_turn(reading, partial(read_source, tmp_path / "source.csv"))
    assert [proposal.first_section.missing for proposal in in_turn] == [("not told",), ("999",)]


@pytest.mark.parametrize(
    ("separator", "texts", "first"), case_rows("value-proposals-marks-that-may-group-thousands-are-asked", lists=True)
)
def test_marks_that_may_group_thousands_are_asked_about(
    separator: str, texts: list[str], first: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "source.csv"
    path.write_text("\n".join(f"{text}{separator}w" for text in ["v", *texts * 4]), encoding="utf-8")
    reading = read_source(path, InputSection())
    asked = [proposal for proposal in propose_repairs(reading) if proposal.column == "v"]
    assert [len(proposal.choices) for proposal in asked] == ([] if first is None else [2])
    taken = [read_source(path, proposal.taken(reading.options)).table.column("v").values()[0] for proposal in asked]
    assert taken == ([] if first is None else [first])
