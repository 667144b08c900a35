"""Sentences about planned versions, with the names of the file's columns."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.release.gate.base import title_of_check
from ppdm_desktop.engine.release.gate.results import CAUSES, NEED_REASON
from ppdm_desktop.engine.release.planning.version import Blocking, Version
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy
from ppdm_desktop.engine.wording.values import Names, Spoken, Term, Terms


def describe_reasons(verdict: Verdict) -> Sentence:
    """Return the sentence on how many written reasons a version needs, with each cause and its checks.

    One reason is needed for each cause; if none is needed, the sentence says so.
    """
    asking = [check for check in verdict.checks if check.status in NEED_REASON]
    if not asking:
        return lazy("No written reason is needed.")
    by_cause: dict[str, list[Spoken]] = {}
    for check in asking:
        by_cause.setdefault(check.cause, []).append(title_of_check(check.id))
    causes = tuple(
        lazy("{cause} ({checks})", cause=CAUSES[id].title, checks=Terms(tuple(titles), all_named=True))
        for id, titles in by_cause.items()
    )
    return lazy(
        "You would have to write {n} {n:reason|reasons}: {causes}.", n=len(causes), causes=Terms(causes, all_named=True)
    )


def describe_lost_marked(version: Version, versions: Sequence[Version]) -> str:
    """Return which marked columns a version does not keep and which of the offered ``versions`` do; "" if it keeps all.

    Each line has the columns that the same versions keep. If several versions have the same name, their numbers in the
    list are added.
    """
    names = [str(offered.name) for offered in versions]
    columns_of: dict[tuple[str, ...], list[str]] = {}
    for column in version.lost_marked:
        keeping = [
            f"{name} ({number})" if names.count(name) > 1 else name
            for number, (name, offered) in enumerate(zip(names, versions, strict=True), start=1)
            if column not in offered.lost_marked
        ]
        columns_of.setdefault(tuple(keeping), []).append(column)
    lines = []
    for versions_keeping, columns in columns_of.items():
        kept = _("Kept by: {versions}.", versions=Names(versions_keeping)) if versions_keeping else ""
        lines.append(f"{_('Not kept although marked: {columns}.', columns=Names.of(columns))} {kept}".rstrip())
    return "\n".join(lines)


def describe_blocking(blocking: Blocking) -> Sentence:
    """Return the sentence on which check blocks every version, by which columns, and what is possible without them.

    If the check names no columns, the sentence names the check alone; if leaving them out is not enough, it says so.
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
