"""The report's part on usefulness: columns, pairs of columns, and analyses."""

from __future__ import annotations

from ppdm_desktop.engine.figure import measures_of
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.release.measures.utility import Measures
from ppdm_desktop.engine.release.reporting.libraries import libraries_used
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.utility.models.suite import ModelResult


def utility_of(candidate: Candidate, measures: Measures) -> model.Utility:
    """Return the report's part on columns and pairs, without analyses (see ``with_analyses``)."""
    suppressed = candidate.prepared.table.rows - candidate.final.rows
    return model.Utility(columns=list(measures.columns), pairs=measures.pairs, rows_suppressed=max(suppressed, 0))


def with_analyses(report: model.Report, analyses: Analyses) -> model.Report:
    """Return the report with the analyses filled in, and the libraries that they used."""
    libraries = libraries_used(report.input.format, report.release.format)
    return report.model_copy(
        update={
            "utility": analysed(report.utility, analyses),
            "program": report.program.model_copy(update={"libraries": libraries}),
        }
    )


def analysed(utility: model.Utility, analyses: Analyses) -> model.Utility:
    """Return the report's part on usefulness with the analyses filled in."""
    filled = {
        **{key: getattr(analyses, key) for key in measures_of(model.Utility)},
        "models": [_model(analysis) for analysis in analyses.models],
        "conclusions": list(analyses.conclusions),
        "clusters": list(analyses.clusters),
    }
    return utility.model_copy(update=filled)


def _model(result: ModelResult) -> model.ModelEntry:
    """Return the report's entry for one learner on one target."""
    return model.ModelEntry.copy_of(result, **vars(result.scores))
