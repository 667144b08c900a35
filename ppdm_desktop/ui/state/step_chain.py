"""What the Protect page shows, derived from the session and the methods' declarations. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.recipe.models import Recipe, StepSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import people_by, with_ids_marked
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.texts import explain, render
from ppdm_desktop.ui.state.parameter_words import value_words


def _tr(text: str) -> str:
    return QCoreApplication.translate("Protect", text)


def group_titles() -> dict[str, str]:
    """Return the headings of the method list, in order."""
    return {
        "identity": _tr("Hide who it is"),
        "attribute": _tr("Mislead about the secret"),
        "numbers": _tr("Blur numbers"),
        "codes": _tr("Keep a person's rows together"),
    }


def group_of(method: Method) -> str:
    """Return the heading a method stands under: by what it protects and what it takes."""
    if method.protects == "nothing":
        return "codes"
    if method.protects != "attribute":
        return "identity"
    return "numbers" if method.kinds <= {"numeric", "date"} else "attribute"


def protects_words(method: Method) -> str:
    """Return what a method protects, in words with the exact term."""
    return {
        "identity": _tr("hides who it is (identity)"),
        "attribute": _tr("misleads about the secret (attribute)"),
        "both": _tr("hides who it is and misleads about the secret"),
        "nothing": _tr("protects nobody; keeps a person's rows together (pseudonymisation)"),
    }[method.protects]


def matches(method: Method, text: str) -> bool:
    """Say whether a method answers a search for a name or a goal."""
    heading = group_titles()[group_of(method)]
    hay = " ".join((method.id, method.title, method.summary, method.paper, heading, *method.promises)).casefold()
    return all(word in hay for word in text.casefold().split())


# --- which columns a method can treat ---------------------------------------------------


@dataclass(frozen=True)
class ColumnFit:
    """A column and whether a method can treat it; ``reason`` says why not."""

    name: str
    kind: str
    role: str | None
    fits: bool
    reason: str = ""


@dataclass(frozen=True)
class Fit:
    """What a method can do for a table.

    Attributes
    ----------
    columns
        Every released column, fitting ones first.
    default
        The columns it takes by itself.
    reason
        Why it fits nothing, or empty.
    """

    method: Method
    columns: tuple[ColumnFit, ...]
    default: tuple[str, ...]
    reason: str

    @property
    def count(self) -> int:
        """How many columns it can treat."""
        return sum(column.fits for column in self.columns)


def described(reading: Reading, recipe: Recipe) -> Table:
    """Return the table read with the decided roles and kinds; a column with bins counts as ordinal."""

    def dress(column: Column) -> Column:
        section = recipe.columns.get(column.name) or recipe.columns.get("*")
        if section is None:
            return column
        kind = "ordinal" if section.bins is not None else section.kind or column.kind
        return replace(column, role=section.role, kind=kind)

    options = recipe.input
    table = with_ids_marked(reading.table.mapped(dress), options.person, options.household)
    if options.person is None or options.reduce is not None:
        return table
    return table.with_people(_people(reading.table, options.person))


@lru_cache(maxsize=1)
def _people(table: Table, names: tuple[str, ...]) -> People:
    """Tell people apart once for a table, however often its columns are asked about."""
    return people_by(table, names)


def fit_of(method: Method, table: Table) -> Fit:
    """Ask a method about each released column of a table, and about all it takes by itself."""
    whole: PpdmError | None = None
    try:
        method.settings(table, None, {})
    except PpdmError as error:
        whole = error
    found = [_column_fit(method, table, column, whole) for column in table.with_role(*method.roles)]
    found.sort(key=lambda each: not each.fits)
    reason = _whole_reason(method, whole) if whole is not None and not any(each.fits for each in found) else ""
    return Fit(method, tuple(found), method.default_columns(table), reason)


def _column_fit(method: Method, table: Table, column: Column, whole: PpdmError | None) -> ColumnFit:
    """Ask about one column; a method that minds the columns beside it takes all of its own or none."""
    try:
        method.settings(table, (column.name,), {})
    except PpdmError as error:
        if error.column is None or error.column == column.name:
            reason = _short_reason(method, column, error)
        elif whole is None:
            reason = ""
        elif whole.column is not None and whole.column != column.name:
            reason = _tr("goes only together with {column}").format(column=whole.column)
        else:
            reason = _short_reason(method, column, whole)
        return ColumnFit(column.name, column.kind, column.role, not reason, reason)
    return ColumnFit(column.name, column.kind, column.role, True)


def _whole_reason(method: Method, error: PpdmError) -> str:
    """Say why a method finds nothing to treat; its name stands beside it already."""
    if error.id not in ("error.step.no-columns", "error.step.no-categories"):
        return explain(error, window=True)
    of_role = (
        _tr("No confidential column is {kinds}.")
        if method.protects == "attribute"
        else _tr("No column that it takes by role is {kinds}.")
    )
    *others, last = sorted(method.kinds)
    kinds = _tr("{first} or {last}").format(first=", ".join(others), last=last) if others else last
    remedy = _tr("Page Columns gives roles.")
    if error.id == "error.step.no-categories":
        remedy = _tr("Page Columns gives roles, and puts numbers into groups.")
    return f"{of_role.format(kinds=kinds)} {remedy}"


def _short_reason(method: Method, column: Column, error: PpdmError) -> str:
    if error.id == "error.step.unfit-kind":
        return _tr("{kind}; takes {kinds}").format(kind=column.kind, kinds=", ".join(sorted(method.kinds)))
    if error.id == "error.step.not-confidential":
        return _tr("not confidential")
    return render(error.id, error.arguments).sentence


def all_fits(table: Table) -> dict[str, Fit]:
    """Ask every method."""
    return {id: fit_of(method, table) for id, method in all_methods().items()}


# --- changing the chain -----------------------------------------------------------------


def with_parameter(step: StepSection, name: str, value: object | None) -> StepSection:
    """Return a step with a parameter written, or left out when the value is None."""
    parameters = {key: each for key, each in step.parameters.items() if key != name}
    if value is not None:
        parameters[name] = value
    return step.model_copy(update={"parameters": parameters})


def replaced(steps: tuple[StepSection, ...], place: int, step: StepSection) -> tuple[StepSection, ...]:
    """Return the chain with one step exchanged."""
    return (*steps[:place], step, *steps[place + 1 :])


def moved(steps: tuple[StepSection, ...], place: int, by: int) -> tuple[StepSection, ...]:
    """Return the chain with one step moved."""
    others = [*steps[:place], *steps[place + 1 :]]
    others.insert(min(max(place + by, 0), len(others)), steps[place])
    return tuple(others)


def chain_words(recipe: Recipe, most: int = 3) -> str:
    """Return a short name for a recipe's chain: method titles and what was set."""
    parts = []
    for step in recipe.steps:
        if not step.enabled:
            continue
        method = all_methods().get(step.method)
        title = method.title if method is not None else step.method
        known = {each.name: each for each in method.parameters} if method is not None else {}
        written = [
            f"{name} {value_words(known[name], value)}" for name, value in step.parameters.items() if name in known
        ]
        parts.append(f"{title} ({', '.join(written[:most])})" if written else title)
    return "; ".join(parts) or _tr("No step: as the columns are set")
