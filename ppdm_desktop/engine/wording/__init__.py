"""Sentences and their translation: typed values, numbers as text, texts by id."""
