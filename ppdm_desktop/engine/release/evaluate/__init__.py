"""Evaluation of candidates: report, scorecard, and the files that a release would have."""
