"""The sixteen life-insurance customers of Li & Sarkar (2004), Table 1: a file, not drawn."""

from __future__ import annotations

from ppdm_desktop.engine.samples.sample import Sample

LIFE_INSURANCE = Sample("life-insurance", default_rows=16, least_rows=16)
