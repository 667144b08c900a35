"""The battery of tests for methods."""

from __future__ import annotations

import itertools
import threading
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.errors import Cancelled, InputError, PpdmError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, NumberParameter, Parameter
from ppdm_desktop.engine.methods.base.step import Settings, StepResult
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels
from ppdm_desktop.engine.table.person_ids import with_ids_marked
from ppdm_desktop.engine.wording.catalogue import numbers_of
from ppdm_desktop.engine.wording.texts import all_texts, render
from ppdm_desktop.engine.wording.values import format_sentence_value
from ppdm_desktop.testing.common import check_description, hold, with_texts

_ROWS = 200
_DECLARED_TERMS = ("protects", "correspondence", "several_rows", "counts", "worst_is")
_FIT = {
    "protects": ("identity", "attribute", "both", "nothing"),
    "correspondence": ("record", "group", "none"),
    "several_rows": ("people", "rows", "refused"),
    "counts": ("records", "values"),
    "worst_is": ("departures", "group", "privacy", "total"),
}

_NOISE_KEYS = frozenset({"law", "origin", "step", "bounds", "bounds_source", "h", "snr", "levels"})


def check_method(cls: type[Method], *, quick: bool = False) -> int:
    """Return how many records or values a method's recount looked at, after checking the method's contract.

    A recount checks the method's promise again from the tables alone. The method has to

    - be fully declared, with defaults that fit, and refuse unfit values of parameters with a message;
    - leave its input, and every column that it does not treat, unchanged;
    - give the same result under the same key, and another under another key if it draws at random;
    - keep its promise for each privacy level, as recounted from the tables (the unchanged table must not keep it);
    - protect the columns it declares, and report figures that can be shown;
    - report its progress, stop when cancelled, and say everything in existing texts.

    Parameters
    ----------
    cls
        The class, registered or not.
    quick
        Leave out what takes long: other values of its parameters, another order of rows, and cancelling while it runs.
        The test then takes at most two seconds, if the method needs at most a tenth of a second for 200 records.

    Returns
    -------
    int
        Number of records or values that the method's recount looked at.

    Raises
    ------
    AssertionError
        Naming the method and the rule it breaks.
    """
    method = cls()
    with with_texts(method):
        _check_declaration(method)
        table = method_table(method)
        settings = _make_default_settings(method, table)
        result = _check_input_unchanged(method, table, settings)
        _check_repeatability(method, table, settings, result)
        checked = _check_promise(method, table, settings, result)
        _check_protections(method, table, settings, result)
        _check_figures(method, result)
        _check_refusals(method, table)
        _check_progress_and_stop(method, table, settings, every_stage=not quick)
        if not quick:
            _check_fitting_values(method, table, result)
            _check_other_row_order(method, table, settings, result)
    return checked


def method_table(method: Method, rows: int = _ROWS) -> Table:
    """Return a table of invented records on which a method can be tried, with text and number columns.

    It has quasi-identifiers, confidential and other columns, and one that is left out; dates and ids are in it only if
    the method takes them. Some records are unique by their quasi-identifiers, some are in groups, and there are four
    privacy levels. The table is the same at each call.

    Parameters
    ----------
    method
        The method that is to be tried on the table.
    rows
        Number of records.
    """
    rng = np.random.default_rng(3)  # nothing of this is ever released
    # A method that removes what stands out needs a table in which most does not.
    width = 3 if "suppression" in method.treatment.english else 6
    codes_of_columns = [rng.integers(width, size=rows) for _ in range(3)]
    lean = np.add.reduce(codes_of_columns)
    secret = np.where(rng.random(rows) < 0.5, lean % 3, rng.integers(3, size=rows))
    secret[:3] = [0, 1, 2]  # every category is there
    tree = Hierarchy({f"k00{code}": (f"half {2 * code // width}", "*") for code in range(width)}, 2)
    columns = [
        replace(
            Column.from_texts(f"Known {index}", np.char.mod("k00%d", codes).tolist()),
            hierarchy=tree,
            role="quasi-identifier",
        )
        for index, codes in enumerate(codes_of_columns)
    ]
    columns.append(Column.from_texts("Secret", np.char.mod("s%d", secret).tolist(), role="confidential"))
    other = [f"o{row % 8}" for row in range(rows)]
    other[0] = "" if width == 3 else other[0]  # the only empty cell
    columns.append(Column.from_texts("Other", other, role="other"))
    texts = rng.integers(10, 99, size=rows).astype(str).tolist()
    style = NumberStyle.seen_in(texts)
    columns.append(
        Column.from_texts("Number", texts, role="confidential", kind="numeric", style=style, bounds=(0.0, 100.0))
    )
    shares = (0.8, 0.2, 0.0, 0.0) if width == 3 else (0.25,) * 4
    codes = rng.choice(len(DEFAULT_LEVELS), size=rows, p=shares).astype(np.int32)
    levels = RecordLevels(DEFAULT_LEVELS, codes, {"default": rows})
    if "date" in method.kinds:
        days = (np.datetime64("2010-01-01") + rng.integers(4_000, size=rows)).astype(str).tolist()
        columns.append(replace(Column.from_texts("Day", days), role="other", kind="date", date_format="%Y-%m-%d"))
    # One number, 0, is far more frequent than any other.
    scores = [str(row % 3 and 1_000 * (row % 3) + row % 10) for row in range(rows)]
    columns.append(Column.from_texts("Score", scores, role="other", kind="numeric", style=NumberStyle.seen_in(scores)))
    sums = [str(int(number) + int(score)) for number, score in zip(texts, scores, strict=True)]
    columns.append(Column.from_texts("Total", sums, role="left-out", kind="numeric", style=NumberStyle.seen_in(sums)))
    table = Table(tuple(columns), np.arange(1, rows + 1), levels)
    if "identifier" not in method.roles:
        return table
    # Some people have several rows, and a few rows do not say whose they are.
    ids = [str(number) if number % 20 else "" for number in rng.integers(rows // 2, size=rows)]
    table = replace(table, columns=(*table.columns, Column.from_texts("Id", ids, role="identifier")))
    return with_ids_marked(table, ["Id"])


def _make_streams(seed: int = 1) -> StepStream:
    """Return the random streams of the first step of a recipe, under a key derived from the number ``seed``."""
    return StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 1)


def _run_method(method: Method, table: Table, settings: Settings, seed: int = 1) -> StepResult:
    """Return the result of running a method on a table, under a key derived from the number ``seed``."""
    method.check(table, settings)
    return method.run(table, settings, _make_streams(seed))


def _list_column_texts(table: Table) -> dict[str, list[str]]:
    """Return the cell texts of every column, by name of the column."""
    return {column.name: column.values() for column in table.columns}


def _check_error_text(method: Method, error: PpdmError) -> None:
    """Check that the text of a method's error exists, can be rendered and is not empty."""
    try:
        text = render(error.id, error.arguments).sentence
    except KeyError:
        text = ""
    hold(method, bool(text), f"refuses by a text that does not exist ({error.id})")


def _check_declaration(method: Method) -> None:
    """Check that a method declares all that window, report and note say about it, and that its defaults fit.

    Its id must be small letters, digits and hyphens; parameters must have different names, help that ends with a full
    stop, and a text of its own for each choice. Raises AssertionError otherwise.
    """
    told = ("id", "title", "paper", "summary", "promises", "limits", "applies_to", "treatment")
    check_description(method, {key: method.describe()[key] for key in told})
    hold(method, bool(str(method.recipients_learn)), "does not say what recipients learn")
    for key in _DECLARED_TERMS:
        hold(method, getattr(method, key) in _FIT[key], f"{key} is {getattr(method, key)!r}")
    hold(method, method.roles <= ATTRIBUTE_ROLES | {"identifier"}, "takes columns of a role that is never released")
    names = [parameter.name for parameter in method.parameters]
    hold(method, len(set(names)) == len(names), "has two parameters of one name")
    hold(method, method.public_parameters | method.private_parameters <= set(names), "names a parameter it has not")
    for parameter in method.parameters:
        for key, text in (("help", parameter.help), ("effect", parameter.effect)):
            hold(
                method,
                text is None or str(text).endswith("."),
                f"the {key} of {parameter.name} is no sentence that ends with a full stop",
            )
        problem = parameter.problem(parameter.default)
        hold(method, problem is None, f"the default of {parameter.name} does not fit: {problem}")
        if isinstance(parameter, ChoiceParameter):
            texts = [str(text).strip() for text in parameter.choices.values()]
            hold(method, all(texts) and len(set(texts)) == len(texts), f"a choice of {parameter.name} has no own text")
        if isinstance(parameter, NumberParameter) and parameter.low is not None and parameter.high is not None:
            hold(method, parameter.low <= parameter.high, f"{parameter.name} has its least above its most")


def _make_default_settings(method: Method, table: Table) -> Settings:
    """Return the checked default settings of a method; raise AssertionError if the method refuses them."""
    try:
        return method.settings(table, None, {})
    except PpdmError as refused:
        raise AssertionError(f"{method.id}: refuses its own default columns and parameters ({refused.id})") from refused


def _check_input_unchanged(method: Method, table: Table, settings: Settings) -> StepResult:
    """Return the result of a run, after checking that input and untreated columns are unchanged.

    Untreated columns of the result are compared only if each released row comes from one row of the input. Raise
    AssertionError otherwise, and if the method refuses to run.
    """
    before = _list_column_texts(table)
    try:
        result = _run_method(method, table, settings)
    except PpdmError as refused:
        raise AssertionError(f"{method.id}: refuses the invented records ({refused.id})") from refused
    hold(method, _list_column_texts(table) == before, "changes its input")
    for name in set(table.names) & set(result.table.names) - set(settings.columns):
        if method.correspondence == "record":
            kept = np.searchsorted(table.row_numbers, result.table.row_numbers)
            same = result.table.column(name).values() == table.column(name).take(kept).values()
            hold(method, same, f"changes {name}, which it was not given")
    return result


def _check_repeatability(method: Method, table: Table, settings: Settings, first: StepResult) -> None:
    """Check that the same key gives the same table and figures, and another key another table if the method draws.

    Of four other keys at least one has to give another table. A method draws at random if its output shows which rows
    belong to one person, or if it protects by random change or noise; one whose result can be reversed is excepted.
    ``first`` is its earlier result.
    """
    again = _run_method(method, table, settings)
    hold(
        method,
        _list_column_texts(again.table) == _list_column_texts(first.table),
        "gives another table under the same key",
    )
    hold(method, again.detail == first.detail, "gives other figures under the same key")
    keyed = method.tells_rows_apart or any(
        protection.manner in ("randomised", "noise") for protection in first.protections
    )
    if keyed and "reversible" not in method.treatment.english:
        reruns = (_list_column_texts(_run_method(method, table, settings, seed).table) for seed in range(2, 6))
        hold(
            method,
            any(texts != _list_column_texts(first.table) for texts in reruns),
            "gives the same table under every key",
        )


def _check_promise(method: Method, table: Table, settings: Settings, result: StepResult) -> int:
    """Return how many records or values the method's recount looked at, after checking the promise by it.

    The result has to keep the promise, for each privacy level too; the unchanged table must not keep it, unless the
    promise is about the run itself. Raise AssertionError otherwise.
    """
    recounted = method.recount(table, result.table, settings, result.detail)
    hold(method, recounted.guarantee.holds, f"does not keep its promise (worst: {recounted.guarantee.worst})")
    hold(method, recounted.guarantee.checked > 0, "promises something of nobody")
    hold(method, bool(recounted.levels) == (method.protects != "nothing"), "proves nothing to any level")
    for proof in recounted.levels:
        hold(method, proof.met, f"does not serve the level {proof.level} in {proof.column}")
        hold(method, proof.records == proof.covered + proof.not_covered, f"loses records of the level {proof.level}")
    if recounted.guarantee.kind != "run":
        unchanged = method.recount(table, table, settings, result.detail)
        hold(method, not unchanged.guarantee.holds, "holds its promise to be kept in a table that nobody changed")
        strictest = [proof for proof in unchanged.levels if proof.level == DEFAULT_LEVELS[-1].name]
        has_levels = method.reads_levels and method.correspondence == "record"
        if strictest and has_levels and any(proof.covered for proof in strictest):
            hold(method, not all(proof.met for proof in strictest), "serves the strictest level by doing nothing")
    return recounted.guarantee.checked


def _check_protections(method: Method, table: Table, settings: Settings, result: StepResult) -> None:
    """Check that the result says, for exactly the treated columns, which records are protected and how.

    A method that protects nothing has to say it of no column. All notes about the run have to be texts that can be
    rendered. Raise AssertionError otherwise.
    """
    wanted = set() if method.protects == "nothing" else set(settings.columns)
    hold(
        method,
        {protection.column for protection in result.protections} == wanted,
        "does not say of each column how it protects",
    )
    for protection in result.protections:
        fits = (
            protection.protected.dtype == np.bool_
            and len(protection.protected) == len(protection.treatment) == result.table.rows
        )
        hold(method, fits, f"does not say of each record of {protection.column} whether it is served")
        hold(
            method,
            bool((protection.treatment[protection.protected] >= 0).all()),
            f"serves records of {protection.column} by nothing",
        )
    for note in (*method.check(table, settings), method.effect(table, settings), *result.notes):
        hold(method, note.id in all_texts(), f"says {note.id}, which is no text")
        hold(method, bool(render(note.id, note.arguments).sentence), f"{note.id} says nothing")


def _check_figures(method: Method, result: StepResult) -> None:
    """Check that the figures of a run can be shown, and that the figures which some methods owe are there.

    A method that chooses its records by a column has to name the column; one that adds known noise has to report all
    that is known of it, for each column.
    """
    for line in method.figure_lines(result.detail):
        hold(method, bool(str(line.label)), "shows a figure without a label")
        hold(
            method,
            bool(format_sentence_value(line.figure, numbers_of("en"), "full")),
            f"shows nothing for {line.label}",
        )
    keys = set() if method.chosen_for is None else {method.chosen_for}
    hold(method, keys <= set(result.detail), "does not name the column that its records are chosen for")
    if method.adds_known_noise:
        for name, figures in result.detail["columns"].items():
            hold(method, set(figures) >= _NOISE_KEYS, f"does not report all that is known of the noise of {name}")


def _check_refusals(method: Method, table: Table) -> None:
    """Check that a method refuses unknown and unfit parameters, unknown columns, and kinds it does not take.

    It has to raise RecipeError (for parameters and unknown columns with a text that exists) and to name the column of a
    wrong kind. Raise AssertionError otherwise.
    """
    refused: list[tuple[str, dict[str, object], list[str] | None]] = [("unknown", {"no_such_parameter": 1}, None)]
    refused += [("column", {}, ["No such column"])]
    for parameter in method.parameters:
        refused += [(parameter.name, {parameter.name: value}, None) for value in parameter.unfit_values()]
    for name, parameters, columns in refused:
        try:
            method.settings(table, columns, parameters)
        except RecipeError as error:
            _check_error_text(method, error)
        else:
            raise AssertionError(f"{method.id}: does not refuse {parameters or columns} ({name})")
    for column in table.columns:
        if column.kind not in method.kinds:
            try:
                method.settings(table, [column.name], {})
            except RecipeError as error:
                hold(method, error.column == column.name, f"does not name {column.name}, which it refuses")
            else:
                raise AssertionError(f"{method.id}: takes {column.name}, which is {column.kind}")


def _check_progress_and_stop(method: Method, table: Table, settings: Settings, *, every_stage: bool) -> None:
    """Check that reported progress never falls and ends at 1, and that the method stops when cancelled.

    With ``every_stage`` the method is cancelled before it begins and at about eight of its reports, else only before it
    begins. The last report need not stop it. Its input must stay unchanged.
    """
    before, seen = _list_column_texts(table), list[tuple[float, str]]()
    Progress(lambda share, doing: seen.append((share, doing))).run(method.run, table, settings, _make_streams())
    hold(method, bool(seen) and abs(seen[-1][0] - 1.0) < 1e-6, "does not report its progress to the end")
    hold(method, all(0.0 <= share <= 1.0 for share, _ in seen), "reports progress outside 0 to 1")
    hold(method, all(a[0] <= b[0] + 1e-9 for a, b in itertools.pairwise(seen)), "reports progress that falls")
    unknown = {doing for _, doing in seen if doing} - set(all_texts())
    hold(method, not unknown, f"reports work of which there is no text: {', '.join(sorted(unknown))}")
    turns = range(0, len(seen), max(1, len(seen) // 8)) if every_stage else (0,)
    for turn in turns:
        if not _cancel_at_report(method, table, settings, turn) and turn < len(seen) - 1:
            raise AssertionError(f"{method.id}: does not stop when it is asked to (report {turn})")
    hold(method, _list_column_texts(table) == before, "changes its input when it is stopped")


def _cancel_at_report(method: Method, table: Table, settings: Settings, turn: int) -> bool:
    """Cancel a method at its report of progress number ``turn`` (0: before it begins); return whether it stopped.

    False, too, if the method ends with fewer reports.
    """
    event, seen = threading.Event(), 0
    if not turn:
        event.set()

    def stop(_share: float, _doing: str) -> None:
        """Ask the method to stop if this is the report at which it should."""
        nonlocal seen
        seen += 1
        if seen == turn:
            event.set()

    try:
        Progress(stop, event).run(method.run, table, settings, _make_streams())
    except Cancelled:
        return True
    return False


def _check_fitting_values(method: Method, table: Table, first: StepResult) -> None:
    """Check that a method keeps its promise with other valid values of parameters, and each parameter has an effect.

    A parameter has one if some value changes the result or is refused with a message, or if leaving it out does under
    the settings that it names. One whose value the run finds needs none. ``first`` is the result with the defaults.
    Raise AssertionError otherwise.
    """
    for parameter in method.parameters:
        has_effect = parameter.computed_by_run
        for value in parameter.fit_values():
            hold(method, parameter.problem(value) is None, f"refuses {value!r} for {parameter.name}")
            try:
                settings = method.settings(table, None, {parameter.name: value})
                result = _run_method(method, table, settings)
            except (RecipeError, InputError) as error:
                _check_error_text(method, error)
                has_effect = True
                continue
            has_effect |= _differ(result, first)
            kept = method.recount(table, result.table, settings, result.detail).guarantee.holds
            hold(method, kept, f"does not keep its promise where {parameter.name} is {value!r}")
        has_effect = has_effect or _is_effective(method, table, parameter)
        where = f"also with checked_with={parameter.checked_with}"
        hold(method, has_effect, f"{parameter.name} changes nothing, {where}: is it passed on? If so, say there where")


def _differ(first: StepResult, second: StepResult) -> bool:
    """Return whether two results differ in any released text or figure."""
    return first.detail != second.detail or _list_column_texts(first.table) != _list_column_texts(second.table)


def _is_effective(method: Method, table: Table, parameter: Parameter) -> bool:
    """Return whether leaving out a parameter changes a step's result, under the settings it names in ``checked_with``.

    These hold a value of the parameter itself. True, too, if the step refuses to run without it. ``checked_with`` may
    also name roles, which the columns then get.
    """
    values = dict(parameter.checked_with)
    roles = values.pop("roles", {})
    table = table.replacing(*(replace(table.column(name), role=role) for name, role in roles.items()))
    result = _run_method(method, table, method.settings(table, None, values))
    values.pop(parameter.name, None)
    try:
        return _differ(result, _run_method(method, table, method.settings(table, None, values)))
    except (RecipeError, InputError):
        return True


def _check_other_row_order(method: Method, table: Table, settings: Settings, first: StepResult) -> None:
    """Check that a method protects equally many records of each privacy level when the rows are shuffled.

    It has to keep its promise then, too. ``first`` is its result in the usual order of rows. Raise AssertionError
    otherwise.
    """
    turned = table.take(np.random.default_rng(1).permutation(table.rows))
    result = _run_method(method, turned, settings)
    recounted = method.recount(turned, result.table, settings, result.detail)
    hold(method, recounted.guarantee.holds, "does not keep its promise where rows stand in another order")
    straight = method.recount(table, first.table, settings, first.detail)
    counts = [
        [(level.level, level.records, level.covered) for level in proof.levels] for proof in (recounted, straight)
    ]
    hold(method, counts[0] == counts[1], "serves other numbers of records where rows stand in another order")
