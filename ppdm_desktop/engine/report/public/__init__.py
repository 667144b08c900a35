"""The public texts for recipients, release note and data dictionary, built from a list of allowed fields.

Everything here comes from the released table, from parameters a method declares public and from banded usefulness.
Counts below the release type's smallest class are "fewer than".
"""
