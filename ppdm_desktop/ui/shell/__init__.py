"""The window around the pages: rail, frame, help, settings, system dialogs."""
