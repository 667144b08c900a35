"""Judging a file that another tool made: read beside its source, measured and attacked like one of our own."""

from ppdm_desktop.engine.release.foreign.comparing import Comparison, compare

__all__ = ["Comparison", "compare"]
