"""Releases with codes in place of identifiers: what is judged, said, written and verified."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import check, evidence_of, recipe_of
from law_support import put_back, with_column
from several_rows_support import VISIT_ROLES
from support import KEY_FILE, reasons_for

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.randomness import Key, RecipientSecret
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.verify import IDENTICAL, NOT_POSSIBLE, destroy_key, verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.secret_files import create_recipient_secret
from ppdm_desktop.engine.table.free_texts import texts_to_read
from ppdm_desktop.engine.table.people import People
from tests.golden.people import visits, visits_csv

ROLES = VISIT_ROLES | {"outcome": "l"}
CODES: dict[str, Any] = {"method": "pseudonymise"}
NOISE = {"method": "two-phase-noise", "columns": ["days"]}
RECIPIENT = "Study Rosenheim 4711"


def prepared_visits(folder: Path, kind: str, steps: list[dict[str, Any]], **more: Any) -> Any:
    path = folder / "visits.csv"
    path.write_text(visits_csv(), encoding="utf-8")
    document = recipe_of(ROLES, kind, input={"person": "person_nbr"}, steps=steps, **more)
    return prepare(path, parse_recipe(document), need_type=True)


def candidate_of(
    folder: Path, kind: str = "internal", steps: list[dict[str, Any]] | None = None, secret: Any = None
) -> Candidate:
    prepared = prepared_visits(folder, kind, [CODES, NOISE] if steps is None else steps)
    return run_candidate(prepared, Key(bytes.fromhex(KEY_FILE), "file"), recipient=secret)


def released_rows(out: Path) -> list[dict[str, str]]:
    with (out / "release/data.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_codes_keep_a_person_together_and_are_judged_as_personal_data(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    assert candidate.links_rows
    result = check(evidence_of(candidate), "identifiers-gone")
    assert result.status == "amber"
    out = tmp_path / "out"
    export(candidate, out, accepts=reasons_for(all_checks()))
    rows = released_rows(out)
    shown: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        shown[row["person_nbr"]].append(row["region"] + row["sex"])
    own: dict[int, list[str]] = defaultdict(list)
    for _, number, region, sex, *_ in visits():
        own[number].append(region + sex)
    assert sorted(map(sorted, shown.values())) == sorted(map(sorted, own.values()))
    assert not {str(number) for number in own} & {cell for row in rows for cell in row.values()}
    dictionary = (out / "release/data-dictionary.csv").read_text("utf-8")
    assert not set(shown) & set(dictionary.replace(",", " ").split()), "no code is listed"
    note = (out / "release/release-note.html").read_text("utf-8")
    certificate = render_certificate(Report.model_validate(json.loads((out / "internal/report.json").read_bytes())))
    words = note + (out / "internal/annex.html").read_text("utf-8") + certificate.decode("utf-8")
    assert "anonymous" not in words.lower()
    assert verify(out, tmp_path / "visits.csv").reason.id == "verify.identical"


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_an_identifier_among_the_codes_is_an_identifier(tmp_path: Path, share: float) -> None:
    candidate = candidate_of(tmp_path)
    spoilt = put_back(candidate, "person_nbr", share, np.random.default_rng(1))
    result = check(evidence_of(spoilt), "identifiers-gone")
    assert (result.status, result.sentence.id) == ("red", "gate.identifiers-gone.red")


def test_codes_are_nothing_that_somebody_wrote_freely(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, "public")
    codes = candidate.released.column("person_nbr")
    assert len(texts_to_read(codes, 5, People.identity(len(codes)))[0]), "by its form alone it would be"
    assert check(evidence_of(candidate), "free-text").status == "green"
    words = [f"knows {text} by sight" for text in codes.texts]
    spoilt = with_column(candidate, replace(candidate.final.column("person_nbr"), texts=tuple(words)))
    assert check(evidence_of(spoilt), "free-text").status == "red"


def test_codes_are_never_public(tmp_path: Path) -> None:
    result = check(evidence_of(candidate_of(tmp_path, "public")), "identifiers-gone")
    assert (result.status, result.sentence.id) == ("red", "gate.identifiers-gone.red-codes")


def test_a_code_is_no_detail_by_which_somebody_is_found(tmp_path: Path) -> None:
    with_codes = evidence_of(candidate_of(tmp_path))
    assert "person_nbr" not in with_codes.judged
    assert "person_nbr" in with_codes.exported
    assert "person_nbr" not in with_codes.singled_out.columns
    assert all(each.column != "person_nbr" for each in with_codes.near)


@pytest.mark.thorough
def test_a_recipients_secret_stays_at_home(tmp_path: Path) -> None:
    kept = tmp_path / "secret.hex"
    secret = create_recipient_secret(kept)
    assert kept.stat().st_mode & 0o777 == 0o600
    coded = {"method": "pseudonymise", "parameters": {"recipient": RECIPIENT}}
    out, source = tmp_path / "out", tmp_path / "visits.csv"
    export(candidate_of(tmp_path, steps=[coded, NOISE], secret=secret), out, accepts=reasons_for(all_checks()))
    for path in (each for each in out.rglob("*") if each.is_file()):
        data = path.read_bytes()
        assert secret.bytes_ not in data
        assert secret.hex().encode() not in data.lower()
        if path.is_relative_to(out / "release"):
            assert RECIPIENT.encode() not in data
            assert secret.fingerprint.encode() not in data
    recipe = (out / "internal/recipe.toml").read_text("utf-8")
    assert RECIPIENT in recipe
    assert secret.fingerprint in recipe
    assert verify(out, source, recipient=secret).reason.id == "verify.identical"
    without = verify(out, source)
    assert (without.result, without.reason.id) == (IDENTICAL, "verify.identical.codes")
    with pytest.raises(RecipeError) as other:
        verify(out, source, recipient=RecipientSecret.fresh())
    assert other.value.id == "error.recipient.other"
    # A code that somebody else wrote is seen with the secret only, any other cell without it, too.
    data_path = out / "release/data.csv"
    released = data_path.read_bytes()
    data_path.write_bytes(released.replace(released_rows(out)[0]["person_nbr"].encode(), b""))
    assert verify(out, source).cells, "a code that was emptied"
    data_path.write_bytes(released)
    destroy_key(out, "An officer")
    assert verify(out, source, recipient=secret).result == NOT_POSSIBLE
    assert kept.is_file()


def test_what_the_note_must_not_say_of_codes(tmp_path: Path) -> None:
    secret = RecipientSecret.fresh()
    coded = {"method": "pseudonymise", "parameters": {"recipient": RECIPIENT}}
    evidence = evidence_of(candidate_of(tmp_path, steps=[coded, NOISE], secret=secret))
    assert check(evidence, "release-text").status == "green"
    number = str(visits()[0][1])
    for word in (RECIPIENT, secret.fingerprint, number):
        told = replace(evidence.texts, note=evidence.texts.note.replace(b"</body>", f"{word}</body>".encode()))
        plain = replace(evidence.texts, note=evidence.texts.note.replace(b"</body>", b"Of nobody</body>"))
        figures = [check(replace(evidence, texts=each), "release-text").figure for each in (plain, told)]
        assert figures[0] is not None
        assert figures[1] is not None
        assert figures[1].value == float(figures[0].value or 0) + 1, word


def test_ids_that_would_share_a_code_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "stays.csv"
    lines = ["nbr,region,days", *(f"{place % 20},north,{place % 7}" for place in range(60)), '" 3",south,2']
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    roles: dict[str, Any] = {"nbr": "i", "region": "q", "days": {"role": "c", "kind": "numeric"}}
    document = recipe_of(roles, "internal", input={"person": "nbr"}, steps=[CODES])
    prepared = prepare(path, parse_recipe(document), need_type=True)
    with pytest.raises(InputError) as caught:
        run_candidate(prepared, Key(bytes.fromhex(KEY_FILE), "file"))
    assert (caught.value.id, caught.value.arguments["ids"]) == ("error.pseudonymise.spellings", 1)


@pytest.mark.parametrize(
    ("steps", "id"),
    [
        ([NOISE, CODES], "error.step.not-first"),
        ([CODES, {"method": "condensation"}], "error.step.beside-no-rows"),
        ([CODES, {"method": "data-reconstruction"}], "error.step.beside-no-rows"),
        ([CODES, CODES], "error.step.column-taken"),
    ],
)
def test_where_codes_cannot_stand(tmp_path: Path, steps: list[dict[str, Any]], id: str) -> None:
    with pytest.raises(RecipeError) as caught:
        prepared_visits(tmp_path, "internal", steps)
    assert caught.value.id == id


def test_the_command_line_draws_a_secret_and_uses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, source, out = tmp_path / "secret.hex", tmp_path / "visits.csv", tmp_path / "out"
    source.write_text(visits_csv(), "utf-8")
    assert run(["recipient-secret", "new", str(kept)]) == 0
    assert run(["recipient-secret", "new", str(kept)]) == 2, "never written over"
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        'recipe = 1\n[input]\nperson = "person_nbr"\n[release]\ntype = "internal"\n'
        + "".join(
            f'[columns.{name}]\nrole = "{role}"\n'
            for name, role in {
                "visit_id": "left-out",
                "person_nbr": "identifier",
                "region": "quasi-identifier",
                "sex": "quasi-identifier",
                "age": "quasi-identifier",
                "days": "confidential",
                "unit": "left-out",
                "outcome": "left-out",
            }.items()
        )
        + f'[[steps]]\nmethod = "pseudonymise"\n[steps.parameters]\nrecipient = "{RECIPIENT}"\n'
        + '[[steps]]\nmethod = "two-phase-noise"\ncolumns = ["days"]\n',
        "utf-8",
    )
    command = ["release", str(source), "--recipe", str(recipe), "--out", str(out)]
    for name, reason in reasons_for(all_checks()).items():
        command += ["--accept", f"{name}={reason}"]
    assert run(command) == 2
    assert "--recipient-secret" in capsys.readouterr().err
    assert run([*command, "--recipient-secret", str(out / "internal/secret.hex")]) == 2
    assert "Keep it apart" in capsys.readouterr().err
    assert run([*command, "--recipient-secret", str(kept)]) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert run(["verify", str(out), "--input", str(source), "--recipient-secret", str(kept), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reason"]["id"] == "verify.identical"
    assert run(["verify", str(out), "--input", str(source), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["reason"]["id"] == "verify.identical.codes"
    capsys.readouterr()
    # A secret that no code is made with is a slip, and refused in words.
    other = tmp_path / "other.toml"
    written = recipe.read_text("utf-8")
    for unasked in (
        written.replace(f'recipient = "{RECIPIENT}"', 'recipient = ""'),
        written.replace('method = "pseudonymise"', 'method = "pseudonymise"\nenabled = false'),
    ):
        other.write_text(unasked, "utf-8")
        unused = ["release", str(source), "--recipe", str(other), "--out", str(tmp_path / "unused")]
        assert run([*unused, "--recipient-secret", str(kept)]) == 2
        told = capsys.readouterr().err
        assert "names no recipient" in told
        assert str(kept) in told
        assert not (tmp_path / "unused").exists()
