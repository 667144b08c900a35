"""What the window knows, without widgets: the session (file, decisions, candidates) and the texts shown on pages."""
