"""Tab "Side by side": the figures of several candidates."""
