"""The samples: invented tables, each defined in one module, with a recipe that releases it."""

from ppdm_desktop.engine.samples.base import Sample
from ppdm_desktop.engine.samples.registry import (
    all_samples,
    find_bundled_sample,
    find_sample,
    sample_files,
    sample_options,
)

__all__ = ["Sample", "all_samples", "find_bundled_sample", "find_sample", "sample_files", "sample_options"]
