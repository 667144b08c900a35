"""Texts, samples and templates: no code. Installed as ``ppdm_desktop.resources``."""
