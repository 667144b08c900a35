"""Tables for data, for short lists, and with columns that stay visible."""
