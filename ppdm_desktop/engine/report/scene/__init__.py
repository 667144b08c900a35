"""What a chart says, once, for everyone who draws it: the report, the window and the saved picture."""
