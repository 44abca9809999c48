"""Playing cards: ranks, suits and packs, what they are called, and reading them from text."""
