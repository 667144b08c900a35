"""The window around the pages: list of pages, frame, help, settings, system dialogs."""
