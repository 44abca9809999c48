"""The events of games and groups, and the stored form of rounds."""
