"""Stands in for the module of this name; it has nothing."""
