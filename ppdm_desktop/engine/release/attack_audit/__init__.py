"""The attack audit: one module for each attack, which is made on a candidate release and measured."""
