"""The rules of the games: pure functions on immutable values, standard library only."""
