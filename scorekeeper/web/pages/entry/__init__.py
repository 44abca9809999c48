"""Entering a round: the form, its keys, the result, corrections."""
