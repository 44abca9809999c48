"""A game: its state, its score sheet, what may happen next, and its story."""
