"""Tables: data, short forms, columns that stay in sight."""
