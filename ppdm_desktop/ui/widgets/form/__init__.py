"""The form for the settings ("parameters") of a method, built from the method's declaration."""
