"""What the user decides on the page Columns, and the texts of that page; no widget here."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import (
    COMMON,
    ROLES,
    BinsSection,
    ColumnSection,
    DetailMark,
    Recipe,
    ValueRuleSection,
)
from ppdm_desktop.engine.table.bins import bin_column, find_bins
from ppdm_desktop.engine.table.codes import CodesAnswer
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.kinds import all_numbers, apply_columns, present_texts
from ppdm_desktop.engine.table.patterns import PATTERNS
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.rules import ValueRule, identity_of
from ppdm_desktop.engine.table.rules.numbers import ListRule
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Terms
from ppdm_desktop.ui.state.column_facts import ColumnFacts
from ppdm_desktop.ui.state.level_column import name_of_level_column
from ppdm_desktop.ui.state.level_texts import label_level, read_level_labels
from ppdm_desktop.ui.state.session import Session

MOST_ORDERED = 200
_LONGEST = 24
_FITTING = {
    "order": ("ordinal",),
    "format": ("date",),
    "bounds": ("numeric",),
    "step": ("numeric",),
    "bins": ("numeric",),
    "not_negative": ("numeric",),
    "hierarchy": ("numeric", "ordinal", "nominal", "date"),
    "hierarchy_sha256": ("numeric", "ordinal", "nominal", "date"),
    "texts_read": ("text", "nominal"),
}


def role_counts(session: Session) -> dict[str, int]:
    """Return the number of the file's columns with each role, 0 included, by role in the order of ``ROLES``.

    Columns without a role are not counted; all counts are 0 without a file.
    """
    names = session.reading.table.names if session.reading is not None else ()
    sections = session.decisions.recipe.columns
    counts: Counter[str] = Counter(sections[name].role for name in names if name in sections)
    return {role: counts.get(role, 0) for role in ROLES}


def short_name(name: str) -> str:
    """Return a column's name; if it has more than 24 letters, its first and last twelve with "…" between."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST // 2]}…{name[-_LONGEST // 2 :]}"


def describe_waiting(names: Sequence[str]) -> str:
    """Return a sentence on which columns wait for a decision; of many only the first are named."""
    return _("{names} {names:needs|need} your decision", names=Names.of([short_name(name) for name in names]))


@dataclass(frozen=True)
class ColumnNote:
    """A note shown on a column: its severity and its sentence."""

    severity: str
    text: str


def find_likely_confidential(session: Session, most: int = 3) -> list[str]:
    """Return the names of at most ``most`` columns that are likely to be confidential but are not marked so.

    Candidates are columns without a role, or with the role ``other`` or ``quasi-identifier``. They come in this order:
    suggested as confidential; without any suggestion; no role or ``other``; quasi-identifiers. Among equals the last
    column of the file comes first, because results and outcomes usually stand there. Empty without a file.
    """
    if session.reading is None:
        return []
    sections = session.decisions.recipe.columns
    open_to_all = [
        name
        for name in session.reading.table.names
        if name not in sections or sections[name].role in ("other", "quasi-identifier")
    ]

    def rank(name: str) -> int:
        """Return a sort key: 0 if the suggested role is confidential, 1 without a suggested role, else 2 or 3.

        It is 2 if the role in the recipe is "other" or undecided, and 3 if it is quasi-identifier.
        """
        role = session.facts[name].role
        if role == "confidential":
            return 0
        if role is None:
            return 1
        return 2 if name not in sections or sections[name].role == "other" else 3

    return sorted(reversed(open_to_all), key=rank)[:most]  # noqa: C414 - of equals the last comes first


def column_notes(session: Session, name: str) -> list[ColumnNote]:
    """Return the notes that the panel shows on a column, often none.

    There is a note in each of these cases:

    - cells of a column that is or may be released contain details that point to a person (the only note on a column
      without a role);
    - other released columns have the same information as this one, which is released as well;
    - the role is ``other`` but the program suggests ``confidential``;
    - values belong to one person each;
    - the column has no values.
    """
    facts, section = session.facts[name], session.decisions.recipe.columns.get(name)
    notes = []
    if facts.findings and (section is None or section.role not in _KEPT_BACK):
        held = Terms(
            tuple(
                lazy("{kind} in {n} {n:cell|cells}", kind=Note(PATTERNS[kind].plural), n=n)
                for kind, n in facts.findings
            )
        )
        text = _("Some cells contain details that point to a person: {held}.", held=held)
        notes.append(ColumnNote("amber", text))
    if section is None:
        return notes
    released = _find_repeated_columns(session, name)
    if released and section.role not in _KEPT_BACK:
        text = _(
            "Anyone who knows {name} also knows {others}. To protect one, leave the other out.",
            name=Name(name),
            others=Names.of(released),
        )
        notes.append(ColumnNote("amber", text))
    if section.role == "other" and facts.role == "confidential":
        suggestion = _(
            "Its name suggests something that people may want to keep private. If so, mark it as confidential (C)."
        )
        notes.append(ColumnNote("amber", suggestion))
    if (sentence := _unique_values_sentence(facts, section)) is not None:
        notes.append(ColumnNote("amber", sentence))
    if facts.missing == facts.rows:
        notes.append(ColumnNote("note", _("This column has no values.")))
    return notes


def _find_repeated_columns(session: Session, name: str) -> list[str]:
    """Return the released columns that have the same information as column ``name``.

    Each value of one column then stands for one value of the other, such as a code for each place name. Columns without
    a role are left out.
    """
    sections = session.decisions.recipe.columns
    repeats = [repeat for repeat in session.facts[name].repeats if repeat != name and repeat in sections]
    return [repeat for repeat in repeats if sections[repeat].role not in _KEPT_BACK]


def _unique_values_sentence(facts: ColumnFacts, section: ColumnSection) -> str | None:
    """Return a warning that a column's values belong to one person each; None if there is nothing to warn of.

    It is given for columns with the role ``quasi-identifier`` or ``other`` whose values are all different, or that hold
    nominal or ranked values of which those occurring only once make up more than a twentieth of the rows (6 in 100
    rows, not 5).
    """
    if section.role not in ("quasi-identifier", "other"):
        return None
    unique = facts.rows > 1 and facts.distinct == facts.rows - facts.missing and facts.distinct > 1
    as_names = (section.kind or facts.kind) in ("nominal", "ordinal")
    if not as_names or facts.singles <= _MANY_SINGLES * facts.rows:
        if not unique:
            return None
        return _("Every value is different. It could identify people like a serial number.")
    return _(
        "{singles} of {n} values {singles:belongs|belong} to one person each: shorten or leave out.",
        singles=facts.singles,
        n=facts.distinct,
    )


_MANY_SINGLES = 0.05
_KEPT_BACK = ("identifier", "privacy-level", "left-out")


# --- marks ------------------------------------------------------------------------------


def mark_columns(session: Session, names: Sequence[str], mark: DetailMark | None) -> None:
    """Mark columns as "must stay detailed" or "may lose detail", as one decision; None removes the mark.

    Whether their roles are confirmed does not change.
    """
    session.set_column(names, confirm=False, detail=mark)


# --- common values ----------------------------------------------------------------------


def has_common_value(session: Session, name: str) -> bool:
    """Return whether the most frequent value of a confidential column may be so common that it counts as no secret.

    That is a value in at least nine in ten rows. If columns identify people, half of the rows are enough, since rows
    are counted here and people by the rule. False for a column that is not confidential.
    """
    facts, section = session.facts[name], session.decisions.recipe.columns.get(name)
    if section is None or section.role != "confidential" or not facts.top:
        return False
    return facts.top[0][1] >= facts.rows * (0.5 if session.decisions.recipe.input.person else COMMON)


# --- numbers or codes -------------------------------------------------------------------


@dataclass(frozen=True)
class CodesQuestion:
    """The question whether columns hold numbers or codes, one for all columns with the same values.

    Attributes
    ----------
    columns
        Names of the columns.
    values
        Their whole numbers, rising.
    suggested
        The answer that is suggested for most of the columns.
    """

    columns: tuple[str, ...]
    values: tuple[int, ...]
    suggested: CodesAnswer


def list_codes_questions(session: Session) -> list[CodesQuestion]:
    """Return the open questions whether columns with a few different whole numbers hold numbers or codes.

    Columns with the same values share a question. Only released columns read as numbers and not cut into groups are
    asked about, in the order of the recipe. A column is decided, and left out, if its kind was changed or the recipe's
    rules limit it to a list of values.
    """
    recipe, reading = session.decisions.recipe, session.reading
    answered = {rule.columns for rule in recipe.rules if rule.kind == ListRule.id}
    asked: dict[tuple[int, ...], list[str]] = {}
    for name, section in recipe.columns.items():
        facts = session.facts.get(name)  # none of a column that the reduction adds
        if reading is None or facts is None or facts.codes is None or section.role in _KEPT_BACK:
            continue
        if section.kind == "numeric" and section.bins is None and (name,) not in answered:
            values = tuple(map(int, reading.table.column(name).counted_numbers()[0].tolist()))
            asked.setdefault(values, []).append(name)
    return [
        CodesQuestion(tuple(names), values, statistics.mode(session.facts[name].codes or "codes" for name in names))
        for values, names in asked.items()
    ]


def describe_codes(questions: Sequence[CodesQuestion]) -> tuple[str, str, str]:
    """Return the texts of the question whether columns are numbers or codes: question, explanation, suggestions.

    The question names all columns and values of the first of ``questions``, which must not be empty; the explanation
    says how many values these are and that codes are never averaged or given noise; the suggestions name all columns
    suggested as codes, and all suggested as numbers ("" if none is).
    """
    first = questions[0]
    question = _(
        "{columns}: {values}. Are these numbers or codes?",
        columns=Names.of(first.columns),
        values=Terms(tuple(map(str, first.values)), all_named=True),
    )
    why = _("{n} whole numbers; codes are never averaged or given noise.", n=len(first.values))
    suggested = {"codes": lazy("Suggested as codes: {names}."), "numbers": lazy("Suggested as numbers: {names}.")}
    parts = []
    for answer, sentence in suggested.items():
        if names := [name for asked in questions if asked.suggested == answer for name in asked.columns]:
            parts.append(sentence.format(names=Names.of(names)))
    return question, why, " ".join(parts)


def are_numbers(session: Session, names: Sequence[str]) -> None:
    """Decide that columns hold numbers: add a rule for each that released values must be among those of the file.

    The rule can be unticked later.
    """
    rules = tuple(ValueRuleSection(kind=ListRule.id, columns=(name,)) for name in names)
    session.decide_recipe(rules=(*session.decisions.recipe.rules, *rules))


# --- what always holds ------------------------------------------------------------------


def is_kept(recipe: Recipe, rule: ValueRule) -> bool:
    """Return whether releases must obey a rule about values: what the recipe decides on it, else True."""
    wanted = identity_of(rule.section(kept=True))
    return next((section.kept for section in recipe.rules if identity_of(section) == wanted), True)


def keep_rule(session: Session, rule: ValueRule, kept: bool) -> None:
    """Store whether changed and generated rows must obey a rule about values, as a decision.

    An earlier decision on the same rule is replaced.
    """
    section, rules = rule.section(kept=kept), session.decisions.recipe.rules
    same_rule = next((rule for rule in rules if identity_of(rule) == identity_of(section)), None)
    new = section if same_rule is None else same_rule.model_copy(update={"kept": kept})
    other_rules = tuple(rule for rule in rules if rule is not same_rule)
    session.decide_recipe(rules=(*other_rules, new))


# --- values below zero ------------------------------------------------------------------


@dataclass(frozen=True)
class BelowZero:
    """Whether a column of non-negative numbers can never be negative.

    Attributes
    ----------
    marked
        The user's decision: True if values are never negative; None before it is made.
    proposed
        Whether the program proposes that negative values are impossible.
    """

    marked: bool | None
    proposed: bool

    @property
    def asks(self) -> bool:
        """Whether the program proposed "never negative" and the user has not answered."""
        return self.proposed and self.marked is None

    @property
    def text(self) -> str:
        """The sentence below the question whether values can be negative.

        It asks for an answer while one is due; otherwise it says what a tick means.
        """
        if self.asks:
            return _("Suggested: the name or the values look like a count, an age or an amount. Is that right?")
        return _("Random noise then never leads below zero, and ranges can start at 0.")


def read_below_zero(session: Session, name: str) -> BelowZero | None:
    """Return whether a column of non-negative numbers is marked or proposed as never negative.

    None for columns with negative values or without numbers, and for those not released or cut into groups.
    """
    facts, section = session.facts.get(name), session.decisions.recipe.columns.get(name)
    if facts is None or section is None or section.role in _KEPT_BACK or section.kind != "numeric":
        return None
    if section.bins is not None or facts.lowest is None or facts.lowest < 0:
        return None
    return BelowZero(section.not_negative, facts.not_negative)


def describe_column(session: Session, name: str) -> str:
    """Return the line below a column's name in the panel, such as "5 different values in 100 rows, 2 missing".

    The file's label for the column, if any, comes first. In the column of privacy levels, the words that the recipe
    gives a meaning come last, by level.
    """
    facts = session.facts[name]
    counts_text = _(
        "{n} different {n:value|values} in {rows} {rows:row|rows}, {missing} missing",
        n=facts.distinct,
        rows=facts.rows,
        missing=facts.missing,
    )
    label = session.reading.table.column(name).label if session.reading is not None else ""
    return " · ".join([*filter(None, [label]), counts_text, *_describe_level_texts(session, name)])


def _describe_level_texts(session: Session, name: str) -> list[str]:
    """Return what each privacy level means in the file's words, as at most one line.

    Empty unless this column holds each person's level and the recipe explains its texts.
    """
    recipe = session.decisions.recipe
    meant = read_level_labels(recipe)
    if name != name_of_level_column(recipe) or not meant:
        return []
    levels = Terms(tuple(label_level(level, meant) for level in meant))
    return [_("meaning {levels}", levels=levels)]


# --- kinds ------------------------------------------------------------------------------


def with_kind(section: ColumnSection, column: Column, kind: str) -> ColumnSection:
    """Return a copy of a column's recipe entry with another kind, without settings that do not apply to this kind.

    If the entry has no order of values, a new ordinal column gets the order declared in the file or, without one, its
    texts in alphabetical order; texts that are all numbers need no order.

    Raises
    ------
    RecipeError
        When a column of more than 200 different texts is to become ordinal and would need such an order.
    """
    gone = {key: None for key, kinds in _FITTING.items() if kind not in kinds}
    changed = section.model_copy(update={"kind": kind, **gone})
    if kind != "ordinal" or changed.order is not None:
        return changed
    if column.order is not None:
        return changed.model_copy(update={"order": column.order})
    texts = present_texts(column)
    if all_numbers(texts, ".") or all_numbers(texts, ","):
        return changed
    if len(texts) > MOST_ORDERED:
        raise RecipeError("error.columns.too-many-to-order", column=column.name, args={"most": MOST_ORDERED})
    return changed.model_copy(update={"order": tuple(sorted(texts))})


def apply_sections(reading: Reading, sections: Mapping[str, ColumnSection]) -> Table:
    """Return the columns that these recipe entries name, with the kinds, bounds and orders of the entries.

    Raise a PpdmError if a column's values do not fit its entry.
    """
    table = Table(tuple(reading.table.column(name) for name in sections), reading.table.row_numbers)
    return progress.make_silent_progress().run(apply_columns, table, sections, reading.account.decimal)


def check_kinds(reading: Reading, sections: Mapping[str, ColumnSection], kind: str) -> dict[str, ColumnSection]:
    """Return copies of columns' recipe entries with another kind, by name.

    Raise a PpdmError if a column's values do not fit the kind, such as words read as numbers. ``sections`` are the
    present entries by name.
    """
    changed_sections: dict[str, ColumnSection] = {}
    for done, (name, section) in enumerate(sections.items()):
        progress.report(done / len(sections), "doing.read")
        column = reading.table.column(name)
        changed = with_kind(section, column, kind)
        apply_sections(reading, {name: changed})
        changed_sections[name] = changed
    return changed_sections


def order_of(session: Session, name: str) -> tuple[str, ...]:
    """Return the values of an ordinal column, lowest first: as ordered in the recipe, else as declared in the file.

    Empty for any other column, for values that are ordered as numbers, and without a file.
    """
    section = session.decisions.recipe.columns.get(name)
    if section is None or section.kind != "ordinal" or session.reading is None:
        return ()
    return section.order or session.reading.table.column(name).order or ()


def swap_order_values(order: Sequence[str], index: int, by: int) -> tuple[str, ...]:
    """Return the order with the value at ``index`` exchanged with the one ``by`` positions away.

    For ("a", "b", "c"), 0 and 2 these are ("c", "b", "a"). Unchanged if one of the positions does not exist.
    """
    target = index + by
    if not 0 <= index < len(order) or not 0 <= target < len(order):
        return tuple(order)
    new = list(order)
    new[index], new[target] = new[target], new[index]
    return tuple(new)


# --- groups -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Grouping:
    """Groups (bins) entered in the editor, and the lowest and highest number they may cover."""

    bins: BinsSection
    bounds: tuple[float, float] | None = None


def preview_groups(
    reading: Reading, sections: Mapping[str, ColumnSection], name: str, grouping: Grouping
) -> list[tuple[str, int]]:
    """Return (label, number of rows) of each group into which a column is cut, lowest first.

    Groups without rows are included; rows without a value are not counted. Raise a PpdmError if the groups are not
    possible.

    Parameters
    ----------
    reading
        The file as read.
    sections
        The recipe's entries by column.
    name
        The column.
    grouping
        The groups entered in the editor.
    """
    section = sections[name].model_copy(update={"bins": grouping.bins, "bounds": grouping.bounds})
    wanted = {name: section}
    against = grouping.bins.against
    if against is not None and against in sections:
        wanted[against] = sections[against]
    progress.report(0.0, "doing.risk")
    cut = apply_sections(reading, wanted)
    column = cut.column(name)
    bins = find_bins(column, grouping.bins, cut)
    progress.report(0.6, "doing.risk")
    made = bin_column(column, bins)
    counts = np.bincount(made.codes, minlength=len(made.texts))
    return [(label, int(counts[code])) for code, label in enumerate(made.texts) if label in bins.labels]


def grouped_section(section: ColumnSection, grouping: Grouping | None) -> ColumnSection:
    """Return a copy of a column's recipe entry that cuts its numbers into these groups; None removes groups.

    Groups replace a hierarchy, and the column becomes numeric. Removing them changes nothing else.
    """
    if grouping is None:
        return section.model_copy(update={"bins": None})
    changes = {"bins": grouping.bins, "bounds": grouping.bounds, "kind": "numeric"}
    return section.model_copy(update={**changes, "hierarchy": None, "hierarchy_sha256": None})


def class_columns(session: Session, name: str) -> list[str]:
    """Return the columns that can be the target when number groups are cut by entropy, confidential ones first.

    These are all columns except ``name`` with at most 100 different values; empty without a file.
    """
    if session.reading is None:
        return []
    sections = session.decisions.recipe.columns
    named = [
        column.name
        for column in session.reading.table.columns
        if column.name != name and session.facts[column.name].distinct <= 100
    ]
    confidential = [column for column in named if column in sections and sections[column].role == "confidential"]
    return [*confidential, *(column for column in named if column not in confidential)]


def sections_of(session: Session, names: Iterable[str]) -> dict[str, ColumnSection]:
    """Return the recipe's entries of these columns, by name; columns without an entry are left out."""
    sections = session.decisions.recipe.columns
    return {name: sections[name] for name in names if name in sections}
