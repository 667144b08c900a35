"""One package for each page of the window, such as Welcome, Columns and Release."""
