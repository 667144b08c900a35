"""Page "Welcome": open a file, a sample or a project, or add to an earlier release."""
