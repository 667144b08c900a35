"""Page "Release": answers to the checks, the folder, and what to do with the written release."""
