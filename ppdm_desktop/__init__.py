"""PPDM Desktop: release a dataset without exposing anyone in it."""

__version__ = "0.1.0"
