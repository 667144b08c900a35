"""The samples: small or large invented tables, each with a recipe that releases it, one file each."""

from ppdm_desktop.engine.samples.base import Sample
from ppdm_desktop.engine.samples.registry import all_samples, find_sample, ready_sample, sample_files, sample_options

__all__ = ["Sample", "all_samples", "find_sample", "ready_sample", "sample_files", "sample_options"]
