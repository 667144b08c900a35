"""No output contradicts another: each release of the corpus, and its original, beside the object they print from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest
from contradictions import check_every_output, check_verdict
from support import not_analysed
from thoroughness import every_third

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.recipe.load import write_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.evaluate.release_files import NOTE, build_release_files, data_bytes
from ppdm_desktop.engine.release.foreign import comparing
from ppdm_desktop.engine.release.foreign.comparing import compare
from ppdm_desktop.engine.release.gate.decision import bind_reason, select_needing_reason
from ppdm_desktop.engine.release.gate.results import CAUSES
from tests.corpus.case import Case, candidate_of, reasons
from tests.corpus.honest import HONEST
from tests.corpus.leaking import LEAKING


def one_of_each_method(cases: Sequence[Case]) -> list[Case]:
    """Return one release made by each method, small ones only."""
    found: dict[str, Case] = {}
    for case in cases:
        if case.steps and not case.data and not case.slow:
            found.setdefault(str(case.steps[-1]["method"]), case)
    return list(found.values())


STOPPED, RELEASED = one_of_each_method(LEAKING), one_of_each_method(HONEST)


def check_outputs_of(candidate: Candidate) -> None:
    """Judge a candidate, print it, and where it may go print it again as released with every reason written."""
    found = evaluate(candidate)
    files: dict[str, bytes] = {}
    build_release_files(candidate, found.measures, lambda name, data: files.setdefault(name, data))
    note = files[NOTE].decode()
    check_every_output(found.report, note)
    verdict = found.report.verdict
    if verdict.blocking:
        return
    written, prepared = reasons(), candidate.prepared
    accepted = {
        cause.id: bind_reason(written[cause.id], answered, prepared.type.id, prepared.account.sha256)
        for cause in CAUSES.values()
        if (answered := select_needing_reason(found.checks, cause))
    }
    again = evaluate(candidate, accepted, attacks=tuple(verdict.attacks or ()), original=found.report.original)
    released = again.report.model_copy(
        update={
            "verdict": again.report.verdict.model_copy(
                update={"decision": again.report.verdict.decision.model_copy(update={"released": True})}
            )
        }
    )
    assert released.verdict.decision.accepted == [each.id for each in verdict.to_answer]
    check_every_output(released, note)


@pytest.mark.parametrize("case", every_third([*STOPPED, *RELEASED]), ids=lambda case: case.name)
def test_every_output_says_what_the_object_says(case: Case, tmp_path: Path) -> None:
    check_outputs_of(candidate_of(case, tmp_path))


@pytest.mark.parametrize("case", RELEASED[:3], ids=lambda case: case.name)
def test_compare_prints_the_object_that_it_builds_from_two_files(
    case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shuffled = candidate_of(case, tmp_path)
    recipe = shuffled.prepared.recipe
    recipe = recipe.model_copy(update={"release": recipe.release.model_copy(update={"shuffle_rows": False})})
    source, file, kept = shuffled.prepared.path, tmp_path / "released.csv", tmp_path / "recipe.toml"
    candidate = run_candidate(prepare(source, recipe), shuffled.key)
    file.write_bytes(data_bytes(candidate).data)
    kept.write_text(write_recipe(recipe), encoding="utf-8")
    verdict = evaluate(candidate, attacks=()).report.verdict
    with patch.object(comparing, "analyse", lambda *_: not_analysed()):
        found = compare(source, file, recipe, "aligned")
        assert run(["compare", str(source), str(file), "--recipe", str(kept)]) == 0
    assert found.verdict.decision.status == "not-judged"
    assert found.verdict.checks == []
    check_verdict(found.verdict)
    check_verdict(found.original)
    for name in ("people", "certain_by_others", "certain_by_all", "classes", "singled"):
        assert getattr(found.verdict, name) == getattr(verdict, name), name
    said = capsys.readouterr().out
    certain = re.search(r"revealed for certain\n.*\n +People +([\d,]+) +([\d,]+)\n", said)
    assert certain is not None, said
    counted = [int(each.replace(",", "")) for each in certain.groups()]
    assert counted == [found.original.certain_by_others, found.verdict.certain_by_others]
    assert found.verdict.classes is not None
    smallest = re.search(r"knows the details others may know\n(?:.*\n){2} +Smallest group +([\d,]+) +([\d,]+)\n", said)
    assert smallest is not None, said
    assert int(smallest[2].replace(",", "")) == found.verdict.classes.k
