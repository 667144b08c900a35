"""The gate: checks of a release, each with the result green, amber (needs a written reason) or red (blocks)."""

from ppdm_desktop.engine.release.gate.evidence import Evidence as Evidence
