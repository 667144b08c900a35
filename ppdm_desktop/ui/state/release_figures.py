"""The three figures at the head of the Release page. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.report.figures_and_limits import NO_LIMIT, found_words, limit_words
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Term


@dataclass(frozen=True)
class HeadFigure:
    """One figure as it is shown: the number, what it is held against in small print, and what it counts."""

    number: str
    beside: str
    caption: str


def head_figures(verdict: Verdict, original: Verdict | None) -> tuple[HeadFigure, ...]:
    """Return who is unique, how many an intruder finds and how many rows are impossible, as far as each is known.

    In a file in which nothing always holds no row is impossible; its third figure is how useful the release is.
    """
    numbers = numbers_of(language())
    found = []
    if verdict.singled is not None:
        before = original.singled if original is not None else None
        of_all = numbers.full(before.by_others, before.people) if before is not None else ""
        was = _("was {share}", share=Term(of_all)) if of_all else ""
        found.append(HeadFigure(numbers.count(verdict.singled.by_others), was, _("people who are unique")))
    match = Scorecard(verdict).judged("match")
    if match.figure is not None and match.figure.value is not None:
        words = limit_words(match)
        limit = "" if words == NO_LIMIT else _("limit {limit}", limit=Term(words))
        caption = _("the most that an intruder finds (of {n} people)", n=match.of or verdict.people)
        hits = match.status == "not-applicable" and match.hits is not None
        number = numbers.count(match.hits or 0) if hits else found_words(match)
        found.append(HeadFigure(number, limit, caption))
    believable = verdict.usefulness.believable
    if believable.value is not None:
        rows = believable.n or verdict.rows_released
        broken = rows - round(believable.value * rows)
        text = _("of {n}", n=rows)
        found.append(HeadFigure(numbers.count(broken), text, _("rows that are impossible")))
    elif verdict.usefulness.useful.value is not None:
        useful = numbers.percent(verdict.usefulness.useful.value)
        found.append(HeadFigure(useful, "", _("useful, of what the original is good for")))
    return tuple(found)
