"""All checks of the gate in the order they are shown, and running them."""

from __future__ import annotations

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.attack_checks import inference, linkage
from ppdm_desktop.engine.release.gate.audit import audit_complete
from ppdm_desktop.engine.release.gate.bounds import bounds_from_data
from ppdm_desktop.engine.release.gate.data_file import file_limits, formula_cells, row_order, written_back
from ppdm_desktop.engine.release.gate.dependencies import dependencies
from ppdm_desktop.engine.release.gate.disclosure import certain_disclosure, class_size, levels_met
from ppdm_desktop.engine.release.gate.diversity import diversity
from ppdm_desktop.engine.release.gate.earlier import earlier_release, redrawn
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.groups import small_groups
from ppdm_desktop.engine.release.gate.identifiers import free_text, identifier_patterns, identifiers_gone
from ppdm_desktop.engine.release.gate.leaks import metadata, release_text
from ppdm_desktop.engine.release.gate.methods import (
    guessable_key,
    marginal_shift,
    reversible_method,
)
from ppdm_desktop.engine.release.gate.rare import rare_values
from ppdm_desktop.engine.release.gate.readback import level_readback
from ppdm_desktop.engine.release.gate.results import NOT_RUN, Check, CheckResult, verdict
from ppdm_desktop.engine.release.gate.reversal import reversal
from ppdm_desktop.engine.release.gate.source import one_row_per_person, roles_decided, rows_read, source_unchanged
from ppdm_desktop.engine.release.gate.suppression import suppression

_LONG = 20
"""So many times as long takes a check that looks at every value."""
CHECKS: tuple[Check, ...] = (
    Check("roles-decided", roles_decided, reads_file=False),
    Check("rows-read", rows_read, reads_file=False),
    Check("source-unchanged", source_unchanged, reads_file=False),
    Check("written-back", written_back, reads_file=False, reports=True, weight=_LONG),
    Check("identifiers-gone", identifiers_gone, reports=True, weight=_LONG),
    Check("identifier-patterns", identifier_patterns, reports=True, weight=_LONG),
    Check("free-text", free_text, reports=True, weight=_LONG),
    Check("row-order", row_order, reads_file=False),
    Check("one-row-per-person", one_row_per_person, reads_file=False),
    Check("class-size", class_size),
    Check("certain-disclosure", certain_disclosure),
    Check("diversity", diversity),
    Check("levels-met", levels_met),
    Check("level-readback", level_readback),
    Check("linkage", linkage, reports=True),
    Check("inference", inference, reads_file=False, reports=True),
    Check("reversal", reversal, reads_file=False, reports=True),
    Check("reversible-method", reversible_method, reads_file=False),
    Check("marginal-shift", marginal_shift),
    Check("rare-values", rare_values),
    Check("dependencies", dependencies),
    Check("bounds-from-data", bounds_from_data, reads_file=False),
    Check("small-groups", small_groups, reads_file=False),
    Check("suppression", suppression),
    Check("guessable-key", guessable_key, reads_file=False),
    Check("earlier-release", earlier_release, reads_file=False),
    Check("redrawn", redrawn, reads_file=False),
    Check("audit-complete", audit_complete, reads_file=False, reports=True),
    Check("formula-cells", formula_cells, reports=True, weight=_LONG),
    Check("file-limits", file_limits, reads_file=False),
    Check("metadata", metadata),
    Check("release-text", release_text),
)
CHECK_IDS: tuple[str, ...] = tuple(check.id for check in CHECKS)


def run_gate(evidence: Evidence, progress: Progress) -> tuple[CheckResult, ...]:
    """Run every check, in order."""
    # Measured on a million records: what checks share takes as long as the checks.
    evidence.make_ready(progress.part(0.0, 0.5))
    weights = [check.weight for check in CHECKS]
    found, done = [], 0
    for check, weight in zip(CHECKS, weights, strict=True):
        part = progress.part(0.5 + 0.5 * done / sum(weights), 0.5 + 0.5 * (done + weight) / sum(weights))
        done += weight
        part.report(0.0, "doing.gate")
        if check.reads_file and not evidence.fits:
            found.append(verdict(check.id, NOT_RUN))
        else:
            found.append(check.run(evidence, part))
    return tuple(found)
