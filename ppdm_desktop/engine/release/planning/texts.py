"""Sentences about planned versions, with the names of the file's columns."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.methods.base.declaration import Family
from ppdm_desktop.engine.release.gate.base import title_of_check
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.release.planning.search import TruePlan
from ppdm_desktop.engine.release.planning.version import Blocking, Planned, Version
from ppdm_desktop.engine.report.model import CheckEntry, Verdict
from ppdm_desktop.engine.wording.catalogue import Sentence, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import LazyText, Name, Names, Ratio, Term, Terms


def describe_reasons(verdict: Verdict) -> Sentence:
    """Return the sentence on how many written reasons a version needs, with each cause and its checks.

    One reason is needed for each cause; if none is needed, the sentence says so.
    """
    by_cause = name_checks_by_cause(verdict.to_answer)
    if not by_cause:
        return lazy("No written reason is needed.")
    causes = tuple(lazy("{cause} ({checks})", cause=CAUSES[id].title, checks=names) for id, names in by_cause.items())
    return lazy(
        "You would have to write {n} {n:reason|reasons}: {causes}.", n=len(causes), causes=Terms(causes, all_named=True)
    )


def name_checks_by_cause(checks: Sequence[CheckEntry]) -> dict[str, Terms]:
    """Return the titles of checks that need a written reason, by the id of their cause; empty without checks.

    One reason answers all checks of a cause.
    """
    titles: dict[str, list[LazyText]] = {}
    for check in checks:
        titles.setdefault(check.cause, []).append(title_of_check(check.id))
    return {cause: Terms(tuple(names), all_named=True) for cause, names in titles.items()}


def describe_costliest_secret(name: str, plan: TruePlan, without: TruePlan) -> Sentence:
    """Return the sentence on a confidential column that costs the others most detail, with their detail without it.

    ``plan`` and ``without`` are the best plans with and without the column.
    """
    return lazy(
        "Most of this is lost so that nobody’s {column} is revealed. If {column} may go, the columns that others know "
        "keep about {more} of their detail instead of {now}.",
        column=Name(name),
        more=Ratio(1.0 - without.loss),
        now=Ratio(1.0 - plan.loss),
    )


def label_versions(versions: Sequence[Version]) -> list[str]:
    """Return a label for each version: its name, and from the second of a name on its number: "Averages (2)".

    A label stays the same when versions are added behind it.
    """
    names = [str(version.name) for version in versions]
    numbers = [names[: index + 1].count(name) for index, name in enumerate(names)]
    return [f"{name} ({number})" if number > 1 else name for name, number in zip(names, numbers, strict=True)]


def describe_lost_marked(version: Version, versions: Sequence[Version]) -> str:
    """Return lines on the marked columns that a version does not keep, and who keeps them; "" if it keeps all.

    One line for all columns that the same versions keep: "Not kept although marked: age. Kept by: Averages (2)." The
    second sentence is missing where no version keeps them.
    """
    columns_of: dict[tuple[str, ...], list[str]] = {}
    for column in version.lost_marked:
        keeping = [
            label
            for label, offered in zip(label_versions(versions), versions, strict=True)
            if column not in offered.lost_marked
        ]
        columns_of.setdefault(tuple(keeping), []).append(column)
    lines = []
    for versions_keeping, columns in columns_of.items():
        kept = lazy("Kept by: {versions}.", versions=Names(versions_keeping)) if versions_keeping else ""
        lines.append(f"{lazy('Not kept although marked: {columns}.', columns=Names.of(columns))} {kept}".rstrip())
    return "\n".join(lines)


def describe_blocking(blocking: Blocking) -> Sentence:
    """Return the sentence on which check blocks every version, by which columns, and what is possible without them.

    - "A stops every version." if the check names no columns.
    - "A stops every version because of age. Leaving them out is not enough." if there is no version without them.
    - Otherwise that a version can be released without them, and what it loses.
    """
    title = title_of_check(blocking.check)
    if not blocking.columns:
        return lazy("{check} stops every version.", check=title)
    columns = Names.of(blocking.columns)
    if blocking.without is None:
        return lazy(
            "{check} stops every version because of {columns}. Leaving them out is not enough.",
            check=title,
            columns=columns,
        )
    return lazy(
        "{check} stops every version because of {columns}. Without them a version can be released. {lost}",
        check=title,
        columns=columns,
        lost=Term(blocking.without.lost),
    )


def describe_refusals(planned: Planned, *, in_window: bool) -> str:
    """Return which families of methods gave no version and why, one reason in a line; "" if there is nothing to say.

    - A family with a version is named as well if a change of the recipe would let it give more.
    - A reason without a family concerns steps that the user put together on the page Risk, or all versions.
    - The last line names families that were tried and gave nothing better; it is left out without a version, or if the
      user stopped the search.
    - In the window, pages are named instead of the recipe's keys.
    """
    with_version = {version.family for version in planned.versions}
    quote = numbers_of(language()).name
    lines, refused = [], set[Family]()
    for refusal in planned.refusals:
        reason = (in_window and refusal.in_window) or refusal.reason
        refused |= {*refusal.families}
        without = [family for family in refusal.families if family not in with_version]
        if not refusal.families:
            lines.append(reason)
        elif refusal.cures or without:
            families = Terms(tuple(quote(str(family.title)) for family in without or refusal.families), all_named=True)
            lines.append(str(lazy("{name}: {value}", name=families, value=Term(reason))))
    missing = [quote(str(family.title)) for family in Family if family not in with_version | refused]
    if missing and planned.versions and not planned.cancelled:
        families = Terms(tuple(missing), all_named=True)
        text = lazy(
            "{families}: tried; no version that may be released keeps as much as those above.", families=families
        )
        lines.append(str(text))
    return "\n".join(lines)
