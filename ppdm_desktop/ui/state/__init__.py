"""State of the window: session, project, candidates, and the texts that pages derive from them. No widgets here."""
