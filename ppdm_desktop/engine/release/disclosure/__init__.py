"""Measures of disclosure on the written table: beliefs, unique people, and columns that identify people."""
