"""What an intruder can do with a release: arrays in, figures out; nothing here knows a method."""
