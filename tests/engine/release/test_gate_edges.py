"""What checks seldom meet: no user, no host, nobody left, no quasi-identifier, text where a number was."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import PropertyMock, patch

import numpy as np
import pytest
from cases import case_rows
from gate_cases import attack_entry, check, evidence_of, make_candidate, share, with_step
from role_corpus import person_tables

from ppdm_desktop.engine.attacks.uncertainty import measure_rare_secret
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.candidate.one_row import state_people_count, state_row_count
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.checks import identifiers_gone, release_text
from ppdm_desktop.engine.release.gate.environment_terms import collect_host_metadata
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.stated_values import allowed_values
from ppdm_desktop.engine.report.public.analysis_kit import LAW, R_SCRIPT, SCRIPT
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import interpret_column_name
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import LimitOf

SAFE: dict[str, Any] = {"Q": ["a"] * 10 + ["b"] * 10, "C": ["x", "y"] * 10}

ROLES: dict[str, Any] = {"Q": "q", "C": "c"}


def test_a_user_and_a_home_that_nobody_knows_are_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES)
    monkeypatch.setattr(getpass, "getuser", lambda: "somebody-here")
    monkeypatch.setattr(Path, "home", lambda: Path("/homes/of-somebody"))
    known = collect_host_metadata(candidate)
    assert {"somebody-here", "/homes/of-somebody"} <= set(known.machine_words)

    def nobody() -> str:
        raise OSError("no name")

    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(getpass, "getuser", nobody)
    monkeypatch.setattr(Path, "home", nowhere)
    unknown = collect_host_metadata(candidate)
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
    found = measure_rare_secret("gout", np.arange(10) < 4, np.arange(10) < right)
    belief = replace(evidence.beliefs[0], rare=(found,))
    with patch.object(Evidence, "beliefs", new_callable=PropertyMock, return_value=(belief,)):
        result = check(evidence, "rare-secret")
    assert (result.status, result.figure.value if result.figure else None) == (status, right)
    assert (result.hits, result.of) == (right, 4)
    assert result.sentence.id == f"gate.rare-secret.{status}-few"


@pytest.mark.parametrize(("right", "status"), [(5, "red"), (4, "amber")])
def test_fewer_than_five_holders_named_rightly_never_stop_a_release(tmp_path: Path, right: int, status: str) -> None:
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES))
    named = np.arange(20) < right
    belief = replace(evidence.beliefs[0], rare=(measure_rare_secret("gout", named, named),))
    with patch.object(Evidence, "beliefs", new_callable=PropertyMock, return_value=(belief,)):
        assert check(evidence, "rare-secret").status == status


def column(*values: str, name: str = "C") -> Column:
    return Column.from_texts(name, values)


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


def test_who_is_picked_out_where_nothing_is_confidential_tells_all_there_is(tmp_path: Path) -> None:
    """Being in the file is then what is to be kept: in public nobody may be picked out."""
    columns = {"Q": [str(place) for place in range(20)], "C": SAFE["C"]}
    bare = make_candidate(tmp_path, columns, {"Q": "q", "C": "l"}, "public")
    assert check(bare, "singling-out").status == "red"


def test_an_identifier_of_nobody_who_is_released_is_given_away_by_nothing(tmp_path: Path) -> None:
    """Every number is there twice, and those who have one are not in the release, or show nothing."""
    rows = 2 * identifiers_gone.REPEATS_FROM
    numbers = [f"n{place % (rows // 2):02}" for place in range(rows)]
    columns = {"Q": ["a"] * rows, "Id": numbers, "O": numbers, "C": ["x", "y"] * (rows // 2)}
    roles: dict[str, Any] = {"Q": "q", "Id": "i", "O": "o", "C": "c"}
    candidate = make_candidate(tmp_path, columns, roles)
    assert check(candidate, "identifiers-gone").status == "red"
    hidden = with_step(candidate, {"O": [""] * rows})
    assert check(hidden, "identifiers-gone").status == "green"
    identifier = candidate.prepared.original.column("Id")
    own = identifiers_gone._Identifier.of(identifier.take(np.zeros(0, dtype=np.int64)))
    shown = candidate.final.column("O").take(np.zeros(0, np.int64))
    assert not identifiers_gone._can_reveal_identifier(shown, own, 5)


NOISY: dict[str, Any] = {"method": "two-phase-noise", "columns": ["Pay"], "parameters": {"sd": 9.0}}


@pytest.mark.parametrize(
    ("change", "strange"),
    [
        (lambda kit: kit, 0),
        (lambda kit: {**kit, "read-me.txt": b"ask Ann"}, 1),
        (lambda kit: {**kit, "more.txt": b""}, 1),
        (lambda kit: {**kit, SCRIPT: kit[SCRIPT].replace(b"import json", b"import json, socket")}, 1),
        (lambda kit: {**kit, R_SCRIPT: kit[R_SCRIPT].replace(b"read.table(", b"read.table(url('x'), ", 1)}, 1),
        (lambda kit: {name: data for name, data in kit.items() if name != LAW}, 2),
        (lambda kit: {**kit, LAW: kit[LAW] + b" "}, 1),
        (lambda kit: {**kit, LAW: b"{}"}, 2),
        (lambda kit: {**kit, LAW: kit[LAW].replace(b'"Pay"', b'"Ann"')}, 2),
        (lambda kit: {**kit, LAW: kit[LAW].replace(b'"Pay"', b'"ann@hospital.example"')}, 3),
    ],
)
def test_the_kit_says_what_follows_from_the_law_and_nothing_else(
    change: Callable[[dict[str, bytes]], dict[str, bytes]], strange: int, tmp_path: Path
) -> None:
    columns = {"Q": ["a"] * 10 + ["b"] * 10, "Pay": [str(100 + 7 * place) for place in range(20)]}
    roles: dict[str, Any] = {"Q": "q", "Pay": {"role": "c", "kind": "numeric", "bounds": [0, 500]}}
    evidence = evidence_of(make_candidate(tmp_path, columns, roles, steps=[NOISY], release={"analysis_kit": True}))
    kit = dict(evidence.texts.kit)
    assert LAW in kit
    changed = replace(evidence, texts=replace(evidence.texts, kit=change(kit)))
    assert release_text._count_kit_faults(changed, allowed_values(changed)) == strange
    assert check(changed, "release-text").status == ("red" if strange else "green")


def test_what_was_made_of_rows_is_said_in_words_that_are_allowed(tmp_path: Path) -> None:
    """How many people there are, and of how many rows, is stated where it names nobody."""
    columns = {"who": [str(place // 2) for place in range(120)], "Q": ["a"] * 120, "C": ["x", "y"] * 60}
    roles: dict[str, Any] = {"who": "i", "Q": "q", "C": "c"}
    several = make_candidate(tmp_path, columns, roles, input={"person": "who"})
    reduced = make_candidate(
        tmp_path, columns, roles, input={"person": "who", "reduce": {"by": "first", "rows": "Rows"}}
    )
    for candidate, stated in ((several, state_people_count), (reduced, state_row_count)):
        evidence = evidence_of(candidate)
        counted = candidate.released.people if stated is state_people_count else candidate.prepared.reduced
        words = stated(counted, candidate.prepared.type.k_min)  # type: ignore[arg-type]
        assert words is not None
        assert words in allowed_values(evidence)
        assert check(evidence, "release-text").status == "green"
        unwritten = allowed_values(replace(evidence, written=None))
        assert unwritten < allowed_values(evidence)
        assert len(allowed_values(evidence) - unwritten) <= 2, "the file's hash, and how many cells are guarded"
    alone = make_candidate(
        tmp_path, {**columns, "who": [str(place) for place in range(120)]}, roles,
        input={"person": "who", "reduce": {"by": "first"}},
    )  # fmt: skip
    assert state_row_count(alone.prepared.reduced, alone.prepared.type.k_min) is None  # type: ignore[arg-type]
    assert check(alone, "release-text").status == "green"


def test_a_number_that_the_file_does_not_hold_as_one_is_judged_as_text(tmp_path: Path) -> None:
    """What is read back is judged, not what was meant to be written."""
    columns = {"Q": ["a"] * 10 + ["b"] * 10, "Pay": [str(100 + 7 * place) for place in range(20)]}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "Pay": {"role": "c", "kind": "numeric"}})
    evidence = evidence_of(candidate)
    back = [
        column.with_values(np.arange(20), ["?", *column.values()[1:]]) if column.name == "Pay" else column
        for column in evidence.read_back or ()
    ]
    assert evidence.exported.column("Pay").kind == "numeric"
    with patch.object(Evidence, "read_back", new_callable=PropertyMock, return_value=tuple(back)):
        damaged = replace(evidence).exported.column("Pay")
    assert (damaged.kind, damaged.values().count("?")) == ("nominal", 1)


def test_rows_that_a_later_step_takes_out_are_recounted_from_what_the_step_made(tmp_path: Path) -> None:
    candidate = make_candidate(tmp_path, SAFE, ROLES, steps=[{"method": "random-swap", "columns": ["C"]}])
    evidence = evidence_of(candidate)
    (whole,) = evidence.recounts
    assert whole.guarantee.holds
    kept = np.arange(10)
    fewer = replace(
        candidate,
        final=candidate.final.take(kept),
        released=candidate.released.take(kept),
        row_order=kept,
    )
    (again,) = evidence_of(fewer).recounts
    assert again.guarantee == whole.guarantee


def test_noise_of_which_no_error_is_left_to_compare_is_not_judged_by_it(tmp_path: Path) -> None:
    none = attack_entry("noise-filter", further={"ratio": Figure.absent(untranslated("no error"), unit="ratio")})
    undone = attack_entry("digit-inverse")
    evidence = evidence_of(make_candidate(tmp_path, SAFE, ROLES))
    assert evidence.candidate.steps == ()
    for nothing in (none, undone):
        found = check(replace(evidence, attacks=(nothing,)), "reversal")
        assert found.status == "not-applicable"
    mean = attack_entry("digit-inverse", success=share(0.6), control=Figure(0.5, unit="share"), advantage=share(0.1))
    found = check(replace(evidence, attacks=(mean.model_copy(update={"column": "C"}),)), "reversal")
    assert found.status != "green"
    assert found.sentence.arguments["allowed"] == LimitOf(0.1, 0.05, "points"), "nobody counts those of a mean"


def test_a_column_that_is_called_after_people_and_repeats_is_held_for_them_though_nothing_else_does(
    tmp_path: Path,
) -> None:
    """Their rows have nothing in common; the name alone says whose they are."""
    rng = np.random.default_rng(3)
    columns = {
        "Patient number": [str(each) for each in rng.permutation(np.arange(600) // 3)],
        "Q": [str(each) for each in rng.integers(0, 3, 600)],
        "C": [str(each) for each in rng.integers(0, 3, 600)],
    }
    for answer, status in ({}, "red"), ({"one_row_per_person": True}, "amber"):
        candidate = make_candidate(tmp_path, columns, {"Patient number": "i", **ROLES}, input=answer)
        found = check(candidate, "people-counted")
        assert (found.status, found.sentence.id) == (status, f"gate.people-counted.{status}-named")
        assert "beside" not in found.sentence.arguments


@pytest.mark.parametrize(("role", "status", "sentence"), [("i", "green", "green-name"), ("o", "amber", "amber-named")])
def test_names_that_repeat_ask_for_a_reason_only_where_they_are_released(
    role: str, status: str, sentence: str, tmp_path: Path
) -> None:
    rng = np.random.default_rng(3)
    columns = {
        "Patient": ["Lee " + "abcdefghij"[row % 10] + "klmnopqrst"[row // 10 % 10] for row in range(200)],
        "Q": [str(number) for number in rng.integers(0, 3, 200)],
        "C": [str(number) for number in rng.integers(0, 3, 200)],
    }
    roles = {"Patient": role, **ROLES}
    found = check(make_candidate(tmp_path, columns, roles, input={"one_row_per_person": True}), "people-counted")
    assert (found.status, found.sentence.id) == (status, f"gate.people-counted.{sentence}")


@pytest.mark.parametrize(
    ("file", "status", "sentence"),
    case_rows("gate-edges-whoever-confirms-a-row-each-is-contradicted-by"),
)
def test_whoever_confirms_a_row_each_is_contradicted_by_people_only(
    file: str, status: str, sentence: str, tmp_path: Path
) -> None:
    columns = person_tables()[file]
    roles = {name: "q" if interpret_column_name(name).lasting else "c" for name in columns}
    candidate = make_candidate(tmp_path, columns, roles, input={"one_row_per_person": True})
    found = check(candidate, "people-counted")
    assert (found.status, found.sentence.id) == (status, f"gate.people-counted.{sentence}")
