"""Tables for data, for short lists, and tables whose first columns stay visible."""
