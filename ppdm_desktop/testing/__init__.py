"""Batteries of tests that every declared method, attack, check or format has to pass, ours and those of plug-ins.

A battery raises an ``AssertionError`` that names the declaration and the rule it breaks; no test framework is needed.
"""

from ppdm_desktop.testing.attacks import check_attack
from ppdm_desktop.testing.checks import Dial, check_check, check_limits
from ppdm_desktop.testing.formats import FileCase, check_reader, check_reader_declared, check_sample, check_writer
from ppdm_desktop.testing.methods import check_method, method_table

__all__ = [
    "Dial",
    "FileCase",
    "check_attack",
    "check_check",
    "check_limits",
    "check_method",
    "check_reader",
    "check_reader_declared",
    "check_sample",
    "check_writer",
    "method_table",
]
