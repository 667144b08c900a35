"""The form for a method's parameters, built from its declaration."""
