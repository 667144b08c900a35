"""How the program opens files safely, and saves its own files completely or not at all."""
