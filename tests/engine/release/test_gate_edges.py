"""What checks seldom meet: no user, no host, nobody left, no quasi-identifier, text where a number was."""

from __future__ import annotations

import getpass
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import PropertyMock, patch

import numpy as np
import pytest
from gate_cases import check, evidence_of, make_candidate

from ppdm_desktop.engine.attacks.doubt import rare_secret
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate import surroundings
from ppdm_desktop.engine.release.gate.checks import level_readback, rare_values, release_text
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.reasons import bound, lapsed
from ppdm_desktop.engine.release.gate.registry import find_check
from ppdm_desktop.engine.table.column import Column, Table

SAFE: dict[str, Any] = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x", "y"] * 10}
ROLES: dict[str, Any] = {"Q": "q", "C": "c"}


def test_a_user_and_a_home_that_nobody_knows_are_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    monkeypatch.setattr(getpass, "getuser", lambda: "somebody-here")
    monkeypatch.setattr(Path, "home", lambda: Path("/homes/of-somebody"))
    known = surroundings(candidate)
    assert {"somebody-here", "/homes/of-somebody"} <= set(known.machine_words)

    def nobody() -> str:
        raise OSError("no name")

    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(getpass, "getuser", nobody)
    monkeypatch.setattr(Path, "home", nowhere)
    unknown = surroundings(candidate)
    assert set(known.machine_words) - set(unknown.machine_words) >= {"somebody-here", "/homes/of-somebody"}
    assert str(tmp_path / "people-list.csv") in unknown.machine_words


def test_without_a_quasi_identifier_class_size_is_corrected_where_roles_are_given(tmp_path: Path) -> None:
    evidence = evidence_of(make_candidate(tmp_path, {"Q": ["1", "2"], "C": ["x", "y"]}, {"Q": "o", "C": "c"}))
    found = check(evidence, "class-size")
    assert [each.page for each in find_check("class-size").remedy(found, evidence)] == ["columns"]


def test_an_identifier_that_nobody_has_is_given_away_by_nothing(tmp_path: Path) -> None:
    columns = {**SAFE, "Id": [""] * 20, "O": [str(place) for place in range(20)]}
    candidate = make_candidate(tmp_path, columns, {**ROLES, "Id": "i", "O": "o"})
    assert check(candidate, "identifiers-gone").status == "green"
    numbers = [str(place) for place in range(20)]
    told = make_candidate(tmp_path, {**columns, "Id": numbers}, {**ROLES, "Id": "i", "O": "o"})
    assert check(told, "identifiers-gone").status == "red"


@pytest.mark.parametrize(("right", "status"), [(4, "red"), (1, "amber")])
def test_of_few_people_a_rare_value_is_judged_by_the_count(tmp_path: Path, right: int, status: str) -> None:
    few = {name: values[5:15] for name, values in SAFE.items()}
    evidence = evidence_of(make_candidate(tmp_path, few, ROLES))
    found = rare_secret("gout", np.arange(10) < 4, np.arange(10) < right)
    belief = replace(evidence.beliefs[0], rare=(found,))
    with patch.object(Evidence, "beliefs", new_callable=PropertyMock, return_value=(belief,)):
        result = check(evidence, "rare-secret")
    assert (result.status, result.figure.value if result.figure else None) == (status, right)
    assert (result.hits, result.of) == (right, 4)
    assert result.sentence.id == f"gate.rare-secret.{status}-few"


def test_a_reason_holds_while_a_limit_in_words_is_the_same(tmp_path: Path) -> None:
    result = replace(check(make_candidate(tmp_path, SAFE, ROLES), "class-size"), limit="every one", figure=None)
    section = bound("a reason of some length", result, "research", "ab" * 32)
    assert lapsed(section, result, "research", "ab" * 32) is None
    other = lapsed(section, replace(result, limit="every other"), "research", "ab" * 32)
    assert other is not None
    assert other.id == "warning.accept.other-limit"
    number = replace(result, figure=Figure(3.0, unit="records"))
    worse = lapsed(section, number, "research", "ab" * 32)
    assert worse is not None
    assert worse.id == "warning.accept.other-figure"


def column(*values: str, name: str = "C") -> Column:
    return Column.from_texts(name, values)


def test_columns_of_other_length_or_without_rows_repeat_no_level() -> None:
    level = column(*"nnnnppppnn")
    assert level_readback._same(level, column(*"nnnnppppnn"))
    assert level_readback._same(level, column(*"aaaabbbbaa")) is False, "texts are compared, whatever stands for them"
    assert not level_readback._same(level, column(*"nnnnpppp"))
    assert not level_readback._same(column(), column())


@pytest.mark.parametrize(
    ("word", "is_number"), [("3", True), ("-2.5e3", True), ("inf", False), ("nan", False), ("x3", False), ("", False)]
)
def test_only_finite_numbers_are_ends_of_a_range(word: str, is_number: bool) -> None:
    assert rare_values._is_number(word) is is_number


def test_a_table_without_columns_or_rows_has_no_lone_pattern_of_gaps() -> None:
    for table in (Table((), np.arange(1, 4)), Table((column(),), np.arange(0))):
        found = rare_values._lone_missing_patterns(cast(Evidence, SimpleNamespace(exported=table)))
        assert found.tolist() == [False] * table.rows


def test_a_day_of_release_and_rows_of_people_are_said_to_the_recipient_and_are_no_strange_text(tmp_path: Path) -> None:
    dated = make_candidate(tmp_path, SAFE, ROLES, operator={"release_day": "2026-03-01"})
    evidence = evidence_of(dated)
    assert b"2026" in evidence.texts.note
    assert check(evidence, "release-text").status == "green"
    undated = replace(evidence, candidate=make_candidate(tmp_path, SAFE, ROLES))
    assert check(undated, "release-text").status == "red", "a day that nobody stated"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"</body>", b"<!-- ask Ann --></body>"),
        (b"</body>", b"<?ask Ann?></body>"),
        (b"</body>", b"<![CDATA[ask Ann]]></body>"),
        (b"</body>", b"<i/></body>"),
        (b"</body>", b"<p>Ann</p></body>"),
        (b"<body", b'<body data-asked="Ann"'),
    ],
)
def test_whatever_is_added_to_a_release_note_is_found(tmp_path: Path, old: bytes, new: bytes) -> None:
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES))
    assert check(evidence, "release-text").status == "green"
    assert old in evidence.texts.note
    changed = replace(evidence, texts=replace(evidence.texts, note=evidence.texts.note.replace(old, new)))
    assert check(changed, "release-text").status == "red"


@pytest.mark.parametrize("dictionary", [b"", b"name,other\r\nQ,x\r\n"])
def test_a_dictionary_of_another_form_is_strange(tmp_path: Path, dictionary: bytes) -> None:
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES))
    changed = replace(evidence, texts=replace(evidence.texts, dictionary=dictionary))
    assert release_text._strange_in_dictionary(changed, frozenset()) == 1


def test_a_file_beside_a_release_that_asks_for_no_kit_is_strange(tmp_path: Path) -> None:
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES))
    changed = replace(evidence, texts=replace(evidence.texts, kit={"noise.json": b"{}", "read-me.txt": b"Ann"}))
    assert release_text._strange_in_kit(changed, frozenset()) == 2
    assert check(changed, "release-text").status == "red"


def test_an_identifier_of_another_row_of_the_same_person_is_found(tmp_path: Path) -> None:
    """Each person has two rows with two numbers; the row that is kept shows the number of the other one."""
    people = [str(place // 2) for place in range(40)]
    own = [f"n{place:03}" for place in range(40)]
    others = [f"n{place ^ 1:03}" for place in range(40)]
    strangers = [f"s{place:03}" for place in range(40)]
    for shown, status in ((others, "red"), (strangers, "green")):
        columns = {"P": people, "Id": own, "Q": ["a"] * 40, "O": shown, "C": ["x", "y"] * 20}
        roles: dict[str, Any] = {"P": "i", "Id": "i", "Q": "q", "O": "o", "C": "c"}
        candidate = make_candidate(tmp_path, columns, roles, input={"person": "P", "reduce": {"by": "first"}})
        assert candidate.final.rows == 20
        assert check(candidate, "identifiers-gone").status == status
