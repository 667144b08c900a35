"""Work in the background and in chunks, so that the window answers."""
