"""The arithmetic behind the methods, one folder for each family; nothing here is declared or registered."""
