"""Evaluating candidates: report, scorecard, suggestions, and the files a release would have."""
