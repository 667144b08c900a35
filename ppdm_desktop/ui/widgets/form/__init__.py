"""The form that a method's declaration builds."""
