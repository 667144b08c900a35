"""The window: turns the user's actions into calls of the engine, and results into texts and charts."""
