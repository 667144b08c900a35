"""Texts and facts of the page Protect on methods and on the recipe's steps. No widgets here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.methods.base.step import PAPER
from ppdm_desktop.engine.recipe.models import Recipe, StepSection
from ppdm_desktop.engine.report.setting_texts import format_value
from ppdm_desktop.engine.table.bins import apply_bins
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import identify_people, with_ids_marked
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import explain, render
from ppdm_desktop.engine.wording.values import Name, Names, Term, Terms


def group_titles() -> dict[str, str]:
    """Return the headings of the list of methods by key, in their order on screen."""
    return {
        "identity": _("Make people hard to find"),
        "attribute": _("Make confidential values uncertain"),
        "numbers": _("Add random noise to numbers"),
        "codes": _("Keep a person’s rows together"),
    }


def group_of(method: Method) -> str:
    """Return the key of the heading under which a method is listed, one of ``group_titles``.

    - ``codes``: it replaces ids by codes;
    - ``identity``: it protects against re-identification (perhaps confidential values as well), or protects nobody;
    - ``numbers``: it protects only confidential values, and takes only numbers and dates;
    - ``attribute``: it protects only confidential values, and takes other kinds as well.
    """
    if method.tells_rows_apart:
        return "codes"
    if method.protects != "attribute":
        return "identity"
    return "numbers" if method.kinds <= {"numeric", "date"} else "attribute"


def describe_protection(method: Method) -> str:
    """Return what a method protects, such as "makes people hard to find (identity)", by ``method.protects``."""
    return {
        "identity": _("makes people hard to find (identity)"),
        "attribute": _("makes confidential values uncertain (attribute)"),
        "both": _("makes people hard to find and confidential values uncertain"),
        "nothing": _("protects nobody by itself"),
    }[method.protects]


def is_search_match(method: Method, text: str) -> bool:
    """Return whether the texts listed for a method contain all words of a search, in any case and as parts of words.

    "swap val" matches "Swapping values". The texts are the method's title, summary and promises in the user's language
    and in English, its group, source and id. An empty search matches every method.
    """
    heading = group_titles()[group_of(method)]
    sentences = (method.title, method.summary, *method.promises)
    # Anyone who knows the English term can find the method by it in every language.
    texts = [text for sentence in sentences for text in (str(sentence), sentence.english)]
    hay = " ".join((method.id, str(method.paper), heading, *texts)).casefold()
    return all(word in hay for word in text.casefold().split())


# --- which columns a method can treat ---------------------------------------------------


@dataclass(frozen=True)
class ColumnFit:
    """A column and whether a method can treat it; ``reason`` says why it cannot."""

    name: str
    kind: str
    role: str | None
    fits: bool
    reason: str = ""


@dataclass(frozen=True)
class Fit:
    """Which columns of a table a method can treat.

    Attributes
    ----------
    columns
        Every column with a role the method takes; those it can treat come first.
    default
        The columns the method treats by default.
    reason
        Why the method can treat no column; empty if it can treat one.
    """

    method: Method
    columns: tuple[ColumnFit, ...]
    default: tuple[str, ...]
    reason: str

    @property
    def count(self) -> int:
        """Number of columns the method can treat."""
        return sum(column.fits for column in self.columns)


def apply_decided_roles(reading: Reading, recipe: Recipe) -> Table:
    """Return the table with the roles, kinds and rules decided in the recipe; numbers in groups count as ordinal.

    The recipe's entry ``*`` stands for columns without their own. If columns identify people and their rows are not
    combined, the table also knows the person of each row; if somebody then has several rows, numbers are replaced by
    their groups.
    """

    def apply_section(column: Column) -> Column:
        """Return a column with its decided role and kind; unchanged if nothing was decided."""
        section = recipe.columns.get(column.name) or recipe.columns.get("*")
        if section is None:
            return column
        kind = "ordinal" if section.bins is not None else section.kind or column.kind
        return replace(column, role=section.role, kind=kind)

    options = recipe.input
    table = replace(reading.table.mapped(apply_section), rules=recipe.rules)
    table = with_ids_marked(table, options.person, options.household)
    if options.person is None or options.reduce is not None:
        return table
    people = _find_people(reading.table, options.person)
    if not recipe.release.shuffle_rows:
        people = people.released_in_order()
    used = [all_methods()[step.method] for step in recipe.steps if step.enabled and step.method in all_methods()]
    if any(method.tells_rows_apart for method in used):
        people = people.linked_by_code()
    table = table.with_people(people)
    return _group_numbers(reading.table, table, recipe) if people.with_several else table


def _group_numbers(read: Table, table: Table, recipe: Recipe) -> Table:
    """Return the table with numbers replaced by their decided groups.

    A person's groups may be equal in all rows where the numbers are not. ``read`` is the table as read. The table is
    unchanged if a column cannot be grouped; the page Columns reports that.
    """
    sections = {name: section for name, section in recipe.columns.items() if section.bins is not None}
    if not sections:
        return table

    def bounded(column: Column) -> Column:
        """Return a column with the bounds decided for its numbers; unchanged if its numbers are not grouped."""
        section = sections.get(column.name)
        return column if section is None else replace(column, bounds=section.bounds)

    try:
        cut = apply_bins(read.mapped(bounded), sections)
    except PpdmError:
        return table
    columns = (column for column in table.columns if column.name in sections)
    return table.replacing(*(replace(cut.column(column.name), role=column.role) for column in columns))


@lru_cache(maxsize=1)
def _find_people(table: Table, names: tuple[str, ...]) -> People:
    """Return which person each row belongs to, by these id columns; the last result is cached."""
    return identify_people(table, names)


def fit_of(method: Method, table: Table) -> Fit:
    """Return which columns of a table a method can treat and why not the others, and which it treats by default.

    Only columns with a role that the method takes are looked at: first those that it can treat, then the others with
    the reason for each, both in file order. If it can treat none, the fit has a reason for the whole method.
    """
    whole: PpdmError | None = None
    try:
        method.refuse_unfit_people(table, method.settings(table, None, {}))
    except PpdmError as error:
        whole = error
    column_fits = [_check_column_fit(method, table, column, whole) for column in table.with_role(*method.roles)]
    column_fits.sort(key=lambda column_fit: not column_fit.fits)
    reason = (
        _explain_nothing_to_treat(method, whole)
        if whole is not None and not any(column_fit.fits for column_fit in column_fits)
        else ""
    )
    return Fit(method, tuple(column_fits), method.suggested_columns(table), reason)


def _check_column_fit(method: Method, table: Table, column: Column, whole: PpdmError | None) -> ColumnFit:
    """Return whether a method can treat one column and, if not, why.

    A column that is refused alone only because of others can be treated if the method takes its default columns
    together. ``whole`` is the error by which it refuses those, None if it does not.
    """
    try:
        method.refuse_unfit_people(table, method.settings(table, (column.name,), {}))
    except PpdmError as error:
        if error.column is None or error.column == column.name:
            reason = _explain_column_refusal(method, column, error)
        elif whole is None:
            reason = ""
        elif whole.column is not None and whole.column != column.name:
            reason = _("only possible together with {column}", column=Name(whole.column))
        else:
            reason = _explain_column_refusal(method, column, whole)
        return ColumnFit(column.name, column.kind, column.role, not reason, reason)
    return ColumnFit(column.name, column.kind, column.role, True)


def _explain_nothing_to_treat(method: Method, error: PpdmError) -> str:
    """Return why a method finds no column to treat, as sentences without the method's name."""
    if error.id != "error.step.no-columns":
        return explain(error, window=True)
    return _(
        "No column with a suitable role has a suitable kind of values: {kinds}. You can change roles and group "
        "numbers on the Columns page.",
        kinds=_list_kinds(method),
    )


_KIND_LABELS = {
    "nominal": lazy("text"),
    "ordinal": lazy("ranked values"),
    "numeric": lazy("numbers"),
    "date": lazy("dates"),
    "text": lazy("free text"),
}


def describe_kind(kind: str) -> str:
    """Return the name of a kind of column for use within a sentence, such as "ranked values" for ``ordinal``."""
    return str(_KIND_LABELS[kind])


def _list_kinds(method: Method) -> Terms:
    """Return the names of the kinds of columns that a method accepts, sorted by kind."""
    return Terms(tuple(_KIND_LABELS[kind] for kind in sorted(method.kinds)))


def _explain_column_refusal(method: Method, column: Column, error: PpdmError) -> str:
    """Return in a few words why a method cannot treat a column, such as "holds free text; suitable: numbers, dates"."""
    if error.id == "error.step.unfit-kind":
        return _("holds {kind}; suitable: {kinds}", kind=_KIND_LABELS[column.kind], kinds=_list_kinds(method))
    if error.id == "error.step.unfit-role":
        return _("not confidential")
    return render(error.id, error.arguments).sentence


def all_fits(table: Table) -> dict[str, Fit]:
    """Return for each method, by id, which columns of a table it can treat."""
    return {id: fit_of(method, table) for id, method in all_methods().items()}


# --- changing the chain -----------------------------------------------------------------


def with_parameter(step: StepSection, name: str, value: object | None) -> StepSection:
    """Return a copy of a step (a method with its settings) with one setting set, or removed if ``value`` is None.

    Without the setting the step uses the method's default.
    """
    parameters = {key: parameter for key, parameter in step.parameters.items() if key != name}
    if value is not None:
        parameters[name] = value
    return step.model_copy(update={"parameters": parameters})


def with_profile(step: StepSection, method: Method, name: str) -> StepSection:
    """Return a copy of a step with its method's settings taken from a profile: the paper's values or the usual ones.

    ``name`` is ``PAPER`` or any other text for the usual profile. Settings that depend on the file or that a run
    determines are kept. All other settings that were written in the step are dropped.
    """
    of_file = {parameter.name for parameter in method.parameters if parameter.of_file or parameter.computed_by_run}
    kept = {key: parameter for key, parameter in step.parameters.items() if key in of_file}
    profile = PAPER if name == PAPER else method.new_step.profile
    return step.model_copy(update={"parameters": kept, "profile": profile})


def replace_step(steps: tuple[StepSection, ...], index: int, step: StepSection) -> tuple[StepSection, ...]:
    """Return a recipe's steps (methods with their settings) with the one at ``index`` replaced."""
    return (*steps[:index], step, *steps[index + 1 :])


def move_step(steps: tuple[StepSection, ...], index: int, by: int) -> tuple[StepSection, ...]:
    """Return a recipe's steps with the one at ``index`` moved by ``by`` positions, at most to the start or end.

    Negative numbers move it towards the start: for (a, b, c), 2 and -1 the result is (a, c, b).
    """
    step_sections = [*steps[:index], *steps[index + 1 :]]
    step_sections.insert(min(max(index + by, 0), len(step_sections)), steps[index])
    return tuple(step_sections)


def list_treatments(recipe: Recipe) -> str:
    """Return the titles of a recipe's active methods with the columns they treat, joined by "; ", each method once.

    Empty without an active step.
    """
    steps = [step for step in recipe.steps if step.enabled]
    return "; ".join(dict.fromkeys(title_with_columns(step, steps) for step in steps))


def title_with_columns(step: StepSection, steps: Sequence[StepSection]) -> str:
    """Return the title of a step's method, followed by the columns of all steps by this method: "Swap: age, sex".

    These are the columns named by any of ``steps`` with the same method. Without such columns it is only the title.
    """
    columns = [name for other in steps if other.method == step.method for name in other.columns or ()]
    title = title_of(step)
    return _("{name}: {value}", name=Term(title), value=Names.of(columns)) if columns else title


def title_of(step: StepSection) -> str:
    """Return the title of a step's method, or its id if the method is not known."""
    method = all_methods().get(step.method)
    return step.method if method is None else str(method.title)


def describe_chain(recipe: Recipe) -> str:
    """Return a short name for a recipe's active steps, such as "Swap (share: 50%); Round".

    Each method's title is followed by the first three of: "as in the paper" if so, and the settings written in its
    step. Several steps by one method are named once, with their columns. Without an active step a sentence says so.
    """
    parts, steps = [], [step for step in recipe.steps if step.enabled]
    methods = [step.method for step in steps]
    for step in steps:
        if methods.count(step.method) > 1:
            parts.append(title_with_columns(step, steps))
            continue
        method = all_methods().get(step.method)
        title = title_of(step)
        parameters = {parameter.name: parameter for parameter in method.parameters} if method is not None else {}
        written = [
            _("{name}: {value}", name=Term(parameter.label_text), value=Term(format_value(parameter, value)))
            for name, value in step.parameters.items()
            if (parameter := parameters.get(name)) is not None
        ]
        if method is not None and step.profile == PAPER and method.has_choice:
            written.insert(0, _("as in the paper"))
        parts.append(f"{title} ({', '.join(written[:3])})" if written else title)
    return "; ".join(dict.fromkeys(parts)) or _("No method was applied.")
