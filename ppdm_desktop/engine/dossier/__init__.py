"""Papers that officers, boards, recipients and auditors ask for, made from the report by forms declared in files."""

INTERNAL, PAPERS = "internal", "papers"
"""Folders of a release: what its owner keeps, and the papers that people edit, which no manifest lists."""
