"""What a snooper can do with a release: arrays in, figures out; nothing here knows a method."""
