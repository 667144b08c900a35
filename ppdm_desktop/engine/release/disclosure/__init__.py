"""Measures of disclosure on the written table.

They are what intruders can conclude about values, how many people are unique, and which columns identify people.
"""
