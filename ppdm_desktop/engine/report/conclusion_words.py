"""The comparison of regressions in words and table cells, the same in report, window and terminal."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.report.report_words import write_interval, write_value
from ppdm_desktop.engine.utility.conclusions import Coefficient, Conclusions
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Name, Names, Term


def model_words(conclusions: Conclusions) -> str:
    """Return which column a regression explains by which others."""
    return _("{y} explained by {x}", y=Name(conclusions.y), x=Names.of(conclusions.x))


def conclusions_sentence(conclusions: Conclusions) -> str:
    """Return how many conclusions of a regression stay the same."""
    if not conclusions.of:
        return _("No conclusion could be compared.")
    return _(
        "{k} of {n} {n:conclusion stays|conclusions stay} the same (sign and significance).",
        k=conclusions.kept,
        n=conclusions.of,
    )


def coefficient_headings() -> list[str]:
    """Return the headings of the table of coefficients."""
    return [_("Term"), *(str(measure.heading) for measure in measures_of(Coefficient).values()), _("Conclusion")]


def coefficient_rows(conclusions: Conclusions) -> list[tuple[str, ...]]:
    """Return the table rows of the coefficients of a regression."""
    return [
        (
            str(entry.term),
            *(_cell(getattr(entry, key), measure.kind) for key, measure in measures_of(Coefficient).items()),
            _("cannot be estimated") if entry.is_kept is None else _("the same") if entry.is_kept else _("changes"),
        )
        for entry in conclusions.coefficients
    ]


def _cell(figure: Figure, kind: str) -> str:
    """Return a figure with its interval, and a dash where it was not measured."""
    if figure.value is None:
        return numbers_of(language()).none(cell=True)
    text, interval = write_value(float(figure.value), kind), write_interval(figure, kind)
    return _("{figure} ({interval})", figure=Term(text), interval=Term(interval)) if interval else text
