"""The battery of tests for attacks."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import numpy as np

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods, find_method
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.attack_audit.base import KINDS, Attack, AttackEvidence, Outcome, Unit, all_attacks
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.evaluate.release_files import build_release_files
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.report_texts import attack_figures
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.texts import all_texts, render
from ppdm_desktop.testing.common import (
    check_description,
    count_cancellation_points,
    digest_of,
    hold,
    with_method,
    with_texts,
)

_ROWS = 120
_WHO, _ROWS_PER_PERSON = "Person", 4
_CITIES, _ILLS = ("Bonn", "Delft", "Ghent"), ("cold", "flu", "gout")
_BOUNDS = {"Pay": [0, 9_000], "Bonus": [0, 2_000]}
_STRANGERS = 100
_BY_CHANCE = 11
"""Finds among strangers that a level of 5 % gives at most, in 99 of 100 cases (binomial)."""
_BY_VALUES = ("picking-out", "finding", "guessing")
_COLUMNS = {
    "Age": {"role": "quasi-identifier", "kind": "numeric"},
    "City": {"role": "quasi-identifier", "kind": "nominal", "hierarchy": "cities.csv"},
    "Pay": {"role": "confidential", "kind": "numeric", "bounds": _BOUNDS["Pay"]},
    "Bonus": {"role": "confidential", "kind": "numeric", "bounds": _BOUNDS["Bonus"]},
    "Ill": {"role": "confidential", "kind": "nominal"},
}
_DATES = {name: {"role": "quasi-identifier", "kind": "date"} for name in ("From", "Until")}
_FIRST_DAY = date(2015, 1, 1).toordinal()


def check_attack(
    cls: type[Attack],
    candidates: Collection[Candidate] = (),
    *,
    methods: Collection[type[Method]] = (),
    quick: bool = False,
) -> int:
    """Return how many results an attack gave, after checking that it keeps the contract of ``Attack``.

    The attack has to

    - be fully declared, name an existing check, and have a text for each possible severity;
    - give the same results twice and (unless it searches for the key) without the key, and change nothing;
    - give results on a candidate that calls for it exactly if it gives no reason why it does not apply;
    - stop when cancelled, describe every result in existing texts, and be judged by its check;
    - give a result on at least one candidate;
    - succeed in at most 11 of 100 files whose rows were shuffled among people (chance at a level of 5 %), unless it
      searches for the key;
    - not succeed less where more released values are true (kinds ``picking-out``, ``finding`` and ``guessing`` only);
    - reach its worst severity if people who all differ are released unprotected (the same kinds, without
      ``candidates``).

    Parameters
    ----------
    cls
        The class, registered or not.
    candidates
        Releases to attack. When left out, small ones of invented people are made: unprotected, by each method that
        calls for the attack, and with a key derived from a number (all of them, if the attack searches for the key). If
        the attack gives no result, people with several rows are tried as well.
    methods
        Methods that are not registered and name the attack. They are registered during the test, so that the attack is
        tried on what they release. An attack on a method of your own needs this.
    quick
        Attack only the given releases, or one that is made, without the last four requirements.

    Returns
    -------
    int
        Number of results.

    Raises
    ------
    AssertionError
        Naming the attack and the rule it breaks.
    """
    attack = cls()
    with ExitStack() as stack:
        stack.enter_context(with_texts(attack))
        for method in methods:
            stack.enter_context(with_method(method))
        _check_declaration(attack)
        if quick:
            tried = tuple(candidates) or tuple(islice(small_candidates(attack), 1))
            return sum(_check_on_candidate(attack, candidate) for candidate in tried)
        return _check_contract(attack, candidates)


def _check_contract(attack: Attack, candidates: Collection[Candidate]) -> int:
    """Return how many results an attack gave on the candidates, or on small made ones, after checking them all.

    A candidate is a release that is not yet approved. If the made ones give no result, some with several rows for each
    person are tried. Raises AssertionError if there is still none, or the attack breaks another rule of
    ``check_attack``.
    """
    tried = tuple(candidates or small_candidates(attack))
    count = sum(_check_on_candidate(attack, candidate) for candidate in tried)
    if not candidates and not count:  # it may be after people with several rows, and have left all others alone
        tried = tuple(small_candidates(attack, rows_per_person=_ROWS_PER_PERSON))
        count = sum(_check_on_candidate(attack, candidate) for candidate in tried)
    hold(
        attack, bool(count), "finds nothing in any release that it is tried on; are the methods named that call for it?"
    )
    drawn = [
        candidate for candidate in tried if candidate.key.origin != "seed" and attack.run(AttackEvidence(candidate))
    ]
    if drawn and attack.kind != "searching":
        _check_with_shuffled_people(attack, drawn[0])
    aligned = [candidate for candidate in drawn if candidate.rows_correspond]
    if aligned and attack.kind in _BY_VALUES:
        _check_with_true_rows(attack, aligned[0])
    if not candidates and attack.kind in _BY_VALUES:
        _check_unprotected_release(attack)
    return count


def _check_with_shuffled_people(attack: Attack, candidate: Candidate) -> None:
    """Check that an attack succeeds in at most 11 of 100 releases whose rows were shuffled among people.

    Released values then say nothing about anyone, so every success is chance. Raises AssertionError for more.
    """
    finds = 0
    for seed in range(_STRANGERS):
        order = np.random.default_rng(_STRANGERS + seed).permutation(candidate.final.rows)
        table = candidate.final.replacing(*(column.take(order) for column in candidate.final.columns))
        finds += any(_is_find(entry) for entry in attack.run(AttackEvidence(_replace_tables(candidate, table))))
    hold(attack, finds <= _BY_CHANCE, f"finds something in {finds} of {_STRANGERS} files of strangers")


def _is_find(result: AttackEntry) -> bool:
    """Return whether a result counts as a success: severity above ``none``, and a gain above 0 over its control.

    It is the lower end of the gain's interval or, without one, the gain itself; unknown counts as 0.
    """
    gain = result.advantage.low if result.advantage.low is not None else result.advantage.value
    return result.severity != "none" and float(gain or 0.0) > 1e-9


def _check_with_true_rows(attack: Attack, candidate: Candidate) -> None:
    """Check that an attack does not succeed less when first half, then all, of the released rows are made true.

    True rows show the values of the source in all columns. For each attacked column the success may be two standard
    errors below its best so far. Raises AssertionError if it is less.
    """
    rows = np.searchsorted(candidate.prepared.table.row_numbers, candidate.final.row_numbers)
    order = np.random.default_rng(0).permutation(len(rows))
    before: dict[str | None, float] = {}
    for share in (0.0, 0.5, 1.0):
        true = np.zeros(len(rows), dtype=np.bool_)
        true[order[: int(share * len(rows))]] = True
        columns = []
        for column in candidate.final.columns:
            source = candidate.prepared.table.column(column.name).take(rows).values()
            mixed = np.where(true, np.array(source, dtype=object), np.array(column.values(), dtype=object)).tolist()
            columns.append(column.with_values(np.arange(len(rows), dtype=np.int64), mixed))
        for entry in attack.run(AttackEvidence(_replace_tables(candidate, candidate.final.replacing(*columns)))):
            success = float(entry.success.value or 0.0)
            margin = 2 * (0.25 / max(entry.success.n or 1, 1)) ** 0.5
            least = before.get(entry.column, 0.0) - margin
            hold(attack, success >= least, f"finds less ({success:.2f}) where {share:.0%} of the rows are true")
            before[entry.column] = max(success, before.get(entry.column, 0.0))


def _check_unprotected_release(attack: Attack) -> None:
    """Check that an attack reaches severity ``total`` on an unprotected release of people who all differ.

    It is enough if one of its results there does. Nothing is checked if the attack gives no result there.
    """
    attack_entries: list[AttackEntry] = []
    for small_candidate in small_candidates(attack, all_differ=True):
        if small_candidate.key.origin == "seed" or not small_candidate.rows_correspond:
            continue
        rows = np.searchsorted(small_candidate.prepared.table.row_numbers, small_candidate.final.row_numbers)
        source = (
            small_candidate.prepared.table.column(column.name).take(rows) for column in small_candidate.final.columns
        )
        attack_entries += attack.run(
            AttackEvidence(_replace_tables(small_candidate, small_candidate.final.replacing(*source)))
        )
    total = any(result.severity == "total" for result in attack_entries)
    hold(attack, total or not attack_entries, "does not come to its worst in the original")


def _replace_tables(candidate: Candidate, table: Table) -> Candidate:
    """Return a copy of a candidate that releases ``table`` instead of its final table, with the same columns.

    The table also becomes the result of the last step; the released table has its rows in release order.
    """
    steps = candidate.steps
    if steps:
        steps = (*steps[:-1], replace(steps[-1], result=replace(steps[-1].result, table=table)))
    original_columns = (table.column(name).take(candidate.row_order) for name in candidate.released.names)
    return replace(candidate, steps=steps, final=table, released=candidate.released.replacing(*original_columns))


def _check_key_independence(attack: Attack, candidate: Candidate, attack_entries: tuple[AttackEntry, ...]) -> None:
    """Check that an attack gives the same results when the candidate has another key and its random streams.

    ``attack_entries`` are its results under the original key. Intruders have no key, so it must not matter. Raises
    AssertionError otherwise.
    """
    second = run_candidate(candidate.prepared, Key(bytes(range(1, 33)), "system"))
    blind = replace(candidate, key=second.key, streams=second.streams)
    hold(attack, attack.run(AttackEvidence(blind)) == attack_entries, "finds other things under another key")


def _check_judging_check(attack: Attack, result: AttackEntry, evidence: Evidence) -> None:
    """Check that the check which judges the attack is not green when the attack fully succeeds.

    Raise AssertionError if it is. ``result`` is one result of the attack; in ``evidence`` it gets the severity
    ``total``.
    """
    check = all_checks()[attack.judged_by]
    loud = check.run(replace(evidence, attacks=(result.model_copy(update={"severity": "total"}),)))
    hold(attack, loud.status != "green", f"is total, and {check.id} is green")


def _check_declaration(attack: Attack) -> None:
    """Check that an attack declares all that window and report say about it: names, kind, unit, checks, texts.

    Its id must be small letters, digits and hyphens, its order number must differ from that of all other attacks, and
    each severity must have a text with title and sentence. Raises AssertionError otherwise.
    """
    texts = all_texts()
    told = {"title": texts[attack.title].title}
    told |= {key: texts[getattr(attack, key)].sentence for key in ("term", "source", "knows", "control", "chance")}
    check_description(attack, told)
    hold(attack, attack.kind in KINDS, "is of no kind that there is")
    hold(attack, attack.unit in get_args(Unit), "counts in no unit that there is")
    hold(attack, attack.not_on_foreign in all_texts(), f"{attack.not_on_foreign} is no text")
    named = (attack.judged_by, *attack.also_seen_by)
    hold(attack, set(named) <= set(all_checks()), f"is judged by {', '.join(named)}, and one of them is no check")
    check = all_checks()[attack.judged_by]
    quotes = any("{finding}" in all_texts()[text.id].sentence for text in check.texts())
    hold(attack, attack.own_check or quotes, f"is not heard by {check.id}, which was written for other attacks alone")
    orders = [declared.order for declared in all_attacks().values() if declared.id != attack.id]
    hold(attack, attack.order not in orders, "has the place of another attack")
    hold(attack, bool(attack.sentences), "can come to nothing")
    for severity, id in attack.sentences.items():
        text = all_texts().get(id)
        hold(attack, text is not None and bool(text.title and text.sentence), f"does not say what {severity} is")


def small_candidates(attack: Attack, *, all_differ: bool = False, rows_per_person: int = 1) -> Iterator[Candidate]:
    """Yield small releases of 120 invented people for trying an attack.

    There is one unprotected release, and one by each method that calls for the attack. Their key is all zero bytes. The
    unprotected release (all releases, if the attack searches for the key) comes a second time, with a key derived from
    a number. With ``all_differ`` a release by a method that cannot run on these people is left out.

    Parameters
    ----------
    attack
        The attack that is to be tried.
    all_differ
        Whether nobody shares an age, so that everyone is unique by the quasi-identifiers.
    rows_per_person
        Number of rows of each person, released in order; the pay differs only between the rows of the first person.
    """
    several = rows_per_person > 1
    columns = {**({_WHO: {"role": "identifier"}} if several else {}), **_COLUMNS}
    left_out = {name: {"role": "left-out"} for name in _DATES}
    rows = [",".join(columns | left_out), *_invented_rows(all_differ=all_differ, rows_per_person=rows_per_person)]
    methods = [id for id, method in all_methods().items() if attack.id in method.attacks]
    with tempfile.TemporaryDirectory(prefix="ppdm-battery-") as folder:
        path = Path(folder) / "people.csv"
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        cities = "".join(f"{city};{'inland' if city == _CITIES[0] else 'coast'};*\n" for city in _CITIES)
        (Path(folder) / "cities.csv").write_text(cities, encoding="utf-8")
        for method in (None, *methods):
            document: dict[str, Any] = {"recipe": 1, "columns": columns | left_out, "release": {"type": "research"}}
            if several:
                document["input"] = {"person": _WHO}
                document["release"]["shuffle_rows"] = False
            if method is not None:
                _give_dates(document, method)
                document["steps"] = [{"method": method, "parameters": _choose_parameters(method)}]
            prepared = prepare(path, parse_recipe(document), need_type=True)
            # A seed concerns attacks that look for the key; one release drawn from a seed is enough for the others.
            numbered = (Key.from_seed(3),) if method is None or attack.kind == "searching" else ()
            for key in (Key(bytes(32), "system"), *numbered):
                try:
                    yield run_candidate(prepared, key)
                except InputError:
                    if not all_differ:
                        raise
                    # A method that removes unique records leaves none where all are unique.


def _give_dates(document: dict[str, Any], method: str) -> None:
    """Add two date columns to a recipe, and that each row is a person, if the method takes nothing but dates.

    ``document`` is the recipe and changed in place; what it says of people already stays. For other methods nothing
    happens.
    """
    if find_method(method).kinds == {"date"}:
        document["columns"] = document["columns"] | _DATES
        document.setdefault("input", {"one_row_per_person": True})


def _invented_rows(*, all_differ: bool, rows_per_person: int) -> Iterator[str]:
    """Yield the rows of 120 invented people as lines of CSV without header, ``rows_per_person`` lines for each.

    Fields are age, city, pay, a number near a fifth of it, illness and two dates; with several rows each, the person's
    number comes first. With ``all_differ`` nobody shares an age, else only a few people have their own.
    """
    for person in range(_ROWS):
        # Ages that many share, and one in twenty that nobody shares.
        age = 30 + 5 * (person * person % 7) if person % 20 else 70 + person // 20
        age = 20 + person if all_differ else age
        pay = 1_500 + 5_003 * person % 7_000
        for row in range(rows_per_person):
            paid = pay + (0 if person else 100 * row)
            values = f"{age},{_CITIES[person % 3]},{paid},{paid // 5 + person % 40},{_ILLS[age * person % 3]}"
            first = _FIRST_DAY + 29 * person + 400 * row
            values += "".join(f",{date.fromordinal(day)}" for day in (first, first + age))
            yield f"{person},{values}" if rows_per_person > 1 else values


def _choose_parameters(method: str) -> dict[str, object]:
    """Return the parameters that a method needs for the invented people: ``width`` 10, ``most`` 1, or none."""
    wanted = {parameter.name for parameter in find_method(method).parameters}
    return {"width": 10} if "width" in wanted else {"most": 1} if "most" in wanted else {}


def _check_on_candidate(attack: Attack, candidate: Candidate) -> int:
    """Return how many results an attack gives on one candidate, after checking them.

    The attack has to give the same results twice and (unless it searches for the key) without the key, change nothing,
    have a text for each result, be judged by its check, and stop when cancelled. If it runs on every release, or a step
    of this one calls for it, it has to give results exactly if it says that it applies. Raise AssertionError otherwise.
    """
    evidence, before = AttackEvidence(candidate), digest_of(candidate)
    findings = attack.run(evidence)
    hold(attack, digest_of(candidate) == before, "changes what it attacks")
    hold(attack, attack.run(evidence) == findings, "finds one thing now and another then")
    why = attack.applies(candidate)
    hold(attack, why is None or why in all_texts(), f"{why} is no text of why it does not apply")
    hold(attack, digest_of(candidate) == before, "changes what it looks at before it attacks")
    called = attack.always or any(attack.id in step.method.attacks for step in candidate.steps)
    if called:
        explanation = f"finds {len(findings)}, and says of what applies: {why or 'it does'}"
        hold(attack, (why is None) == bool(findings), explanation)
    report = evaluate(candidate, attacks=findings).report
    for result in report.verdict.attacks or ():
        _check_result_entry(attack, result, report)
    if attack.kind != "searching":
        _check_key_independence(attack, candidate, findings)
    if findings:
        _check_judging_check(
            attack, findings[0], build_release_files(candidate, measure(candidate), lambda _, data: data)
        )
    count_cancellation_points(attack, lambda: attack.run(AttackEvidence(candidate)), ends_only=True)
    return len(findings)


def _check_result_entry(attack: Attack, result: AttackEntry, report: Report) -> None:
    """Check a result's fields, that its limit is not below 0, and that no text or figure about it is empty.

    Its id, severity, outcome and further figures must be those that the attack declares. Raises AssertionError
    otherwise.
    """
    hold(attack, result.id == attack.id, "speaks for another attack")
    hold(attack, result.severity in attack.sentences, f"comes to {result.severity}, which it does not declare")
    hold(attack, attack.outcome(result) in get_args(Outcome), "comes to no outcome that there is")
    hold(attack, set(result.further) <= set(attack.further), "adds a figure and does not say what it is called")
    hold(attack, attack.unit != "ratio" or "ratio" in result.further, "counts in a ratio and measures none")
    for row in attack_figures(result):
        hold(attack, bool(row.label.strip()) and bool(row.text.strip()), f"does not say its figure {row.key}")
    large, limit = attack.large_figure(result, report), attack.limit(result, report)
    hold(attack, limit is None or limit >= 0, "has a limit below 0")
    notes = (result.sentence.note, result.knows.note, attack.rule(result, report), large.unit, large.beside)
    for note in filter(None, notes):
        hold(attack, bool(render(note.id, note.arguments).sentence.strip()), f"{note.id} says nothing")
