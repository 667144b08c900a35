"""The arithmetic behind the methods, in one folder for each family of methods; no method is declared here."""
