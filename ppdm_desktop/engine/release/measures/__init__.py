"""What a candidate kept and what each step changed, in figures."""
