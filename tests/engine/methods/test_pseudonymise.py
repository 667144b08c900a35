"""Codes in place of identifiers: golden codes, who can find whom again, and what is refused."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.methods.algorithms.pseudonyms.codes import codes_of
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.randomness import Key, RecipientSecret, StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import identify_people, with_ids_marked
from tests.golden.people import VISIT_HEAD, visits

COUNTING = bytes(range(32))
METHOD = find_method("pseudonymise")


def test_golden_codes() -> None:
    assert codes_of(COUNTING, "person", ["P10001", "135"], 16) == ["MZWWF3EQ7GYGMHXM", "TDWYWFM6ZQ20WFVT"]
    assert codes_of(COUNTING, "person", ["135"], 20) == ["TDWYWFM6ZQ20WFVTZDCG"]
    spelt = ["Müller", f"  {unicodedata.normalize('NFD', 'Müller')} "]
    assert codes_of(COUNTING, "person", spelt, 16) == ["61DGRCQBD3CZZF52"] * 2
    assert codes_of(COUNTING, "household", ["135"], 16) == ["0R8XCYZHGNN8PXN7"]
    assert codes_of(bytes(32), "person", ["135"], 16) == ["HZTK29JWYB7509HT"]
    assert RecipientSecret(COUNTING).fingerprint == "3b947a7421efe11f"


def table_of_visits() -> Table:
    rows = visits()
    named = zip(VISIT_HEAD, zip(*rows, strict=True), strict=True)
    columns = tuple(replace(Column.from_texts(name, map(str, cells)), role="identifier") for name, cells in named)
    table = Table(columns, np.arange(2, len(rows) + 2))
    return with_ids_marked(table, ["person_nbr"]).with_people(identify_people(table, ["person_nbr"]))


def run(table: Table, key: Key, secret: RecipientSecret | None = None, **parameters: Any) -> StepResult:
    settings = METHOD.settings(table, None, parameters)
    return METHOD.run(table, settings, StepStream(key, "i", "r", 1, recipient=secret))


def shown(result: StepResult, name: str = "person_nbr") -> list[str]:
    column = result.table.column(name)
    return [column.texts[code] for code in column.codes.tolist()]


def test_codes_say_nothing_of_the_order_of_numbers_or_rows() -> None:
    table = table_of_visits()
    people = table.people
    assert isinstance(people, People)
    numbers = np.array([int(row[1]) for row in visits()])[people.first_rows]
    limit = 4 / np.sqrt(people.count - 1)
    for seed in range(10):
        codes = np.array(shown(run(table, Key.from_seed(seed))))[people.first_rows]
        rank = np.argsort(np.argsort(codes))
        assert abs(spearmanr(rank, numbers).statistic) < limit
        assert abs(spearmanr(rank, people.first_rows).statistic) < limit


def test_two_recipients_share_no_code_and_no_list_of_numbers_finds_one() -> None:
    table, key = table_of_visits(), Key.from_seed(1)
    first, second = RecipientSecret.fresh(), RecipientSecret.fresh()
    codes = [set(shown(run(table, key, each, recipient="study"))) for each in (first, second)]
    assert [len(each) for each in codes] == [2000, 2000]
    assert not codes[0] & codes[1]
    assert codes[0] == set(shown(run(table, Key.from_seed(2), first, recipient="study"))), (
        "kept from release to release"
    )
    everybody = {str(row[1]) for row in visits()}
    # Whoever knows the numbers and the way, but not the secret, tries every hash that needs none.
    tried = {
        hashlib.new(name, text.encode()).hexdigest().upper()[:16]
        for name in ("md5", "sha1", "sha256")
        for text in everybody
    }
    tried |= set(codes_of(b"", "person", sorted(everybody), 16)) | set(
        codes_of(bytes(32), "person", sorted(everybody), 16)
    )
    assert not codes[0] & tried


def test_codes_of_a_release_alone_match_no_other_release() -> None:
    table, keys = table_of_visits(), [Key.from_seed(seed) for seed in (1, 2)]
    first, second = (set(shown(run(table, key))) for key in keys)
    assert [len(first), len(second)] == [2000, 2000]
    assert not first & second
    everybody = sorted({str(row[1]) for row in visits()})
    for secret in (b"", bytes(32), keys[0].bytes_):
        assert not first & set(codes_of(secret, "person", everybody, 16)), "nor are they made with the bare key"
    assert first == set(codes_of(hashlib.sha256(b"ppdm-1 codes" + keys[0].bytes_).digest(), "person", everybody, 16))


TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=40))
def test_one_person_has_one_code_whatever_columns_say_who_they_are(rows: list[tuple[str, str]]) -> None:
    columns = [
        replace(Column.from_texts(name, [row[place] for row in (*rows, ("", ""))]), role="identifier")
        for place, name in enumerate(("clinic", "case"))
    ]
    table = with_ids_marked(Table(tuple(columns), np.arange(len(rows) + 1)), ["clinic", "case"])
    result = run(table, Key.from_seed(7))
    plain = [tuple(unicodedata.normalize("NFC", part) for part in ("\x1f".join(row).strip(),)) for row in rows]
    codes = shown(result, "clinic")[:-1]
    assert len(set(codes)) == len(set(plain)) == len(set(zip(plain, codes, strict=True)))
    settings = METHOD.settings(table, None, {})
    assert METHOD.effect(table, settings).arguments["codes"] == len(set(codes))
    assert METHOD.recount(table, result.table, settings, result.detail).guarantee.holds
    assert not METHOD.recount(table, table, settings, result.detail).guarantee.holds, "ids are no codes"
    # Somebody's code in another's row is seen by the recount.
    if len(set(codes)) > 1:
        column = result.table.column("clinic")
        moved = column.codes.copy()
        moved[0] = next(code for code in moved if code != moved[0])
        spoilt = result.table.replacing(replace(column, codes=moved))
        assert not METHOD.recount(table, spoilt, settings, result.detail).guarantee.holds


def refusal(
    table: Table, secret: RecipientSecret | None, columns: list[str] | None = None, **parameters: Any
) -> PpdmError:
    streams = StepStream(Key.from_seed(1), "i", "r", 1, recipient=secret)
    try:
        METHOD.run(table, METHOD.settings(table, columns, parameters), streams)
    except (InputError, RecipeError) as error:
        return error
    raise AssertionError("nothing was refused")


def test_what_is_refused() -> None:
    table = table_of_visits()
    assert refusal(table, None, recipient="study").id == "error.recipient.needed"
    other = refusal(table, RecipientSecret(COUNTING), recipient="study", recipient_sha256="0" * 16)
    assert other.id == "error.recipient.other"
    other_role = table.replacing(replace(table.column("region"), role="other"))
    assert refusal(other_role, None, ["region"]).id == "error.step.unfit-role"
    assert refusal(table, None, length=18).id == "error.recipe.bad-parameter"


def test_two_people_with_one_code_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def meeting(secret: bytes, domain: str, texts: list[str], length: int) -> list[str]:
        return ["A" * length for _ in texts]

    monkeypatch.setattr("ppdm_desktop.engine.methods.pseudonymise.codes_of", meeting)
    found = refusal(table_of_visits(), None)
    assert (found.id, found.arguments["length"]) == ("error.pseudonymise.collision", 20)
