"""Judging a file that another program made: compared with its source, measured and attacked like our releases."""

from ppdm_desktop.engine.release.foreign.comparing import Comparison, compare

__all__ = ["Comparison", "compare"]
