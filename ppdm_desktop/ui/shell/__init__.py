"""The window around the pages: steps, frame, help, settings, system dialogs."""
