"""One row for each person: against pandas on the visits, against plain Python on random tables, and what is refused."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from cases import case_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import ReduceWay
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.wording.texts import explain, render
from tests.golden.people import VISIT_HEAD, visits, visits_csv

ROLES = {
    "visit_id": {"role": "left-out"},
    "person_nbr": {"role": "identifier"},
    "region": {"role": "quasi-identifier"},
    "sex": {"role": "quasi-identifier"},
    "age": {"role": "quasi-identifier"},
    "days": {"role": "quasi-identifier", "kind": "numeric"},
    "unit": {"role": "other"},
    "outcome": {"role": "confidential"},
}
WAYS: tuple[ReduceWay, ...] = ("first", "last", "min", "max", "mean", "sum", "most-frequent")


def recipe_of(columns: Mapping[str, Any], given: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"recipe": 1, "input": dict(given), "columns": dict(columns), "release": {"type": "research"}, **more}


def prepared_of(path: Path, columns: Mapping[str, Any], given: Mapping[str, Any], **more: Any) -> Prepared:
    return prepare(path, parse_recipe(recipe_of(columns, given, **more)))


def refused(path: Path, columns: Mapping[str, Any], given: Mapping[str, Any], **more: Any) -> PpdmError:
    with pytest.raises(PpdmError) as caught:
        prepared_of(path, columns, given, **more)
    assert explain(caught.value)
    return caught.value


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("visits") / "visits.csv"
    path.write_text(visits_csv(), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return pd.DataFrame(visits(), columns=list(VISIT_HEAD)).astype({"person_nbr": str, "days": int})


# --- visits against pandas -----------------------------------------------------------------------------


def test_the_people_of_the_visits(file: Path) -> None:
    found = prepared_of(file, ROLES, {"person": "person_nbr", "reduce": {"by": "first"}})
    people = existing(found.reduced)
    assert (people.rows, people.count, people.with_several, people.most_rows) == (2864, 2000, 467, 40)
    assert people.without_id == 0
    assert found.original.rows == found.table.rows == 2000
    assert found.read.rows == found.account.rows_read == 2864


def half_up(value: float) -> int:
    return math.floor(value + 0.5)


ORACLES = {
    "first": lambda days: days.iloc[0],
    "last": lambda days: days.iloc[-1],
    "min": lambda days: days.min(),
    "max": lambda days: days.max(),
    "sum": lambda days: days.sum(),
    "mean": lambda days: half_up(days.sum() / len(days)),
    "most-frequent": lambda days: next(each for each in days if (days == each).sum() == days.value_counts().max()),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("by", ["first", "last"])
def test_every_way_on_the_visits(file: Path, frame: pd.DataFrame, by: str, way: ReduceWay) -> None:
    given = {"person": "person_nbr", "reduce": {"by": by, "rows": "Visits", "columns": {"days": way}}}
    found = prepared_of(file, ROLES, given).original
    groups = frame.groupby("person_nbr", sort=False)
    assert found.column("days").values() == [str(each) for each in groups["days"].agg(ORACLES[way])]
    for name in ("region", "sex", "age", "unit", "outcome"):
        wanted = groups[name].first() if by == "first" else groups[name].last()
        assert found.column(name).values() == wanted.tolist(), name
    assert found.column("Visits").values() == [str(each) for each in groups.size()]
    assert (found.column("Visits").role, found.column("Visits").kind) == ("quasi-identifier", "numeric")
    first = groups["visit_id"].idxmin() if by == "first" else frame.reset_index().groupby("person_nbr", sort=False)
    places = first if by == "first" else first["index"].min()
    assert found.row_numbers.tolist() == [int(place) + 2 for place in places]


# --- random tables against plain Python ------------------------------------------------------------------

ids = st.sampled_from(["a", "b", "c", " a", "", "?", "10"])
numbers = st.one_of(st.sampled_from(["", "?"]), st.integers(-400, 400).map(lambda each: f"{each / 4:g}"))
days = st.one_of(
    st.just(""), st.dates(date(2019, 12, 28), date(2020, 1, 3)).map(lambda each: each.strftime("%d.%m.%Y"))
)
words = st.sampled_from(["x", "y", "z", "", "?"])
random_rows = st.lists(st.tuples(ids, ids, numbers, days, words), min_size=1, max_size=30)
MISSING = ("", "?")
RANDOM_ROLES = {
    "id": {"role": "identifier"},
    "part": {"role": "identifier"},
    "number": {"role": "confidential", "kind": "numeric"},
    "day": {"role": "quasi-identifier", "kind": "date", "format": "%d.%m.%Y"},
    "word": {"role": "quasi-identifier", "kind": "nominal"},
}
HEAD = tuple(RANDOM_ROLES)


def day_of(text: str) -> tuple[str, ...]:
    return tuple(reversed(text.split(".")))


def plain_value(texts: Sequence[str], way: str, *, kind: str, decimals: int, step: Decimal) -> str:
    """One person's value, the rows in their order, slowly and with exact decimals."""
    known = [each for each in texts if each not in MISSING]
    if way in ("first", "last"):
        return texts[0 if way == "first" else -1]
    if not known:
        return texts[0]
    if way == "most-frequent":
        same = [Decimal(each) for each in known] if kind == "numeric" else list(known)
        counts = Counter(same)
        return known[next(place for place, each in enumerate(same) if counts[each] == max(counts.values()))]
    if way in ("min", "max"):
        keys = [Decimal(each) for each in known] if kind == "numeric" else [day_of(each) for each in known]
        best = min(keys) if way == "min" else max(keys)
        return known[keys.index(best)]  # type: ignore[arg-type]
    total = sum((Decimal(each) for each in known), Decimal(0))
    if way == "mean":
        total = (total / len(known) / step + Decimal("0.5")).to_integral_value(ROUND_FLOOR) * step
    text = f"{total:.{decimals}f}"
    return text.removeprefix("-") if Decimal(text) == 0 else text


@settings(max_examples=30)
@given(
    rows=random_rows,
    by=st.sampled_from(["first", "last"]),
    order=st.sampled_from([None, "number", "day"]),
    of_number=st.sampled_from(WAYS),
    of_day=st.sampled_from(["first", "last", "min", "max", "most-frequent"]),
    of_word=st.sampled_from(["first", "last", "most-frequent"]),
    step=st.sampled_from([None, 0.5, 2]),
    columns=st.sampled_from([["id"], ["id", "part"]]),
)
def test_random_tables(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, ...]],
    by: str,
    order: str | None,
    of_number: str,
    of_day: str,
    of_word: str,
    step: float | None,
    columns: list[str],
) -> None:
    path = tmp_path_factory.mktemp("random") / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([HEAD, *rows])
    roles = {**RANDOM_ROLES, "number": {**RANDOM_ROLES["number"], **({} if step is None else {"step": step})}}
    ways = {"number": of_number, "day": of_day, "word": of_word}
    given = {
        "person": columns,
        "missing": ["", "?"],
        "header_row": 1,
        "delimiter": ",",
        "decimal": ".",
        "reduce": {"by": by, "columns": ways, "rows": "n"},
        **({} if order is None else {"order_by": order}),
    }
    found = prepared_of(path, roles, given)
    groups: dict[object, list[int]] = {}
    places = [HEAD.index(name) for name in columns]
    for place, row in enumerate(rows):
        own = tuple(row[each] for each in places)
        groups.setdefault(place if set(own) & set(MISSING) else own, []).append(place)
    assert found.reduced is not None
    assert found.reduced.count == len(groups)
    assert found.reduced.without_id == sum(isinstance(each, int) for each in groups)
    assert found.original.row_numbers.tolist() == [min(each) + 2 for each in groups.values()]
    assert found.original.column("n").values() == [str(len(each)) for each in groups.values()]
    seen = [row[2] for row in rows if row[2] not in MISSING]
    decimals = max([len(each.partition(".")[2]) for each in seen], default=0)
    if step == 0.5:
        decimals = max(decimals, 1)
    grid = Decimal(1).scaleb(-decimals) if step is None else Decimal(str(step))
    for name, kind in (("number", "numeric"), ("day", "date"), ("word", "nominal")):
        way, at = ways[name], HEAD.index(name)
        wanted = []
        for members in groups.values():
            texts = [rows[place][at] for place in in_order(members, rows, order, last=way == "last")]
            wanted.append(plain_value(texts, way, kind=kind, decimals=decimals, step=grid))
        assert found.original.column(name).values() == wanted, (name, way)


def in_order(members: list[int], rows: list[tuple[str, ...]], order: str | None, *, last: bool) -> list[int]:
    """A person's rows in the order of a column; those without time come last, or before all others for the last."""
    if order is None:
        return members
    at = HEAD.index(order)
    known = [place for place in members if rows[place][at] not in MISSING]
    unknown = [place for place in members if rows[place][at] in MISSING]
    if order == "number":
        known.sort(key=lambda place: Decimal(rows[place][at]))
    else:
        known.sort(key=lambda place: day_of(rows[place][at]))
    return unknown + known if last else known + unknown


# --- numbers at their edges ------------------------------------------------------------------------------


def small(folder: Path, text: str) -> Path:
    path = folder / "small.csv"
    path.write_text(text, encoding="utf-8")
    return path


VALUE = {"p": {"role": "identifier"}, "v": {"role": "confidential", "kind": "numeric"}}


@pytest.mark.parametrize(
    ("values", "section", "wanted"), case_rows("one-row-a-mean-lies-on-the-columns-grid", lists=True)
)
def test_a_mean_lies_on_the_columns_grid(tmp_path: Path, values: list[str], section: Any, wanted: str) -> None:
    path = small(tmp_path, "p,v\n" + "".join(f"a,{each}\n" for each in values))
    roles = {**VALUE, "v": {**VALUE["v"], **section}}
    found = prepared_of(path, roles, {"person": "p", "reduce": {"by": "first", "columns": {"v": "mean"}}})
    assert found.original.column("v").values() == [wanted]


@pytest.mark.parametrize(
    ("number", "columns", "id"),
    [
        ("999999999999999", VALUE, "error.people.sum-too-long"),
        ("6", {**VALUE, "v": {**VALUE["v"], "bounds": [0, 10]}}, "error.columns.outside-bounds"),
        ("6", {"p": VALUE["p"], "*": {**VALUE["v"], "bounds": [0, 10]}}, "error.columns.outside-bounds"),
    ],
)
def test_a_sum_of_too_many_digits_or_outside_its_bounds(tmp_path: Path, number: str, columns: Any, id: str) -> None:
    path = small(tmp_path, f"p,v\na,1\nb,{number}\nb,{number}\n")
    error = refused(path, columns, {"person": "p", "reduce": {"by": "first", "columns": {"v": "sum"}}})
    assert isinstance(error, InputError)
    assert (error.id, error.column, error.row) == (id, "v", 3)


# --- what goes along -------------------------------------------------------------------------------------


def test_the_strictest_level_of_a_persons_rows_goes_along(tmp_path: Path) -> None:
    text = "p,q,v,level\na,1,5,normal\nb,1,1,normal\na,1,5,paranoid\nc,1,9,normal\nd,1,1,cautious\nc,1,2,cautious\n"
    path = small(tmp_path, text)
    roles = {
        **VALUE,
        "q": {"role": "quasi-identifier"},
        "level": {"role": "privacy-level"},
    }
    given = {"person": "p", "reduce": {"by": "first"}}
    rule = {"where": {"column": "v", "equals": 2}, "level": "extra-cautious"}
    found = prepared_of(path, roles, given, privacy={"rules": [rule]})
    levels = existing(found.table.levels)
    assert [levels.levels[code].name for code in levels.codes] == ["paranoid", "normal", "extra-cautious", "cautious"]
    assert dict(levels.sources) == {"default": 1, "column": 2, "rules": 1, "rows": 0}
    assert [(note.id, note.arguments) for note in found.notes][:1] == [("note.levels.within-person", {"people": 2})]


def test_a_status_is_that_of_the_person_not_of_the_row(tmp_path: Path) -> None:
    # Row by row everybody has company; as people, c is alone once the first row stands for them.
    path = small(tmp_path, "p,q,v\na,1,1\nb,1,2\nc,2,1\nc,1,3\nc,2,2\n")
    roles = {**VALUE, "q": {"role": "quasi-identifier"}}
    rule = {"where": {"status": "unique"}, "level": "paranoid"}
    found = prepared_of(path, roles, {"person": "p", "reduce": {"by": "first"}}, privacy={"rules": [rule]})
    levels = existing(found.table.levels)
    assert [levels.levels[code].name for code in levels.codes] == ["normal", "normal", "paranoid"]


def test_the_recipe_written_out_prepares_the_same(tmp_path: Path) -> None:
    path = small(tmp_path, "p,q,v\na,1,1\nb,1,2\na,2,1\n")
    roles = {"*": {"role": "other"}, "v": VALUE["v"]}
    given = {"person": "p", "order_by": "v", "reduce": {"by": "last", "rows": "n", "columns": {"v": "max"}}}
    once = prepared_of(path, roles, given)
    twice = prepare(path, once.complete)
    assert once.recipe_sha256 == twice.recipe_sha256
    assert once.original.column("p").role == "identifier"
    other = prepared_of(path, roles, {**given, "reduce": {**given["reduce"], "by": "first"}})  # type: ignore[dict-item]
    assert other.draws_sha256 != once.draws_sha256


# --- what is refused -------------------------------------------------------------------------------------

FIRST = {"by": "first"}


@pytest.mark.parametrize(
    ("given", "roles", "id", "column", "says"), case_rows("one-row-bad-input-names-key-column-and-remedy")
)
def test_bad_input_names_key_column_and_remedy(
    tmp_path: Path, given: Any, roles: Any, id: str, column: str | None, says: str
) -> None:
    path = small(tmp_path, "p,w,v,d\na,x,1,2020-01-01\nb,y,2,2020-01-02\n")
    columns = {**VALUE, "w": {"role": "quasi-identifier"}, "d": {"role": "other", "kind": "date"}, **roles}
    error = refused(path, columns, given)
    assert isinstance(error, RecipeError)
    assert (error.id, error.column) == (id, column)
    words = explain(error)
    assert says in words
    assert render(error.id, error.arguments).remedy


@pytest.mark.parametrize(("given", "says"), case_rows("one-row-what-no-recipe-may-say", lists=True))
def test_what_no_recipe_may_say(given: Any, says: str) -> None:
    with pytest.raises(RecipeError) as caught:
        parse_recipe(recipe_of(VALUE, given))
    assert says in str(explain(caught.value))


def test_a_missing_id_is_a_person_of_its_own(tmp_path: Path) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([("p", "v"), ("a", 1), ("", 2), ("a", 3), ("", 4), ("b", 5)])
    path = small(tmp_path, text.getvalue())
    found = prepared_of(path, VALUE, {"person": "p", "reduce": FIRST})
    assert found.reduced is not None
    assert (found.reduced.count, found.reduced.without_id, found.reduced.with_several) == (4, 2, 1)
    assert found.original.column("v").values() == ["1", "2", "4", "5"]
