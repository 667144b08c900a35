"""What the window knows and decides: session, project, candidates, and what pages show of them. No widgets here."""
