"""Batteries that whatever is declared has to pass, for our own tests and for those of others.

A battery raises ``AssertionError`` that names the declaration and what it fails at.
"""

from __future__ import annotations

import hashlib
import inspect
import tempfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import ppdm_desktop.engine.release.gate.results as statuses
from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.methods.base.registry import all_methods, find_method
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.attack_audit.base import KINDS, Attack, AttackEvidence, Outcome, Unit
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.gate.base import Check
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.registry import all_checks
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, NOT_RUN, RED, CheckResult
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.texts import Note, all_texts, render

_NAMED = {name: getattr(statuses, name) for name in ("GREEN", "AMBER", "RED", "NOT_APPLICABLE", "NOT_RUN")}
_BAD = (AMBER, RED, NOT_RUN)


def check_check(cls: type[Check], evidence: Collection[Evidence], pages: Collection[str]) -> frozenset[str]:
    """Put a check of the gate to the test.

    It has to describe itself fully, to have a text for every status it can give, to be corrected on a
    page there is, and on each evidence to say the same twice, to change nothing, to agree with its own
    direction, to stop when it is asked to, and not to run without the file it reads.

    Parameters
    ----------
    cls
        The registered class.
    evidence
        Releases to judge, planted so that a figure within its limit is green and one beyond it is not.
    pages
        Ids of the window's pages.

    Returns
    -------
    frozenset of str
        The statuses that it gave.

    Raises
    ------
    AssertionError
        Naming the check and what it fails at.
    """
    check = all_checks().get(cls.id)
    if check is None or type(check) is not cls:
        raise AssertionError(f"{cls.id}: is not registered")
    _describes_itself(check, pages)
    _has_its_texts(check)
    given = frozenset(_judged(check, each, pages) for each in evidence)
    looks = sum(_stops(check, each) for each in evidence)
    _hold(check, looks > 0 or check.weight == 1 or not evidence, "looks at every value and never at the stop sign")
    return given


def _hold(check: Check | Attack, holds: bool, words: str) -> None:
    if not holds:
        raise AssertionError(f"{check.id}: {words}")


def _describes_itself(check: Check, pages: Collection[str]) -> None:
    described = check.describe()
    for key in ("id", "title", "source", "fix_on", "direction"):
        _hold(check, bool(str(described[key]).strip()), f"says nothing as its {key}")
    _hold(check, check.id == check.id.lower() and check.id.replace("-", "").isalnum(), "its id is no id")
    _hold(check, bool(type(check).__doc__), "has no sentence that says what rule it is")
    _hold(check, check.fix_on in pages, f"is corrected on {check.fix_on}, which is no page")
    _hold(check, check.direction in ("at-most", "at-least"), "has no direction")
    _hold(check, check.weight >= 1, "has no weight")
    orders = [each.order for each in all_checks().values()]
    _hold(check, orders.count(check.order) == 1, "has the place of another check")
    _hold(check, set(check.needs) <= set(all_checks()) - {check.id}, "needs a check that there is not")
    _hold(check, bool(check.needs) == check.reads_file, "reads the file and does not say what may keep it from that")
    for type_ in RELEASE_TYPES.values():
        limits = check.limits(type_, type_.k_min)
        if limits.red is not None:
            beyond = limits.red - limits.green if check.direction == "at-most" else limits.green - limits.red
            _hold(check, beyond >= 0, f"is red before it is amber ({type_.id})")


def _has_its_texts(check: Check) -> None:
    """Compare its texts with the statuses that its module names, and with its declaration."""
    module = vars(inspect.getmodule(type(check)))
    named = {status for name, status in _NAMED.items() if module.get(name) == status}
    given = named | ({NOT_RUN} if check.reads_file else set())
    texts = {id: text for id, text in all_texts().items() if id.startswith(f"gate.{check.id}.")}
    there = {_status_of(id) for id in texts}
    _hold(check, given == there, f"gives {sorted(given)} and has texts for {sorted(there)}")
    for id, text in texts.items():
        _hold(check, text.title == check.title, f"is called otherwise in {id}")
        _hold(check, bool(text.sentence.strip()), f"{id} says nothing")
        _hold(check, bool(text.remedy.strip()) or _status_of(id) not in _BAD, f"{id} does not say what to do")
    if check.reads_file:
        remedy = texts[f"gate.{check.id}.{NOT_RUN}"].remedy
        _hold(check, all(need in remedy for need in check.needs), "does not say which checks have to pass first")


def _status_of(id: str) -> str:
    word = id.split(".")[2]
    return next(each for each in (GREEN, AMBER, RED, NOT_APPLICABLE, NOT_RUN) if word.startswith(each))


def _judged(check: Check, evidence: Evidence, pages: Collection[str]) -> str:
    before = _digest(evidence)
    result = check.run(evidence, silent())
    _hold(check, check.run(evidence, silent()) == result, "says one thing now and another then")
    _tells_it(check, result, pages)
    _agrees(check, result)
    _hold(check, _digest(evidence) == before, "changes what it judges")
    unread = replace(evidence, as_written=None)
    if check.reads_file:
        _hold(check, check.run(unread, silent()).status == NOT_RUN, "says something of a file that cannot be read")
        needed = [all_checks()[need].run(unread, silent()).status for need in check.needs]
        _hold(check, RED in needed, "does not run, and none of what it needs says why")
    return result.status


def _tells_it(check: Check, result: CheckResult, pages: Collection[str]) -> None:
    """Look at what the result says: id, text, unit, and what corrects it."""
    id = result.sentence.id
    _hold(check, result.id == check.id and id.startswith(f"gate.{check.id}."), "speaks for another check")
    _hold(check, id in all_texts() and _status_of(id) == result.status, f"{id} is no text of {result.status}")
    render(id, result.sentence.arguments)
    units = check.figure_unit.split(" or ") if check.figure_unit else []
    _hold(check, result.figure is None or result.figure.unit in units, f"measures something else than {units}")
    _hold(check, bool(result.remedies) == (result.status in _BAD), f"{result.status}, with remedies {result.remedies}")
    for each in result.remedies:
        _hold(check, each.page in pages, f"is corrected on {each.page}, which is no page")
        _hold(check, bool(render(each.text.id, each.text.arguments).remedy), f"{each.text.id} corrects nothing")


def _agrees(check: Check, result: CheckResult) -> None:
    """Compare figure and limit with the status, by the direction; beyond may be what the interval leaves open."""
    figure, limit = result.figure, result.limit
    if figure is None or figure.value is None or not isinstance(limit, int | float):
        return
    _hold(check, result.direction == check.direction_of(figure), "gives a direction that it does not declare")
    worst = figure.value if figure.high is None else max(figure.high, figure.value)
    least = result.direction == "at-least"
    within = figure.value >= limit - 1e-9 if least else figure.value <= limit + 1e-9
    beyond = figure.value < limit if least else worst > limit
    said = f"{result.status} at {figure.value} ({result.direction} {limit})"
    _hold(check, result.status != GREEN or within, said)
    _hold(check, result.status not in (AMBER, RED) or beyond, said)


def _stops(check: Check, evidence: Evidence) -> int:
    """Count how often it looks at the stop sign, and prove that it ends at every one of these places."""
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1

    check.run(evidence, Progress(give_way=count))
    for place in range(seen):
        left = iter(range(place))

        def stop(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Cancelled

        try:
            check.run(evidence, Progress(give_way=stop))
        except Cancelled:
            continue
        raise AssertionError(f"{check.id}: goes on although it was stopped")
    return seen


def _digest(evidence: Evidence) -> str:
    """Return a hash over all that a check could change: tables, file, texts."""
    hashed = hashlib.sha256(_digest_of(evidence.candidate, evidence.as_written or ()))
    hashed.update(evidence.written.data if evidence.written is not None else b"")
    hashed.update(evidence.texts.note + evidence.texts.dictionary)
    return hashed.hexdigest()


def _digest_of(candidate: Candidate, columns: Iterable[Column] = ()) -> bytes:
    """Return a hash over the tables of a candidate, and of some columns more."""
    hashed = hashlib.sha256()
    tables = (candidate.prepared.original, candidate.prepared.table, candidate.final, candidate.released)
    for column in (*(column for table in tables for column in table.columns), *columns):
        hashed.update(repr((column.name, column.texts)).encode())
        hashed.update(column.codes.tobytes())
    hashed.update(candidate.row_order.tobytes())
    return hashed.digest()


# --- attacks ------------------------------------------------------------------------------

_ROWS = 120
_CITIES, _ILLS = ("Bonn", "Delft", "Ghent"), ("cold", "flu", "gout")
_BOUNDS = {"Pay": [0, 9_000], "Bonus": [0, 2_000]}
_COLUMNS = {
    "Age": {"role": "quasi-identifier", "kind": "numeric"},
    "City": {"role": "quasi-identifier", "kind": "nominal"},
    "Pay": {"role": "confidential", "kind": "numeric", "bounds": _BOUNDS["Pay"]},
    "Bonus": {"role": "confidential", "kind": "numeric", "bounds": _BOUNDS["Bonus"]},
    "Ill": {"role": "confidential", "kind": "nominal"},
}


def check_attack(cls: type[Attack], candidates: Collection[Candidate] = ()) -> int:
    """Put an attack to the test.

    It has to declare itself fully, to name a check that there is, to have a text for each severity it can come
    to, and on each candidate to find the same twice, to change nothing, to say why where it finds nothing, to
    stop when it is asked to, and to speak of every result in texts that exist.

    Parameters
    ----------
    cls
        The class, registered or not.
    candidates
        Releases to attack; when left out, small ones of invented people: as they are, by each method that calls
        for the attack, and by a key made from a number.

    Returns
    -------
    int
        So many results were found.

    Raises
    ------
    AssertionError
        Naming the attack and what it fails at.
    """
    attack = cls()
    _declares_itself(attack)
    return sum(_attacked(attack, each) for each in candidates or small_candidates(attack))


def _declares_itself(attack: Attack) -> None:
    described = attack.describe()
    for key in ("id", "title", "term", "source", "knows", "control", "chance"):
        _hold(attack, bool(str(described[key]).strip()), f"says nothing as its {key}")
    _hold(attack, attack.id == attack.id.lower() and attack.id.replace("-", "").isalnum(), "its id is no id")
    _hold(attack, attack.kind in KINDS, "is of no kind that there is")
    _hold(attack, attack.unit in get_args(Unit), "counts in no unit that there is")
    _hold(attack, attack.not_on_foreign in all_texts(), f"{attack.not_on_foreign} is no text")
    named = (attack.judged_by, *attack.also_seen_by)
    _hold(attack, set(named) <= set(all_checks()), f"is judged by {', '.join(named)}, and one of them is no check")
    orders = [each.order for each in all_attacks().values() if each.id != attack.id]
    _hold(attack, attack.order not in orders, "has the place of another attack")
    _hold(attack, bool(attack.severities), "can come to nothing")
    for severity in attack.severities:
        id = f"attack.{attack.id}.{severity}"
        texts = [text for name, text in all_texts().items() if name == id or name.startswith(f"{id}-")]
        _hold(attack, bool(texts), f"has no text for {severity}")
        _hold(attack, all(text.title and text.sentence for text in texts), f"does not say what {severity} is")


def small_candidates(attack: Attack) -> Iterator[Candidate]:
    """Yield small releases of invented people on which an attack can be tried.

    Parameters
    ----------
    attack
        What they are for: besides the people as they are, there is one candidate of each method that calls for it.
    """
    rows = [",".join(_COLUMNS)]
    for person in range(_ROWS):
        # Ages that many share, and one in twenty that nobody shares.
        age = 30 + 5 * (person * person % 7) if person % 20 else 70 + person // 20
        pay = 1_500 + 5_003 * person % 7_000
        rows.append(f"{age},{_CITIES[person % 3]},{pay},{pay // 5 + person % 40},{_ILLS[age * person % 3]}")
    methods = [id for id, method in all_methods().items() if attack.id in method.attacks]
    with tempfile.TemporaryDirectory(prefix="ppdm-battery-") as folder:
        path = Path(folder) / "people.csv"
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        for method in (None, *methods):
            document = {"recipe": 1, "columns": _COLUMNS, "release": {"type": "research"}}
            if method is not None:
                document["steps"] = [{"method": method, "parameters": _parameters(method)}]
            prepared = prepare(path, parse_recipe(document), silent(), need_type=True)
            for key in (Key(bytes(32), "system"), Key.from_seed(3)):
                yield run_candidate(prepared, key, silent())


def _parameters(method: str) -> dict[str, object]:
    """Return what a method has to be told of the invented people."""
    wanted = {parameter.name for parameter in find_method(method).parameters}
    return {"width": 10} if "width" in wanted else {"most": 1} if "most" in wanted else {}


def _attacked(attack: Attack, candidate: Candidate) -> int:
    evidence, before = AttackEvidence(candidate), _digest_of(candidate)
    found = attack.run(evidence, silent())
    _hold(attack, _digest_of(candidate) == before, "changes what it attacks")
    _hold(attack, attack.run(evidence, silent()) == found, "finds one thing now and another then")
    why = attack.applies(candidate, silent())
    _hold(attack, why is None or why in all_texts(), f"{why} is no text of why it does not apply")
    _hold(attack, _digest_of(candidate) == before, "changes what it looks at before it attacks")
    called = attack.always or any(attack.id in step.method.attacks for step in candidate.steps)
    if called:
        _hold(attack, (why is None) == bool(found), f"finds {len(found)}, and says of what applies: {why or 'it does'}")
    report = evaluate(candidate, attacks=found).report
    for result in report.attacks or ():
        _speaks(attack, result, report)
    _stops_attacking(attack, candidate)
    return len(found)


def _speaks(attack: Attack, result: AttackEntry, report: Report) -> None:
    """Look at a result, and render whatever is said of it."""
    _hold(attack, result.id == attack.id, "speaks for another attack")
    _hold(attack, result.severity in attack.severities, f"comes to {result.severity}, which it does not declare")
    _hold(attack, attack.severity(result) == result.severity, "rates its result otherwise than the result says")
    _hold(attack, attack.outcome(result) in get_args(Outcome), "comes to no outcome that there is")
    _hold(attack, attack.unit != "ratio" or "ratio" in result.further, "counts in a ratio and measures none")
    said = [render(note.id, note.arguments) for note in attack.explain(result, report)]
    _hold(attack, bool(said) and bool(said[0].title.strip()), "explains nothing")
    words = [Note(result.sentence.id, result.sentence.arguments), Note(result.knows.id, result.knows.arguments)]
    for fact in attack.facts(result, report):
        words += [fact.label, fact.words]
    large, line = attack.large_figure(result, report), attack.limit_line(result, report)
    words += [each for each in (large.unit, large.beside, line.words if line is not None else None) if each is not None]
    for note in words:
        _hold(attack, bool(render(note.id, note.arguments).sentence.strip()), f"{note.id} says nothing")


def _stops_attacking(attack: Attack, candidate: Candidate) -> None:
    """Prove that it ends where it looks at the stop sign first, and where it does so last."""
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1

    attack.run(AttackEvidence(candidate), Progress(give_way=count))
    for place in {0, seen - 1} if seen else ():
        left = iter(range(place))

        def stop(left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Cancelled

        try:
            attack.run(AttackEvidence(candidate), Progress(give_way=stop))
        except Cancelled:
            continue
        raise AssertionError(f"{attack.id}: goes on although it was stopped")
