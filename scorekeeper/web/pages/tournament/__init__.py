"""The pages of a tournament: director, television, entrants, results, standings."""
