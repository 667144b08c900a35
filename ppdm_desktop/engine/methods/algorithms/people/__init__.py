"""What the methods share where a person has several rows."""
