"""Helpers of the methods for people with several rows."""
