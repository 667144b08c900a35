"""Ids of people are compared as read; those that differ only in how they are written are asked about."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.person_ids import find_spelling_variants, identify_people
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.proposals import Proposal, propose_repairs
from ppdm_desktop.engine.wording.texts import render


def of_ids(folder: Path, header: str, ids: list[str]) -> Reading:
    path = folder / "visits.csv"
    lines = [f"{each},{'mf'[place % 2]}" for place, each in enumerate(ids)]
    path.write_text(f"{header},sex\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return read_source(path, InputSection())


def asked(reading: Reading) -> list[Proposal]:
    return [each for each in propose_repairs(reading) if each.note.id == "reading.propose.ids"]


IDS = [str(100 + row // 2) for row in range(2400)]
CHANGED = {4: " 102", 9: "0104", 700: "450 "}


def changed() -> list[str]:
    return [CHANGED.get(row, each) for row, each in enumerate(IDS)]


def test_ids_that_differ_only_in_how_they_are_written_are_asked_about(tmp_path: Path) -> None:
    reading = of_ids(tmp_path, "patient_nbr", changed())
    assert identify_people(reading.table, ["patient_nbr"]).count == 1203, "as read: nobody is put together unasked"
    (found,) = asked(reading)
    assert (found.column, found.cells, found.clear) == ("patient_nbr", 3, False)
    assert (
        "3 numbers differ from another only in spaces, capitals or leading zeros"
        in render(found.note.id, found.note.arguments).sentence
    )
    assert found.section is not None
    taken = read_source(tmp_path / "visits.csv", found.taken(reading.options))
    assert identify_people(taken.table, ["patient_nbr"]).count == 1200
    assert asked(taken) == []
    assert [taken.table.column("patient_nbr").values()[row] for row in CHANGED] == ["102", "104", "450"]


def test_nothing_is_asked_where_ids_are_written_alike_or_stand_for_nobody(tmp_path: Path) -> None:
    assert asked(of_ids(tmp_path, "patient_nbr", IDS)) == []
    assert asked(of_ids(tmp_path, "amount", changed())) == []
    named = InputSection(person=("amount",))
    (tmp_path / "visits.csv").write_text("amount\n" + "\n".join(["a1", "A1", *"bcdefg"]) + "\n", encoding="utf-8")
    assert len(asked(read_source(tmp_path / "visits.csv", named))) == 1, "said to be whose row it is"


@given(st.lists(st.text(alphabet="01aAbB \u00e9\u0301e", min_size=1, max_size=4), min_size=1, max_size=40))
def test_ids_are_put_together_as_pandas_would(ids: list[str]) -> None:
    counts = Counter(ids)
    found = find_spelling_variants(counts)
    series = pandas.Series(list(counts))
    plain = series.str.normalize("NFC").str.casefold().str.split().str.join(" ").str.lstrip("0")
    assert len(found) == len(counts) - plain.nunique()
    bare = dict(zip(series, plain, strict=True))
    for before, after in found.items():
        assert before != after
        assert after not in found, "no id becomes one that becomes another"
        assert bare[before] == bare[after]
        assert counts[after] >= counts[before]
