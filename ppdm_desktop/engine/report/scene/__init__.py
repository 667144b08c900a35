"""The content of a chart, independent of what draws it: the report, the window or the saved picture."""
