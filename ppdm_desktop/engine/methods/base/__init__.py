"""The parts that every method declares: the class, its parameters, a step, a suggestion, the registry."""
