"""Import that repairs: names or none, rows that are no records, amounts, dates and words, on the owner's word only."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from table_workbooks import cell, data, packed, row, xlsx_parts

from ppdm_desktop.engine.errors import PpdmError, RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import InputSection, LeaveOutSection, RepairSection
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.inspect import inspect_table, suggested_recipe_text
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.date_forms import serial_date
from ppdm_desktop.engine.table.reading.import_log import RepairDone
from ppdm_desktop.engine.table.reading.long_numbers import with_rounded_numbers
from ppdm_desktop.engine.table.reading.proposals import Proposal, accept_all_proposals, propose_repairs
from ppdm_desktop.engine.table.reading.repairs import repair
from ppdm_desktop.engine.wording.texts import render
from tests.golden import people

NONE_TYPED = np.empty(0, dtype=np.int32)
WAYS = ("leading", "trailing", "brackets")


def read(path: Path, **options: Any) -> Reading:
    return read_source(path, InputSection.model_validate(options))


def text_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "source.csv"
    path.write_text(text, encoding="utf-8")
    return path


def again(path: Path, reading: Reading, **more: Any) -> Reading:
    options = reading.options.model_copy(update={"sha256": reading.account.sha256, **more})
    return read_source(path, InputSection.model_validate(options.model_dump()))


def cells(reading: Reading) -> dict[str, list[str]]:
    return {column.name: column.values() for column in reading.table.columns}


def of(proposals: tuple[Proposal, ...], kind: str, column: str = "") -> Proposal:
    return next(each for each in proposals if (each.kind, each.column) == (kind, column))


def one_column(texts: list[str], **keys: Any) -> list[str]:
    section = RepairSection.model_validate(keys)
    return repair(Column.from_texts("c", texts), NONE_TYPED, section).column.values()


# --- amounts ----------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "number", "thousands"), case_rows("repairs-amounts-with-a-decimal-comma"))
def test_amounts_with_a_decimal_comma(text: str, number: str, thousands: str) -> None:
    keys = {"decimal": ",", "thousands": thousands, "strip": ("EUR", "€"), "percent": False, "minus": WAYS}
    assert one_column([text], **keys) == [number]


def test_a_stored_number_is_never_read_again(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    body = [row(2, cell("A2", 1.234), cell("B2", "a")), row(3, cell("A3", "1.234"), cell("B3", "b"))]
    path.write_bytes(packed(xlsx_parts({"S": data(row(1, cell("A1", "pay"), cell("B1", "w")), *body)})))
    plain = read(path)
    assert cells(plain)["pay"] == ["1.234", "1.234"]
    assert plain.table.columns[0].texts == ("1.234",), "a text once"
    found = read(path, repair={"pay": RepairSection(decimal=",", thousands=".")})
    assert cells(found)["pay"] == ["1.234", "1234"]
    assert found.account.repairs == (RepairDone("pay", "amounts", 1, 0),)


def proposals_of(tmp_path: Path, texts: list[str]) -> tuple[Proposal, ...]:
    rows = "".join(f"{text};w{place % 7}\n" for place, text in enumerate(texts))
    reading = read(text_file(tmp_path, "c;w\n" + rows), delimiter=";", header_row=1, decimal=".")
    return propose_repairs(reading)


@pytest.mark.parametrize(
    ("texts", "decimal", "expected"),
    case_rows("repairs-numbers-with-too-many-digits-are-rounded", lists=True),
)
def test_numbers_with_too_many_digits_are_rounded(texts: list[str], decimal: str, expected: list[str] | None) -> None:
    column, note = with_rounded_numbers(Column.from_texts("c", texts), decimal)
    assert column.values() == (texts if expected is None else expected)
    assert (note is None) == (expected is None)


def test_marks_are_guessed_and_the_rest_is_listed(tmp_path: Path) -> None:
    found = proposals_of(tmp_path, ["1.234,50", "12,00", "1.000.000,25", "7"] * 10 + ["k.A.", "ask"])
    amounts, *rest = found
    assert (amounts.kind, amounts.clear, amounts.cells) == ("amounts", True, 30)
    assert amounts.section == RepairSection(decimal=",", thousands=".")
    assert [(each.kind, each.section) for each in rest] == [
        ("missing", RepairSection(missing=("ask",))),
        ("missing", RepairSection(missing=("k.A.",))),
    ]


def test_marks_that_give_the_same_numbers_are_clear_and_others_a_question(tmp_path: Path) -> None:
    assert of(proposals_of(tmp_path, ["1 234", "12 000"]), "amounts", "c").clear
    asked = of(proposals_of(tmp_path, ["€ 1.234", "€ 2.500"]), "amounts", "c")
    assert (asked.clear, asked.section) == (False, None)
    said = [render(choice.note.id, choice.note.arguments).sentence for choice in asked.choices]
    assert sorted(said) == ["“€ 1.234” means 1.234", "“€ 1.234” means 1234"]


def test_two_currencies_are_never_added_up(tmp_path: Path) -> None:
    asked = of(proposals_of(tmp_path, ["5,00 €", "6,00 $", "7,50 €"]), "amounts", "c")
    assert (asked.clear, asked.section) == (False, None)
    assert [each.section.strip for each in asked.choices] == [("€",), ("$",)]
    assert of(proposals_of(tmp_path, ["5,00 €", "6,00 EUR"]), "amounts", "c").clear


# --- dates ------------------------------------------------------------------------------


def test_day_numbers_of_both_systems() -> None:
    assert (serial_date("45000", "1900"), serial_date("45000", "1904")) == ("2023-03-15", "2027-03-16")
    assert [serial_date(text, "1900") for text in ("1", "59", "60", "61", "2958465", "2958466", "0", "012")] == [
        "1900-01-01", "1900-02-28", None, "1900-03-01", "9999-12-31", None, None, None,
    ]  # fmt: skip


def test_dates_of_several_forms_become_iso() -> None:
    keys = {"dates": ("%d.%m.%Y", "%d. %B %Y", "%d-%b-%y", "%d.%m.%Y %H:%M"), "century_from": 1905}
    texts = ["13.06.1998", "3. März 2001", "12-Oct-04", "12-Dez-05", "31.02.2000", "1.1.2020 08:30", "soon"]
    assert one_column(texts, **keys) == [
        "1998-06-13T00:00:00", "2001-03-03T00:00:00", "2004-10-12T00:00:00", "1905-12-12T00:00:00", "31.02.2000",
        "2020-01-01T08:30:00", "soon",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "stamp", ["1988-05-18T00:00:00", "1988-05-18 00:00:00", "18/05/1988 0:00", "5/18/1988 0:00:00"]
)
def test_days_written_with_the_time_of_midnight_may_be_written_as_days(tmp_path: Path, stamp: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text("c,d\n" + f"{stamp},1\n" * 3, encoding="utf-8")
    offered = of(propose_repairs(read(path)), "dates", "c")
    assert offered.clear
    repaired = again(path, read(path), repair={"c": offered.section})
    assert cells(repaired)["c"] == ["1988-05-18"] * 3
    assert not propose_repairs(repaired)
    path.write_text("c,d\n" + f"{stamp},1\n" * 2 + stamp.replace("0:00", "7:00", 1) + ",1\n", encoding="utf-8")
    assert not propose_repairs(read(path))


def test_stored_dates_get_the_form_of_the_repaired_ones_and_are_counted(tmp_path: Path) -> None:
    column = Column.from_texts("c", ["13.06.1998", "1988-05-18T00:00:00", "1999-01-02"])
    made = repair(column, np.array([1], dtype=np.int32), RepairSection(dates=("%d.%m.%Y", "%Y-%m-%d")))
    assert (made.column.values(), made.changed) == (["1998-06-13", "1988-05-18", "1999-01-02"], 2)
    path = tmp_path / "x.csv"
    rows = ["c", *["1988-05-18T00:00:00"] * 3, "13.06.1998", "1999-01-02"]
    path.write_text("\n".join(rows), encoding="utf-8")
    offered = of(propose_repairs(read(path)), "dates", "c")
    assert offered.cells == 4
    said = render(offered.note.id, offered.note.arguments).sentence
    assert "3 cells like “1988-05-18T00:00:00” → 1988-05-18, " in said
    assert "1 cell like “1999-01-02” (not changed)" in said
    assert isinstance(offered.section, RepairSection)
    repaired = again(path, read(path), repair={"c": offered.section})
    assert (repaired.table.column("c").kind, cells(repaired)["c"][:2]) == ("date", ["1988-05-18"] * 2)


def test_the_order_of_day_and_month_is_decided_by_the_owner_with_the_evidence(tmp_path: Path) -> None:
    texts = ["2020-01-05"] * 20 + ["13/04/2019"] * 3 + ["03/04/2019"] * 2 + ["05/05/2019"]
    asked = of(proposals_of(tmp_path, texts), "dates", "c")
    assert not asked.clear
    assert {key: asked.note.arguments[key] for key in ("day", "month", "either")} == {"day": 3, "month": 0, "either": 2}
    assert [each.section.dates for each in asked.choices] == [("%Y-%m-%d", "%d/%m/%Y"), ("%Y-%m-%d", "%m/%d/%Y")]
    sure = of(proposals_of(tmp_path, ["2020-01-05"] * 20 + ["13/04/2019"] * 3), "dates", "c")
    assert sure.clear


def test_two_digits_of_a_year_are_asked_for_without_a_year_of_four(tmp_path: Path) -> None:
    asked = of(proposals_of(tmp_path, ["13.06.98", "14.06.99", "15.07.01"]), "dates", "c")
    assert [each.section.century_from for each in asked.choices] == [1930, 1900, 2000]
    births = of(proposals_of(tmp_path, ["13.06.19", "14.06.38", "15.07.45"]), "dates", "c")
    assert births.choices[0].section.century_from == 1900, "the days lie closest together"
    year_first = of(proposals_of(tmp_path, ["70-05-06", "31-12-30", "85-01-02"]), "dates", "c")
    assert year_first.choices[0].section.dates == ("%y-%m-%d",)
    newest = of(proposals_of(tmp_path, ["13.06.98", "14.06.2004", "15.07.2001"]), "dates", "c")
    assert isinstance(newest.section, RepairSection)
    assert (newest.clear, newest.section.century_from) == (True, 1905)


def test_day_numbers_among_dates_are_asked_for(tmp_path: Path) -> None:
    asked = of(proposals_of(tmp_path, ["13.06.1998", "14.06.1999", "45000"]), "dates", "c")
    assert [each.section.serials for each in asked.choices] == ["1900", "1904"]


# --- words ------------------------------------------------------------------------------


def test_words_are_proposed_and_never_clear(tmp_path: Path) -> None:
    spelled = of(proposals_of(tmp_path, ["Berlin", "Berlin", "berlin", "Bonn ", "Bonn", "Bonn"]), "words", "c")
    assert spelled.section == RepairSection(values={"berlin": "Berlin", "Bonn ": "Bonn"})
    asked = of(proposals_of(tmp_path, ["ja", "ja", "j", "nein", "Nein", "nein"]), "words", "c")
    assert asked.section == RepairSection(values={"j": "ja", "Nein": "nein"})
    crosses = of(proposals_of(tmp_path, ["x", "", "x", ""]), "words", "c")
    assert crosses.section == RepairSection(values={"x": "yes", "": "no"})
    assert not any(each.clear for each in (spelled, asked, crosses))
    assert one_column(["x", "", "y"], values={"x": "yes", "": "no"}) == ["yes", "no", "y"]


# --- names or none ----------------------------------------------------------------------


def test_no_names_are_made_and_columns_can_be_named(tmp_path: Path) -> None:
    path = text_file(tmp_path, "Ann,5\nBo,6\n")
    found = read(path, header_row=0, names={"Column 2": "amount"})
    assert cells(found) == {"Column 1": ["Ann", "Bo"], "amount": ["5", "6"]}
    assert found.account.warnings[0].id == "warning.read.no-names"
    assert found.account.names_given == 1
    named = read(path, header_row=1, names={"Ann": "who"})
    assert [column.header for column in named.table.columns] == ["who", "5"], "a header may be a record"


# --- rows that are no records -----------------------------------------------------------

ROWS = [f"n{place},{place * 3 % 11 + 1},{place * 7 % 13 + 1}" for place in range(12)]


def total(column: int) -> int:
    return sum(int(line.split(",")[column]) for line in ROWS)


def left(reading: Reading) -> list[tuple[str, tuple[int, ...]]]:
    return [(each.reason, each.rows) for each in reading.account.rows_to_answer]


def test_sums_notes_and_repeated_names_are_found_and_nothing_is_left_out_unasked(tmp_path: Path) -> None:
    lines = ["who,a,b", *ROWS[:6], "who,a,b", *ROWS[6:], f",{total(1)},{total(2)}", "As of today only,,"]
    path = text_file(tmp_path, "\n".join(lines))
    found = read(path)
    assert found.table.rows == 15
    assert left(found) == [("sum", (15,)), ("repeated-names", (8,)), ("note", (16,))]
    asked = LeaveOutSection(rows=(15, "16"), reason="sum"), LeaveOutSection(found="repeated-names")
    without = again(path, found, leave_out=asked)
    assert (without.table.rows, left(without)) == (12, [])
    assert [(gone.row, gone.reason) for gone in without.account.rows_left_out] == [
        (8, "repeated-names"),
        (15, "sum"),
        (16, "sum"),
    ]
    assert [column.kind for column in without.table.columns] == ["nominal", "numeric", "numeric"]
    assert left(again(path, found, people=(15,))) == [("repeated-names", (8,)), ("note", (16,))]
    below = again(path, found, last_row=14)
    assert (below.table.rows, [each.reason for each in below.account.rows_left_out]) == (13, ["below", "below"])
    pages = text_file(tmp_path, "\n".join(["who,a,b", *ROWS[:3], "Page 1 of 2,,", *ROWS[3:], "Page 2 of 2,,"]))
    assert [rows for _, rows in left(read(pages))] == [(5, 15)]


def test_a_word_of_sums_counts_only_at_the_beginning_and_not_as_a_category(tmp_path: Path) -> None:
    rows = [f"{word},{place}" for place, word in enumerate(["total", "part"] * 10)]
    assert left(read(text_file(tmp_path, "\n".join(["what,n", *rows])))) == []
    rows = ["x,1,2", "Summerfield,2,2", "y,3,3", "Gesamt:,6,7"]
    assert left(read(text_file(tmp_path, "\n".join(["who,n,m", *rows])))) == [("sum", (5,))]


# --- what cannot be meant ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    case_rows("repairs-what-the-file-does-not-have-is-refused-with-the-key", lists=True),
)
def test_what_the_file_does_not_have_is_refused_with_the_key(
    options: dict[str, Any], says: str, tmp_path: Path
) -> None:
    path = text_file(tmp_path, "a,b\n1,x\n2,y\n")
    sha = read(path).account.sha256
    with pytest.raises(RecipeError) as caught:
        read_source(path, parse_recipe({"recipe": 1, "input": {"sha256": sha, **options}}).input)
    shown = render(caught.value.id, caught.value.arguments)
    assert says in shown.sentence


@pytest.mark.parametrize("options", case_rows("repairs-what-no-file-can-be-read-by-is-refused", lists=True))
def test_what_no_file_can_be_read_by_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RecipeError) as caught:
        parse_recipe({"recipe": 1, "input": options})
    assert str(caught.value.arguments["key"]).startswith("input")


# --- row numbers ------------------------------------------------------------------------


def test_rows_are_numbered_as_a_spreadsheet_shows_them(tmp_path: Path) -> None:
    path = text_file(tmp_path, 'A title\n\n"who\nor what",town\nAnn,Oslo\nBo,Rome\nCy,Bonn\n')
    sha = read(path, header_row=3).account.sha256
    given: dict[str, Any] = {"recipe": 1, "columns": {"*": {"role": "other"}}}
    given["input"] = {"sha256": sha, "header_row": 3}
    given["privacy"] = {"rows": [{"rows": [4, "6-6"], "level": "paranoid"}]}
    prepared = prepare(path, parse_recipe(given))
    assert prepared.table.row_numbers.tolist() == [4, 5, 6], "the names take one row and two lines"
    levels = prepared.original.levels
    assert levels is not None
    assert levels.codes.tolist() == [1, 0, 1]


# --- repairs change what they say, once -------------------------------------------------

_PARTS = ("1", "23", "4.070,22", "1.234", "1'234.50", "500-", "(3,5)", "€ 7", "12,5 %", "k.A.", "", "007", "13.06.1998",
          "13.06.98", "2020-01-02", "31.02.2001", "45000", "ja", "JA", "x", "3/4/2019")  # fmt: skip


def _section(draw: random.Random) -> RepairSection:
    words = {draw.choice(_PARTS): draw.choice(("ja", "no", "9,5")) for _ in range(draw.randrange(3))}
    words = {key: value for key, value in words.items() if value not in words}
    missing = tuple(draw.sample(_PARTS, draw.randrange(2)))
    if draw.random() < 0.5:
        marks = draw.choice([(",", "."), (".", "'"), (",", None), (".", ",")])
        strip = draw.choice([None, ("€",)])
        amounts = {"decimal": marks[0], "thousands": marks[1], "strip": strip, "minus": WAYS, "percent": False}
        return RepairSection.model_validate({**amounts, "values": words, "missing": missing})
    serials = draw.choice([None, "1900", "1904"])
    forms = tuple(draw.sample(("%d.%m.%Y", "%d.%m.%y", "%Y-%m-%d", "%d/%m/%Y"), draw.randrange(1, 4)))
    return RepairSection.model_validate(
        {"dates": forms, "century_from": 1930, "serials": serials, "values": words, "missing": missing}
    )


def test_a_repair_changes_exactly_what_it_counts_and_a_second_pass_nothing() -> None:
    draw = random.Random(17)
    for _ in range(5_000):
        texts = [draw.choice(_PARTS) for _ in range(draw.randrange(1, 12))]
        section, decimal = _section(draw), draw.choice(".,")
        column = Column.from_texts("c", texts)
        typed = np.flatnonzero([draw.random() < 0.2 for _ in column.texts]).astype(np.int32)
        first = repair(column, typed, section, decimal)
        assert first.changed == sum(one != other for one, other in zip(texts, first.column.values(), strict=True))
        assert len(set(first.column.texts)) == len(first.column.texts)
        left = {text: texts.count(text) for text in texts}
        assert all(0 < cells <= sum(left.values()) for _, cells in first.unread)
        second = repair(first.column, first.typed, section, decimal)
        assert (second.changed, second.column.values()) == (0, first.column.values())


# --- the messy workbook -----------------------------------------------------------------


@pytest.fixture(scope="module")
def personnel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("personnel") / "personnel.xlsx"
    people.personnel(path)
    return path


def test_inspect_says_what_could_be_repaired_and_writes_all_as_comments(personnel: Path) -> None:
    reading = read(personnel)
    assert reading.account.sheet == "Personal 2025", "the legend stands first"
    seen = [(each.name, each.rows, each.columns, each.is_table) for each in reading.account.sheets_seen]
    assert seen[0] == ("Legende", 3, 2, False)
    assert seen[1][::3] == ("Personal 2025", True)
    assert reading.account.sheets_seen[0].corner[0] == ("low", "wenig")
    assert "warning.read.sheet-ignored" in [note.id for note in reading.account.warnings]
    proposals = propose_repairs(reading)
    found = inspect_table(reading, proposals)["proposals"]
    assert [each["kind"] for each in found].count("rows") == 2
    assert {each["column"] for each in found if each["choices"]} == {"Eintritt"}
    text = suggested_recipe_text(reading, proposals)
    assert parse_recipe(tomllib.loads(text)).input.repair == {}
    lines = text.split("\n#[columns")[0].splitlines()
    lines.remove('missing = [""]')
    opened = "\n".join(line[1:] if line[:1] == "#" and line[:2] != "# " else line for line in lines)
    written = parse_recipe(tomllib.loads(opened)).input
    taken = accept_all_proposals(reading, proposals)
    assert set(written.repair) >= {"Gehalt (EUR)", "Geb.-Datum", "Eintritt"}, "also those that are a choice"
    assert (written.repair, written.leave_out) == (taken.repair, taken.leave_out)
    repaired = read_source(personnel, taken)
    assert repaired.table.column("Eintritt").kind == "date" != reading.table.column("Eintritt").kind
    last = suggested_recipe_text(reading, proposals, repaired)
    assert '#[columns.Eintritt]\n#role = "quasi-identifier"\n#kind = "date"' in last


def test_a_row_number_outside_says_so_through_the_door(personnel: Path) -> None:
    with pytest.raises(PpdmError):
        read(personnel, sheet="Personal 2025", last_row=810)
