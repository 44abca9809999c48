"""The form of a new game, and the settings of a game."""
