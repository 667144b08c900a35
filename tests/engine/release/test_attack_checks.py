"""What the attacks found, judged: linkage, inference, reversal, and whether the audit is whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import attack_entry, attacked, check, evidence_of, grouped, make_candidate, share, with_step
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import Attack, AttackEvidence, all_attacks, forget, register
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.report.model import AttackEntry, AttackLevel, Sentence
from ppdm_desktop.engine.wording import texts
from ppdm_desktop.engine.wording.texts import TextEntry, Title, render
from ppdm_desktop.engine.wording.values import LimitOf, Name, Terms

ROWS = 120
RNG = np.random.default_rng(0)
COLUMNS = {
    "Age": [str(value) for value in RNG.integers(20, 90, ROWS)],
    "City": [str(name) for name in RNG.choice(["Delft", "Bonn", "Ghent"], ROWS)],
    "Pay": [str(value) for value in RNG.integers(1000, 9000, ROWS)],
    "Ill": [str(name) for name in RNG.choice(["flu", "cold"], ROWS)],
}
ROLES = {"Age": {"role": "q", "kind": "numeric"}, "City": "q", "Pay": {"role": "c", "kind": "numeric"}, "Ill": "c"}
TYPES = {"public": 11, "public-high-harm": 20, "research": 5, "internal": 3}


def candidate_of(
    folder: Path,
    *steps: Any,
    type: str = "research",
    columns: dict[str, list[str]] = COLUMNS,
    roles: dict[str, Any] = ROLES,
    **more: Any,
) -> Candidate:
    return make_candidate(folder, columns, roles, type, steps=list(steps), **more)


def judged(evidence: Evidence, id: str, *entries: AttackEntry) -> tuple[str, str]:
    found = check(replace(evidence, attacks=entries), id)
    return found.status, found.sentence.id.split(".")[-1].partition("-")[2]


# --- linkage -----------------------------------------------------------------------------------------

MOVED = [str(int(age) + 1) for age in COLUMNS["Age"]]


def moved(folder: Path, type: str, *, protected: bool) -> Evidence:
    """Ages moved by hand; the confidential columns one group of all, or left as they are."""
    hidden = [grouped(name, ROWS) for name in ("Pay", "Ill")] if protected else []
    same = {"Pay": ["5000"] * ROWS, "Ill": ["flu"] * ROWS} if protected else {}
    return evidence_of(with_step(candidate_of(folder, type=type), {"Age": MOVED, **same}, hidden))


@pytest.mark.parametrize(("type", "k_min"), TYPES.items())
def test_linkage_is_held_against_the_release_types_limit(tmp_path: Path, type: str, k_min: int) -> None:
    limit = 1 / k_min
    at, above, few = share(limit / 2, limit), share(limit * 1.1, limit * 1.2), share(limit / 2, limit * 1.2)
    for protected, worst in ((True, "amber"), (False, "red")):
        evidence = moved(tmp_path, type, protected=protected)
        assert judged(evidence, "linkage", attack_entry("linkage", success=at)) == ("green", "")
        assert judged(evidence, "linkage", attack_entry("linkage", success=above)) == (worst, "")
        assert judged(evidence, "linkage", attack_entry("linkage", success=few)) == (worst, "few")
    found = check(replace(evidence, attacks=(attack_entry("linkage", success=few),)), "linkage")
    assert (found.figure, found.limit) == (few, limit)


def test_linkage_of_one_level_is_enough(tmp_path: Path) -> None:
    evidence = moved(tmp_path, "research", protected=False)

    def of_level(high: Any) -> Any:
        level = AttackLevel(level="paranoid", records=9, success=share(0.01, high), limit=1 / 50, met=high <= 1 / 50)
        return attack_entry("linkage", success=share(0.1, 0.15), levels=[level])

    assert judged(evidence, "linkage", of_level(0.02)) == ("green", ""), "a level's share may rest on a few people"
    found = check(replace(evidence, attacks=(of_level(0.03),)), "linkage")
    assert (found.status, found.limit) == ("red", 1 / 50)
    assert str(found.sentence.arguments["level"]) == "Very high"


def test_linkage_does_not_apply(tmp_path: Path) -> None:
    assert check(attacked(candidate_of(tmp_path)), "linkage").status == "not-applicable"
    nothing_known = {"Pay": COLUMNS["Pay"], "Ill": COLUMNS["Ill"]}
    roles = {"Pay": "c", "Ill": "c"}
    assert check(attacked(candidate_of(tmp_path, columns=nothing_known, roles=roles)), "linkage").status == (
        "not-applicable"
    )
    made = candidate_of(tmp_path, {"method": "data-reconstruction", "parameters": {"generations": 2, "population": 4}})
    found = check(attacked(made), "linkage")
    assert found.sentence.id == "gate.linkage.not-applicable-anew"


def test_an_attack_that_was_left_out_is_not_run(tmp_path: Path) -> None:
    evidence = moved(tmp_path, "research", protected=True)
    found = check(evidence, "linkage")
    assert (found.status, found.sentence.id) == ("not-run", "gate.linkage.not-run-stopped")
    assert check(evidence, "inference").status == "not-run"
    assert check(evidence_of(candidate_of(tmp_path)), "reversal").status == "not-applicable"
    assert check(evidence, "reversal").status == "not-run"
    found = check(evidence, "audit-complete")
    assert found.status == "amber"
    assert found.sentence.id == "gate.audit-complete.amber-stopped"
    attacks: Any = found.sentence.arguments["attacks"]
    assert {each.id for each in attacks.texts} == {
        f"attack.name.{id}" for id in ("singling-out", "linkage", "inference", "rank")
    }


@pytest.mark.parametrize("type", TYPES)
def test_groups_as_large_as_asked_for_are_green_however_small_the_table(tmp_path: Path, type: str) -> None:
    # Nobody can be told from those who look the same, so a small sample leaves nothing open.
    few = {name: values[:60] for name, values in COLUMNS.items()}
    step = {"method": "mondrian", "columns": ["Age", "City"]}
    evidence = attacked(candidate_of(tmp_path, step, type=type, columns=few))
    found = check(evidence, "linkage")
    assert found.status == "green"
    assert 0 < existing(existing(found.figure).value) <= existing(existing(found.figure).high) <= 1 / TYPES[type]


# --- inference ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "low", "value", "public", "else_"),
    case_rows("attack-checks-inference-is-red-by-the-lower-end-and-amber"),
)
def test_inference_is_red_by_the_lower_end_and_amber_by_the_point_estimate(
    tmp_path: Path, people: int, low: float, value: float, public: str, else_: str
) -> None:
    gained = Figure(value, low=low, high=0.9, n=people, unit="share")
    select_rows = {"success": share(0.6), "sampled": people}
    entry = attack_entry("inference", column="Ill", control=share(0.5), advantage=gained, **select_rows)
    better = attack_entry("inference", column="Pay", control=share(0.6), advantage=share(value - 0.35), **select_rows)
    for type in TYPES:
        evidence = evidence_of(candidate_of(tmp_path, type=type))
        found = check(replace(evidence, attacks=(better, entry)), "inference")
        assert found.status == (public if type.startswith("public") else else_)
        assert found.sentence.id.endswith("-few") == (people < 200 and found.status != "red")
        assert (existing(found.figure).value, found.limit) == (value, 0.05 if people >= 200 else 0.1)
        assert found.sentence.arguments["column"] == Name("Ill")


def test_inference_names_every_column_above_the_limit(tmp_path: Path) -> None:
    gains = {"Ill": 0.2, "Pay": 0.1, "City": 0.01}
    entries = [
        attack_entry("inference", column=name, success=share(0.6), advantage=share(gain), sampled=1_000)
        for name, gain in gains.items()
    ]
    evidence = evidence_of(candidate_of(tmp_path))
    assert check(replace(evidence, attacks=tuple(entries)), "inference").columns == ("Ill", "Pay")


def test_inference_does_not_apply_where_nothing_is_to_guess(tmp_path: Path) -> None:
    same = {"City": COLUMNS["City"], "Ill": ["flu"] * ROWS}
    roles = {"City": "q", "Ill": "c"}
    assert check(evidence_of(candidate_of(tmp_path, columns=same, roles=roles)), "inference").status == "not-applicable"
    assert check(
        evidence_of(candidate_of(tmp_path, columns=same, roles={"City": "q", "Ill": "o"})), "inference"
    ).status == ("not-applicable")
    assert check(
        evidence_of(candidate_of(tmp_path, columns=COLUMNS, roles={**ROLES, "Age": "o", "City": "o"})), "inference"
    ).status == ("not-applicable")


def test_a_small_table_says_that_it_is_too_small(tmp_path: Path) -> None:
    few = {name: values[:12] for name, values in COLUMNS.items()}
    fewest = check(attacked(candidate_of(tmp_path, columns=few)), "inference")
    # What is beyond the limit with certainty has succeeded, as the attack itself says; else nobody can tell.
    assert (fewest.sentence.id, fewest.limit) == ("gate.inference.amber-small-clear", None)
    figure = existing(fewest.figure)
    assert (figure.unit, figure.low, figure.high) == ("people", None, None)
    assert fewest.sentence.arguments["people"] == 12
    worse = attack_entry("inference", column="Ill", success=share(0.4), control=share(0.5), advantage=share(-0.1, 0.1))
    evidence = replace(evidence_of(candidate_of(tmp_path / "worse", columns=few)), attacks=(worse,))
    nothing = check(evidence, "inference")
    assert existing(nothing.figure).value == 0.0, "fewer right guesses are no number of people below none"
    assert nothing.sentence.id == "gate.inference.green-small"
    gains = {"Ill": share(0.4, 0.6), "Pay": Figure(0.3, low=0.1, high=0.5, n=12, unit="share")}
    made = tuple(attack_entry("inference", column=name, advantage=gain) for name, gain in gains.items())
    evidence = replace(evidence_of(candidate_of(tmp_path / "public", columns=few, type="public")), attacks=made)
    assert check(evidence, "inference").status == "red", "of two gains the surer one may be the smaller"


# --- reversal -----------------------------------------------------------------------------------------


def test_among_few_people_what_may_be_chance_is_not_said_to_be_undone(tmp_path: Path) -> None:
    few = {name: values[:12] for name, values in COLUMNS.items()}
    evidence = evidence_of(candidate_of(tmp_path, columns=few))
    retraced = recovered("rank", 0.2)
    for low, variant in ((-0.1, "unsure"), (0.05, "")):
        gain = replace(retraced.advantage, low=low, high=0.5, n=6)
        entry = retraced.model_copy(update={"advantage": gain})
        assert judged(evidence, "reversal", entry) == ("amber", variant)


def recovered(id: str, value: float) -> AttackEntry:
    return attack_entry(id, column="Pay", success=share(value), control=share(0.0), advantage=share(value, value + 0.3))


@pytest.mark.parametrize("id", ["digit-inverse", "two-constant-search", "rank"])
@pytest.mark.parametrize(
    ("value", "internal", "else_"),
    [(0.05, "green", "green"), (0.06, "amber", "amber"), (0.50, "amber", "amber"), (0.51, "amber", "red")],
)
def test_recovered_values_are_judged_by_their_share(
    tmp_path: Path, id: str, value: float, internal: str, else_: str
) -> None:
    for type in TYPES:
        evidence = evidence_of(candidate_of(tmp_path, type=type))
        status = internal if type == "internal" else else_
        # What anyone can undo has no control without the person's record: it is one guess for everyone.
        assert judged(evidence, "reversal", recovered(id, value)) == (status, "" if id == "rank" else "guess")


def filtered(ratio: float) -> AttackEntry:
    return attack_entry("noise-filter", column="Pay", further={"ratio": share(ratio, ratio)})


@pytest.mark.parametrize(
    ("ratio", "public", "else_"),
    [(0.90, "green", "green"), (0.89, "amber", "amber"), (0.75, "amber", "amber"), (0.74, "red", "amber")],
)
def test_noise_is_judged_by_what_is_left_of_it(tmp_path: Path, ratio: float, public: str, else_: str) -> None:
    for type in TYPES:
        evidence = evidence_of(candidate_of(tmp_path, type=type))
        status = public if type.startswith("public") else else_
        assert judged(evidence, "reversal", filtered(ratio)) == (status, "noise")


def named(value: float, high: float, met: bool = True) -> AttackEntry:
    level = AttackLevel(level="paranoid", records=9, success=share(0.01), limit=0.02, met=met)
    chance = 0.001
    return attack_entry(
        "nearest-record",
        success=share(value, high),
        chance=share(chance),
        advantage=share(value - chance, high - chance),
        levels=[level],
    )


def test_groups_count_where_they_are_undone(tmp_path: Path) -> None:
    research = evidence_of(candidate_of(tmp_path, type="research"))
    # One of five is what groups of five promise, although it is more than one of twenty.
    assert judged(research, "reversal", named(0.18, 0.2)) == ("green", "groups")
    assert judged(research, "reversal", named(0.18, 0.21)) == ("amber", "groups")
    assert judged(research, "reversal", named(0.01, 0.02, met=False)) == ("amber", "groups")
    assert judged(research, "reversal", named(0.9, 0.95)) == ("red", "groups")
    internal = evidence_of(candidate_of(tmp_path, type="internal"))
    assert judged(internal, "reversal", named(0.9, 0.95)) == ("amber", "groups")


@pytest.mark.parametrize(("people", "allowed"), [(20, 1), (39, 1), (40, 2), (60, 3)])
def test_of_few_people_whole_ones_are_allowed(tmp_path: Path, people: int, allowed: int) -> None:
    evidence = evidence_of(candidate_of(tmp_path, type="research"))
    right = share(13 / people, 0.9, n=people)
    entry = attack_entry("rank", column="Pay", success=right, control=share(0.0, n=people), advantage=right)
    found = check(replace(evidence, attacks=(entry,)), "reversal")
    assert found.sentence.arguments["allowed"] == allowed
    of_others = entry.model_copy(update={"control": share(0.0, n=people + 1)})
    found = check(replace(evidence, attacks=(of_others,)), "reversal")
    assert isinstance(found.sentence.arguments["allowed"], LimitOf), "of people and others no count can be made"


def test_groups_of_few_people_are_counted_and_never_green(tmp_path: Path) -> None:
    few = {name: values[:14] for name, values in COLUMNS.items()}
    evidence = evidence_of(candidate_of(tmp_path, type="research", columns=few))
    for entry, status in ((named(0.18, 0.2), "amber"), (named(0.9, 0.95), "red")):
        assert judged(evidence, "reversal", entry) == (status, "small")
        found = check(replace(evidence, attacks=(entry,)), "reversal")
        assert found.figure is not None
        assert (found.figure.low, found.figure.high, found.limit) == (None, None, None), "a count has no interval"


def test_the_worst_attack_decides(tmp_path: Path) -> None:
    evidence = evidence_of(candidate_of(tmp_path, type="public"))
    mild, bad, worst = recovered("rank", 0.04), filtered(0.8), recovered("digit-inverse", 0.9)
    assert judged(evidence, "reversal", mild, bad) == ("amber", "noise")
    assert judged(evidence, "reversal", bad, worst, mild) == ("red", "guess")
    assert judged(evidence, "reversal", named(0.01, 0.02), mild) == ("green", "")


@pytest.mark.parametrize(("type", "status"), [("public", "red"), ("research", "red"), ("internal", "amber")])
def test_digits_shifted_back(tmp_path: Path, type: str, status: str) -> None:
    evidence = attacked(candidate_of(tmp_path, {"method": "bit-plus-plus", "columns": ["Pay"]}, type=type))
    found = check(evidence, "reversal")
    assert found.status == status
    assert existing(existing(found.figure).value) > 0.9
    assert check(evidence, "reversible-method").status == status


def test_averages_of_single_columns_are_undone(tmp_path: Path) -> None:
    step = {"method": "microaggregation", "columns": ["Age"], "parameters": {"mode": "univariate"}}
    more = {**COLUMNS, "Weight": [f"{value:.1f}" for value in RNG.normal(70, 10, ROWS)]}
    roles = {**ROLES, "Weight": {"role": "q", "kind": "numeric"}}
    both = {**step, "columns": ["Age", "Weight"]}
    found = check(attacked(candidate_of(tmp_path, both, columns=more, roles=roles)), "reversal")
    assert found.status in ("amber", "red")
    assert found.sentence.id.endswith("-groups")


# --- attacks that no check was written for ------------------------------------------------------------


Gaze = Callable[..., AttackEntry]


class Gazing(Attack):
    """An attack of somebody else's; each test says which check judges it and in what unit."""

    id = "gazing"
    title = "attack.name.gazing"
    order = 1_000
    kind = "guessing"
    term = source = knows = "attack.gazing.term"

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        raise NotImplementedError


@pytest.fixture
def gazing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gaze]:
    """Make the attack known, with its sentences."""
    monkeypatch.setitem(texts._added, "attack.name.gazing", TextEntry("gazing at the table", "", ""))
    monkeypatch.setitem(texts._added, "attack.gazing.term", TextEntry("", "gazing.", ""))
    monkeypatch.setitem(texts._added, "attack.gazing.some", TextEntry("Gazing", "Gazing finds {column}.", ""))
    all_attacks()
    register(Gazing)

    def entry(judged_by: str, *, unit: str = "share", kind: str = "guessing", **figures: Any) -> AttackEntry:
        for name, value in {"judged_by": judged_by, "unit": unit, "kind": kind}.items():
            monkeypatch.setattr(Gazing, name, value, raising=False)
        sentence = Sentence.of("attack.gazing.some", {"column": Name("Pay")})
        return attack_entry("gazing", **figures).model_copy(update={"sentence": sentence})

    yield entry
    forget("gazing")


def test_nothing_is_green_beside_an_attack_that_succeeded(tmp_path: Path) -> None:
    """A gain within the limit, by an attack that found something worse: its sentence is the check's."""
    evidence = evidence_of(candidate_of(tmp_path, type="public"))
    mild = attack_entry("inference", column="Ill", success=share(0.5), control=share(0.5), advantage=share(0.0, 0.02))
    inference = find_check("inference")
    calm = inference.run(replace(evidence, attacks=(mild,)))
    assert calm.status == "green"
    for severity in ("serious", "total"):
        worse = mild.model_copy(update={"severity": severity})
        turned = inference.run(replace(evidence, attacks=(worse,)))
        assert (turned.status, turned.sentence.id) == ("amber", "check.attack-succeeds")
        assert (turned.figure, turned.limit) == (calm.figure, None)
        assert render(turned.sentence.id, turned.sentence.arguments).sentence
    found = attack_entry("linkage", success=share(0.01, 0.02))
    linkage = find_check("linkage")
    calm = linkage.run(replace(evidence, attacks=(found,)))
    turned = linkage.run(replace(evidence, attacks=(found.model_copy(update={"severity": "total"}),)))
    assert (calm.status, turned.status) == ("green", "amber")
    assert calm.hits is not None
    assert (turned.hits, turned.of) == (calm.hits, calm.of), "people are still counted"


def test_the_scorecard_shows_what_the_check_judged_whoever_wrote_the_attack(tmp_path: Path, gazing: Gaze) -> None:
    candidate = candidate_of(tmp_path)
    original = evaluate(candidate, attacks=()).report.original
    own = attack_entry("inference", column="Ill", advantage=share(0.1, 0.2))
    for id, criterion in (("inference", "guess"), ("linkage", "match")):
        other = gazing(id, success=share(0.8, 0.9), advantage=share(0.9))
        judged = evaluate(candidate, attacks=(own, other), original=original)
        card, found = Scorecard(judged.report.verdict), judged.report.verdict.check(id)
        assert card.upper(criterion) == found.share == 0.9


# --- the audit as a whole -----------------------------------------------------------------------------


def test_a_whole_audit_is_green(tmp_path: Path) -> None:
    for steps in ([], [{"method": "random-swap", "columns": ["Ill"]}], [{"method": "condensation"}]):
        assert check(attacked(candidate_of(tmp_path, *steps)), "audit-complete").status == "green"


def test_one_attack_taken_away_is_missed(tmp_path: Path) -> None:
    evidence = attacked(candidate_of(tmp_path, {"method": "condensation"}))
    for id in ("singling-out", "linkage", "nearest-record", "inference"):
        left = tuple(entry for entry in evidence.attacks if entry.id != id)
        found = check(replace(evidence, attacks=left), "audit-complete")
        assert (found.status, found.sentence.arguments["attacks"]) == ("amber", Terms((Title(f"attack.name.{id}"),)))


def test_nothing_to_attack(tmp_path: Path) -> None:
    alone = candidate_of(tmp_path, columns={"Ill": COLUMNS["Ill"]}, roles={"Ill": "c"})
    assert check(attacked(alone), "audit-complete").status == "not-applicable"


ENTRY = st.sampled_from(["linkage", "inference", "rank", "digit-inverse", "noise-filter", "nearest-record"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(ENTRY, st.floats(-1, 1), st.floats(0, 1)), max_size=5), st.sampled_from(sorted(TYPES)))
def test_whatever_was_found_is_judged_in_words(tmp_path_factory: pytest.TempPathFactory, found: Any, type: str) -> None:
    evidence = CACHE.setdefault(type, moved(tmp_path_factory.mktemp("any"), type, protected=False))
    entries = tuple(
        attack_entry(
            id,
            column="Pay",
            success=share(max(value, 0.0), max(value, high, 0.0)),
            control=share(0.0),
            chance=share(0.0),
            advantage=share(value, max(value, high)),
            further={"ratio": share(max(value, 0.0), 1.0)},
        )
        for id, value, high in found
    )
    worst = {}
    for id in ("linkage", "inference", "reversal", "audit-complete"):
        worst[id] = check(replace(evidence, attacks=entries), id).status
    # What is found beside it can only make it worse.
    more = (*entries, attack_entry("inference", column="Ill", advantage=share(0.5), success=share(1.0)))
    later = check(replace(evidence, attacks=more), "inference").status
    assert later == ("red" if type.startswith("public") else "amber")


CACHE: dict[Any, Any] = {}
