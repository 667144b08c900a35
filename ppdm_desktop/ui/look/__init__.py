"""Theme, colours, icons, fonts, and what screen readers say."""
